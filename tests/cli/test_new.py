"""`kaitai-gguf new`: tiny models."""

from pathlib import Path

from support.commands import fails, output, run, strict_json

import kaitai_gguf


def test_new(tmp_path: Path) -> None:
    path, other = tmp_path / "tiny.gguf", tmp_path / "other.gguf"
    assert output("new", path, "--arch", "llama", "--layers", "2", "--dry-run") == f"{path}\n"
    assert not path.exists()
    document = strict_json(output("new", path, "--arch", "llama", "--layers", "2", "--json"))
    assert document == {"written": {"file": str(path), "nbytes": path.stat().st_size}}
    with kaitai_gguf.open(path) as model:
        assert model.metadata["llama.block_count"] == 2
        assert len(model.tensors) == 3 + 2 * 9
        assert len(model.metadata["tokenizer.ggml.tokens"]) == model.tensors["token_embd.weight"].shape[0]
    assert run("check", path, "--strict").exit_code == 0
    output("new", other, "--arch", "llama")
    assert other.read_bytes() == path.read_bytes()
    fails("already exists; --force overwrites it", "new", path, "--arch", "llama")
    output("new", path, "--arch", "llama", "--type", "q8_0", "--force")
    with kaitai_gguf.open(path) as model:
        assert {tensor.type_name for tensor in model.tensors.values()} == {"F32", "Q8_0"}
