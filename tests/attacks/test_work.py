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


def calls(work: Callable[[], object]) -> int:
    """Return the number of function calls, C functions included."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def access(model: GGUFFile) -> None:
    for number in shuffled(model):
        assert model.metadata[f"k{number}"] == number
        assert model.metadata.entry(f"k{number}").key == f"k{number}"
        assert model.tensors[f"t{number}"].offset == 32 * number


def compare(model: GGUFFile) -> None:
    assert not kaitai_gguf.diff(model, model_of(shuffled(model)), data=False).keys


def check(model: GGUFFile) -> None:
    assert "duplicate-key" not in {finding.rule for finding in kaitai_gguf.check(model.buffer)}


def rename_keys(model: GGUFFile) -> None:
    metadata = WritableMetadata(Serializer(3, "little"))
    metadata.update(model.metadata)
    for key in reversed(list(metadata)):
        metadata.rename(key, f"new.{key}")
    assert list(metadata) == [f"new.{key}" for key in model.metadata]


def copy_keys(model: GGUFFile) -> None:
    metadata = WritableMetadata(Serializer(3, "little"))
    for key in reversed(list(model.metadata)):
        metadata.copy(model.metadata, key)
    for key in list(metadata):
        del metadata[key]
    assert not metadata


def rename_tensors(model: GGUFFile) -> None:
    tensors = EditableTensors(model.tensors)
    for name in reversed(list(tensors)):
        tensors.rename(name, f"new.{name}")
    assert len(tensors.renamed()) == len(model.tensors)


def explain_all(model: GGUFFile) -> None:
    assert len(list(kaitai_gguf.explain(model.buffer))) > 10 * len(model.tensors)


@pytest.mark.parametrize("work", [access, compare, check, rename_keys, copy_keys, rename_tensors, explain_all])
def test_calls_grow_with_the_items(work: Callable[[GGUFFile], None]) -> None:
    first, few, many = (model_of(list(range(count))) for count in (1, 100, 800))
    work(first)  # triggers the imports
    before, after = calls(lambda: work(few)), calls(lambda: work(many))
    assert before > 100
    assert after < 8 * 1.5 * before
