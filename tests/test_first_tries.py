"""What people try first: names of other packages, names that are almost right, and what completion shows."""

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from support.gguf_bytes import Model

import kaitai_gguf
from kaitai_gguf.types import ggml_type

SAMPLE = Path(__file__).parents[1] / "examples" / "sample.gguf"


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (
            lambda model: model.metadata["general.nam"],
            "in the metadata; did you mean 'general.name'?",
        ),
        (lambda model: model.tensors["blk.0.attn_q"], "did you mean 'blk.0.attn_q.weight'?"),
        (lambda model: model.tensors[0], "tensor 0 is list(tensors.values())[0]"),
        (lambda _: ggml_type("q4_k_m"), "q4_k_m is a mix of types, not a tensor type"),
        (lambda _: kaitai_gguf.open("owner/repo"), "for a model on the Hugging Face hub: hf://owner/repo/FILE.gguf"),
        (lambda _: kaitai_gguf.load, "has no attribute 'load'; use kaitai_gguf.open"),  # type: ignore[attr-defined]
        (lambda _: kaitai_gguf.GGUFReader, "use kaitai_gguf.gguf_py.GGUFReader"),  # type: ignore[attr-defined]
    ],
)
def test_errors_name_what_was_meant(attempt: Any, message: str) -> None:
    with kaitai_gguf.open(SAMPLE) as model, pytest.raises(Exception, match=re.escape(message)) as caught:
        attempt(model)
    if isinstance(caught.value, LookupError):  # its suggestion survives
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_value_out_of_range_names_the_range(tmp_path: Path) -> None:
    with (
        kaitai_gguf.edit(SAMPLE) as editor,
        pytest.raises(kaitai_gguf.WriteError, match="uint8, whose range is 0 to 255"),
    ):
        editor.metadata["number"] = kaitai_gguf.Typed(300, "uint8")


def test_facts_of_a_model_are_properties() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        assert model.architecture == "llama"
        assert model.chat_template == model.metadata["tokenizer.chat_template"]
        assert list(model.tokens or ()) == list(model.metadata["tokenizer.ggml.tokens"])
    with kaitai_gguf.open(Model().build()) as model:
        assert (model.architecture, model.chat_template, model.tokens) == (None, None, None)


def test_completion_shows_nothing_internal() -> None:
    with kaitai_gguf.open(SAMPLE) as model, kaitai_gguf.edit(SAMPLE) as editor:
        objects = [model, model.metadata, model.tensors, model.tensors["output.weight"], model.header]
        shown = {name for each in [*objects, editor, editor.metadata, editor.tensors] for name in dir(each)}
    assert shown.isdisjoint({"reader", "handle", "source", "forget", "in_use", "misplaced"})
