"""Edit the metadata and tensors of a file. All other data stays as it is."""

import errno
import os
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Self

from kaitai_gguf.errors import ClosedError, FileError, WriteError, reported
from kaitai_gguf.layout_rules import align
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.opening import open
from kaitai_gguf.reading.tensors import FileTensors
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.sources import locks, open_snapshot, state_of
from kaitai_gguf.sources.locks import WriterLock
from kaitai_gguf.sources.opening import is_mapped_here
from kaitai_gguf.sources.windows_os import is_windows
from kaitai_gguf.types import Progress
from kaitai_gguf.writing.atomic import CHANGED, Staging, as_given, check_writable, real_path
from kaitai_gguf.writing.editable import EditableTensors
from kaitai_gguf.writing.guards import check_content_addressed, check_shard, lock_alone
from kaitai_gguf.writing.journal import overwrite
from kaitai_gguf.writing.plan import Region
from kaitai_gguf.writing.read_back import check_copies, check_stored
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import is_stored_alike
from kaitai_gguf.writing.writable import WritableMetadata, alignment_of
from kaitai_gguf.writing.writer import Writer


class Editor:
    """An open file whose metadata and tensors can be changed. `commit()` or the end of a `with` block writes them.

        with kaitai_gguf.edit("model.gguf") as editor:
            editor.metadata["tokenizer.chat_template"] = template
            del editor.metadata["general.url"]
            editor.metadata.rename("llama.rope.scale", "llama.rope.scaling.factor")
            editor.tensors.rename("output.weight", "lm_head.weight")
            editor.tensors["token_embd.weight"] = array, "Q8_0"
            del editor.tensors["rope_freqs.weight"]

    When the block ends, changes that were not committed yet are committed to the file. If the block raises an
    exception, they are dropped. `discard()` and `close()` drop them too. A failed commit is not tried again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._given = path
        self._path = real_path(path)  # a link stays a link
        with as_given(path):
            self._model: GGUFFile | None = self._opened()
        model = self._model
        self.metadata = WritableMetadata(Serializer(model.version, model.byte_order), keeps_types=True)
        """The key-values, as a `WritableMetadata`. A value without its own type gets the type that it replaces."""
        self.metadata.rebase(model.metadata)
        self.tensors = EditableTensors(model.tensors)
        """The tensors, as an `EditableTensors`."""
        self._tried: tuple[int, int] | None = None
        """The revision of the changes at the last commit: a failed one is not tried again."""

    @property
    def model(self) -> GGUFFile:
        """The file as it was opened or last committed. Raises `ClosedError`.

        Its header does not change if other programs write to the file.
        """
        if self._model is None:
            raise ClosedError(f"{os.fsdecode(self._given)}: the editor is closed")
        return self._model

    @property
    def header(self) -> bytes:
        """The header that `commit` writes. Raises `WriteError` if it is not valid, and the errors of `Tensor.data`.

        If anything changes, tensors are quantized and `general.quantization_version` is missing, it has that key, too.
        """
        if self._is_changed():
            return self._writer(BytesIO(), allow_padding=True).header()
        return bytes(self.model.buffer[: self.model.header_nbytes])

    @property
    def fits(self) -> bool:
        """Whether the tensor data can stay in place, so that only the header has to be written."""
        return self._fits(self.header)

    def commit(
        self,
        output: str | os.PathLike[str] | None = None,
        *,
        overwrite: bool = False,
        rewrite: bool = False,
        allow_padding: bool = False,
        verify: bool = False,
        progress: Progress | None = None,
    ) -> None:
        """Write the changes, to the file itself or to another file. More changes can follow.

        If the new header has the size of the old one, padding included, and the file has no other hard links and is
        not open in this program, only the header is written. Otherwise a new file replaces the old one, and models
        that this program has open keep the old bytes. A crash leaves the old file or the new one. Another file gets
        its name when it is complete.

        If anything changes, tensors are quantized and `general.quantization_version` is missing, it is added.

        If tensors were added, replaced or deleted, each tensor of the new file starts at the next aligned offset, as
        in `write`, and bytes between tensors are dropped.

        Before a new file gets its name, it is read back and compared: always the header and the data of new tensors.
        For data that was copied from file to file, only the size is compared, unless `verify` is True.

        output         the path of another file; None: the file itself.
        overwrite      whether to replace `output` if it exists; without `output`, whether to change a file whose name
                       is a hash of its bytes, as in the caches of Hugging Face and Ollama.
        rewrite        whether to replace the file even if the new header fits. Programs that have it open keep the
                       old one.
        allow_padding  whether a new file may have far more padding than anything else.
        verify         whether to compare all tensor data byte by byte after writing a new file.
        progress       called with the number of bytes of tensor data written since the last call.

        Raises

        - `WriteError` if the new file would not be valid, or differs from what was written;
        - `UnknownTypeError` or `MissingDataError` for a tensor that can't be moved, because its type is unknown or its
          data is not in the file;
        - `ShardError` if the file is a shard, and the model could not be opened with the change;
        - `FileError` if the file can't be written, was changed by another program since it was opened, is being written
          by another program, or is open in another program and its header is to be changed in place.
        """
        options: dict[str, Any] = {"allow_padding": allow_padding, "progress": progress}
        self._tried = self._revision()
        with as_given(self._given), as_given(self._given if output is None else output):
            header = self.header
            path, target = self._path, self._path if output is None else real_path(output)
            if target != path or (output is not None and not overwrite):
                self._copy(target, header, overwrite, verify, options)
            elif self._is_changed() or source_of(self.model).is_restored:
                if not overwrite:
                    check_content_addressed(path)
                self._check_state()
                check_writable(path)
                has_one_name = path.stat().st_nlink == 1  # the other links would keep the old file
                is_free = has_one_name and not is_mapped_here(path)
                if self._fits(header) and not rewrite and output is None and is_free:
                    self._overwrite(header)
                else:
                    self._copy(path, header, True, verify, options)
                self._model = self._opened()
                self.discard()

    def discard(self) -> None:
        """Drop all changes that were not committed."""
        self.metadata.rebase(self.model.metadata)
        self.tensors.rebase(self.model.tensors)
        self._tried = None

    def close(self) -> None:
        """Close the file, and drop changes that were not committed."""
        model, self._model = self._model, None
        if model is not None:
            model.close()

    def __repr__(self) -> str:
        name = os.fsdecode(self._given)
        if self._model is None:
            return f"<Editor {name!r}, closed>"
        facts = [f"v{self._model.version}"]
        for what, items in (("keys", self.metadata), ("tensors", self.tensors)):
            changes = ", ".join(items.changes())
            facts.append(f"{len(items)} {what}{f' ({changes})' if changes else ''}")
        return f"<Editor {name!r} {', '.join(facts)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self._model is not None and self._tried != self._revision() and self._is_changed():
                self.commit()
        finally:
            self.close()

    def _revision(self) -> tuple[int, int]:
        return self.metadata.revision, self.tensors.revision

    def _is_changed(self) -> bool:
        return self.metadata.is_changed() or self.tensors.is_rearranged or bool(self.tensors.renamed())

    def _fits(self, header: bytes) -> bool:
        model, data_offset = self.model, align(len(header), alignment_of(self.metadata))
        return not self.tensors.is_rearranged and model.nbytes >= model.data_offset == data_offset

    def _opened(self) -> GGUFFile:
        model = open_snapshot(self._path, read, lambda model: model.header_nbytes)
        self._state = source_of(model).state
        return model

    def _overwrite(self, header: bytes) -> None:
        """Write the header in place."""
        model, path = self.model, self._path
        nbytes = max(len(header), model.header_nbytes)  # the rest is padding, and is kept
        old, new = bytes(model.buffer[:nbytes]), header.ljust(nbytes, b"\0")
        with reported(path), WriterLock(path), path.open("r+b") as file:
            lock_alone(path, file)
            self._check_state(file)
            check_shard(model, path, header, self._given)
            overwrite(path, file, old, new)
            locks.unlock(file.fileno())

    def _check_state(self, file: BinaryIO | None = None) -> None:
        """Raise `FileError` if the path, or the open file, is not the file that was opened, unchanged."""
        try:
            state = state_of(self._path.stat())
        except OSError:
            state = None
        if state != self._state or (file is not None and state_of(os.fstat(file.fileno())) != state):
            raise FileError(errno.ESTALE, CHANGED, str(self._path))

    def _copy(self, target: Path, header: bytes, overwrite: bool, verify: bool, options: dict[str, Any]) -> None:
        """Write another file, or a new file that replaces this one."""
        model = self.model
        with Staging(overwrite, sources=[source_of(model)]) as staging:
            with staging.file(target) as copy, closing(Sink(copy, target)) as sink:
                self._check_state()
                if target == self._path:
                    check_shard(model, target, header, self._given)
                if self._is_changed():
                    with self._writer(sink, **options) as writer:
                        for tensor, data in self.tensors.arranged() if self.tensors.is_rearranged else ():
                            writer.write_tensor(tensor.name, data)
                else:
                    sink.write(header)
                    sink.copy(source_of(model), len(header), model.nbytes, options["progress"] or (lambda _: None))
                sink.flush()
                self._read_back(sink, header, verify)
                self._check_state()
            if target == self._path and is_windows():
                self.close()

    def _read_back(self, sink: Sink, header: bytes, verify: bool) -> None:
        with open(sink.file.name, shards=False) as written:
            if written.buffer[: written.header_nbytes] != header:
                raise WriteError("the header was not written correctly")
            check_copies([sink], [written], verify)
            if self.tensors.is_rearranged:
                tensors = self.tensors.arranged()
                check_stored(
                    (each for each in tensors if not is_stored_alike(each[1], each[0], written.byte_order)), written
                )

    def _writer(self, file: BytesIO | Sink, **options: Any) -> Writer:
        """Return a writer with the metadata and tensors of the new file."""
        model = self.model
        writer = Writer(file, version=model.version, byte_order=model.byte_order, **options)
        writer.metadata.adopt(self.metadata)
        if not self.tensors.is_rearranged:
            assert isinstance(model.tensors, FileTensors)
            writer._copy(Region(model.tensors, self.tensors.renamed()))
            return writer
        for tensor, _ in self.tensors.arranged():
            writer.add_tensor(tensor.name, tensor.shape, tensor.type)
        return writer


def edit(path: str | os.PathLike[str]) -> Editor:
    """Open a file to change its metadata and tensors, and return an `Editor`.

    Raises `FormatError` if the file is not valid, `FileError` if it can't be opened.
    """
    return Editor(path)
