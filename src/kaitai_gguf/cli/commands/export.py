"""`kaitai-gguf export`: write tensors to files of other formats."""

import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any, BinaryIO

import click
import ml_dtypes  # noqa: F401 - registers bfloat16 with numpy
import numpy as np

from kaitai_gguf import GGUFError, GGUFFile, Tensor
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, open_model, written_document
from kaitai_gguf.cli.options import (
    PIPES,
    NoMatchError,
    OutputPath,
    file_argument,
    form_options,
    output_option,
    write_options,
)
from kaitai_gguf.cli.output import counted, describe_shape, print_json, printable, progress, warn
from kaitai_gguf.cli.safe_names import as_text, file_names, json_names
from kaitai_gguf.cli.selection import select_tensors, selection_options
from kaitai_gguf.cli.table import Nbytes, print_table
from kaitai_gguf.cli.tensor_data import blocks, numbers
from kaitai_gguf.reading.chunks import stored_blocks
from kaitai_gguf.types import Progress, is_quantized
from kaitai_gguf.writing.atomic import Staging, as_given, real_path

FORMATS = {"npy": ".npy", "npz": ".npz", "safetensors": ".safetensors", "raw": ".bin"}
"""The suffix for files of each format."""
SUFFIXES = {suffix: format for format, suffix in FORMATS.items()} | {".raw": "raw"}

WITHOUT_BFLOAT16 = {"npy", "npz"}  # numpy has no such type, and would read two meaningless bytes

_SAFETENSORS_TYPES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16",
    "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8",
}  # fmt: skip
_SAFETENSORS_HEADER = 100_000_000  # bytes: the largest header that its readers accept
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that equal tensors give equal archives

NAMES = "names.json"


@dataclass(frozen=True)
class Item:
    """A tensor to write, and how."""

    tensor: Tensor
    name: str
    """The name in a file of several tensors, or of a file without its suffix."""
    dtype: np.dtype[Any]
    """The type to write, in the machine's byte order."""
    shape: tuple[int, ...]
    converted: bool
    """Whether the numbers are converted to `dtype`. If not, the model's blocks or elements are copied."""

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * self.dtype.itemsize

    def write(self, file: IO[bytes], advance: Progress) -> None:
        """Write the data, little-endian whatever the byte order of the model and the machine."""
        for stored in blocks(self.tensor):
            chunk = numbers(self.tensor, stored, self.dtype) if self.converted else stored
            file.write(chunk.astype(chunk.dtype.newbyteorder("<"), copy=False).view(np.uint8).data)
            advance(chunk.nbytes)


@click.command(epilog=PIPES)
@file_argument
@output_option("DIR|FILE", "Where to write.", "--to", type=OutputPath())
@selection_options
@click.option("--format", type=click.Choice(list(FORMATS)), help="The format of files in DIR; npy by default.")
@click.option("--dequantize", is_flag=True, help="Write quantized tensors as numbers instead of blocks.")
@click.option(
    "--dtype",
    type=click.Choice(["float32", "float16", "bfloat16", "float64"]),
    help="With --dequantize: the type for all tensors except integers. By default, only quantized tensors are "
    "converted, to float32.",
)
@write_options
@form_options
def command(
    *,
    file: str,
    output: str | None,
    format: str | None,
    dequantize: bool,
    dtype: str | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
    **selection: Any,
) -> None:
    """Write tensors as npy, npz, safetensors or raw files.

    --output FILE writes all tensors to one file, in the format that its suffix names; an npy
    or raw file holds only one tensor. --output DIR writes a file for each tensor, and creates
    DIR if necessary. A name without a suffix, or with a slash at the end, is a DIR.

    Quantized tensors are written as rows of blocks, as little-endian uint8, or with
    --dequantize as numbers. npy and npz have no bfloat16: it is written as float32. Names that
    are not valid file names are changed; names.json in DIR then lists the original names, as
    {"base64": "..."} if they are not UTF-8.

    The command takes a few megabytes of memory, and needs no other package. Files appear when
    all of them are complete.

    Exit status: 1 if there are no such tensors, 2 if a tensor can't be read. In both cases
    nothing is written.

    \b
    Examples:
      kaitai-gguf export model.gguf --output model.safetensors
      kaitai-gguf export model.gguf --output blk.npz --type q5_1 --dequantize
      kaitai-gguf export model.gguf --output folder --tensors '*_norm.weight'
    """
    if dtype is not None and not dequantize:
        raise click.UsageError("--dtype needs --dequantize")
    if output is None:
        raise click.UsageError("specify --output DIR or --output FILE")
    path = Path(output)
    is_folder = os.path.isdir(path) or not path.suffix or output.endswith(("/", os.sep))
    format = format or "npy" if is_folder else _format_of(path, format)
    if dtype == "bfloat16" and format in WITHOUT_BFLOAT16:
        raise click.UsageError(f"{format} has no bfloat16: safetensors and raw do")
    with open_model(file) as model:
        tensors = select_tensors(model, **selection)
        if not tensors:
            raise NoMatchError("has no tensors")
        if len(tensors) > 1 and format in ("npy", "raw") and not is_folder:
            message = f"{len(tensors)} tensors match, but a file of this format holds only one"
            raise click.UsageError(f"{message}; select it with --tensors, or specify a folder")
        floats = dtype or ("float32" if dequantize else None)
        items = _items(tensors, format, is_folder, floats, dtype is not None)
        paths = _write(path, format, is_folder, items, model, force=force, dry_run=dry_run)
    place, suffix = ("file", FORMATS[format]) if is_folder else ("key", "")
    widened = sum(item.tensor.type_name == "BF16" and item.dtype == np.float32 for item in items)
    if widened and format in WITHOUT_BFLOAT16:
        warn(f"{format} has no bfloat16: {counted(widened, 'BF16 tensor')} converted to float32")
    if as_json:
        written = None if dry_run else [written_document(path) for path in paths]
        rows = [
            {"name": canonical.text(item.tensor.name), place: item.name + suffix}
            | {"dtype": item.dtype.name, "shape": list(item.shape), "nbytes": item.nbytes}
            for item in items
        ]
        print_json({"written": written, "tensors": rows})
    else:
        cells = (
            (item.tensor.name, item.name + suffix, item.dtype.name, describe_shape(item.shape), Nbytes(item.nbytes))
            for item in items
        )
        print_table(["name", place, "dtype", "shape", "nbytes"], cells, right=["shape", "nbytes"])


def _format_of(path: Path, format: str | None) -> str:
    """Return the format that the suffix of a file names. `format` is what the user asked for."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise click.UsageError(f"{printable(suffix)} is not one of {known}; add a slash to the name of a new folder")
    if format not in (None, SUFFIXES[suffix]):
        raise click.UsageError(f"--format {format} contradicts the suffix {suffix}")
    return SUFFIXES[suffix]


def _items(tensors: list[Tensor], format: str, is_folder: bool, floats: str | None, all_floats: bool) -> list[Item]:
    """Return how to write each tensor. Raises the same errors as `Tensor.data`."""
    names = (json_names if format == "safetensors" and not is_folder else file_names)(each.name for each in tensors)
    items = []
    for tensor in tensors:
        blocks = stored_blocks(tensor)  # not `data`, which may be a copy
        assert tensor.type is not None
        has_rows = is_quantized(tensor.type)
        stored = wanted = np.dtype(np.uint8) if has_rows else blocks.dtype[0].newbyteorder("=")
        if floats and (has_rows or (all_floats and stored.kind != "i")):
            wanted = np.dtype(floats)
        if wanted.name == "bfloat16" and format in WITHOUT_BFLOAT16:
            wanted = np.dtype("float32")
        shape = tensor.data.shape if has_rows and wanted == stored else tensor.shape
        items.append(Item(tensor, names[tensor.name], wanted, shape, wanted != stored))
    return items


def _write(
    path: Path, format: str, is_folder: bool, items: list[Item], model: GGUFFile, *, force: bool, dry_run: bool
) -> list[Path]:
    """Write all files, unless it is a dry run, and return their paths."""
    suffix = FORMATS[format]
    files = {path / (item.name + suffix): [item] for item in items} if is_folder else {path: items}
    changed = [item for item in items if is_folder and item.name != item.tensor.name]
    renamed = {item.name + suffix: canonical.text(item.tensor.name) for item in changed}
    paths = [*files, *([path / NAMES] if renamed else [])]
    if is_folder and not os.path.lexists(path):
        check_target(path, force)  # which is created
    else:
        for each in paths:
            check_target(each, force, follows=not is_folder)
    if dry_run:
        return paths
    advancing = progress("writing", sum(item.nbytes for item in items))
    with as_given(path), Staging(force) as staging, advancing as advance:
        if is_folder:
            staging.folder(path)
        folder = real_path(path)  # another program may have planted links in it: they are replaced
        for each, held in files.items():
            with staging.file(folder / each.name if is_folder else folder) as file:
                if format == "npz":
                    _write_npz(file, held, advance)
                elif format == "safetensors":
                    _write_safetensors(file, held, _metadata(model, held), advance)
                else:
                    if format == "npy":
                        _write_npy_header(file, held[0])
                    held[0].write(file, advance)
        if renamed:
            with staging.file(folder / NAMES) as file:
                file.write(json.dumps(renamed, indent=1).encode() + b"\n")
    return paths


def _metadata(model: GGUFFile, items: Sequence[Item]) -> dict[str, str]:
    """Return the metadata of a safetensors file: the model's general keys, and the types and shapes of tensors."""
    texts = {key: model.metadata[key] for key in model.metadata if key.startswith("general.")}
    general = {as_text(key): as_text(value) for key, value in texts.items() if isinstance(value, str)}
    shapes = {item.name: item.tensor.shape for item in items if item.shape != item.tensor.shape}
    return general | {
        "gguf.types": json.dumps({item.name: item.tensor.type_name for item in items}),
        "gguf.shapes": json.dumps(shapes),
    }


# Formats, written in chunks from the header on: the safetensors package needs all tensors in memory


def _write_npy_header(file: IO[bytes], item: Item) -> None:
    from numpy.lib import format as npy

    descr = npy.dtype_to_descr(item.dtype.newbyteorder("<"))
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": item.shape})


def _write_npz(file: BinaryIO, items: Sequence[Item], advance: Progress) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for item in items:
            member = zipfile.ZipInfo(f"{item.name}.npy", _ZIP_EPOCH)
            member.external_attr = 0o644 << 16  # without permissions, unpacked files would be unreadable
            with archive.open(member, "w", force_zip64=True) as stream:
                _write_npy_header(stream, item)
                item.write(stream, advance)


def _write_safetensors(file: BinaryIO, items: Sequence[Item], metadata: dict[str, str], advance: Progress) -> None:
    # Widest elements first: all tensors are then aligned without padding, for readers that map the file.
    ordered = sorted(items, key=lambda item: -item.dtype.itemsize)
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for item in ordered:
        start, end = end, end + item.nbytes
        kind = _SAFETENSORS_TYPES[item.dtype.name]
        header[item.name] = {"dtype": kind, "shape": list(item.shape), "data_offsets": [start, end]}
    raw = json.dumps(header, separators=(",", ":")).encode()
    raw += b" " * (-len(raw) % 8)
    if len(raw) > _SAFETENSORS_HEADER:
        raise GGUFError(
            f"the safetensors header would have {len(raw)} bytes, more than readers accept; use fewer tensors"
        )
    file.write(len(raw).to_bytes(8, "little") + raw)
    for item in ordered:
        item.write(file, advance)
