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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema.fields import NEWEST, Fields
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.text import decode, encode
from kaitai_gguf.writing.writable import WritableMetadata

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
    header = _canonical(model.shards[0])
    table, positions = header.key_values, header.tensors.tolist()
    key_values = _items(header, header.keys, table.position.tolist(), table.end.tolist())
    infos = _items(header, header.names, positions, [*positions[1:], header.end])
    tokenizer = [item for key, item in key_values if key.startswith(b"tokenizer.") and not key.startswith(TEMPLATE)]
    template = header.text(decode(TEMPLATE))
    return Identities(
        metadata=_sha256(item for _, item in key_values),
        tokenizer=_sha256(tokenizer) if tokenizer else None,
        chat_template=None if template is None else _sha256([encode(template)]),
        tensors=_sha256(item[:_OFFSET] for _, item in infos),
    )


def _canonical(model: GGUFFile) -> Header:
    """Return a header as a little-endian file of version 3 stores it. Version 2 has the same layout."""
    header = model.header
    if model.version >= 2 and model.byte_order == "little":
        return header
    serializer, table = Serializer(3, "little"), header.tensor_infos
    metadata = WritableMetadata(serializer)
    metadata.borrow(model.metadata)
    rows = zip(header.names, table.dims.tolist(), table.num_dims.tolist(), table.type_id.tolist(), strict=True)
    infos = [serializer.tensor_info(encode(name), dims[:count], type_id, 0) for name, dims, count, type_id in rows]
    return Header(b"".join(serializer.header(metadata.key_values(()), infos)))


def _sha256(parts: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for part in parts:  # which may have a hundred megabytes
        digest.update(part)
    return digest.hexdigest()


def _items(header: Header, names: Sequence[str], starts: list[int], ends: list[int]) -> list[tuple[bytes, Any]]:
    """Return the name and the bytes of each key-value or tensor info, sorted by name."""
    view = memoryview(header.buf)
    return [(encode(names[row]), view[starts[row] : ends[row]]) for row in _order(tuple(names))]


@lru_cache(_ORDERS)
def _order(names: tuple[str, ...]) -> list[int]:
    """Return the indices that sort keys or names by their bytes."""
    raw = list(map(encode, names))
    return sorted(range(len(raw)), key=raw.__getitem__)
