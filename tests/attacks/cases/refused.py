"""Files that `open()` refuses: they can't be parsed, or no reader could use them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from support.gguf_bytes import ARRAY, F32, FLOAT64, FORMS, Q4_0, Q4_K, STRING, UINT8, UINT32, UINT64, Form

from attacks.cases.case import WIDE, Build, Case, Refusal, in_forms
from attacks.others import OTHERS

FORMAT, TRUNCATED, NOT_GGUF = "FormatError", "TruncatedError", "NotGGUFError"
VALUE, INFO = "/metadata/0/value", "/tensors/0"
ALIGNMENT = b"general.alignment"


def most(form: Form) -> int:
    """Return the largest count, which is -1 if read as a signed number."""
    return 2 ** (8 * form.width) - 1


def value(value_type: int, data: Build) -> Build:
    """Build one key-value with the key `k`: its type is at (1, 1), its value at (1, 5)."""
    return lambda form: form.file([form.key_value(value_type, data(form))])


def number(value_type: int, count: int, size: int = 1) -> Build:
    """Build one array that claims more elements than bytes follow: its count is at (1, 9), its elements at (2, 9)."""
    return value(ARRAY, lambda form: form.array(value_type, count, bytes(size)))


def alignment(value_type: int, data: Build) -> Build:
    """Build a file with an alignment: the type of the value is at (1, 17), the value at (1, 21)."""
    return lambda form: form.file([form.key_value(value_type, data(form), ALIGNMENT)])


def nested(levels: int) -> Build:
    return value(ARRAY, lambda form: form.array(ARRAY, 1) * (levels - 1) + form.array(UINT8, 0))


def tensor(dims: Sequence[int] = (1,), type_id: int = F32, offset: int = 0) -> Build:
    """Build one tensor: the number of dims is at (1, 1), the dims at (1, 5), the offset of a 1-d tensor at (2, 9)."""
    return lambda form: form.file(tensors=[form.tensor(dims, type_id, offset)], data=bytes(64))


def tensors(*offsets: int, dims: int = 16) -> Build:
    """Build tensors `a`, `b`, …, whose infos are (2, 17) bytes long each."""
    return lambda form: form.file(
        tensors=[form.tensor((dims,), F32, offset, b"abc"[i : i + 1]) for i, offset in enumerate(offsets)],
        data=bytes(256),
    )


def cut(build: Build, size: int) -> Build:
    """Build a file without its last bytes."""
    return lambda form: build(form)[:-size]


def long_info(form: Form) -> bytes:
    return form.header(tensors=[form.tensor([1] * 4)])


# Name; description; the file; the error; its position, as (lengths, bytes) after the first item; its path.
Row = tuple[str, str, Build, str, tuple[int, int], str]

HEADER: list[Row] = [
    ("tensors-negative", "The number of tensors is the largest possible number.",
     lambda f: f.header(num_tensors=most(f)), FORMAT, (-2, 0), "/num_tensors"),
    ("tensors-more-than-bytes", "The file claims a hundred tensors, and has no bytes for them.",
     lambda f: f.header(num_tensors=100), TRUNCATED, (0, 0), "/tensors"),
    ("tensors-one-more", "The count of tensors is one too high.",
     lambda f: f.header(tensors=[f.tensor([1] * 4, name=b"t" * 30)], num_tensors=2),
     TRUNCATED, (5, 46), "/tensors/1/name/len_data"),
    ("metadata-negative", "The number of key-values is the largest possible number.",
     lambda f: f.header(num_metadata=most(f)), FORMAT, (-1, 0), "/num_metadata"),
    ("metadata-more-than-bytes", "The file claims a hundred key-values, and has no bytes for them.",
     lambda f: f.header(num_metadata=100), TRUNCATED, (0, 0), "/metadata"),
    ("metadata-one-more", "The count of key-values is one too high.",
     lambda f: f.header([f.key_value(STRING, f.string(b"v" * 30))], num_metadata=2),
     TRUNCATED, (2, 35), "/metadata/1/key/len_data"),
]  # fmt: skip

STRINGS: list[Row] = [
    ("key-negative", "The length of a key is the largest possible number.",
     lambda f: f.header([f.string(b"k", most(f)) + f.u4(UINT8) + b"\0"]), FORMAT, (0, 0), "/metadata/0/key/len_data"),
    ("key-longer-than-file", "A key is longer than the file.",
     lambda f: f.header([f.string(b"k", 100) + f.u4(UINT8) + b"\0"]), TRUNCATED, (1, 0), "/metadata/0/key/data"),
    ("string-negative", "The length of a string is the largest possible number.",
     value(STRING, lambda f: f.string(b"v", most(f))), FORMAT, (1, 5), f"{VALUE}/len_data"),
    ("string-longer-than-file", "A string is longer than the file.",
     value(STRING, lambda f: f.string(b"v", 100)), TRUNCATED, (2, 5), f"{VALUE}/data"),
    ("string-one-byte-longer", "A string ends one byte beyond the end of the file.",
     lambda f: f.header([f.key_value(STRING, f.string(b"value", 6))]), TRUNCATED, (2, 5), f"{VALUE}/data"),
    ("array-string-negative", "The length of a string in an array is the largest possible number.",
     value(ARRAY, lambda f: f.array(STRING, 1, f.string(b"v", most(f)))),
     FORMAT, (2, 9), f"{VALUE}/elements/0/len_data"),
    ("array-string-longer-than-file", "The second string of an array is longer than the file.",
     value(ARRAY, lambda f: f.array(STRING, 2, f.string(b"v") + f.string(b"", 100))),
     TRUNCATED, (4, 10), f"{VALUE}/elements/1/data"),
    ("tensor-name-negative", "The length of a tensor name is the largest possible number.",
     lambda f: f.header(tensors=[f.length(most(f)) + bytes(32)]), FORMAT, (0, 0), f"{INFO}/name/len_data"),
    ("tensor-name-longer-than-file", "The name of a tensor is longer than the file.",
     lambda f: f.header(tensors=[f.length(100) + bytes(32)]), TRUNCATED, (1, 0), f"{INFO}/name/data"),
]  # fmt: skip

TYPES: list[Row] = [
    ("value-type-13", "The type of a value is the first unknown number.",
     value(13, lambda f: bytes(16)), FORMAT, (1, 1), "/metadata/0/value_type"),
    ("value-type-negative", "The type of a value is -1 if it is read as a signed number.",
     value(2**32 - 1, lambda f: bytes(16)), FORMAT, (1, 1), "/metadata/0/value_type"),
    ("element-type-13", "The element type of an array is the first unknown number.",
     number(13, 1), FORMAT, (1, 5), f"{VALUE}/element_type"),
    ("element-type-13-of-nothing", "An empty array has an unknown element type.",
     number(13, 0), FORMAT, (1, 5), f"{VALUE}/element_type"),
    ("nested-element-type-13", "The second array in an array has an unknown element type.",
     value(ARRAY, lambda f: f.array(ARRAY, 2, f.array(UINT8, 0) + f.array(13, 0))),
     FORMAT, (3, 13), f"{VALUE}/elements/1/element_type"),
]  # fmt: skip

ARRAYS: list[Row] = [
    ("array-negative", "The count of an array is the largest possible number.",
     lambda f: number(UINT8, most(f))(f), FORMAT, (1, 9), f"{VALUE}/num_elements"),
    ("array-longer-than-file", "An array of bytes is longer than the file.",
     number(UINT8, 100), TRUNCATED, (2, 9), f"{VALUE}/elements"),
    ("array-wraps-32-bits", "The size of an array is 2^32 + 8 bytes.",
     number(UINT64, 2**29 + 1), TRUNCATED, (2, 9), f"{VALUE}/elements"),
    ("array-of-strings-longer-than-file", "An array has more strings than the file has bytes for their lengths.",
     number(STRING, 100), TRUNCATED, (2, 9), f"{VALUE}/elements"),
    ("array-of-arrays-longer-than-file", "An array has more arrays than the file has bytes for their counts.",
     number(ARRAY, 100), TRUNCATED, (2, 9), f"{VALUE}/elements"),
    ("array-in-array-longer-than-file", "A nested array is longer than the file.",
     value(ARRAY, lambda f: f.array(ARRAY, 1, f.array(UINT64, 2**29))),
     TRUNCATED, (3, 13), f"{VALUE}/elements/0/elements"),
    ("array-in-array-negative", "The count of a nested array is the largest possible number.",
     value(ARRAY, lambda f: f.array(ARRAY, 1, f.array(UINT64, most(f)))),
     FORMAT, (2, 13), f"{VALUE}/elements/0/num_elements"),
    ("nested-129", "129 arrays are nested.",
     nested(129), FORMAT, (129, 5 + 4 * 128), VALUE + "/elements/0" * 128),
    ("nested-1000", "1,000 arrays are nested.",
     nested(1000), FORMAT, (129, 5 + 4 * 128), VALUE + "/elements/0" * 128),
]  # fmt: skip

CUTS: list[Row] = [
    ("cut-key", "The file ends in a key.",
     lambda f: f.header([f.string(b"general.architecture")[:-8]], num_metadata=1),
     TRUNCATED, (1, 0), "/metadata/0/key/data"),
    ("cut-value-type", "The file ends in the type of a value.",
     lambda f: f.header([f.string(b"key") + f.u4(UINT8)[:2]], num_metadata=1),
     TRUNCATED, (1, 3), "/metadata/0/value_type"),
    ("cut-value", "The file ends in a number.",
     lambda f: f.header([f.key_value(UINT64, bytes(7))]), TRUNCATED, (1, 5), VALUE),
    ("cut-array", "The file ends in the numbers of an array.",
     lambda f: f.header([f.key_value(ARRAY, f.array(UINT32, 4, bytes(15)))]), TRUNCATED, (2, 9), f"{VALUE}/elements"),
    ("cut-dims", "The file ends in the dims of a tensor.",
     lambda f: long_info(f)[: -12 - f.width // 2], TRUNCATED, (1, 5), f"{INFO}/dims"),
    ("cut-type", "The file ends in the type of a tensor.",
     cut(long_info, 10), TRUNCATED, (5, 5), f"{INFO}/type_id"),
    ("cut-offset", "The file ends in the offset of a tensor.",
     cut(long_info, 1), TRUNCATED, (5, 9), f"{INFO}/ofs_data"),
]  # fmt: skip

KEYS: list[Row] = [
    ("key-empty", "A key is empty.",
     lambda f: f.file([f.key_value(UINT8, b"\0", b"")]), FORMAT, (0, 0), "/metadata/0/key"),
    ("key-twice", "A key is duplicated.",
     lambda f: f.file([f.key_value(UINT8, b"\0"), f.key_value(UINT8, b"\1")]), FORMAT, (1, 6), "/metadata/1/key"),
    ("key-twice-not-utf8", "A key that is not UTF-8 is duplicated.",
     lambda f: f.file([f.key_value(UINT8, b"\0", b"\xff")] * 2), FORMAT, (1, 6), "/metadata/1/key"),
    ("alignment-twice", "The key of the alignment is duplicated.",
     lambda f: f.file([f.key_value(UINT32, f.u4(each), ALIGNMENT) for each in (32, 64)]),
     FORMAT, (1, 25), "/metadata/1/key"),
    ("alignment-int32", "The alignment is an int32.", alignment(5, lambda f: f.u4(32)),
     FORMAT, (1, 17), "/metadata/0/value_type"),
    ("alignment-uint64", "The alignment is a uint64.", alignment(UINT64, lambda f: f.u8(32)),
     FORMAT, (1, 17), "/metadata/0/value_type"),
    ("alignment-string", "The alignment is a string.", alignment(STRING, lambda f: f.string(b"32")),
     FORMAT, (1, 17), "/metadata/0/value_type"),
    ("alignment-array", "The alignment is an array.", alignment(ARRAY, lambda f: f.array(UINT32, 1, f.u4(32))),
     FORMAT, (1, 17), "/metadata/0/value_type"),
    ("alignment-0", "The alignment is 0.", alignment(UINT32, lambda f: f.u4(0)),
     FORMAT, (1, 21), VALUE),
    ("alignment-13", "The alignment is 13.", alignment(UINT32, lambda f: f.u4(13)), FORMAT, (1, 21), VALUE),
    ("alignment-24", "The alignment is a multiple of 8, but not a power of two.", alignment(UINT32, lambda f: f.u4(24)),
     FORMAT, (1, 21), VALUE),
    ("alignment-negative", "The alignment is 2^32 - 1.", alignment(UINT32, lambda f: f.u4(2**32 - 1)),
     FORMAT, (1, 21), VALUE),
]  # fmt: skip

TENSORS: list[Row] = [
    ("tensor-name-empty", "The name of a tensor is empty.",
     lambda f: f.file(tensors=[f.tensor(name=b"")], data=bytes(4)), FORMAT, (0, 0), f"{INFO}/name"),
    ("tensor-name-twice", "The name of a tensor is duplicated.",
     lambda f: f.file(tensors=[f.tensor(), f.tensor(offset=32)], data=bytes(64)), FORMAT, (2, 17), "/tensors/1/name"),
    ("dims-5", "A tensor has five dims.", tensor([1] * 5), FORMAT, (1, 1), f"{INFO}/num_dims"),
    ("dims-negative", "A tensor has 2^32 - 1 dims.",
     lambda f: f.header(tensors=[f.string(b"t") + f.u4(2**32 - 1) + bytes(64)]), FORMAT, (1, 1), f"{INFO}/num_dims"),
    ("elements-wrap-to-0", "The product of the dims is 2^64.", tensor([2**16] * 4), FORMAT, (1, 5), f"{INFO}/dims"),
    ("bytes-wrap-to-0", "The size in bytes is 2^64.", tensor([2**31, 2**31]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("zero-times-2-to-the-93", "A dim of 0 makes the tensor empty, but the product of the others overflows.",
     tensor([2**31, 2**31, 2**31, 0]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("row-not-blocks", "A row is not a whole number of blocks.", tensor([100], Q4_K), FORMAT, (1, 5), f"{INFO}/dims"),
    ("scalar-not-blocks", "A tensor without dims, which has one element, has a quantized type.",
     tensor([], Q4_0), FORMAT, (1, 5), f"{INFO}/dims"),
    ("offset-not-aligned", "The offset of a tensor is not a multiple of the alignment.",
     tensor(offset=4), FORMAT, (2, 9), f"{INFO}/ofs_data"),
    ("offset-not-aligned-to-64", "The offset of a tensor is a multiple of 32, and the alignment is 64.",
     lambda f: f.file([f.key_value(UINT32, f.u4(64), ALIGNMENT)], [f.tensor(offset=32)], bytes(64)),
     FORMAT, (3, 34), f"{INFO}/ofs_data"),
    ("offset-wraps", "The offset of a tensor is 2^64 - 32, and wraps around to a position before the data.",
     tensor(offset=2**64 - 32), FORMAT, (2, 9), f"{INFO}/ofs_data"),
    ("end-wraps", "The end of a tensor does not fit in 63 bits.",
     tensor([16], offset=2**63 - 32), FORMAT, (2, 9), f"{INFO}/ofs_data"),
    ("overlap-all", "Two tensors have the same data.", tensors(0, 0), FORMAT, (4, 26), "/tensors/1/ofs_data"),
    ("overlap-half", "The second half of a tensor is the first half of another.",
     tensors(0, 32), FORMAT, (4, 26), "/tensors/1/ofs_data"),
    ("overlap-of-an-earlier-one", "The data of the second tensor overlaps that of the first, which follows it.",
     tensors(32, 0), FORMAT, (2, 9), "/tensors/0/ofs_data"),
    ("overlap-inside", "The data of a tensor is inside that of another.",
     lambda f: f.file(tensors=[f.tensor((64,)), f.tensor((1,), offset=128, name=b"u")], data=bytes(256)),
     FORMAT, (4, 26), "/tensors/1/ofs_data"),
]  # fmt: skip

ONLY_WIDE: list[Row] = [
    ("array-wraps-64-bits", "The size of an array is 2^64 bytes.",
     number(FLOAT64, 2**61), FORMAT, (1, 9), f"{VALUE}/num_elements"),
    ("dim-negative", "A dim is -1 if it is read as a signed number.",
     tensor([2**64 - 1]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("dim-2-to-the-63", "A dim is 2^63.", tensor([2**63]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("elements-2-to-the-63", "The product of the dims is 2^63.",
     tensor([2**32, 2**31]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("elements-wrap-to-few", "The product of the dims is 2^64 + 2^31.",
     tensor([2**33 + 1, 2**31]), FORMAT, (1, 5), f"{INFO}/dims"),
    ("bytes-wrap-to-4", "The size in bytes is 2^64 + 4.", tensor([2**62 + 1]), FORMAT, (1, 5), f"{INFO}/dims"),
]  # fmt: skip


def cases() -> Iterator[Case]:
    yield from _whole_files()
    for rows, forms in [
        (HEADER + STRINGS + TYPES + ARRAYS + CUTS + KEYS + TENSORS, list(FORMS)),
        (ONLY_WIDE, WIDE),
    ]:
        for name, about, build, error, (lengths, further), path in rows:
            for form, case in in_forms("refused", name, about, build, forms):
                offset = form.first + lengths * form.width + further
                yield replace(case, refusal=Refusal(error, offset, path))


def _whole_files() -> Iterator[Case]:
    """Yield files that are not GGUF, or whose version does not exist."""
    magic = Refusal(TRUNCATED, 0, "/magic")
    yield Case("refused/empty", "The file is empty.", b"", magic)
    for size in (1, 3):
        yield Case(
            f"refused/magic-{size}-of-4",
            f"The file ends after {size} of the 4 bytes of the magic.",
            b"GGUF"[:size],
            magic,
        )
    yield Case("refused/only-magic", "The file ends after its magic.", b"GGUF", Refusal(TRUNCATED, 4, "/version"))
    for name, (data, _) in OTHERS.items():
        about = f"The file has another format: {name.replace('-', ' ')}."
        yield Case(f"refused/not-gguf-{name}", about, data, Refusal(NOT_GGUF, 0, "/magic"))
    for name, form in {
        "version-0": Form(0),
        "version-4": Form(4),
        "version-big-endian-4": Form(4, ">"),
        "version-negative": Form(2**32 - 1),
    }.items():
        about = "The version does not exist."
        yield Case(f"refused/{name}", about, form.header(), Refusal(FORMAT, 4, "/version"))
    for name, form in FORMS.items():
        places = {"version": 4, "num_tensors": 8, "num_metadata": 8 + form.width}
        for field, start in places.items():
            about = f"The file ends in the first fields: {field}."
            refusal = Refusal(TRUNCATED, start, f"/{field}")
            yield Case(f"refused/cut-{field.replace('_', '-')}-{name}", about, form.header()[: start + 3], refusal)
