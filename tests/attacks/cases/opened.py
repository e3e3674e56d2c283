"""Files with faults that `open()` accepts because such files are in use. `check` reports the faults."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from support.gguf_bytes import ARRAY, BOOL, F32, FORMS, I8, INT32, STRING, UINT8, UINT32, Form

from attacks.cases.case import Build, Case, in_forms
from attacks.cases.refused import alignment, nested, tensor, value

NOT_UTF8 = [b"\xff", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"]


def key(*keys: bytes) -> Build:
    return lambda form: form.file([form.key_value(UINT8, b"\1", each) for each in keys])


def named(name: bytes) -> Build:
    return lambda form: form.file(tensors=[form.tensor(name=name)], data=bytes(32))


def two(*infos: tuple[Sequence[int], int, int], data: int = 0) -> Build:
    """Build a file with tensors `a` and `b`, given as (dims, type, offset)."""
    return lambda form: form.file(
        tensors=[form.tensor(*info, name=name) for info, name in zip(infos, [b"a", b"b"], strict=True)],
        data=bytes(data),
    )


def bare(data: int = 0) -> Build:
    """Build a file with one tensor of 16 bytes, and `data` bytes of tensor data."""
    return lambda form: form.file(tensors=[form.tensor((4,))], data=bytes(data))


def each_empty(form: Form) -> bytes:
    """Build a file with an empty array of each type."""
    return form.file([form.key_value(ARRAY, form.array(n, 0), b"a%d" % n) for n in range(13)])


def dirty_padding(form: Form) -> bytes:
    clean = form.header(tensors=[form.tensor()])
    return clean + b"\xa5" * (-len(clean) % 32) + bytes(32)


# Name; description; the file; the tensors whose data is not available.
Row = tuple[str, str, Build, tuple[str, ...]]

KEYS: list[Row] = [
    ("nothing", "A file with neither key-values nor tensors.", lambda f: f.header(), ()),
    ("no-architecture", "The key that every file should have is missing.", key(b"general.name"), ()),
    ("key-upper-case", "A key has upper case letters.", key(b"General.Name"), ()),
    ("key-space", "A key contains a space.", key(b"general name"), ()),
    ("key-empty-segment", "A key ends with a dot, and has two dots in a row.", key(b"general..name."), ()),
    ("key-not-ascii", "A key is not ASCII.", key("日本".encode()), ()),
    ("key-nul", "Two keys contain a NUL, and differ only after it.", key(b"a\0b", b"a", b"a\0c"), ()),
    ("key-control", "A key is an escape sequence that clears the screen.", key(b"\x1b[2J\x9b2J\r\n"), ()),
    ("key-not-utf8", "Keys are not UTF-8, each in a different way.", key(*NOT_UTF8), ()),
    ("key-1000", "A key of 1,000 bytes.", key(b"k" * 1000), ()),
    ("alignment-1", "The alignment is 1: ggml accepts it, but the documentation does not.",
     alignment(UINT32, lambda f: f.u4(1)), ()),
    ("alignment-4", "The alignment is 4: ggml accepts it, but the documentation does not.",
     alignment(UINT32, lambda f: f.u4(4)), ()),
    ("alignment-2-to-the-31", "The alignment is 2 GiB.", alignment(UINT32, lambda f: f.u4(2**31)), ()),
]  # fmt: skip

VALUES: list[Row] = [
    ("string-empty", "A string is empty.", value(STRING, lambda f: f.string(b"")), ()),
    ("string-nul", "A string contains a NUL.", value(STRING, lambda f: f.string(b"a\0b")), ()),
    ("string-not-utf8", "A string is not UTF-8.", value(STRING, lambda f: f.string(b"\xff\xfe")), ()),
    ("string-template", "A string is a template that reads a file when it is rendered.",
     value(STRING, lambda f: f.string(b"{{ cycler.__init__.__globals__.os.popen('id').read() }}")), ()),
    ("array-strings-not-utf8", "Strings in an array are not UTF-8, each in a different way.",
     value(ARRAY, lambda f: f.array(STRING, len(NOT_UTF8), b"".join(map(f.string, NOT_UTF8)))), ()),
    ("array-strings-empty", "An array has empty strings.",
     value(ARRAY, lambda f: f.array(STRING, 50, f.string(b"") * 50)), ()),
    ("bool-2", "A bool is 2.", value(BOOL, lambda f: b"\2"), ()),
    ("array-bool-255", "Bools in an array are neither 0 nor 1.",
     value(ARRAY, lambda f: f.array(BOOL, 5, b"\0\1\2\x80\xff")), ()),
    ("arrays-of-nothing", "There is an empty array of each type.", each_empty, ()),
    ("nested", "An array contains arrays of different types.",
     value(ARRAY, lambda f: f.array(
         ARRAY, 3, f.array(INT32, 2, bytes(8)) + f.array(STRING, 1, f.string(b"x")) + f.array(ARRAY, 0))), ()),
    ("nested-128", "128 arrays are nested.", nested(128), ()),
]  # fmt: skip

TENSORS: list[Row] = [
    ("type-43", "The type of a tensor is not defined yet.", tensor((7,), 43), ("t",)),
    ("type-negative", "The type of a tensor is -1 if it is read as a signed number.",
     tensor((7,), 2**32 - 1), ("t",)),
    ("type-4", "The type of a tensor is one that ggml has removed: Q4_2.", tensor((32,), 4), ("t",)),
    ("type-31", "The type of a tensor is one that ggml has removed: Q4_0_4_4.", tensor((32,), 31), ("t",)),
    ("tensor-name-63", "The name of a tensor has 63 bytes, the limit of ggml.", named(b"n" * 63), ()),
    ("tensor-name-64", "The name of a tensor has 64 bytes, the limit in the documentation.", named(b"n" * 64), ()),
    ("tensor-name-200", "The name of a tensor has 200 bytes, as in some diffusion models.",
     named(b"n" * 200), ()),
    ("tensor-name-path", "The name of a tensor is a path.", named(b"../../etc/passwd"), ()),
    ("tensor-name-nul", "The name of a tensor contains a NUL.", named(b"a\0b"), ()),
    ("gap", "There is a gap between two tensors.", two(((4,), F32, 0), ((4,), F32, 96), data=128), ()),
    ("gap-at-the-start", "The first tensor does not start at offset 0.",
     two(((4,), F32, 32), ((4,), F32, 64), data=96), ()),
    ("order", "The order of the tensors is not that of their data.", two(((4,), F32, 32), ((4,), F32, 0), data=64), ()),
    ("scalar", "A tensor has no dims, and therefore one element.", tensor(()), ()),
    ("zero-dim", "A dim is 0, so the tensor is empty.", two(((0, 3), F32, 0), ((4,), F32, 0), data=32), ()),
    ("zero-dim-far-away", "The offset of an empty tensor is far beyond the end.", tensor((0,), F32, 2**40), ()),
    ("same-offset-unknown", "Two tensors of an unknown type have the same offset.",
     two(((4,), 43, 0), ((4,), 43, 0), data=64), ("a", "b")),
    ("no-data", "The file has no tensor data.", bare(), ("t",)),
    ("no-padding", "The file ends after its header, without padding.",
     lambda f: f.header(tensors=[f.tensor((4,))]), ("t",)),
    ("one-byte-missing", "The last byte of the data is missing.", bare(15), ("t",)),
    ("offset-behind-the-end", "The offset of a tensor is 2^62.", tensor((4,), F32, 2**62), ("t",)),
    ("size-behind-the-end", "A tensor claims 2^60 bytes in a small file.", tensor((2**30, 2**30), I8), ("t",)),
    ("trailing-bytes", "There are bytes after the last tensor.", bare(100), ()),
    ("padding-not-zero", "The padding between the header and the data is not zero.", dirty_padding, ()),
    ("alignment-1-packed", "The alignment is 1, and tensors follow each other without a gap.",
     lambda f: f.file([f.key_value(UINT32, f.u4(1), b"general.alignment")],
                      [f.tensor((3,), I8, 0), f.tensor((3,), I8, 3, b"u")], bytes(6), alignment=1), ()),
]  # fmt: skip


def cases() -> Iterator[Case]:
    for name, about, build, no_data in KEYS + VALUES + TENSORS:
        for _, case in in_forms("opened", name, about, build, list(FORMS)):
            yield replace(case, no_data=no_data)
    for version in (1, 2):
        about = f"A file of version {version} is big-endian, which only version 3 allows."
        yield Case(f"opened/v{version}-big-endian", about, Form(version, ">").file())
