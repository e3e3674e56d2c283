"""`kaitai-gguf info`: show the facts about models at a glance."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import error_message
from kaitai_gguf.cli.facts import collect
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import FAILED, PIPES, GGUFPath, json_option
from kaitai_gguf.cli.output import counted, describe_value, human_bytes, human_count, print_json, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.table import Nbytes, print_facts, print_table
from kaitai_gguf.sources.urls import shown

ENCODER_FORMS = {
    "block_count": "{} blocks",
    "embedding_length": "embedding length {}",
    "image_size": "images of {} pixels",
    "patch_size": "patches of {}",
    "num_mel_bins": "{} mel bins",
    "projector_type": "projector {}",
}
COLUMNS = ["file", "architecture", "file type", "parameters", "bits/weight", "bytes", "context", "files"]


@click.command(epilog=PIPES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=GGUFPath())
@json_option
@click.pass_context
def command(ctx: click.Context, *, files: tuple[str, ...], as_json: bool) -> None:
    """Show what FILE is: architecture, size, layout.

    Also shows parameters, quantization, hyperparameters and vocabulary. Several files are shown as a table with
    a row for each model; all shards of a model are one row.

    Exit status: 2 if a file can't be read; the other files are still shown.

    \b
    Examples:
      kaitai-gguf info model.gguf
      kaitai-gguf info model.gguf other.gguf
    """
    if len(files) == 1:
        with open_model(files[0]) as model:
            facts = collect(model)
        if as_json:
            print_json(facts)
        else:
            print_facts([("file", shown(files[0])), *_rows(facts)])
        return
    all_facts = list(_several(files))
    readable = [facts for facts in all_facts if "error" not in facts]
    if as_json:
        print_json(all_facts)
    else:
        print_table(COLUMNS, map(_row, readable), right=COLUMNS[3:])
    if len(readable) < len(all_facts):
        ctx.exit(FAILED)


def _several(files: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the facts of each model, or the error of one that can't be read."""
    seen: set[str] = set()
    for file in files:
        if os.path.realpath(file) in seen:
            continue
        name = as_text(shown(file))
        try:
            with open_model(file) as model:
                seen.update(os.path.realpath(shard.name) for shard in model.shards if shard.name is not None)
                yield {"file": name} | collect(model)
        except kaitai_gguf.GGUFError as error:
            warn(error_message(error, file))
            reason = error.strerror if isinstance(error, kaitai_gguf.FileError) else error
            yield {"file": name, "error": as_text(str(reason))}


def _row(facts: dict[str, Any]) -> list[object]:
    """Return a row of the table. Counts are rounded in a terminal, exact in a pipe."""
    bits = facts["bits_per_weight"]
    return [
        facts["file"],
        _text(facts["architecture"]),
        _file_type(facts["file_type"], "{} (mostly {})") if facts["file_type"] else "",
        human_count(facts["parameters"]) if sys.stdout.isatty() else facts["parameters"],
        "" if bits is None else f"{bits:.2f}",
        Nbytes(facts["file_nbytes"]),
        _text(facts["hyperparameters"]["context_length"]),
        facts["files"],
    ]


# One model as text


def _rows(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts as names and texts, without those that the file does not have."""
    bits, file_size = facts["bits_per_weight"], human_bytes(facts["file_nbytes"])
    yield "size", file_size + (f", {bits:.2f} bits per weight" if bits is not None else "")
    yield "format", f"GGUF v{facts['version']}, {facts['byte_order']}-endian, alignment {facts['alignment']}"
    yield from _named({"architecture": facts["architecture"]} | facts["general"])
    if facts["tensors"]:
        yield "parameters", f"{human_count(facts['parameters'])} in {counted(facts['tensors'], 'tensor')}"
    if facts["file_type"]:
        yield "file type", _file_type(facts["file_type"], "{}, but most weights are {}")
    yield from _hyperparameters(facts["hyperparameters"], facts["gqa_ratio"])
    for kind, encoder in facts["encoders"].items():
        yield kind, ", ".join(_formatted(encoder, ENCODER_FORMS)) or "yes"
    if facts["vocabulary"] is not None:
        yield from _vocabulary(facts)
    yield from _shares("quantization", "type", facts["types"])
    if any(row["kind"] != "other" for row in facts["kinds"]):
        yield from _shares("kinds", "kind", facts["kinds"])
    yield "layout", _layout(facts)
    if facts["missing_nbytes"]:
        yield "missing", f"the last {human_bytes(facts['missing_nbytes'])} of the data"
    if facts["files"] > 1:
        yield "shards", f"all {facts['files']}, {file_size} together"
    elif facts["shard_count"] is not None:
        number = facts["shard"] + 1 if isinstance(facts["shard"], int) else "?"
        yield "shard", f"{number} of {facts['shard_count']}"
    if fetched := facts["fetched"]:
        yield "read", f"{human_bytes(fetched['nbytes'])} of {file_size} in {counted(fetched['requests'], 'request')}"


def _file_type(file_type: dict[str, Any], doubtful: str) -> str:
    name = file_type["name"] or f"unknown ({file_type['number']})"
    other = file_type["contradicted_by"]
    return doubtful.format(name, other) if other else name


def _formatted(values: dict[str, Any], forms: dict[str, str]) -> list[str]:
    """Return the values that exist, in the given forms."""
    return [form.format(_text(values[key])) for key, form in forms.items() if _text(values[key])]


def _hyperparameters(values: dict[str, Any], gqa_ratio: Any) -> Iterator[tuple[str, str]]:
    yield from _named({key: values[key] for key in values if "." not in key and not key.startswith("expert_")})
    heads, kv_heads = _text(values["attention.head_count"]), _text(values["attention.head_count_kv"])
    if heads and kv_heads and gqa_ratio != 1:
        ratio = f" (GQA ratio {_text(gqa_ratio)})" if _text(gqa_ratio) else ""
        heads += f", {kv_heads} for keys and values{ratio}"
    yield from _named({"head count": heads, "sliding window": values["attention.sliding_window"]})
    forms = {"expert_count": "{}", "expert_used_count": "{} used", "expert_shared_count": "{} shared"}
    rope = _formatted(values, {"rope.freq_base": "base {}"})
    kind, factor = _text(values["rope.scaling.type"]), values["rope.scaling.factor"]
    if kind not in ("", "none") or _text(factor):
        scaling = {"rope.scaling.factor": " by {}", "rope.scaling.original_context_length": " from a context of {}"}
        rope.append(f"{kind} scaling".lstrip() + "".join(_formatted(values, scaling)))
    yield from _named({"experts": ", ".join(_formatted(values, forms)), "rope": ", ".join(rope)})


def _vocabulary(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    names = ", ".join(filter(None, [_text(facts["tokenizer"]), _text(facts["tokenizer_pre"])]))
    yield "vocabulary", f"{facts['vocabulary']:,} tokens" + (f" ({names})" if names else "")
    tokens = [
        f"{name.replace('_', ' ')} {token['id']} {describe_value(token['text'], 30) if _text(token['text']) else ''}"
        for name, token in facts["special_tokens"].items()
    ]
    if tokens:
        yield "special tokens", ", ".join(map(str.rstrip, tokens))
    others = [name for name in facts["chat_templates"] if name != "default"]
    yield "chat template", ", ".join(["yes" if facts["chat_templates"] else "no", *others])


def _shares(title: str, fact: str, rows: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    total = sum(row["nbytes"] for row in rows)
    for i, row in enumerate(rows):
        share = f"{row['nbytes'] / total:6.1%}" if total else ""
        size = f"{human_bytes(row['nbytes'])} in {counted(row['tensors'], 'tensor')}"
        yield "" if i else title, f"{share} {row[fact]} ({size})"


def _named(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        text = _text(value)
        if text:
            yield key.rpartition(".")[2].replace("_", " "), text


def _text(value: Any) -> str:
    """Return a value as text: the range of a list; empty for None and for text that is not UTF-8."""
    if value is None or isinstance(value, dict):
        return ""
    if not isinstance(value, list):
        return value if isinstance(value, str) else describe_value(value)
    numbers = sorted({each for each in value if isinstance(each, int | float)})
    if len(numbers) < 2:
        return "".join(map(describe_value, numbers))
    return f"{describe_value(numbers[0])} to {describe_value(numbers[-1])} by layer"


def _layout(facts: dict[str, Any]) -> str:
    header = f"{human_bytes(facts['header_nbytes'])} header with {counted(facts['metadata_keys'], 'key')}"
    if not facts["tensors"]:
        return header
    if facts["files"] > 1:
        return f"{header} in the first shard, {human_bytes(facts['data_nbytes'])} of tensor data in all of them"
    return f"{header}, then {human_bytes(facts['data_nbytes'])} of tensor data from byte {facts['data_offset']:,}"
