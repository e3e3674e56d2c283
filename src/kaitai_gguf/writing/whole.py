"""Write a new file all at once."""

from collections.abc import Mapping
from typing import Any

from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensors import FileTensors
from kaitai_gguf.types import ByteOrder, Progress
from kaitai_gguf.writing.tensor_data import described
from kaitai_gguf.writing.writer import Target, Writer

__all__ = ["write"]


def write(
    target: Target,
    metadata: Mapping[str, Any],
    tensors: Mapping[str, Any],
    *,
    version: int = 3,
    byte_order: ByteOrder = "little",
    alignment: int | None = None,
    overwrite: bool = True,
    allow_padding: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a file: a path, or a binary file object.

    metadata  key → value, in the order of the file; `WritableMetadata` documents which types the values get. The
              `metadata` of an open file keeps its types.
    tensors   name → an array of a type that isn't quantized; a `Tensor`; or a pair of an array and a type, as in
              `Writer.add_tensor` and `Writer.write_tensor`: floats are converted or quantized to the type, and uint8 is
              rows of its blocks. The `tensors` of an open file keep their offsets if these are multiples of the
              alignment.

    The other arguments, and what is raised, are those of `Writer`.
    """
    if not isinstance(metadata, Mapping):
        raise TypeError(f"metadata must be a mapping, from keys to values, not {metadata!r:.60}")
    if not isinstance(tensors, Mapping):
        raise TypeError(f"tensors must be a mapping, from names to data, not {tensors!r:.60}")
    options: dict[str, Any] = {"version": version, "byte_order": byte_order, "alignment": alignment}
    options |= {"overwrite": overwrite, "allow_padding": allow_padding, "progress": progress}
    with Writer(target, **options) as writer:
        if isinstance(metadata, Metadata):
            writer.metadata.borrow(metadata)
        else:
            writer.metadata.update(metadata)
        if isinstance(tensors, FileTensors) and not any(each.offset % writer.alignment for each in tensors.values()):
            writer.copy_tensors(tensors)
            return
        for name, tensor in tensors.items():
            writer.add_tensor(name, *described(name, tensor))
        for name, tensor in tensors.items():
            writer.write_tensor(name, tensor[0] if isinstance(tensor, tuple) else tensor)
