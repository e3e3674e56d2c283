"""`kaitai-gguf dump`: how the document is printed. test_canonical.py tests its contents."""

from pathlib import Path

from support.commands import output, strict_json
from support.gguf_bytes import Array, Model

from cli.conftest import Save


def test_json_is_one_line(sample: Path) -> None:
    text = output("dump", sample, "--json")
    assert text.count("\n") == 1
    assert text.endswith("}\n")


def test_without_json_it_is_indented(sample: Path) -> None:
    text = output("dump", sample)
    assert text.startswith('{\n "version": 3,\n')
    assert text.endswith("\n}\n")


def test_both_are_the_same_document(sample: Path) -> None:
    assert strict_json(output("dump", sample)) == strict_json(output("dump", sample, "--json"))


def test_full_is_for_both(save: Save) -> None:
    path = save(Model([("k", "array", Array("uint8", [7] * 100))]))
    for options in (["--full"], ["--full", "--json"]):
        assert strict_json(output("dump", path, *options))["metadata"][0]["value"] == [7] * 100


def test_nothing_of_a_tensor_is_read(save: Save) -> None:
    model = Model([("k", "uint8", 1)])
    whole, header = save(model, "whole.gguf"), save(model.header(), "header.gguf")
    assert output("dump", whole) == output("dump", header)
