"""Format-aware mutations of fields, items and counts. The same random numbers give the same mutation."""

import re
from contextlib import suppress
from functools import cache
from itertools import pairwise
from random import Random

from support.gguf_bytes import Form

import kaitai_gguf
from attacks.corpus import CASES
from kaitai_gguf import FormatError
from kaitai_gguf.explanation import Field

NUMBERS = [0, 1, 2, 3, 4, 5, 8, 9, 12, 13, 31, 32, 33, 43, 63, 64, 127, 128, 255, 256, 2**15, 2**16, 2**30, 2**30 + 1]
WIDE = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**60, 2**62, 2**63 - 1, 2**63, 2**64 - 64, 2**64 - 32, 2**64 - 1]
KEYS = [
    b"general.alignment", b"general.architecture", b"general.name", b"general.file_type",
    b"general.quantization_version", b"split.no", b"split.count", b"split.tensors.count", b"tokenizer.ggml.model",
    b"tokenizer.ggml.tokens", b"tokenizer.ggml.scores", b"tokenizer.ggml.token_type", b"tokenizer.ggml.merges",
    b"tokenizer.ggml.bos_token_id", b"tokenizer.chat_template", b"llama.block_count", b"llama.context_length",
    b"llama.attention.head_count", b"Bad Key",
]  # fmt: skip
TEXTS = [
    b"", b"\0", b"llama", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b"../../x", b"<script>alert(1)</script>", b"a\r\nb",
    "\u202e\u2066\U0001f98a".encode(), b"{{ ''.__class__ }}", b"]]>&amp;\"'", b"t" * 64, b"[red]x[/red]", b"%s%n",
]  # fmt: skip
AFTER_THE_HEADER = re.compile(r"/padding|/gap|/trailing|/tensors/\d+/(data|gap|padding)")


def mutant(random: Random, seeds: list[bytes], most: int = 4) -> bytes:
    """Return one of the files with 1 to `most` mutations."""
    data = random.choice(seeds)
    for _ in range(random.randint(1, most)):
        data = changed(random, data)
    return data


def changed(random: Random, data: bytes) -> bytes:
    """Return the data with one mutation: of its fields if it has any, otherwise of arbitrary bytes."""
    fields = header_fields(data)
    if len(fields) < 2 or random.random() < 0.15:
        return _bytes(random, data)
    return random.choice([_field, _field, _field, _cut, _text, _item, _item])(random, form_of(data), data, fields)


def form_of(data: bytes) -> Form:
    is_big = data[4:6] == b"\0\0"
    return Form(int.from_bytes(data[4:8], "big" if is_big else "little"), ">" if is_big else "<")


def header_fields(data: bytes) -> list[Field]:
    """Return the fields after the magic and before the tensor data, up to the first error."""
    fields: list[Field] = []
    with suppress(FormatError):
        for field in kaitai_gguf.explain(data):
            if AFTER_THE_HEADER.match(field.path):
                break
            fields.append(field)
    return fields[1:]


def _bytes(random: Random, data: bytes) -> bytes:
    """Truncate, remove, insert or replace bytes, or flip a bit, without regard to the format."""
    at, size = random.randrange(len(data) + 1), random.randint(1, 16)
    end = at + random.choice([0, size])
    new = random.choice([b"", random.randbytes(size), bytes(each ^ 1 << random.randrange(8) for each in data[at:end])])
    return data[:at] if random.random() < 0.2 else data[:at] + new + data[end:]


def _field(random: Random, form: Form, data: bytes, fields: list[Field]) -> bytes:
    """Replace a number by an edge case or a number close to it, or a text by another of the same length."""
    by_kind: dict[str, list[Field]] = {}
    for field in fields:
        by_kind.setdefault(re.findall("[a-z_]+", field.path)[-1], []).append(field)
    kind = random.choice(list(by_kind))  # choosing among the fields would almost always choose a text
    chosen = random.choice(by_kind[kind])
    size = chosen.end - chosen.start
    new = (random.choice(TEXTS) + bytes(size))[:size]
    if kind != "data" and size in (1, 2, 4, 8):
        number = random.choice(NUMBERS if random.random() < 0.7 else WIDE)
        if random.random() < 0.3:
            number = form.read(data[chosen.start : chosen.end]) + random.choice([-1, 1, 1 << 32])
        new = (number % (1 << 8 * size)).to_bytes(size, form.byte_order)
    return data[: chosen.start] + new + data[chosen.end :]


def _cut(random: Random, form: Form, data: bytes, fields: list[Field]) -> bytes:
    """Truncate the file at the start of a field, or a few bytes before."""
    return data[: max(0, random.choice(fields).start - random.choice([0, 0, 1, 3]))]


def _text(random: Random, form: Form, data: bytes, fields: list[Field]) -> bytes:
    """Replace a string and its length."""
    lengths = [field for field in fields if field.path.endswith("/len_data")]
    if not lengths:
        return _item(random, form, data, fields)
    start, end = (length := random.choice(lengths)).start, length.end
    text = random.choice(KEYS if random.random() < 0.3 else TEXTS)
    return data[:start] + form.string(text) + data[end + form.read(data[start:end]) :]


def _item(random: Random, form: Form, data: bytes, fields: list[Field]) -> bytes:
    """Add, remove, repeat or shuffle key-values or tensor infos, and in most cases correct the count."""
    name, at = random.choice([("tensors", 8), ("metadata", 8 + form.width)])
    before = [field.end for field in fields if not field.path.startswith(("/tensors/", f"/{name}/"))]
    bounds = _bounds(name, fields) or before[-1:]
    items = [data[start:end] for start, end in pairwise(bounds)]
    chosen = random.randrange(len(items) + 1)
    match random.randrange(5):
        case 0:
            del items[chosen : chosen + 1]
        case 1:
            items[chosen:chosen] = items[-1:]
        case 2:
            random.shuffle(items)
        case _:
            items[chosen:chosen] = random.choices(_items_of_others(form, name) or [b""])
    data = data[: bounds[0]] + b"".join(items) + data[bounds[-1] :]
    count = form.length(len(items)) if random.random() < 0.9 else data[at : at + form.width]
    return data[:at] + count + data[at + form.width :]


def _bounds(name: str, fields: list[Field]) -> list[int]:
    """Return the start of each key-value or tensor info, and the end of the last one."""
    parts = [field for field in fields if field.path.startswith(f"/{name}/")]
    starts = {field.path.split("/")[2]: field.start for field in reversed(parts)}
    return sorted({*starts.values(), *(field.end for field in parts[-1:])})


@cache
def _items_of_others(form: Form, name: str) -> list[bytes]:
    """Return the key-values or tensor infos of all files of the corpus in this form."""
    files = [case.data for case in CASES.values() if form_of(case.data) == form]
    bounds = [(data, _bounds(name, header_fields(data))) for data in files]
    return [data[start:end] for data, each in bounds for start, end in pairwise(each)]
