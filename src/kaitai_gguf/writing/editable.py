"""The tensors of a file that is being edited."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from kaitai_gguf.errors import TensorNotFound
from kaitai_gguf.reading.tensors import Tensors
from kaitai_gguf.writing.plan import Declared
from kaitai_gguf.writing.tensor_data import data_chunks, described
from kaitai_gguf.writing.writable import Items


class EditableTensors(Items[Any]):
    """The tensors of a file that is being edited: a mutable mapping by name, in file order.

        editor.tensors["output.weight"] = array                # replaces a tensor, or adds one at the end
        editor.tensors["output.weight"] = array, "Q8_0"        # converted or quantized; so is (tensor, "Q8_0")
        editor.tensors["output.weight"] = other_model.tensors["output.weight"]
        del editor.tensors["rope_freqs.weight"]
        editor.tensors.rename("output.weight", "lm_head.weight")

    Values can be whatever `write` takes as a tensor. Their data is read when the changes are committed. Looking up a
    tensor of the file returns a `Tensor`; looking up one that was set returns the value that was set.
    """

    _what = "tensor"
    _missing = TensorNotFound

    def __init__(self, tensors: Tensors) -> None:
        super().__init__()
        self.rebase(tensors)

    def rebase(self, tensors: Tensors) -> None:
        """Start over with the tensors of a file."""
        self.clear()
        self._tensors = tensors
        self._names = list(tensors)
        for name in self._names:
            self._set(name, name)  # tensors of the file are stored as their names in it, others as they were set

    def __getitem__(self, name: str) -> Any:
        item = self._item(name)
        return self._tensors[item] if isinstance(item, str) else item

    def __setitem__(self, name: str, tensor: Any) -> None:
        """Add or replace a tensor. Raises the same errors as `write`."""
        name = self._checked(name)
        data_chunks(*described(name, tensor), "little")  # raises if this can't be its data
        self._change()
        self._set(name, tensor)

    def renamed(self) -> dict[int, str]:
        """Return the new names by the number of the tensor in the file. Only valid if `is_rearranged` is false."""
        return {number: name for number, (name, item) in enumerate(self._items.values()) if item != name}

    @property
    def is_rearranged(self) -> bool:
        """Whether tensors were added, replaced or deleted, so that the tensor data must be written anew."""
        items = zip_longest((item for _, item in self._items.values()), self._names)
        return any(not isinstance(item, str) or item != name for item, name in items)

    def arranged(self) -> Iterator[tuple[Declared, Any]]:
        """Return the description of each tensor and its data, which a `Writer` takes.

        Raises `UnknownTypeError` or `MissingDataError` for a tensor of the file whose data is not available.
        """
        return (described(name, self[name]) for name in self)

    def changes(self) -> list[str]:
        """Return how many tensors changed since the file was opened: `["1 added", "2 renamed"]`."""
        kept = {item: name for name, item in self._items.values() if isinstance(item, str)}
        new = set(self).difference(kept.values())
        lost = set(self._names).difference(kept)
        counts = {
            "added": len(new - lost),
            "replaced": len(new & lost),
            "removed": len(lost - new),
            "renamed": sum(item != name for item, name in kept.items()),
        }
        return [f"{count} {what}" for what, count in counts.items() if count]
