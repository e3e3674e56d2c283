"""Work is proportional to the number of items, in any order of access. It is counted in function calls."""

import sys
from collections.abc import Callable
from random import Random

import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGUFFile
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.writing.editable import EditableTensors
from kaitai_gguf.writing.writable import WritableMetadata


def model_of(numbers: list[int]) -> GGUFFile:
    metadata = [(f"k{number}", "uint32", number) for number in numbers]
    tensors = [TensorSpec(f"t{number}", (1,), 24, 32 * place) for place, number in enumerate(numbers)]
    return kaitai_gguf.open(Model(metadata, tensors, data=bytes(32 * len(numbers))).build())


def shuffled(model: GGUFFile) -> list[int]:
    return Random(0).sample(range(len(model.tensors)), len(model.tensors))


def calls(work: Callable[[GGUFFile], object], count: int) -> int:
    """Return the number of function calls, C functions included, for a model of so many keys and tensors."""
    model, events = model_of(list(range(count))), []
    sys.setprofile(lambda frame, event, argument: events.append(event))
    try:
        work(model)
    finally:
        sys.setprofile(None)
    return events.count("call") + events.count("c_call")


def access(model: GGUFFile) -> None:
    for number in shuffled(model):
        assert model.metadata[f"k{number}"] == number
        assert model.metadata.entry(f"k{number}").key == f"k{number}"
        assert model.tensors[f"t{number}"].offset == 32 * number


def edit_keys(model: GGUFFile) -> None:
    metadata = WritableMetadata(Serializer(3, "little"))
    for key in reversed(list(model.metadata)):
        metadata.copy(model.metadata, key)
    for key in list(metadata):
        metadata.rename(key, f"new.{key}")
    for key in list(metadata):
        del metadata[key]


def rename_tensors(model: GGUFFile) -> None:
    tensors = EditableTensors(model.tensors)
    for name in reversed(list(tensors)):
        tensors.rename(name, f"new.{name}")
    assert len(tensors.renamed()) == len(model.tensors)


WORK: dict[str, Callable[[GGUFFile], object]] = {
    "access": access,
    "compare": lambda model: kaitai_gguf.diff(model, model_of(shuffled(model)), data=False),
    "check": lambda model: kaitai_gguf.check(model.buffer),
    "explain": lambda model: list(kaitai_gguf.explain(model.buffer)),
    "update": lambda model: WritableMetadata(Serializer(3, "little")).update(model.metadata),
    "edit keys": edit_keys,
    "rename tensors": rename_tensors,
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_calls_grow_with_the_items(work: Callable[[GGUFFile], object]) -> None:
    calls(work, 1)  # triggers the imports
    few, many = calls(work, 100), calls(work, 800)
    assert few > 100
    assert many < 8 * 1.5 * few
