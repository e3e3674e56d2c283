"""`kaitai-gguf quantize`."""

from pathlib import Path

import numpy as np
from support.commands import cells, fails, output, run, strict_json

import kaitai_gguf
from kaitai_gguf.models.tiny import tiny_model

COLUMNS = "before\tafter\ttensors\tnbytes_before\tnbytes_after\n"


def test_quantize(tmp_path: Path) -> None:
    source, target = tmp_path / "model.gguf", tmp_path / "new.gguf"
    kaitai_gguf.write(source, *tiny_model("llama", 2))
    fails("specify --output FILE", "quantize", source, "Q8_0")
    fails("expected REGEX=TYPE, such as 'ffn_down=Q6_K', not 'x'", "quantize", source, "Q8_0", "--tensor-type", "x")
    fails("Q4_K_M is a mix", "quantize", source, "Q8_0", "--tensor-type", "attn=Q4_K_M", "--dry-run")
    fails("is an input of this command", "quantize", source, "Q8_0", "--output", source, "--force")
    options = ["quantize", source, "Q8_0", "--tensor-type", "attn_k=F16"]
    table = output(*options, "--dry-run")
    assert not target.exists()
    assert output(*options, "--output", target, "--threads", "2") == table
    fails("--force overwrites it", *options, "--output", target)
    assert table.startswith(COLUMNS)
    rows = cells(table)
    with kaitai_gguf.open(source) as before, kaitai_gguf.open(target) as after:
        types = {tensor.type_name for tensor in after.tensors.values()}
        assert types == {row[1] for row in rows[:-1]} == {"F32", "F16", "Q8_0"}
        nbytes = [sum(each.nbytes or 0 for each in model.tensors.values()) for model in (before, after)]
        assert rows[-1] == ["all", "", str(len(after.tensors)), *map(str, nbytes)]
        assert np.abs(after.tensors["blk.1.attn_q.weight"].dequantize()).max() > 0
    document = strict_json(output(*options, "--output", target, "--force", "--json"))
    assert document["written"]["nbytes"] == target.stat().st_size
    assert {each["type"] for each in document["tensors"]} == types


def test_says_which_mix_llama_quantize_means(tmp_path: Path) -> None:
    kaitai_gguf.write(tmp_path / "model.gguf", *tiny_model("llama", 1))
    options = "--dry-run", "--json"
    result = run("quantize", tmp_path / "model.gguf", "q4_k", *options)
    assert "llama-quantize without --pure means the mix Q4_K_M" in result.stderr
    assert "mix" not in run("quantize", tmp_path / "model.gguf", "Q6_K", *options).stderr
