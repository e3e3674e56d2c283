"""`kaitai-gguf dump`: how the document is printed. test_canonical.py tests its contents."""

from pathlib import Path

from support.commands import output, strict_json
from support.gguf_bytes import Array, Model

from cli.conftest import Save


def test_both_are_the_same_document(sample: Path) -> None:
    assert strict_json(output("dump", sample)) == strict_json(output("dump", sample, "--json"))


def test_full_is_for_both(save: Save) -> None:
    path = save(Model([("k", "array", Array("uint8", [7] * 100))]))
    for options in (["--full"], ["--full", "--json"]):
        assert strict_json(output("dump", path, *options))["metadata"][0]["value"] == [7] * 100
