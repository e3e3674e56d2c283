"""`quantize_model`: which tensor gets which type, importance matrices, and refusals."""

import hashlib
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import GGMLType, WriteError, plan_quantization, quantize, quantize_model
from kaitai_gguf.models.mixes import MIXES, fallback, is_quantizable, mixed_types, target
from kaitai_gguf.models.tiny import tiny_model

DATA = Path(__file__).parents[1] / "data"
LLAMA = tiny_model("llama", 4)
RANDOM = np.random.default_rng(0)
WIDE = {  # rows of whole blocks, of 32 and of fewer elements
    "token_embd.weight": RANDOM.standard_normal((8, 512)),
    "blk.0.attn_q.weight": RANDOM.standard_normal((4, 512)),
    "blk.0.attn_k.weight": RANDOM.standard_normal((4, 96)),
    "blk.0.attn_v.weight": RANDOM.standard_normal((4, 40)),
    "blk.0.ffn_down_exps.weight": RANDOM.standard_normal((2, 3, 256)),
    "blk.0.ffn_gate_inp.weight": RANDOM.standard_normal((4, 512)),
    "blk.0.attn_norm.weight": RANDOM.standard_normal(512),
    "blk.0.attn_q.bias": RANDOM.standard_normal((2, 512)),
}
KEPT = ["blk.0.ffn_gate_inp.weight", "blk.0.attn_norm.weight", "blk.0.attn_q.bias"]
Save = Callable[..., Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def save(tensors: dict[str, Any], name: str = "model.gguf", **metadata: Any) -> Path:
        floats = {key: np.asarray(value, np.float32) for key, value in tensors.items()}
        kaitai_gguf.write(tmp_path / name, {"general.architecture": "llama"} | metadata, floats)
        return tmp_path / name

    return save


def types_of(path: Path) -> dict[str, str]:
    with kaitai_gguf.open(path) as model:
        return {name: tensor.type_name for name, tensor in model.tensors.items()}


def expected_digests() -> dict[str, dict[str, str]]:
    """Return, for each model and mix, a digest of the types that llama.cpp's `llama_model_quantize` chose."""
    header, *rows = [line.split("\t") for line in (DATA / "mixes.tsv").read_text().splitlines()]
    return {name: dict(zip(header[1:], digests, strict=True)) for name, *digests in rows}


def test_mixes_are_those_of_llama_cpp() -> None:
    """The first headers are of the models of llama.cpp's architecture test, the others have the tensors of 12 large
    models that its snapshots of expected types name."""
    expected = expected_digests()
    for name, header in (*headers("llama-cpp-headers"), *headers("llama-cpp-snapshots")):
        digests = expected.pop(name)
        assert sorted(digests) == sorted(MIXES)
        with kaitai_gguf.open(header) as model:
            types = {name: tensor.type for name, tensor in model.tensors.items()}
            for mix, digest in digests.items():
                mixed = mixed_types(model, target(mix), ())
                chosen = {name: fallback(model.tensors[name], type) for name, type in mixed.items()}
                lines = sorted(f"{name} {type}\n" for name, type in (types | chosen).items())
                assert hashlib.sha256("".join(lines).encode()).hexdigest()[:8] == digest, (name, mix)
    assert not expected


def headers(archive: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(DATA / f"{archive}.tar.xz") as tar:
        for member in filter(tarfile.TarInfo.isfile, tar):
            yield Path(member.name).stem, tar.extractfile(member).read()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("type", "wide", "narrow", "file_type"),
    [
        ("Q4_K", "Q4_K", "Q5_0", 15),
        ("q5_k", "Q5_K", "Q5_1", 17),
        ("Q6_K", "Q6_K", "Q8_0", 18),
        ("Q2_K", "Q2_K", "Q4_0", 10),
        ("Q8_0", "Q8_0", "Q8_0", 7),
        (GGMLType.BF16, "BF16", "BF16", 32),
    ],
)
def test_one_type_for_all_weights(save: Save, type: Any, wide: str, narrow: str, file_type: int) -> None:
    source, output = save(WIDE), save({}, "output.gguf")
    planned = plan_quantization(source, type)
    quantize_model(source, output, type, overwrite=True, threads=2)
    unfit = "F16" if narrow != "BF16" else "BF16"
    other = {"blk.0.attn_k.weight": narrow, "blk.0.attn_v.weight": unfit} | dict.fromkeys(KEPT, "F32")
    assert types_of(output) == {name: other.get(name, wide) for name in WIDE}
    with kaitai_gguf.open(output) as model:
        assert [(each.name, each.type, each.nbytes) for each in planned] == [
            (name, tensor.type, tensor.nbytes) for name, tensor in model.tensors.items()
        ]
        assert model.metadata["general.file_type"] == file_type
        assert ("general.quantization_version" in model.metadata) == (wide != "BF16")
        name = "blk.0.ffn_down_exps.weight"
        expected = quantize(WIDE[name].astype(np.float32), wide)
        assert np.array_equal(model.tensors[name].data.view(np.uint8), expected)
        assert not [each for each in kaitai_gguf.check(output) if str(each.severity) == "error"]


def test_shards_and_chosen_types(tmp_path: Path) -> None:
    kaitai_gguf.write(tmp_path / "whole.gguf", *LLAMA)
    shards = kaitai_gguf.split(tmp_path / "whole.gguf", tmp_path / "part", max_tensors=9)
    assert len(shards) > 2
    types = {r"ffn_down": "F16", r"^blk\.0\.": "Q8_0"}
    quantize_model(shards[1], tmp_path / "one.gguf", "Q5_0", types=types)
    quantize_model(tmp_path / "whole.gguf", tmp_path / "other.gguf", "Q5_0", types=types)
    assert (tmp_path / "one.gguf").read_bytes() == (tmp_path / "other.gguf").read_bytes()
    found = types_of(tmp_path / "one.gguf")
    assert found["blk.0.ffn_down.weight"] == "F16"
    assert {found[f"blk.{block}.attn_q.weight"] for block in (0, 1)} == {"Q8_0", "Q5_0"}


def test_importance_matrix(save: Save, tmp_path: Path) -> None:
    source, sums, counts = save(WIDE), RANDOM.gamma(1, 1, (2, 256)), np.array([[4], [0]])
    names = "blk.0.attn_q.weight", "blk.0.ffn_down_exps.weight"
    row = RANDOM.gamma(1, 1, 512).astype(np.float32)
    tensors = {f"{names[0]}.in_sum2": row[None], f"{names[0]}.counts": [[2]]}
    tensors |= {f"{names[1]}.in_sum2": sums, f"{names[1]}.counts": counts, "unknown.weight.in_sum2": row[None]}
    keys = {"general.type": "imatrix", "imatrix.datasets": ["wiki.txt"], "imatrix.chunk_count": 7}
    imatrix = save(tensors, "imatrix.gguf", **keys)
    quantize_model(source, tmp_path / "file.gguf", "Q4_K", imatrix=imatrix)
    matrices = {names[0]: row / 2, names[1]: np.stack([sums[0].astype(np.float32) / 4, np.ones(256)])}
    quantize_model(source, tmp_path / "mapping.gguf", "Q4_K", imatrix=matrices)
    with kaitai_gguf.open(tmp_path / "file.gguf") as one, kaitai_gguf.open(tmp_path / "mapping.gguf") as other:
        assert not kaitai_gguf.diff(one, other).tensors
        for name in names:
            expected = quantize(WIDE[name].astype(np.float32), "Q4_K", imatrix=matrices[name])
            np.testing.assert_array_equal(one.tensors[name].data, expected)
        stored = {key: value for key, value in one.metadata.items() if key.startswith("quantize.")}
        assert list(stored.values()) == ["imatrix.gguf", "wiki.txt", 2, 7]
    source = save(WIDE, **{"llama.block_count": 1})
    assert plan_quantization(source, "Q2_K_S", imatrix=matrices)


@pytest.mark.parametrize(
    ("type", "options", "message"),
    [
        ("IQ4_XS", {}, "can't quantize to IQ4_XS"),
        ("IQ3_M", {}, "IQ3_M is a mix with IQ types: llama.cpp's llama-quantize supports it"),
        ("Q9", {}, "unknown type 'Q9'; the mixes are Q2_K_S, "),
        ("Q4_K", {"types": {"attn": "Q4_K_M"}}, "Q4_K_M is a mix, not a tensor type: specify Q4_K or another"),
        ("Q4_K", {"types": {"norm": "Q8_0"}}, "'norm' matches no weight that is quantized"),
        ("Q4_K", {"types": {"(": "Q8_0"}}, "'\\(' is not a regular expression: "),
        (
            "Q1_0",
            {},
            "attn_k.*: row length 96 is not a multiple of the Q1_0 block size 128, and llama.cpp has no other",
        ),
        ("Q4_K_M", {}, "mixes depend on key 'llama.block_count', which must be an integer, not None"),
        ("Q4_K", {"imatrix": {"a": np.ones(3)}}, "the importance matrix is of another model: none of its tensors"),
        ("Q4_K", {"imatrix": {"blk.0.attn_q.weight": np.ones(3)}}, "matrix is of another model: imatrix has shape"),
    ],
)
def test_refusals(save: Save, tmp_path: Path, type: str, options: Any, message: str) -> None:
    source = save(WIDE)
    for call in (plan_quantization, lambda *_, **__: quantize_model(source, tmp_path / "new.gguf", type, **options)):
        with pytest.raises(WriteError, match=message):
            call(source, type, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["model.gguf"]


def test_more_refusals(save: Save, tmp_path: Path) -> None:
    source = save({"blk.0.attn_q.weight": np.ones((2, 256))}, **{"llama.block_count": 1})
    with pytest.raises(WriteError, match="Q2_K_S needs an importance matrix"):
        plan_quantization(source, "Q2_K_S")
    with pytest.raises(WriteError, match=r"the importance matrix is not one: its general.type is not 'imatrix'"):
        plan_quantization(source, "Q4_K", imatrix=source)
    with pytest.raises(kaitai_gguf.FileError, match="is a file that the model is read from: choose another output"):
        quantize_model(source, source, "Q4_K", overwrite=True)
    odd = tmp_path / "odd.gguf"
    for array, message in (
        (np.ones((2, 256), np.int32), "I32 is not converted to Q4_K"),
        (np.full((2, 256), np.nan), "nan"),
    ):
        kaitai_gguf.write(odd, {"general.architecture": "other"}, {"a.weight": array})
        with pytest.raises(WriteError, match=f"tensor 'a.weight'.*{message}"):
            quantize_model(odd, tmp_path / "new.gguf", "Q4_K")
        with pytest.raises(WriteError, match=r"llama\.cpp has no mixes for the architecture 'other'"):
            plan_quantization(odd, "Q4_K_M")
    assert not (tmp_path / "new.gguf").exists()


def test_weights_have_two_axes(save: Save) -> None:
    names = {"a.weight": (2, 32), "b.weight": (1, 32), "b.bias": (2, 32), "position_embd.weight": (2, 32)}
    with kaitai_gguf.open(save({name: np.ones(shape) for name, shape in names.items()})) as model:
        assert [each.name for each in model.tensors.values() if is_quantizable(each, "llama")] == ["a.weight"]
