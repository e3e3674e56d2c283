"""Turn tensor names into safe file names and keys. A file may name its tensors anything, `../../x` included."""

import re
from collections.abc import Callable, Iterable
from itertools import count

from kaitai_gguf.text import encode

# Windows treats these as devices, whatever follows the first point.
_DEVICES = r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)"
_LONGEST = 160  # characters: with an appended hash and a suffix, less than the 255 bytes that file systems allow


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a name for each that is safe in a file name on any system. The results differ in more than case."""
    return _distinct(names, _file_name, str.lower)


def json_names(names: Iterable[str]) -> dict[str, str]:
    """Return a name for each that JSON can represent and safetensors doesn't reserve."""
    return _distinct(names, lambda name: "__metadata___" if name == "__metadata__" else as_text(name), str)


def as_text(text: str) -> str:
    """Return text with bytes that aren't UTF-8 escaped, as in \\udcff."""
    return text.encode("utf-8", "backslashreplace").decode()


def _file_name(name: str) -> str:
    # ASCII only: file systems differ in which other characters they consider equal.
    safe = re.sub(r"[^A-Za-z0-9._+=@-]", "_", name[:_LONGEST])
    safe = re.sub(r"^[.-]|^$", "_", safe)  # hidden files, options, empty names
    if safe.lower().endswith(".npy"):  # numpy considers members `x` and `x.npy` of an archive equal
        safe = f"{safe[:-4]}_npy"
    return f"_{safe}" if re.match(_DEVICES, safe, re.IGNORECASE) else safe


def _distinct(names: Iterable[str], safe: Callable[[str], str], same: Callable[[str], str]) -> dict[str, str]:
    """Return a distinct safe name for each name.

    Names that are already safe are assigned first. A name that is taken gets a hash of the original name, so that it
    doesn't depend on the other names of the file; if that is taken too, another hash.
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
