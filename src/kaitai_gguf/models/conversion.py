"""Write a model to a new file: in another byte order, version or alignment, with some of its tensors, or merged."""

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from io import BytesIO
from typing import Any

import numpy as np

from kaitai_gguf.arguments import names_in
from kaitai_gguf.errors import WriteError
from kaitai_gguf.layout_rules import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, is_shard
from kaitai_gguf.models.differences import FACTS, diff
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.opening import ModelOrSource, model_of, open
from kaitai_gguf.reading.shards import SPLIT_KEYS
from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.sources.windows_os import is_windows
from kaitai_gguf.types import ByteOrder, Progress
from kaitai_gguf.writing.atomic import Staging, as_given, is_file_of, real_path
from kaitai_gguf.writing.guards import check_shard
from kaitai_gguf.writing.read_back import check_copies, check_stored
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import described
from kaitai_gguf.writing.writable import required_keys
from kaitai_gguf.writing.writer import Writer

Target = str | os.PathLike[str]


def convert(
    model: ModelOrSource,
    target: Target,
    *,
    version: int | None = None,
    byte_order: ByteOrder | None = None,
    alignment: int | None = None,
    tensors: Collection[str] | None = None,
    overwrite: bool = False,
    allow_padding: bool = False,
    verify: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a model to a new file, which may replace the file that the model comes from.

    On Windows, the model is closed in that case: a mapped file can't be replaced there.

    model                            an open model, or what `open()` takes.
    version, byte_order, alignment   of the new file; None: as in the model.
    tensors                          the names of the tensors to write; None: all.
    overwrite                        whether to replace an existing file.
    allow_padding                    whether the file may have far more padding than anything else.
    verify                           whether to compare all tensor data with the model byte by byte after writing.
    progress                         called with the number of bytes written since the last call.

    If tensors are quantized and `general.quantization_version` is missing, it is added.
    A model in several files becomes one file, without the `split.*` keys. Tensors keep their offsets and the bytes
    between them, unless they are selected by name, come from several files, or get another alignment: then each
    starts at the next aligned offset. Bytes that need not change stay the same, and converting back restores the rest,
    except for the padding between header and tensor data: it is kept if it has the same size in the new file, and is
    zeros otherwise. In a file without tensor data, padding of another size is completed, or lost if it has size 0.

    The file gets its name when it is complete, on the disk, and compared with the model: always the header and the
    tensor data that was converted. For tensor data that was copied from file to file, only the size is compared, unless
    `verify` is True.

    Raises `WriteError` if the new file can't hold the model, or differs from what was written; `UnknownTypeError` for a
    tensor that can't be converted or moved because its type is unknown; `MissingDataError` for a tensor whose data is
    not in the file; `FileError` if the file can't be written, if the source becomes shorter in the meantime, or if the
    source is to be replaced and was changed by another program since it was opened. Raises `ShardError` if the new file
    would replace one of several shards of the model, or the model could not be opened with it.
    """
    options: dict[str, Any] = {"version": version, "byte_order": byte_order, "alignment": alignment}
    names = None if tensors is None else names_in(tensors, "tensors")
    path = real_path(target)
    with (
        as_given(target),
        model_of(model) as opened,
        Staging(overwrite, sources=[source_of(each) for each in opened.shards]) as staging,
    ):
        is_own = any(is_file_of(source_of(each), path) for each in opened.shards)
        with staging.file(path) as file, closing(Sink(file, path)) as sink:
            if is_own and is_shard(opened.metadata.get):
                header = converted_header(opened, tensors=names, allow_padding=allow_padding, **options)
                check_shard(opened, path, bytes(header.buffer), target)
            with writer_like(opened, sink, allow_padding=allow_padding, progress=progress, **options) as writer:
                for tensor in _declare(opened, writer, names):
                    writer.write_tensor(tensor.name, tensor)
            sink.flush()
            read_back(opened, [sink], tensors=names, verify=verify)
        if is_windows() and is_own:
            opened.close()


def converted_header(
    model: ModelOrSource, *, tensors: Collection[str] | None = None, allow_padding: bool = False, **options: Any
) -> GGUFFile:
    """Return the model that `convert` would write with these options, without its tensor data.

    Takes the options of `convert`, and raises the same errors. The result is an open model.
    """
    names = None if tensors is None else names_in(tensors, "tensors")
    with model_of(model) as opened:
        writer = writer_like(opened, BytesIO(), allow_padding=allow_padding, **options)
        _declare(opened, writer, names)
        return open(writer.header())


def writer_like(model: GGUFFile, file: BytesIO | Sink, **options: Any) -> Writer:
    """Return a writer with the metadata of the model, and its version, byte order and alignment unless specified."""
    for name in FACTS:
        if options.get(name) is None:
            options[name] = getattr(model, name)
    writer, alignment = Writer(file, **options), options["alignment"]
    copy_key_values(model, writer, without=SPLIT_KEYS if len(model.shards) > 1 else ())
    if alignment != model.alignment and (ALIGNMENT_KEY in writer.metadata or alignment != DEFAULT_ALIGNMENT):
        writer.metadata[ALIGNMENT_KEY] = np.uint32(alignment)
    return writer


def _declare(model: GGUFFile, writer: Writer, names: Collection[str] | None) -> list[Tensor]:
    """Declare tensors, and return those whose data must be written one by one."""
    for each in model.tensors.values():
        if each.type is not None:
            _ = place_of(each)  # raises if the data is missing, before anything is written
    if names is None and len(model.shards) == 1 and writer.alignment == model.alignment:
        writer.copy_tensors(model.tensors)
        return []
    return declare_tensors(model, writer, model.tensors if names is None else names)


def copy_key_values(model: GGUFFile, writer: Writer, without: Collection[str] = ()) -> None:
    """Copy the key-values of a model, except for some keys."""
    writer.metadata.borrow(model.metadata)
    for key in without:
        writer.metadata.pop(key, None)


def required_of(model: GGUFFile) -> dict[str, Any]:
    """Return the key-values that the model must have and lacks."""
    return required_keys(model.metadata, (tensor.type_id for tensor in model.tensors.values()))


def declare_tensors(model: GGUFFile, writer: Writer, names: Iterable[str]) -> list[Tensor]:
    """Declare tensors in the order of the names, each at the next aligned offset, and return them."""
    chosen = [model.tensors[name] for name in names]
    for tensor in chosen:
        _ = place_of(tensor)  # raises if the data is missing or the type is unknown
        assert tensor.type is not None
        writer.add_tensor(tensor.name, tensor.shape, tensor.type)
    return chosen


def read_back(
    model: GGUFFile, sinks: Sequence[Sink], *, tensors: Collection[str] | None = None, verify: bool = False
) -> None:
    """Open the written file, or the written shards, and compare them with the model.

    All key-values, the descriptions of tensors, and the data of converted tensors are compared. For data that was
    moved from file to file, only the size is compared, unless `verify` is True. `tensors` are the names of the written
    tensors; None: all. Raises `WriteError` if anything but the layout differs.
    """
    paths: list[Target] = [sink.file.name for sink in sinks]
    with open(paths) if len(paths) > 1 else open(paths[0], shards=False) as written:
        _compare_headers(model, written, tensors)
        check_copies(sinks, written.shards, verify)
        pairs = ((each, model.tensors[each]) for each in written.tensors)
        swapped = (described(*pair) for pair in pairs if pair[1].byte_order != written.byte_order)
        check_stored(swapped, written)


def _compare_headers(model: GGUFFile, written: GGUFFile, tensors: Collection[str] | None) -> None:
    differences = diff(model, written, data=False)
    expected = {*SPLIT_KEYS, ALIGNMENT_KEY, *required_of(model)}
    wrong = [f"key {each.key!r}" for each in differences.keys if each.key not in expected]
    for each in differences.tensors:
        is_missing = each.after is None and (tensors is None or each.name in tensors)
        if is_missing or each.before is None or set(each.changes) - {"offset"}:
            wrong.append(f"tensor {each.name!r}")
    if wrong:
        raise WriteError(f"{wrong[0]} was not written correctly")
