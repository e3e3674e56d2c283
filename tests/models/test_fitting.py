"""`fits`: projectors and adapters, and the models that they belong to."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import run
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import fits
from kaitai_gguf.llama_cpp import facts

F32 = 0


def built(rows: dict[str, Any], tensors: dict[str, tuple[int, ...]]) -> bytes:
    """Return a file whose tensors have no data: none is read."""
    types = {bool: "bool", int: "uint32", float: "float32", str: "string"}
    specs = [TensorSpec(name, (*dims, 0), F32, 0) for name, dims in tensors.items()]
    return Model([(key, types[type(value)], value) for key, value in rows.items()], specs).build()


def base(**keys: Any) -> bytes:
    rows = {"general.architecture": "qwen3vl", "qwen3vl.embedding_length": 64} | keys
    return built(
        rows, {"token_embd.weight": (64, 100), "blk.0.attn_q.weight": (64, 32), "blk.0.attn_norm.weight": (64,)}
    )


def projector(type: str, tensors: dict[str, tuple[int, ...]], kind: str = "vision") -> bytes:
    rows = {"general.architecture": "clip", f"clip.has_{kind}_encoder": True, f"clip.{kind}.projector_type": type}
    return built(rows, tensors)


@pytest.mark.parametrize(
    ("type", "tensors", "width"),
    [
        ("mlp", {"mm.2.weight": (9, 64)}, 64),
        ("mlp", {"mm.2.weight": (64, 9)}, 9),
        ("gemma3", {"mm.input_projection.weight": (65, 64)}, 65),
        ("qwen2.5vl_merger", {"mm.2.bias": (64,)}, 64),
        ("qwen2.5vl_merger", {"mm.2.weight": (9, 63)}, 63),  # without its bias
        (
            "qwen3vl_merger",
            {"mm.2.bias": (64,), "v.deepstack.5.fc1.weight": (1, 1), "v.deepstack.5.norm.bias": (1,)},
            128,
        ),
        ("qwen2.5o", {"mm.2.bias": (62,), "mm.a.fc.weight": (1, 64)}, 62),
        ("mlp", {}, None),
        ("of tomorrow", {"mm.2.weight": (9, 63)}, None),
        ("mlp", {"mm.2.weight": ()}, None),
    ],
)
def test_projectors(type: str, tensors: dict[str, tuple[int, ...]], width: int | None) -> None:
    data = projector(type, tensors)
    fit = fits(base(), data)
    reason = f"the output of its projector {type!r} has {width} values, the model's embeddings 64"
    assert (fit.kind, fit.reasons) == ("projector", () if width in (64, None) else (reason,))
    assert bool(fit) == (width in (64, None))
    with kaitai_gguf.open(data) as model:
        words = "projector for models" + (f" whose embeddings have {width} values" if width else "")
        assert model.info().purpose == words


def test_projectors_for_audio_and_for_models_with_deepstack_layers() -> None:
    assert fits(base(), projector("qwen2.5o", {"mm.a.fc.weight": (1, 64)}, "audio"))
    assert not fits(base(), projector("ultravox", {"mm.a.mlp.2.weight": (1, 63)}, "audio"))
    deep = base(**{"qwen3vl.n_deepstack_layers": 1})
    merger = {"mm.2.bias": (64,), "v.deepstack.5.fc1.weight": (1, 1)}
    assert fits(deep, projector("qwen3vl_merger", merger))
    assert not fits(deep, projector("mlp", {"mm.2.weight": (9, 64)}))
    assert fits(base(**{"qwen3vl.embedding_length": "many"}), projector("mlp", {"mm.2.weight": (9, 1)}))


@pytest.mark.parametrize(
    ("keys", "widths"),
    [
        ({"clip.vision.projector_type": "qwen2.5o", "clip.audio.projector_type": "qwen2.5o"}, [62]),  # audio has 64
        ({"clip.projector_type": "qwen2a", "clip.vision.projector_type": "qwen2.5vl_merger"}, []),
        ({"clip.has_vision_encoder": False, "clip.vision.projector_type": "qwen2.5vl_merger"}, []),
    ],
)
def test_the_type_of_a_projector_is_the_one_that_llama_cpp_takes(keys: dict[str, Any], widths: list[int]) -> None:
    rows = {"general.architecture": "clip", "clip.has_vision_encoder": True, "clip.has_audio_encoder": True} | keys
    fit = fits(base(), built(rows, {"mm.2.bias": (62,), "mm.a.fc.weight": (1, 64)}))
    assert [int(reason.split()[7]) for reason in fit.reasons] == widths


def test_every_type_of_projector_names_a_tensor() -> None:
    assert len(facts()["projectors"]) > 50
    assert all(name.endswith((".weight", ".bias")) and dim < 4 for name, dim in facts()["projectors"].values())


def adapter(tensors: dict[str, tuple[int, ...]], **keys: Any) -> bytes:
    rows = {"general.architecture": "qwen3vl", "general.type": "adapter", "adapter.type": "lora"}
    return built(rows | {"adapter.lora.alpha": 16.0} | keys, tensors)


Q = "blk.0.attn_q.weight"
PAIR = {f"{Q}.lora_a": (64, 8), f"{Q}.lora_b": (8, 32)}


@pytest.mark.parametrize(
    ("tensors", "keys", "reasons"),
    [
        (PAIR, {}, []),
        ({"token_embd.weight.lora_a": (8, 100), "token_embd.weight.lora_b": (8, 64)}, {}, []),
        ({"blk.0.attn_norm.weight": (64,)}, {}, []),
        (PAIR, {"general.architecture": "llama"}, ["it is for the architecture 'llama', and the model's is 'qwen3vl'"]),
        (PAIR, {"adapter.type": 5}, ["adapter.type is not text, expected 'lora'"]),
        ({f"{Q}.lora_a": (64, 8)}, {}, [f"tensor {Q!r} has .lora_a, but not the other of .lora_a and .lora_b"]),
        ({"x.lora_a": (1, 1), "x.lora_b": (1, 1)}, {}, ["tensor 'x' is not in the model"]),
        ({"a.weight": (1,)}, {}, ["tensor 'a.weight' is neither .lora_a nor .lora_b of a tensor"]),
        (
            PAIR | {f"{Q}.lora_b": (8, 31)},
            {},
            [f"tensor {Q!r} has dims (64, 32) in the model, which its pair of (64, 8) and (8, 31) does not fit"],
        ),
        (PAIR | {f"{Q}.lora_b": (7, 32)}, {}, [f"tensor {Q!r} has a pair whose ranks 8 and 7 differ"]),
    ],
)
def test_adapters(tensors: dict[str, tuple[int, ...]], keys: dict[str, Any], reasons: list[str]) -> None:
    fit = fits(base(), adapter(tensors, **keys))
    assert (fit.kind, list(fit.reasons)) == ("adapter", reasons)


def test_what_an_adapter_is_for() -> None:
    with kaitai_gguf.open(adapter(PAIR)) as model:
        assert model.info().purpose == "lora adapter for models of the architecture qwen3vl: 1 tensors, alpha 16"
    with kaitai_gguf.open(base()) as model:
        assert model.info().purpose is None


@pytest.mark.parametrize(("model", "other"), [(base(), base()), (adapter(PAIR), adapter(PAIR))])
def test_what_can_not_fit(model: bytes, other: bytes) -> None:
    with pytest.raises(ValueError, match=r"neither a projector nor an adapter|is not a model"):
        fits(model, other)
    with pytest.raises(kaitai_gguf.GGUFError):
        fits(base(), b"GGUF")


def test_the_command_checks_them_together(tmp_path: Path) -> None:
    files = {"model": base(), "wrong": projector("mlp", {"mm.2.weight": (9, 63)}), "right": adapter(PAIR)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    paths = {name: str(tmp_path / name) for name in files}
    result = run("check", *paths.values(), "--select", "misfit")
    assert result.exit_code == 1
    words = "it does not fit the model: the output of its projector 'mlp' has 63 values, the model's embeddings 64"
    line = f"{paths['wrong']}: byte 0x0, /: error: {words} [misfit, refused by llama.cpp]"
    assert line in result.stdout.splitlines()
    assert run("check", paths["model"], paths["right"], "--select", "misfit").exit_code == 0
    assert run("check", paths["model"], paths["model"] + "x", paths["wrong"], "--select", "misfit").exit_code == 2
    (tmp_path / "second").write_bytes(base())  # which of the models is meant is not known
    assert run("check", *paths.values(), str(tmp_path / "second"), "--select", "misfit").exit_code == 0


def test_the_command_checks_projectors_with_all_shards_of_a_model(tmp_path: Path) -> None:
    tensors = {f"blk.{block}.attn_q.weight": np.zeros((2, 64), np.float32) for block in range(2)}
    whole = tmp_path / "whole"
    kaitai_gguf.write(whole, {"general.architecture": "llama", "llama.embedding_length": 64}, tensors)
    shards = kaitai_gguf.split(whole, tmp_path / "model", max_tensors=1)
    (tmp_path / "wrong").write_bytes(projector("mlp", {"mm.2.weight": (9, 63)}))
    assert len(shards) == 2
    assert run("check", *map(str, shards), str(tmp_path / "wrong"), "--select", "misfit").exit_code == 1
