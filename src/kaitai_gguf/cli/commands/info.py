"""`kaitai-gguf info`: what a person wants to know at a glance."""

from collections import Counter
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import file_argument, json_option
from kaitai_gguf.cli.output import counted, describe_value, human_bytes, human_count, print_json, print_table

GENERAL = ["name", "basename", "size_label", "finetune", "version", "license", "type"]
HYPERPARAMETERS = ["context_length", "embedding_length", "block_count", "attention.head_count", "expert_count"]
TOKENS = "tokenizer.ggml.tokens"


@click.command()
@file_argument
@json_option
def command(file: str, as_json: bool) -> None:
    """Show what FILE is: architecture, size, quantization, vocabulary, layout.

    \b
    Example:
      kaitai-gguf info model.gguf
    """
    with open_model(file) as model:
        facts = collect(model)
        if as_json:
            print_json(_json(facts))
        else:
            print_table([], [("file", file), *_rows(facts)])


def collect(model: kaitai_gguf.GGUFFile) -> dict[str, Any]:
    """The facts, as plain values; None for what the file does not say."""
    architecture = _scalar(model, "general.architecture")
    tensors = list(model.tensors.values())
    return {
        "version": model.version,
        "byte_order": model.byte_order,
        "alignment": model.alignment,
        "architecture": architecture,
        "general": {key: _scalar(model, f"general.{key}") for key in GENERAL},
        "hyperparameters": {key: _scalar(model, f"{architecture}.{key}") for key in HYPERPARAMETERS},
        "tokenizer": _scalar(model, "tokenizer.ggml.model"),
        "vocabulary": _count(model, TOKENS),
        "parameters": sum(tensor.n_elements for tensor in tensors),
        "tensors": len(tensors),
        "types": _types(tensors),
        "metadata_keys": len(model.metadata),
        "header_nbytes": model.header_nbytes,
        "data_offset": model.data_offset,
        "data_nbytes": model.tensors.data_nbytes,
        "file_nbytes": model.nbytes,
        "missing_nbytes": sum(map(_missing, model.shards)),
        "shard": _scalar(model, "split.no") if len(model.shards) == 1 else None,
        "shard_count": _scalar(model, "split.count"),
        "files": len(model.shards),
    }


def _missing(file: kaitai_gguf.GGUFFile) -> int:
    """Bytes of tensor data that should be in a file, and are not."""
    end = file.data_offset + file.tensors.data_nbytes if file.tensors.data_nbytes else 0
    return max(0, end - file.nbytes)


def _json(facts: Any) -> Any:
    """The facts in values that JSON has."""
    if isinstance(facts, dict):
        return {key: _json(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [_json(value) for value in facts]
    return canonical.text(facts) if isinstance(facts, str) else canonical.number(facts)


def _types(tensors: list[kaitai_gguf.Tensor]) -> list[dict[str, Any]]:
    """Which types the tensors have, most bytes first."""
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for tensor in tensors:
        sizes[tensor.type_name] += tensor.nbytes or 0
        counts[tensor.type_name] += 1
    return [{"type": name, "tensors": counts[name], "nbytes": size} for name, size in sizes.most_common()]


def _scalar(model: kaitai_gguf.GGUFFile, key: str) -> str | int | float | bool | None:
    value = model.metadata.get(key)
    return value if isinstance(value, str | int | float | bool) else None


def _count(model: kaitai_gguf.GGUFFile, key: str) -> int | None:
    return model.metadata.entry(key).count if key in model.metadata else None


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """The facts in words; what the file does not say is left out."""
    rows = [
        ("format", f"GGUF v{facts['version']}, {facts['byte_order']}-endian, alignment {facts['alignment']}"),
        ("architecture", _words(facts["architecture"])),
        *_named(facts["general"]),
        (
            "parameters",
            f"{human_count(facts['parameters'])} in {counted(facts['tensors'], 'tensor')}" if facts["tensors"] else "",
        ),
        *(("quantization" if i == 0 else "", _type_words(facts, i)) for i in range(len(facts["types"]))),
        *_named(facts["hyperparameters"]),
        ("vocabulary", _vocabulary_words(facts)),
        ("layout", _layout_words(facts)),
        ("missing", f"the last {human_bytes(facts['missing_nbytes'])} of the data" if facts["missing_nbytes"] else ""),
        _shard_words(facts),
    ]
    return [(name, words) for name, words in rows if words]


def _named(values: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key.rpartition(".")[2].replace("_", " "), _words(value)) for key, value in values.items()]


def _number(value: Any, add: int) -> str:
    return str(value + add) if isinstance(value, int) else "?"


def _words(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else describe_value(value)


def _type_words(facts: dict[str, Any], i: int) -> str:
    row = facts["types"][i]
    total = sum(other["nbytes"] for other in facts["types"])
    share = f"{row['nbytes'] / total:6.1%}" if total else ""
    return f"{share} {row['type']} ({human_bytes(row['nbytes'])} in {counted(row['tensors'], 'tensor')})"


def _vocabulary_words(facts: dict[str, Any]) -> str:
    if facts["vocabulary"] is None:
        return ""
    return f"{facts['vocabulary']:,} tokens" + (f" ({facts['tokenizer']})" if facts["tokenizer"] else "")


def _shard_words(facts: dict[str, Any]) -> tuple[str, str]:
    if facts["files"] > 1:
        return "shards", f"all {facts['files']}, {human_bytes(facts['file_nbytes'])} together"
    words = f"{_number(facts['shard'], 1)} of {facts['shard_count']}" if facts["shard_count"] is not None else ""
    return "shard", words


def _layout_words(facts: dict[str, Any]) -> str:
    header = f"{human_bytes(facts['header_nbytes'])} header with {counted(facts['metadata_keys'], 'key')}"
    if not facts["tensors"]:
        return header
    if facts["files"] > 1:
        return f"{header} in the first shard, {human_bytes(facts['data_nbytes'])} of tensor data in all of them"
    return f"{header}, then {human_bytes(facts['data_nbytes'])} of tensor data from byte {facts['data_offset']:,}"
