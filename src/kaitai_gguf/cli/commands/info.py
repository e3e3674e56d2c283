"""`kaitai-gguf info`: show the facts about models at a glance."""

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical, error_message
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import FAILED, PIPES, GGUFPath, form_options
from kaitai_gguf.cli.output import counted, describe_value, in_columns, print_json, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.table import Nbytes, print_facts, print_table
from kaitai_gguf.sources.urls import shown
from kaitai_gguf.text import human_bytes, human_count

# How facts that share a line are written, in order.
ENCODER = {
    "block_count": "{} blocks",
    "embedding_length": "embedding length {}",
    "image_size": "images of {} pixels",
    "patch_size": "patches of {}",
    "num_mel_bins": "{} mel bins",
    "projector_type": "projector {}",
}
EXPERTS = {"expert_count": "{}", "expert_used_count": "{} used", "expert_shared_count": "{} shared"}
SCALING = {"rope.scaling.factor": "by {}", "rope.scaling.original_context_length": "from a context of {}"}
SHARES = {"types": "type", "kinds": "kind"}
COUNTS = ["parameters", "bits_per_weight", "file_nbytes", "context_length", "files"]
CONTEXT = 4096  # tokens, for the memory
COLUMNS = ["file", "architecture", "file_type", *COUNTS]
OPTIONAL = ["files", "bits_per_weight", "context_length", "file_type", "architecture"]


@click.command(epilog=PIPES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=GGUFPath())
@form_options
def command(*, files: tuple[str, ...], as_json: bool) -> None:
    """Show what FILE is: architecture, size, layout.

    Also shows parameters, quantization, hyperparameters and vocabulary. Several files are shown as a table with
    a row for each model; all shards of a model are one row. A narrow terminal shows fewer columns.

    Exit status: 2 if a file can't be read; the other files are still shown.

    \b
    Examples:
      kaitai-gguf info model.gguf
      kaitai-gguf info model.gguf other.gguf
    """
    if len(files) == 1:
        with open_model(files[0]) as model:
            facts = document(model)
        if as_json:
            print_json(facts)
        else:
            print_facts([("file", shown(files[0])), *rows(facts)])
        return
    all_facts = list(_several(files))
    readable = [facts for facts in all_facts if "error" not in facts]
    if as_json:
        print_json(all_facts)
    else:
        print_table(COLUMNS, map(_table_row, readable), right=COUNTS, cut="file", optional=OPTIONAL)
    if len(readable) < len(all_facts):
        click.get_current_context().exit(FAILED)


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
                yield {"file": name} | document(model)
        except kaitai_gguf.GGUFError as error:
            warn(error_message(error, file))
            reason = error.strerror if isinstance(error, kaitai_gguf.FileError) else error
            yield {"file": name, "error": as_text(str(reason))}


def _memory(model: kaitai_gguf.GGUFFile) -> dict[str, Any] | None:
    """Return what llama.cpp needs to run the model with a short context; None for what it does not load alone."""
    try:
        memory = kaitai_gguf.memory(model, ctx_size=CONTEXT)
    except ValueError:
        return None
    names = ("ctx_size", "weights", "context", "compute", "total")
    return {name: getattr(memory, name) for name in names}


def document(model: kaitai_gguf.GGUFFile) -> dict[str, Any]:
    """Return the facts about a model as values that JSON can represent."""
    facts: dict[str, Any] = _plain(asdict(model.info())) | {"memory": _memory(model)}
    for name, fact in SHARES.items():
        facts[name] = [{fact: key} | share for key, share in facts[name].items()]
    return facts


def _plain(fact: Any) -> Any:
    if isinstance(fact, dict):
        return {key: _plain(value) for key, value in fact.items()}
    if isinstance(fact, list):
        return [_plain(value) for value in fact]
    return canonical.text(fact) if isinstance(fact, str) else canonical.number(fact)


def _table_row(facts: dict[str, Any]) -> list[object]:
    """Return a row of the table. Counts are rounded in a terminal, exact in a pipe."""
    bits = facts["bits_per_weight"]
    return [
        facts["file"],
        _text(facts["architecture"]),
        _file_type(facts["file_type"], "{} (mostly {})"),
        human_count(facts["parameters"]) if in_columns() else facts["parameters"],
        "" if bits is None else f"{bits:.2f}",
        Nbytes(facts["file_nbytes"]),
        _text(facts["hyperparameters"]["context_length"]),
        facts["files"],
    ]


# One model as text


def rows(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts as names and texts, without those that the file does not have."""
    kinds = facts["kinds"] if any(row["kind"] != "other" for row in facts["kinds"]) else []
    for name, fact in [
        *_file(facts),
        *_hyperparameters(facts["hyperparameters"], _text(facts["gqa_ratio"])),
        *((kind, ", ".join(_formatted(encoder, ENCODER)) or "yes") for kind, encoder in facts["encoders"].items()),
        *_vocabulary(facts),
        *(("suspicious template", f"{name}: {code}") for name, code in facts["suspicious_templates"].items()),
        *_shares("quantization", facts["types"], "type"),
        *_shares("kinds", kinds, "kind"),
        *_layout(facts),
        *_needs(facts["memory"]),
    ]:
        if _text(fact):
            yield name.replace("_", " "), _text(fact)


def _file(facts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    bits, n_tensors = facts["bits_per_weight"], facts["tensors"]
    yield "size", human_bytes(facts["file_nbytes"]) + (f", {bits:.2f} bits per weight" if bits is not None else "")
    yield "format", f"GGUF v{facts['version']}, {facts['byte_order']}-endian, alignment {facts['alignment']}"
    yield "architecture", facts["architecture"]
    yield "purpose", facts["purpose"]
    yield from facts["general"].items()
    yield "parameters", f"{human_count(facts['parameters'])} in {counted(n_tensors, 'tensor')}" if n_tensors else None
    yield "file type", _file_type(facts["file_type"], "{}, but most weights are {}")


def _file_type(file_type: dict[str, Any] | None, doubtful: str) -> str:
    if file_type is None:
        return ""
    name, other = file_type["name"] or f"unknown ({file_type['number']})", file_type["contradicted_by"]
    return doubtful.format(name, other) if other else name


def _hyperparameters(values: dict[str, Any], ratio: str) -> Iterator[tuple[str, Any]]:
    yield from ((key, value) for key, value in values.items() if "." not in key and not key.startswith("expert_"))
    heads, kv_heads = _text(values["attention.head_count"]), _text(values["attention.head_count_kv"])
    if heads and kv_heads and ratio != "1":
        heads += f", {kv_heads} for keys and values" + (f" (GQA ratio {ratio})" if ratio else "")
    yield "head count", heads
    yield "sliding window", values["attention.sliding_window"]
    yield "experts", ", ".join(_formatted(values, EXPERTS))
    rope, kind = _formatted(values, {"rope.freq_base": "base {}"}), _text(values["rope.scaling.type"])
    if kind not in ("", "none") or _text(values["rope.scaling.factor"]):
        rope.append(" ".join([f"{kind} scaling".lstrip(), *_formatted(values, SCALING)]))
    yield "rope", ", ".join(rope)


def _vocabulary(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if facts["vocabulary"] is None:
        return
    names = ", ".join(filter(None, [_text(facts["tokenizer"]), _text(facts["tokenizer_pre"])]))
    yield "vocabulary", f"{facts['vocabulary']:,} tokens" + (f" ({names})" if names else "")
    tokens = [
        f"{name.replace('_', ' ')} {token['id']} {describe_value(token['text'], 30) if _text(token['text']) else ''}"
        for name, token in facts["special_tokens"].items()
    ]
    yield "special tokens", ", ".join(map(str.rstrip, tokens))
    templates = facts["chat_templates"]
    yield "chat template", ", ".join(["yes" if templates else "no", *(name for name in templates if name != "default")])


def _shares(title: str, shares: list[dict[str, Any]], fact: str) -> Iterator[tuple[str, str]]:
    total = sum(row["nbytes"] for row in shares)
    for i, row in enumerate(shares):
        share = f"{row['nbytes'] / total:6.1%}" if total else ""
        size = f"{human_bytes(row['nbytes'])} in {counted(row['tensors'], 'tensor')}"
        yield "" if i else title, f"{share} {row[fact]} ({size})"


def _needs(memory: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    if memory is not None:
        low, high = map(human_bytes, memory["total"])
        yield "memory", f"{low if low == high else f'{low} to {high}'} for a context of {memory['ctx_size']:,} tokens"


def _layout(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    header = f"{human_bytes(facts['header_nbytes'])} header with {counted(facts['metadata_keys'], 'key')}"
    data, file_size, files = human_bytes(facts["data_nbytes"]), human_bytes(facts["file_nbytes"]), facts["files"]
    if facts["tensors"] and files > 1:
        header += f" in the first shard, {data} of tensor data in all of them"
    elif facts["tensors"]:
        header += f", then {data} of tensor data from byte {facts['data_offset']:,}"
    yield "layout", header
    if facts["missing_nbytes"]:
        yield "missing", f"the last {human_bytes(facts['missing_nbytes'])} of the data"
    if files > 1:
        yield "shards", f"all {files}, {file_size} together"
    elif facts["shard_count"] is not None:
        yield "shard", f"{facts['shard'] + 1 if isinstance(facts['shard'], int) else '?'} of {facts['shard_count']}"
    if fetched := facts["fetched"]:
        yield "read", f"{human_bytes(fetched['nbytes'])} of {file_size} in {counted(fetched['requests'], 'request')}"


def _formatted(values: dict[str, Any], forms: dict[str, str]) -> list[str]:
    """Return the values that exist, in the given forms."""
    return [form.format(_text(values[key])) for key, form in forms.items() if _text(values[key])]


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
