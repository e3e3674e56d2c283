"""Names of tensors as names of files and keys: a file may name its tensors anything, `../../x` included."""

import re
from collections.abc import Callable, Iterable
from itertools import count

from kaitai_gguf.text import encode

# The part before the first point of these is a device on Windows, whatever follows.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
_LONGEST = 160  # with what is appended to tell names apart, and a suffix, less than the 255 that file systems take


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each name one that is safe as part of a file name on any system, and differs in more than case."""
    return _told_apart(names, _file_name, str.lower)


def json_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each name one that JSON can hold, and that safetensors does not use itself."""
    return _told_apart(names, lambda name: "__metadata___" if name == "__metadata__" else as_text(name), str)


def as_text(text: str) -> str:
    """Return text with the bytes that aren't UTF-8 written as \\udcff and the like."""
    return text.encode("utf-8", "backslashreplace").decode()


def _file_name(name: str) -> str:
    # ASCII alone: file systems differ in which other characters they take for the same.
    safe = re.sub(r"[^A-Za-z0-9._+=@-]", "_", name[:_LONGEST])
    safe = re.sub(r"^[.-]|^$", "_", safe)  # hidden, an option, or nothing at all
    if safe.lower().endswith(".npy"):  # numpy takes members `x` and `x.npy` of an archive for the same
        safe = f"{safe[:-4]}_npy"
    return f"_{safe}" if _DEVICES.match(safe) else safe


def _told_apart(names: Iterable[str], safe: Callable[[str], str], same: Callable[[str], str]) -> dict[str, str]:
    """Names that stay as they are get what they want first; the others get a hash where theirs is taken.

    A hash makes a name independent of the others of the file. Whoever has foreseen the first gets a second one.
    """
    import hashlib  # most commands take names as they are

    wanted = {name: safe(name) for name in names}
    taken: set[str] = set()
    for name in sorted(wanted, key=lambda name: wanted[name] != name):
        plain, salts = wanted[name], count()
        while same(wanted[name]) in taken:
            digest = hashlib.sha256(encode(name) + b"%d" % next(salts)).hexdigest()
            wanted[name] = f"{plain}-{digest[:12]}"
        taken.add(same(wanted[name]))
    return wanted
