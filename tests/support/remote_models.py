"""Models for a web server: headers of any size, with tensors after them."""

import io
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np

from kaitai_gguf.sources.http import HTTPRanges
from support.gguf_bytes import ARRAY, F32, FLOAT32, INT32, Q4_0, STRING, V3, Array, Model, TensorSpec

DATA = bytes(range(256)) * 40

ROWS, COLUMNS = 64, 32
NAMES = [f"blk.{number}.attn_q.weight" for number in range(6)]
NUMBERS = [np.random.default_rng(seed).random((ROWS, COLUMNS), np.float32) for seed in range(3)]


class Foreign:
    """A seekable file object with the minimum of methods, neither local nor in memory, which reads little at a time."""

    def __init__(self, data: bytes, name: object = None, convert: Callable[[bytes], Any] = bytes) -> None:
        self._file = io.BytesIO(data)
        self.name = name
        self.convert = convert
        self.num_reads = 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, position: int, whence: int = 0) -> int:
        return self._file.seek(position, whence)

    def read(self, nbytes: int = -1) -> Any:
        assert nbytes > 0
        self.num_reads += 1
        return self.convert(self._file.read(min(nbytes, 50_000)))


def ranges(url: str, first: int = 100, **options: Any) -> HTTPRanges:
    """Open a URL, and request only the first bytes."""
    return HTTPRanges(url, first, **options)


def small(name: str = "small", fill: bytes = b"") -> bytes:
    """Return a model with three F32 and three Q4_0 tensors. `fill` is put before their data."""
    blocks = [np.random.default_rng(seed).integers(0, 100, ROWS * 18, np.uint8).tobytes() for seed in range(3)]
    data = [array.tobytes() for array in NUMBERS] + blocks  # their sizes are multiples of the alignment
    offsets = accumulate(map(len, data), initial=len(fill))
    types = [F32] * 3 + [Q4_0] * 3
    tensors = [TensorSpec(*row) for row in zip(NAMES, [(COLUMNS, ROWS)] * 6, types, offsets, strict=False)]
    metadata = [("general.architecture", "string", "llama"), ("general.name", "string", name)]
    return Model(list(metadata), tensors, fill + b"".join(data)).build()


def far(name: str = "far") -> bytes:
    """Return a model whose tensors are beyond the first request: 2 MiB of zeros come before them."""
    return small(name, bytes(2 << 20))


def vocabulary(tokens: int, merges: int = 0, data: int = 1 << 16, *, merges_first: bool = False) -> bytes:
    """Return a model whose strings get longer, like those of vocabularies, with data after the header."""

    def strings(key: str, count: int, base: int) -> bytes:
        texts = [b"t" * (base + (number * 7919) % 5 + number.bit_length() // 5) for number in range(count)]
        return V3.key_value(
            ARRAY, V3.array(STRING, count, b"".join(map(V3.string, texts))), f"tokenizer.ggml.{key}".encode()
        )

    parts = [
        strings("tokens", tokens, 2),
        V3.key_value(ARRAY, V3.array(FLOAT32, tokens, bytes(4 * tokens)), b"tokenizer.ggml.scores"),
        V3.key_value(ARRAY, V3.array(INT32, tokens, bytes(4 * tokens)), b"tokenizer.ggml.token_type"),
    ]
    if merges:
        parts.insert(1 if merges_first else 3, strings("merges", merges, 6))
    return V3.file(parts, data=bytes(data))


def shard(number: int, count: int, name: str = "set") -> bytes:
    """Return one of several shards, each with one tensor."""
    return shard_model(number, count, name).build()


def shard_model(number: int, count: int, name: str = "set") -> Model:
    """Return what a shard has, in a form that tests can change."""
    metadata: list[tuple[str | bytes, str, Any]] = [
        ("general.architecture", "string", "llama"),
        ("general.name", "string", name),
        ("split.no", "uint16", number),
        ("split.count", "uint16", count),
        ("split.tensors.count", "int32", count),
        ("general.tags", "array", Array("string", ["a"])),
    ]
    data = np.full((4, 32), number, np.float32).tobytes()
    return Model(metadata, [TensorSpec(f"t{number}", (32, 4), F32, 0)], data)
