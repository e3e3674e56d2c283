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

# Runs in its own process, because the peak of a process never decreases. First files trigger all imports.
MEASURE = """
import sys
import kaitai_gguf
from support.gguf_bytes import FORMS, I8
from support.memory import peak

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
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths)
    for line in lines:
        memory, length, outcome = line.split(" ", 2)
        assert int(length) < LONGEST
        yield int(memory), outcome


def repeated(item: bytes, size: int) -> tuple[int, bytes]:
    return size // len(item), item * (size // len(item))


def numbered(form: Form, rest: Callable[[int], bytes], size: int) -> list[bytes]:
    """Return as many items as a file of this size can hold, with the shortest possible distinct names.

    What follows the name depends on the number of the item.
    """
    lengths = [form.length(width) for width in range(4)]
    items = []
    for number in range(1, size // len(lengths[3] + b"abc" + rest(1)) + 1):
        width = (number.bit_length() + 7) // 8
        items.append(lengths[width] + number.to_bytes(width, "big") + rest(number))
    return items


Make = Callable[[Form, int], bytes]


def key_values(form: Form, size: int) -> list[bytes]:
    rest = form.key_value(UINT8, b"\0", b"")[form.width :]
    return numbered(form, lambda _: rest, size)


def keys(form: Form, size: int) -> bytes:
    return form.header(key_values(form, size))


def keys_and_one_twice(form: Form, size: int) -> bytes:
    items = key_values(form, size)
    return form.header([*items, items[-1]])


def long_keys(form: Form, size: int) -> bytes:
    """Build long keys that differ only at the end."""
    return form.header([form.key_value(UINT8, b"\0", b"k" * 65_000 + b"%06d" % i) for i in range(size // 65_023)])


def wide_key_twice(form: Form, size: int) -> bytes:
    """Build keys with one character beyond U+FFFF: Python stores such a text with four bytes per character."""
    return form.header([form.key_value(UINT8, b"\0", b"k" * (size // 2 - 40) + "\U0001f98a".encode())] * 2)


def tensors(form: Form, size: int) -> bytes:
    start = form.tensor((), name=b"")[form.width : -8]
    return form.header(tensors=numbered(form, lambda number: start + form.u8(32 * number), size))


def tensors_backwards(form: Form, size: int) -> bytes:
    start, last = form.tensor((1, 1, 1, 1), name=b"")[form.width : -8], 1 << 40
    return form.header(tensors=numbered(form, lambda number: start + form.u8(last - 32 * number), size))


def wide_tensor_name(form: Form, size: int) -> bytes:
    return form.header(tensors=[form.tensor((5,), 2, name=b"t" * (size - 40) + "\U0001f98a".encode())])


def empty_strings(form: Form, size: int) -> bytes:
    return form.header([form.key_value(ARRAY, form.array(STRING, *repeated(form.string(b""), size)))])


def empty_arrays(form: Form, size: int) -> bytes:
    return form.header([form.key_value(ARRAY, form.array(ARRAY, *repeated(form.array(STRING, 0), size)))])


def deep_arrays(form: Form, size: int) -> bytes:
    item = form.array(ARRAY, 1) * 126 + form.array(UINT8, 0)
    return form.header([form.key_value(ARRAY, form.array(ARRAY, *repeated(item, size)))])


def too_deep(form: Form, size: int) -> bytes:
    return form.header([form.key_value(ARRAY, repeated(form.array(ARRAY, 1), size)[1])])


def last_key_cut_off(form: Form, size: int) -> bytes:
    return keys(form, size)[:-1]


# The expected outcome for each.
FILES: dict[Make, str] = {
    keys: "opens",
    keys_and_one_twice: "is duplicated",
    long_keys: "opens",
    wide_key_twice: "is duplicated",
    tensors: "opens",
    tensors_backwards: "opens",
    wide_tensor_name: "row length 5",
    empty_strings: "opens",
    empty_arrays: "opens",
    deep_arrays: "opens",
    too_deep: "is nested more than 128 levels deep",
    last_key_cut_off: "needs",
}


# Version 1 has the shortest items, so a file holds more of them.
BOTH = [keys, tensors, deep_arrays]
ATTACKS = [(make, V1) for make in FILES] + [(make, V3) for make in BOTH]


@pytest.mark.parametrize(
    ("make", "form"),
    ATTACKS,
    ids=lambda each: f"v{each.version}" if isinstance(each, Form) else each.__name__,
)
def test_memory_grows_with_the_file(make: Make, form: Form, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(make(form, SIZE))
    ((memory, outcome),) = measured(path)
    assert FILES[make] in outcome
    assert memory <= 32 * MB + 8 * path.stat().st_size, f"{memory / MB:.0f} MB"


def test_small_files_take_little() -> None:
    """Small files that claim huge counts and sizes."""
    *_, (memory, _) = measured(*(CORPUS / f"{name}.gguf" for name in CASES))
    assert memory < 64 * MB
