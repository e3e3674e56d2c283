"""Hashes that tell whether two files have the same metadata, tokenizer, chat template or tensors.

Each identity is a SHA-256 in lower-case hexadecimal. It does not depend on the order of keys or tensors in the file,
nor on its version and byte order: all numbers are hashed as a little-endian file of version 3 stores them.

| identity | over |
|---|---|
| `metadata` | all key-values, sorted by key |
| `tokenizer` | the key-values whose keys start with `tokenizer.`, except chat templates, sorted by key |
| `chat_template` | the bytes of the string `tokenizer.chat_template` |
| `tensors` | the tensor infos without their offsets, sorted by name |

A key-value is the length of the key (uint64), the key, the type (uint32) and the value, as in the file. A tensor info
is the length of the name (uint64), the name, the number of dims (uint32), each dim (uint64) and the type (uint32).
Keys and names are sorted by their bytes. Tensor data is not hashed.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ValueType
from kaitai_gguf.schema.fields import NEWEST, Fields
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.text import decode, encode
from kaitai_gguf.writing.writer import Writer

__all__ = ["Identities", "identities"]

TEMPLATE = b"tokenizer.chat_template"
_OFFSET, _ = Fields(b"", NEWEST, "little").spans("tensor_info", 0, 0, after="name")["ofs_data"]  # from the end
_ORDERS = 64  # sort orders to cache: models of one architecture share them


@dataclass(frozen=True)
class Identities:
    """The result of `identities`: SHA-256 in hexadecimal; None for a part that the file does not have."""

    metadata: str
    tokenizer: str | None
    chat_template: str | None
    tensors: str


def identities(model: GGUFFile) -> Identities:
    """Return the identities of an open model; of the first file if it is in several."""
    model = model.shards[0]
    key_values = _key_values(model)
    tokenizer = [item for key, item in key_values if key.startswith(b"tokenizer.") and not key.startswith(TEMPLATE)]
    template = _template(model)
    return Identities(
        metadata=_sha256(item for _, item in key_values),
        tokenizer=_sha256(tokenizer) if tokenizer else None,
        chat_template=None if template is None else _sha256([template]),
        tensors=_sha256(_tensor_infos(model)),
    )


def _template(model: GGUFFile) -> bytes | None:
    key = decode(TEMPLATE)
    entry = model.metadata.entry(key) if key in model.metadata else None
    is_string = entry is not None and entry.value_type is ValueType.STRING
    return bytes(model.header.buf[slice(*entry.value_span)]) if entry is not None and is_string else None


def _sha256(parts: Iterable[Any]) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _key_values(model: GGUFFile) -> list[tuple[bytes, Any]]:
    """Return the key and the bytes of each key-value, sorted by key."""
    header = model.header
    if not _is_canonical(model):
        writer = Writer(BytesIO(), version=3, byte_order="little")
        writer.metadata.borrow(model.metadata)
        header = Header(writer.header())
    table = header.key_values
    spans = list(zip(table.position.tolist(), table.end.tolist(), strict=True))
    view = memoryview(header.buf)
    return [(encode(header.keys[row]), view[slice(*spans[row])]) for row in _order(tuple(header.keys))]


def _tensor_infos(model: GGUFFile) -> list[Any]:
    """Return the bytes of each tensor info without its offset, sorted by name."""
    header = model.header
    names = header.names
    if _is_canonical(model):
        positions = header.tensors.tolist()
        spans = list(zip(positions, [*positions[1:], header.end], strict=False))
        buf = header.buf
        return [buf[start : end + _OFFSET] for start, end in map(spans.__getitem__, _order(tuple(names)))]
    table = header.tensor_infos
    serializer = Serializer(3, "little")
    rows = list(zip(names, table.dims.tolist(), table.num_dims.tolist(), table.type_id.tolist(), strict=True))
    return [
        serializer.tensor_info(encode(name), dims[:count], type_id, 0)[:_OFFSET]
        for name, dims, count, type_id in map(rows.__getitem__, _order(tuple(names)))
    ]


@lru_cache(_ORDERS)
def _order(names: tuple[str, ...]) -> list[int]:
    """Return the indices that sort keys or names by their bytes."""
    raw = list(map(encode, names))
    return sorted(range(len(raw)), key=raw.__getitem__)


def _is_canonical(model: GGUFFile) -> bool:
    """Return whether the file's bytes can be hashed as they are. Version 2 has the same layout as version 3."""
    return model.version >= 2 and model.byte_order == "little"
