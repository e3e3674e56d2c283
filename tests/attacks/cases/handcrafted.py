"""Files like those that llama.cpp's `test-gguf` builds: one case for each, with its verdict.

Only the ideas are from llama.cpp. The numbers, the names and the random content are our own; each seed makes one
file. `DIFFERENT` lists where we deliberately differ from llama.cpp, and why.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from random import Random

from support.gguf_bytes import ARRAY, INT32, STRING, UINT32, V3, Form, file, header, key_value, string, tensor, u4

from attacks.cases.case import Case, Refusal
from attacks.layout import SIZES

SEEDS = (0, 1, 2)
FORMAT = "FormatError"
ALIGNMENT = b"general.alignment"
BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 8: (32, 34), 12: (256, 144), 24: (1, 1), 27: (1, 8), 40: (64, 36)}

DIFFERENT = {
    "header-version-1": "llama.cpp no longer reads version 1.",
    "tensors-name-too-long": "llama.cpp has room for 63 bytes, but some files have longer names.",
    "tensors-type-unknown": "An unknown type does not prevent reading the other tensors.",
    "data-not-enough": "The header can be read; only the tensor whose data is truncated cannot.",
}
"""The cases that llama.cpp refuses and we open."""


@dataclass
class Parts:
    """Random key-values and tensors to start from."""

    random: Random
    alignment: int = 32
    metadata: list[bytes] = field(default_factory=list)
    tensors: list[tuple[tuple[int, ...], int]] = field(default_factory=list)  # dims and type

    def __post_init__(self) -> None:
        self.metadata = [self.key_value(b"key.%d" % i) for i in range(12)]
        for _ in range(8):
            type_id = self.random.choice(list(BLOCKS))
            row = BLOCKS[type_id][0] * self.random.randint(1, 2)
            self.tensors.append(((row, *(self.random.randint(1, 3) for _ in range(self.random.randrange(4)))), type_id))

    def key_value(self, key: bytes, value_type: int | None = None) -> bytes:
        chosen = self.random.randrange(13) if value_type is None else value_type
        return key_value(chosen, self.value(chosen), key)

    def value(self, value_type: int) -> bytes:
        if value_type == STRING:
            return string(self.random.randbytes(self.random.randrange(64)).replace(b"\0", b"\1"))
        if value_type != ARRAY:
            return self.random.randbytes(SIZES[value_type])
        element_type = self.random.choice([STRING, *SIZES])
        count = self.random.randrange(9)
        elements = b"".join(self.value(element_type) for _ in range(count))
        return V3.array(element_type, count, elements)

    def sizes(self) -> list[int]:
        return [prod(dims) // BLOCKS[type_id][0] * BLOCKS[type_id][1] for dims, type_id in self.tensors]

    def offsets(self, alignment: int | None = None) -> list[int]:
        """Return consecutive offsets, each rounded up to the alignment."""
        offsets, end = [], 0
        for size in self.sizes():
            offsets.append(end)
            end += size + -size % (alignment or self.alignment)
        return offsets

    def infos(self, offsets: list[int] | None = None, name: bytes = b"tensor_%d") -> list[bytes]:
        where = self.offsets() if offsets is None else offsets
        return [tensor(*each, where[i], name % i) for i, each in enumerate(self.tensors)]

    def with_alignment(self, alignment: int, value_type: int = UINT32) -> "Parts":
        self.alignment = alignment
        self.metadata.append(key_value(value_type, u4(alignment), ALIGNMENT))
        return self

    def end(self) -> int:
        return self.offsets()[-1] + self.sizes()[-1]

    def data(self) -> bytes:
        return bytes(i % 256 for i in range(self.end() + -self.end() % self.alignment))

    def file(self, infos: list[bytes] | None = None, data: bytes = b"") -> bytes:
        return file(self.metadata, self.infos() if infos is None else infos, data, self.alignment)


Made = tuple[bytes, Refusal | tuple[str, ...]]  # a file, and its refusal or the tensors without data


def refused(data: bytes, offset: int, path: str, error: str = FORMAT) -> Made:
    return data, Refusal(error, offset, path)


def opened(parts: Parts, data: bytes = b"", name: bytes = b"tensor_%d") -> Made:
    """Return a file that opens. Tensors that are not empty and end after `data` have no data."""
    ends = [offset + size for offset, size in zip(parts.offsets(), parts.sizes(), strict=True)]
    missing = [
        name % i for i, (end, size) in enumerate(zip(ends, parts.sizes(), strict=True)) if size and end > len(data)
    ]
    return parts.file(parts.infos(name=name), data), tuple(each.decode() for each in missing)


def metadata_only(parts: Parts) -> bytes:
    return file(parts.metadata)


def after(parts: Parts) -> int:
    """Return the position of the first tensor info."""
    return 24 + sum(map(len, parts.metadata))


def all_tensors(parts: Parts, dims: tuple[int, ...], type_id: int, path: str, distance: int) -> Made:
    """Give all tensors these dims. The first is refused, at a field that starts `distance` bytes after its name."""
    parts.tensors = [(dims, type_id)] * len(parts.tensors)
    infos = parts.infos([0] * len(parts.tensors))
    return refused(parts.file(infos), after(parts) + 8 + len(b"tensor_0") + distance, f"/tensors/0/{path}")


def empty_keys(parts: Parts) -> Made:
    parts.metadata = [parts.key_value(b"") for _ in range(4)]
    return refused(metadata_only(parts), 24, "/metadata/0/key")


def key_size(parts: Parts) -> Made:
    parts.metadata = [string(b"key", 2**64 - 1) + each[8 + 5 :] for each in parts.metadata]
    return refused(metadata_only(parts), 24, "/metadata/0/key/len_data")


def bad_type(parts: Parts) -> Made:
    parts.metadata = [key_value(13, b"\0", b"key.%d" % i) for i in range(12)]
    return refused(metadata_only(parts), 24 + 8 + 5, "/metadata/0/value_type")


def duplicate_keys(parts: Parts) -> Made:
    parts.metadata = [parts.key_value(b"key.%d" % (i // 2)) for i in range(12)]
    return refused(metadata_only(parts), 24 + len(parts.metadata[0]), "/metadata/1/key")


def bad_alignment(parts: Parts, with_tensors: bool, with_data: bool = False) -> Made:
    position = after(parts) + 8 + len(ALIGNMENT) + 4
    parts.with_alignment(13)
    data = parts.file(data=parts.data() if with_data else b"") if with_tensors else metadata_only(parts)
    return refused(data, position, "/metadata/12/value")


def wrong_type_of_alignment(parts: Parts) -> Made:
    position = after(parts) + 8 + len(ALIGNMENT)
    return refused(metadata_only(parts.with_alignment(32, INT32)), position, "/metadata/12/value_type")


def n_dims(parts: Parts) -> Made:
    infos = [string(b"tensor_%d" % i) + u4(5) + bytes(64) for i in range(8)]
    return refused(parts.file(infos), after(parts) + 16, "/tensors/0/num_dims")


def unknown_type(parts: Parts) -> Made:
    offsets = parts.offsets()
    parts.tensors = [(dims, 43) for dims, _ in parts.tensors]
    return parts.file(parts.infos(offsets)), tuple(f"tensor_{i}" for i in range(8))


def bad_offset(parts: Parts) -> Made:
    first = 8 + len(b"tensor_0") + 4 + 8 * len(parts.tensors[0][0]) + 4
    return refused(parts.file(parts.infos([2**64 - 1] * 8)), after(parts) + first, "/tensors/0/ofs_data")


def duplicate_names(parts: Parts) -> Made:
    infos = [tensor(*each, offset, b"tensor") for each, offset in zip(parts.tensors, parts.offsets(), strict=True)]
    return refused(parts.file(infos), after(parts) + len(infos[0]), "/tensors/1/name")


def inconsistent_alignment(parts: Parts, with_data: bool = False) -> Made:
    """Write offsets without padding in a file with an alignment of 32."""
    parts.tensors[0] = ((3,), 24)
    infos = parts.infos(parts.offsets(1))
    where = after(parts) + len(infos[0]) + len(infos[1]) - 8
    return refused(parts.file(infos, parts.data() if with_data else b""), where, "/tensors/1/ofs_data")


def zero_dim(parts: Parts) -> Made:
    parts.tensors = [((dims[0], 0), type_id) for dims, type_id in parts.tensors]
    return opened(parts)


def pad_wrap(parts: Parts) -> Made:
    """Use a size of 2^64 - 16 bytes, which wraps around to 0 when rounded up to a multiple of 32."""
    parts.tensors = [((4, 2**30 - 1, 2**30 + 1), 0)]
    return refused(parts.file(), after(parts) + 20, "/tensors/0/dims")


def memory_overflow(parts: Parts) -> Made:
    parts.tensors = [((2**63 - 64,), 24)] * 2
    where = after(parts) + 8 + len(b"tensor_0") + 4 + 8 + 4
    return refused(parts.file(data=bytes(32)), where, "/tensors/0/ofs_data")


MAKERS: dict[str, Callable[[Parts], Made]] = {
    "header-magic": lambda parts: refused(b"FUGG" + header()[4:], 0, "/magic", "NotGGUFError"),
    "header-version-0": lambda parts: refused(Form(0).file(), 4, "/version"),
    "header-version-1": lambda parts: (b"GGUF" + u4(1) + bytes(24), ()),
    "header-version-future": lambda parts: refused(Form(4).file(), 4, "/version"),
    "header-metadata-count": lambda parts: refused(header(num_metadata=2**64 - 1) + bytes(8), 16, "/num_metadata"),
    "header-tensor-count": lambda parts: refused(header(num_tensors=2**64 - 1) + bytes(8), 8, "/num_tensors"),
    "header-empty": lambda parts: (file(), ()),
    "metadata-key-size": key_size,
    "metadata-key-empty": empty_keys,
    "metadata-type": bad_type,
    "metadata-key-twice": duplicate_keys,
    "metadata-alignment": lambda parts: bad_alignment(parts, with_tensors=False),
    "metadata-alignment-type": wrong_type_of_alignment,
    "metadata-good": lambda parts: (metadata_only(parts), ()),
    "tensors-name-too-long": lambda parts: opened(parts, name=b"tensor_%d_" + b"x" * 64),
    "tensors-dims-5": n_dims,
    "tensors-shape-negative": lambda parts: all_tensors(parts, (2**64 - 1,), 24, "dims", 4),
    "tensors-dim-zero": zero_dim,
    "tensors-elements-too-many": lambda parts: all_tensors(parts, (4 * (2**31 - 1),) * 2, 24, "dims", 4),
    "tensors-bytes-too-many": lambda parts: all_tensors(parts, (1_533_916_891,) * 2, 27, "dims", 4),
    "tensors-bytes-wrap-padded": pad_wrap,
    "tensors-type-unknown": unknown_type,
    "tensors-offset": bad_offset,
    "tensors-name-twice": duplicate_names,
    "tensors-alignment": lambda parts: bad_alignment(parts, with_tensors=True),
    "tensors-alignment-inconsistent": inconsistent_alignment,
    "tensors-good": opened,
    "tensors-alignment-1": lambda parts: opened(parts.with_alignment(1)),
    "data-not-enough": lambda parts: opened(parts, parts.data()[: parts.end() - 1]),
    "data-alignment": lambda parts: bad_alignment(parts, with_tensors=True, with_data=True),
    "data-alignment-inconsistent": lambda parts: inconsistent_alignment(parts, with_data=True),
    "data-memory-overflow": memory_overflow,
    "data-good": lambda parts: opened(parts, parts.data()),
    "data-alignment-1": lambda parts: opened(aligned := parts.with_alignment(1), aligned.data()),
}  # fmt: skip


def cases() -> Iterator[Case]:
    for name, make in MAKERS.items():
        for seed in SEEDS:
            data, outcome = make(Parts(Random(f"{name} {seed}")))
            about = f"llama.cpp's own case: {name.replace('-', ' ')}."
            if isinstance(outcome, Refusal):
                yield Case(f"ggml/{name}-{seed}", about, data, outcome)
            else:
                yield Case(f"ggml/{name}-{seed}", about, data, no_data=outcome)
