"""The tensors of a file, or of all files of a model, as a mapping by name."""

from abc import abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import partial
from itertools import chain, islice
from typing import Any

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.errors import TensorNotFound
from kaitai_gguf.reading import notebook
from kaitai_gguf.reading.handle import Handle, similar_names
from kaitai_gguf.reading.header import Header
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.text import canonical, quoted
from kaitai_gguf.types import ByteOrder


class Tensors(Mapping[str, Tensor]):
    """The tensors of a model by name, in file order: a read-only mapping. `TensorNotFound` for an unknown name."""

    data_offset: int
    """The position of the tensor data, in bytes from the start of the file; for several files, in the first."""
    data_nbytes: int
    """The size that the tensor data of all files should have, in bytes. Tensors of unknown types count as empty."""

    @abstractmethod
    def shard_of(self, name: str) -> int:
        """Return the number, from 0, of the file that a tensor is in. Raises `TensorNotFound`."""

    @abstractmethod
    def _each(self) -> Iterator[Tensor]:
        """Yield the tensors in file order, faster than by looking up their names."""

    def _unknown(self, name: Any, place: str) -> TensorNotFound:
        if is_integer(name):
            return TensorNotFound(f"tensors are found by name; tensor {name} is list(tensors.values())[{name}]")
        return TensorNotFound(f"no tensor {name!r} in {place}", partial(similar_names, name, list(self)))

    def values(self) -> ValuesView[Tensor]:
        return _Values(self)

    def items(self) -> ItemsView[str, Tensor]:
        return _Items(self)

    def __repr__(self) -> str:
        shown = ", ".join(quoted(name) for name in islice(self, 3))
        return f"<{len(self)} tensors: {shown}{', …' if len(self) > 3 else ''}>"

    def _repr_html_(self) -> str:
        return notebook.tensor_table(self.values(), len(self))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class _Values(ValuesView[Tensor]):
    _mapping: Tensors

    def __iter__(self) -> Iterator[Tensor]:
        return self._mapping._each()


class _Items(ItemsView[str, Tensor]):
    _mapping: Tensors

    def __iter__(self) -> Iterator[tuple[str, Tensor]]:
        return ((tensor.name, tensor) for tensor in self._mapping._each())


class FileTensors(Tensors):
    """The tensors of one file."""

    def __init__(self, handle: Handle) -> None:
        header = handle.header
        self._handle = handle
        self.byte_order: ByteOrder = header.byte_order
        self.data_offset = header.data_offset
        self.data_nbytes = header.data_nbytes
        self._count = len(header.tensors)
        self._made: dict[str, Tensor] = {}

    @property
    def header(self) -> Header:
        """The header of the file. Raises `ClosedError`."""
        return self._handle.header

    def __reduce__(self) -> tuple[object, ...]:
        return FileTensors, (self._handle,)

    def shard_of(self, name: str) -> int:
        if name not in self:
            raise self._unknown(name, "the file")
        return 0

    def __getitem__(self, name: str) -> Tensor:
        header = self._handle.header
        tensor = self._made.get(name)
        if tensor is not None:
            return tensor
        number = header.tensor_number(name)
        if number is None:
            raise self._unknown(name, "the file")
        name = canonical(name)
        new = Tensor(self._handle, self.byte_order, self.data_offset, name, *header.tensor_info(number))
        return self._made.setdefault(name, new)  # the same tensor each time

    def _each(self) -> Iterator[Tensor]:
        handle, byte_order, data_offset, made = self._handle, self.byte_order, self.data_offset, self._made
        for name, num_dims, dims, type_id, offset, nbytes in handle.header.tensor_rows():
            handle.check()
            tensor = made.get(name)
            if tensor is None:
                new = Tensor(handle, byte_order, data_offset, name, dims[:num_dims], type_id, offset, nbytes)
                tensor = made.setdefault(name, new)  # another thread may have been faster
            yield tensor

    def __contains__(self, name: object) -> bool:
        return self._handle.header.tensor_number(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._handle.header.names)

    def __len__(self) -> int:
        return self._count


class ShardedTensors(Tensors):
    """The tensors of all shards, in the order of the shards and of their files."""

    def __init__(self, shards: Sequence[FileTensors]) -> None:
        self._shards = shards
        self.data_offset = shards[0].data_offset
        self.data_nbytes = sum(shard.data_nbytes for shard in shards)
        self._owners = {name: number for number, shard in enumerate(shards) for name in shard}

    def shard_of(self, name: str) -> int:
        number = self._owners.get(canonical(name))
        if number is None:
            raise self._unknown(name, f"any of the {len(self._shards)} shards")
        return number

    def __getitem__(self, name: str) -> Tensor:
        return self._shards[self.shard_of(name)][name]

    def _each(self) -> Iterator[Tensor]:
        return chain.from_iterable(shard._each() for shard in self._shards)

    def __contains__(self, name: object) -> bool:
        self._shards[0]._handle.check()  # it is closed with the others
        return isinstance(name, str) and canonical(name) in self._owners

    def __iter__(self) -> Iterator[str]:
        self._shards[0]._handle.check()
        return iter(self._owners)

    def __len__(self) -> int:
        return len(self._owners)
