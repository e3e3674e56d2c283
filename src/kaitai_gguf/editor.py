"""Changing files: their metadata and the names of their tensors, with the tensor data left alone."""

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from kaitai_gguf.align import align
from kaitai_gguf.atomic import Staging, reported
from kaitai_gguf.errors import ClosedError, FileAccessError, FileError, TensorNotFound, WriteError
from kaitai_gguf.file import GGUFFile, open
from kaitai_gguf.identify import INTERRUPTED
from kaitai_gguf.journal import forget, overwrite
from kaitai_gguf.schema import Buffer
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.tensors import Tensor, Tensors
from kaitai_gguf.transfer import transfer
from kaitai_gguf.writable import WritableMetadata, alignment_of, checked_name, name_bytes

__all__ = ["Editor", "RenamableTensors", "edit"]


class RenamableTensors(Mapping[str, Tensor]):
    """The tensors of a file by the names that they will have."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self._names = list(tensors)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._old_names: dict[str, str] = {}

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._numbers:
            raise TensorNotFound(f"no tensor {name!r} in the file")
        return self._tensors[self._old_names.get(name, name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def rename(self, old: str, new: str) -> None:
        """Gives a tensor another name. Raises `TensorNotFound`, or `WriteError` if another one has the new name."""
        original = self[old].name
        new = checked_name(new, "the name of a tensor")
        if new in self._numbers and new != old:
            raise WriteError(f"tensor {old!r}: there is a tensor {new!r} already")
        number = self._numbers.pop(old)
        self._names[number] = new
        self._numbers[new] = number
        self._old_names.pop(old, None)
        if new != original:
            self._old_names[new] = original

    def renamed(self) -> dict[int, str]:
        """The new names, by the number of the tensor."""
        return {self._numbers[name]: name for name in self._old_names}


class Editor:
    """A file that is being changed. Nothing is written before `commit()`.

    with kaitai_gguf.edit("model.gguf") as editor:
        editor.metadata["tokenizer.chat_template"] = template
        del editor.metadata["general.url"]
        editor.metadata.rename("llama.rope.scale", "llama.rope.scaling.factor")
        editor.tensors.rename("output.weight", "token_embd.weight")
        editor.commit()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(os.path.realpath(path))  # a link stays one
        self._before = _state(self._path)
        self._model: GGUFFile | None = open(os.fspath(path), shards=False)
        model = self._model
        self._serializer = Serializer(model.version, model.byte_order == "big")
        self.metadata = WritableMetadata(self._serializer, model.version, model.byte_order, keeps_types=True)
        """The key-values, as a mapping. A value without a type of its own gets that of the one that it replaces."""
        self.metadata.update(model.metadata)
        self.tensors = RenamableTensors(model.tensors)
        """The tensors, as a mapping by name that is only for reading but for `rename(old, new)`."""

    @property
    def model(self) -> GGUFFile:
        """The file as it was opened."""
        if self._model is None:
            raise ClosedError("the editor is closed")
        return self._model

    @property
    def header(self) -> bytes:
        """The new header. Raises `WriteError` if it can't be."""
        return b"".join(self._pieces())

    @property
    def fits(self) -> bool:
        """Whether the tensor data can stay where it is, so that only the header needs to be written."""
        return self._fits(self.header)

    def commit(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        overwrite: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Writes the changes: to the file itself, or as another file.

        The file itself gets a new header where the old one was, if it is of the same size but for padding, and else
        is replaced by a new file. A crash leaves the old or the new one. The editor is closed then. Another file
        is there when it is complete; `overwrite` says whether there may be one before. `progress` is called with the
        number of bytes of tensor data copied since the last call.

        Raises `WriteError` for what can't be in a file, `FileError` if it can't be written.
        """
        if _state(self._path) != self._before:
            raise FileError(None, "was changed by somebody else since it was opened", str(self._path))
        header = self.header
        if output is not None:
            self._copy(Path(os.path.realpath(output)), header, overwrite, progress)
            return
        if not os.access(self._path, os.W_OK):
            raise FileAccessError(errno.EACCES, "the file may not be written", str(self._path))
        with reported(self._path), self._path.open("rb") as file:
            is_interrupted = file.read(len(INTERRUPTED)) == INTERRUPTED
        if self._fits(header):
            self._overwrite(header, is_interrupted)
        elif self._is_new(header):
            self._copy(self._path, header, True, progress)
            forget(self._path)
        self.close()

    def close(self) -> None:
        """Ends the editing; what was not committed is dropped."""
        self._model = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _fits(self, header: bytes) -> bool:
        model = self.model
        return model.nbytes >= model.data_offset == align(len(header), self._alignment())

    def _is_new(self, header: bytes) -> bool:
        return self.model.buffer[: self.model.header_nbytes] != header

    def _overwrite(self, header: bytes, is_interrupted: bool) -> None:
        old = bytes(self.model.buffer[: self.model.data_offset])
        if not self._is_new(header) and not is_interrupted:
            return
        new = header.ljust(len(old), b"\0") if self._is_new(header) else old
        with reported(self._path), self._path.open("r+b") as file:
            overwrite(self._path, file, old, new)

    def _copy(self, target: Path, header: bytes, overwrite: bool, progress: Callable[[int], None] | None) -> None:
        model = self.model
        with Staging(overwrite) as staging, staging.file(target) as file, self._path.open("rb") as source:
            file.write(header)
            if not self._is_new(header):
                file.write(model.buffer[model.header_nbytes : model.data_offset])  # which needs not be zeros
            elif model.nbytes > model.header_nbytes:
                file.write(bytes(-len(header) % self._alignment()))
            if model.nbytes > model.data_offset:
                transfer(source, model.data_offset, model.nbytes, file, progress or (lambda _: None))

    def _pieces(self) -> list[Buffer]:
        alignment = self._alignment()
        for tensor in self.model.tensors.values() if alignment != self.model.alignment else ():
            if tensor.offset % alignment:
                says = f"the offset {tensor.offset} is not a multiple of the new alignment, {alignment}"
                raise WriteError(f"tensor {tensor.name!r}: {says}")
        return self._serializer.header(self.metadata.key_values(), self._tensor_infos())

    def _alignment(self) -> int:
        return alignment_of(self.metadata)

    def _tensor_infos(self) -> list[Buffer]:
        """Those that stay in as few pieces as possible: all between two that are new, and nothing for the rest."""
        model = self.model
        reader = model._handle.reader
        positions = [*reader.tensor_infos().position.tolist(), reader.end]
        infos: list[Buffer] = [b""] * len(model.tensors)
        renamed = self.tensors.renamed()
        start = 0
        for number in [*sorted(renamed), len(infos)]:
            if start < number:
                infos[start] = model.buffer[positions[start] : positions[number]]
            if number in renamed:
                tensor = self.tensors[renamed[number]]
                name = name_bytes(renamed[number])
                infos[number] = self._serializer.tensor_info(name, tensor.dims, tensor.type_id, tensor.offset)
            start = number + 1
        return infos


def _state(path: Path) -> tuple[int, ...] | None:
    """What changes when somebody writes to a file, or puts another one in its place."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def edit(path: str | os.PathLike[str]) -> Editor:
    """Opens a file to change its metadata and the names of its tensors: see `Editor`. Of a model in several files it
    is the one file.
    """
    return Editor(path)
