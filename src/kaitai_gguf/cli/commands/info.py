"""`kaitai-gguf info`: the facts about a model at a glance."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import missing_nbytes, open_model
from kaitai_gguf.cli.options import PIPES, file_argument, json_option
from kaitai_gguf.cli.output import counted, describe_value, human_bytes, human_count, print_json
from kaitai_gguf.cli.table import print_facts

GENERAL = ["name", "basename", "size_label", "finetune", "version", "license", "type"]
HYPERPARAMETERS = ["context_length", "embedding_length", "block_count", "attention.head_count", "expert_count"]
TOKENS = "tokenizer.ggml.tokens"


@click.command(epilog=PIPES)
@file_argument
@json_option
def command(file: str, as_json: bool) -> None:
    """Show what FILE is: architecture, size, layout.

    Parameters, quantization and vocabulary, too.

    \b
    Example:
      kaitai-gguf info model.gguf
    """
    with open_model(file) as model:
        facts = collect(model)
        if as_json:
            print_json(_json(facts))
        else:
            print_facts([("file", file), *_rows(facts)])


def collect(model: kaitai_gguf.GGUFFile) -> dict[str, Any]:
    """Return the facts as plain values; None for what the file does not say."""
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
        "vocabulary": model.metadata.entry(TOKENS).count if TOKENS in model.metadata else None,
        "parameters": sum(tensor.n_elements for tensor in tensors),
        "tensors": len(tensors),
        "types": _sizes("type", tensors, [tensor.type_name for tensor in tensors]),
        "kinds": _sizes("kind", tensors, [kaitai_gguf.tensor_role(tensor.name).kind for tensor in tensors]),
        "metadata_keys": len(model.metadata),
        "header_nbytes": model.header_nbytes,
        "data_offset": model.data_offset,
        "data_nbytes": model.tensors.data_nbytes,
        "file_nbytes": model.nbytes,
        "missing_nbytes": sum(map(missing_nbytes, model.shards)),
        "shard": _scalar(model, "split.no") if len(model.shards) == 1 else None,
        "shard_count": _scalar(model, "split.count"),
        "files": len(model.shards),
    }


def _scalar(model: kaitai_gguf.GGUFFile, key: str) -> str | int | float | bool | None:
    value = model.metadata.get(key)
    return value if isinstance(value, str | int | float | bool) else None


def _sizes(fact: str, tensors: list[kaitai_gguf.Tensor], groups: list[str]) -> list[dict[str, Any]]:
    """Return how many tensors and bytes each group has, most bytes first; `groups` has the group of each tensor."""
    counts = Counter(groups)
    sizes = Counter(dict.fromkeys(counts, 0))
    for tensor, group in zip(tensors, groups, strict=True):
        sizes[group] += tensor.nbytes or 0
    return [{fact: group, "tensors": counts[group], "nbytes": size} for group, size in sizes.most_common()]


def _json(facts: Any) -> Any:
    """Return the facts in values that JSON has."""
    if isinstance(facts, dict):
        return {key: _json(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [_json(value) for value in facts]
    return canonical.text(facts) if isinstance(facts, str) else canonical.number(facts)


def _rows(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts in words; what the file does not say is left out."""
    yield "format", f"GGUF v{facts['version']}, {facts['byte_order']}-endian, alignment {facts['alignment']}"
    yield from _named({"architecture": facts["architecture"]} | facts["general"])
    if facts["tensors"]:
        yield "parameters", f"{human_count(facts['parameters'])} in {counted(facts['tensors'], 'tensor')}"
    yield from _shares("quantization", "type", facts["types"])
    if any(row["kind"] != "other" for row in facts["kinds"]):
        yield from _shares("kinds", "kind", facts["kinds"])
    yield from _named(facts["hyperparameters"])
    if facts["vocabulary"] is not None:
        tokenizer = f" ({facts['tokenizer']})" if facts["tokenizer"] else ""
        yield "vocabulary", f"{facts['vocabulary']:,} tokens{tokenizer}"
    yield "layout", _layout(facts)
    if facts["missing_nbytes"]:
        yield "missing", f"the last {human_bytes(facts['missing_nbytes'])} of the data"
    if facts["files"] > 1:
        yield "shards", f"all {facts['files']}, {human_bytes(facts['file_nbytes'])} together"
    elif facts["shard_count"] is not None:
        number = facts["shard"] + 1 if isinstance(facts["shard"], int) else "?"
        yield "shard", f"{number} of {facts['shard_count']}"


def _shares(title: str, fact: str, rows: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    total = sum(row["nbytes"] for row in rows)
    for i, row in enumerate(rows):
        share = f"{row['nbytes'] / total:6.1%}" if total else ""
        size = f"{human_bytes(row['nbytes'])} in {counted(row['tensors'], 'tensor')}"
        yield "" if i else title, f"{share} {row[fact]} ({size})"


def _named(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        words = value if isinstance(value, str) else "" if value is None else describe_value(value)
        if words:
            yield key.rpartition(".")[2].replace("_", " "), words


def _layout(facts: dict[str, Any]) -> str:
    header = f"{human_bytes(facts['header_nbytes'])} header with {counted(facts['metadata_keys'], 'key')}"
    if not facts["tensors"]:
        return header
    if facts["files"] > 1:
        return f"{header} in the first shard, {human_bytes(facts['data_nbytes'])} of tensor data in all of them"
    return f"{header}, then {human_bytes(facts['data_nbytes'])} of tensor data from byte {facts['data_offset']:,}"
