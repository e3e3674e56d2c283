"""The tensors of a file that is being edited."""

from collections.abc import Iterator, MutableMapping
from itertools import islice, zip_longest
from typing import Any

from kaitai_gguf.errors import TensorNotFound, WriteError
from kaitai_gguf.reading.tensors import Tensors
from kaitai_gguf.text import canonical, checked_name, quoted
from kaitai_gguf.writing.items import Items
from kaitai_gguf.writing.plan import Declared
from kaitai_gguf.writing.tensor_data import data_chunks, data_of, described

__all__ = ["EditableTensors"]


class EditableTensors(MutableMapping[str, Any]):
    """The tensors of a file that is being edited: a mutable mapping by name, in file order.

        editor.tensors["output.weight"] = array                # replaces a tensor, or adds one at the end
        editor.tensors["output.weight"] = array, "Q8_0"        # converted or quantized
        editor.tensors["output.weight"] = other_model.tensors["output.weight"]
        del editor.tensors["rope_freqs.weight"]
        editor.tensors.rename("output.weight", "lm_head.weight")

    Values can be whatever `write` takes as a tensor. Their data is read when the changes are committed. Looking up a
    tensor of the file returns a `Tensor`; looking up one that was set returns the value that was set.
    """

    def __init__(self, tensors: Tensors) -> None:
        self.revision = 0
        """A number that grows whenever a tensor is set or deleted."""
        self.rebase(tensors)

    def rebase(self, tensors: Tensors) -> None:
        """Start over with the tensors of a file."""
        self._tensors = tensors
        self._names = list(tensors)
        self._items: Items[Any] = Items()  # tensors of the file as their names in it, others as they were set
        for name in self._names:
            self._items[name] = name

    def __getitem__(self, name: str) -> Any:
        item = self._item(name)
        return self._tensors[item] if isinstance(item, str) else item

    def __contains__(self, name: object) -> bool:
        return canonical(name) in self._items

    def __setitem__(self, name: str, tensor: Any) -> None:
        """Add or replace a tensor. Raises the same errors as `write`."""
        name = checked_name(name, "the name of a tensor")
        data_chunks(described(name, tensor), data_of(tensor), "little")  # raises if this can't be its data
        self._items[name] = tensor
        self.revision += 1

    def __delitem__(self, name: str) -> None:
        self._item(name)
        del self._items[canonical(name)]
        self.revision += 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def clear(self) -> None:
        self._items.clear()
        self.revision += 1

    def rename(self, old: str, new: str) -> None:
        """Rename a tensor. Raises `TensorNotFound`, or `WriteError` if another tensor has the new name."""
        self._item(old)
        old, new = canonical(old), checked_name(new, "the name of a tensor")
        if new in self._items and new != old:
            raise WriteError(f"tensor {old!r}: tensor {new!r} already exists")
        self._items.rename(old, new)

    def renamed(self) -> dict[int, str]:
        """Return the new names by the number of the tensor in the file. Only valid if `is_rearranged` is false."""
        return {number: name for number, (name, item) in enumerate(self._items.items()) if item != name}

    @property
    def is_rearranged(self) -> bool:
        """Whether tensors were added, replaced or deleted, so that the tensor data must be written anew."""
        items = zip_longest(self._items.values(), self._names)
        return any(not isinstance(item, str) or item != name for item, name in items)

    def arranged(self) -> Iterator[tuple[Declared, Any]]:
        """Yield the description of each tensor and its data, which a `Writer` takes.

        Raises `UnknownTypeError` or `MissingDataError` for a tensor of the file whose data is not available.
        """
        for name in self._items:
            tensor = self[name]
            yield described(name, tensor), data_of(tensor)

    def changes(self) -> list[str]:
        """Return how many tensors changed since the file was opened: `["1 added", "2 renamed"]`."""
        kept = {item: name for name, item in self._items.items() if isinstance(item, str)}
        new = set(self._items).difference(kept.values())
        lost = set(self._names).difference(kept)
        counts = {
            "added": len(new - lost),
            "replaced": len(new & lost),
            "removed": len(lost - new),
            "renamed": sum(item != name for item, name in kept.items()),
        }
        return [f"{count} {what}" for what, count in counts.items() if count]

    def __repr__(self) -> str:
        shown = ", ".join(quoted(name) for name in islice(self, 3))
        more = ", …" if len(self) > 3 else ""
        return f"<{'; '.join([f'{len(self)} tensors: {shown}{more}', *self.changes()])}>"

    def _item(self, name: str) -> Any:
        try:
            return self._items[canonical(name)]
        except KeyError:
            raise TensorNotFound(f"no tensor {name!r} in the file") from None
