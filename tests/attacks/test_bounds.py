"""`open()` takes at most 32 MB + 8 n of memory for any file of n bytes.

Memory is the growth of a process's peak resident size, including the mapped pages of the file.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.gguf_bytes import ARRAY, STRING, UINT8, V1, V3, Form

from attacks.corpus import CASES, FILES as CORPUS

SIZE = 8 << 20  # bytes
MB = 1 << 20
LONGEST = 10_000  # characters of a message, which can contain a path of 128 levels

# Runs in its own process, because the peak of a process never decreases. First files trigger all imports. On Linux,
# `ru_maxrss` is not used: it starts at the peak of the parent process, which can be higher.
MEASURE = """
import re, sys
from pathlib import Path
import kaitai_gguf
from support.gguf_bytes import FORMS, I8

def peak():
    if sys.platform == "linux":
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) << 10
    import resource
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

def opened(source):
    try:
        kaitai_gguf.open(source)
    except kaitai_gguf.FormatError as error:
        return str(error)
    return "opens"

for form in FORMS.values():
    tensors = [form.tensor((1, 1), I8, 32 * i, b"%d" % i) for i in range(2)]
    opened(form.file([form.key_value(4, form.u4(32), b"general.alignment")], tensors))
    opened(form.header(num_metadata=1))
before = peak()
for path in sys.argv[1:]:
    outcome = opened(path)
    print(peak() - before, len(outcome), outcome[-300:])
"""


def measured(*paths: Path) -> Iterator[tuple[int, str]]:
    """Open files in one process. Yield its bytes of memory so far, and the outcome."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", MEASURE, *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    for _, line in zip(paths, done.stdout.splitlines(), strict=True):
        memory, length, outcome = line.split(" ", 2)
        assert int(length) < LONGEST
        yield int(memory), outcome


def numbered(form: Form, item: bytes, last: Callable[[int], bytes] = lambda _: b"") -> list[bytes]:
    """Return as many items as fit, with the shortest possible distinct names.

    `item` is an item with an empty name. `last` returns the end of an item from its number.
    """
    rest, items, size = item[form.width :], [], 0
    while size < SIZE:
        number = len(items) + 1
        name = number.to_bytes((number.bit_length() + 7) // 8, "big")
        items.append(form.string(name) + rest + last(number))
        size += len(items[-1])
    return items


def array(form: Form, element_type: int, element: bytes) -> bytes:
    """Return a header whose array has as many of the same elements as fit."""
    count = SIZE // len(element)
    return form.header([form.key_value(ARRAY, form.array(element_type, count, element * count))])


def keys(form: Form) -> list[bytes]:
    return numbered(form, form.key_value(UINT8, b"\0", b""))


def long_key(form: Form, nbytes: int, end: str) -> bytes:
    return form.key_value(UINT8, b"\0", b"k" * nbytes + end.encode())


def tensors(form: Form) -> bytes:
    return form.header(tensors=numbered(form, form.tensor((), name=b"")[:-8], lambda number: form.u8(32 * number)))


def tensors_backwards(form: Form) -> bytes:
    item = form.tensor((1, 1, 1, 1), name=b"")[:-8]
    return form.header(tensors=numbered(form, item, lambda number: form.u8((1 << 40) - 32 * number)))


def deep_arrays(form: Form) -> bytes:
    return array(form, ARRAY, form.array(ARRAY, 1) * 126 + form.array(UINT8, 0))


Make = Callable[[Form], bytes]

# Python stores a text with four bytes per character if one of them is beyond U+FFFF.
WIDE = "\U0001f98a"

# A file and the outcome. Version 1 has the shortest items, so a file holds more of them.
FILES: dict[str, tuple[Make, Form, str]] = {
    "keys": (lambda form: form.header(keys(form)), V1, "opens"),
    "keys in version 3": (lambda form: form.header(keys(form)), V3, "opens"),
    "keys and one twice": (lambda form: form.header([*(items := keys(form)), items[-1]]), V1, "is duplicated"),
    "keys that are cut off": (lambda form: form.header(keys(form))[:-1], V1, "needs"),
    "long keys": (lambda form: form.header([long_key(form, 65_000, f"{i:06}") for i in range(129)]), V1, "opens"),
    "wide key twice": (lambda form: form.header([long_key(form, SIZE // 2 - 40, WIDE)] * 2), V1, "is duplicated"),
    "tensors": (tensors, V1, "opens"),
    "tensors in version 3": (tensors, V3, "opens"),
    "tensors backwards": (tensors_backwards, V1, "opens"),
    "wide tensor name": (
        lambda form: form.header(tensors=[form.tensor((5,), 2, name=b"t" * (SIZE - 40) + WIDE.encode())]),
        V1,
        "row length 5",
    ),
    "empty strings": (lambda form: array(form, STRING, form.string(b"")), V1, "opens"),
    "empty arrays": (lambda form: array(form, ARRAY, form.array(STRING, 0)), V1, "opens"),
    "deep arrays": (deep_arrays, V1, "opens"),
    "deep arrays in version 3": (deep_arrays, V3, "opens"),
    "arrays that are too deep": (
        lambda form: form.header([form.key_value(ARRAY, form.array(ARRAY, 1) * (SIZE // 8))]),
        V1,
        "is nested more than 128 levels deep",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_memory_grows_with_the_file(name: str, tmp_path: Path) -> None:
    make, form, expected = FILES[name]
    path = tmp_path / "model.gguf"
    path.write_bytes(make(form))
    ((memory, outcome),) = measured(path)
    assert expected in outcome
    assert memory <= 32 * MB + 8 * path.stat().st_size, f"{memory / MB:.0f} MB"


def test_small_files_take_little() -> None:
    """Small files that claim huge counts and sizes."""
    *_, (memory, _) = measured(*(CORPUS / f"{name}.gguf" for name in CASES))
    assert memory < 64 * MB
