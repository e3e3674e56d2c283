"""Format-aware mutations of fields, items and counts. The same random numbers give the same mutation."""

from collections.abc import Callable
from random import Random

from support.gguf_bytes import ARRAY, STRING, Form

from attacks.layout import SIZES, Layout, layout

NUMBERS = [0, 1, 2, 3, 4, 5, 8, 9, 12, 13, 31, 32, 33, 43, 63, 64, 127, 128, 255, 256, 2**15, 2**16, 2**30, 2**30 + 1]
WIDE = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**60, 2**62, 2**63 - 1, 2**63, 2**64 - 64, 2**64 - 32, 2**64 - 1]
KEYS = [
    b"general.alignment", b"general.architecture", b"general.name", b"general.file_type",
    b"general.quantization_version", b"split.no", b"split.count", b"split.tensors.count", b"tokenizer.ggml.model",
    b"tokenizer.ggml.tokens",
    b"tokenizer.ggml.scores", b"tokenizer.ggml.token_type", b"tokenizer.ggml.merges", b"tokenizer.ggml.bos_token_id",
    b"tokenizer.chat_template", b"llama.block_count", b"llama.context_length", b"llama.attention.head_count",
    b"Bad Key",
]  # fmt: skip
TEXTS = [
    b"", b"\0", b"llama", b"\xff\xfe", b"\xed\xa0\x80", b"\x1b[2J", b"../../x", b"<script>alert(1)</script>", b"a\r\nb",
    "\u202e\u2066\U0001f98a".encode(), b"{{ ''.__class__ }}", b"]]>&amp;\"'", b"t" * 64, b"[red]x[/red]", b"%s%n",
]  # fmt: skip

Mutation = Callable[[Random, Layout], bytes]


def mutant(random: Random, seeds: list[bytes], most: int = 4) -> bytes:
    """Return one of the files with 1 to `most` mutations."""
    data = random.choice(seeds)
    for _ in range(random.randint(1, most)):
        data = changed(random, data)
    return data


def changed(random: Random, data: bytes) -> bytes:
    """Return the data with one mutation: of its fields if it has any, otherwise of arbitrary bytes."""
    found = layout(data)
    if not found.fields or random.random() < 0.15:
        return _bytes(random, data)
    return random.choice(MUTATIONS)(random, found)


def number(random: Random) -> int:
    return random.choice(NUMBERS) if random.random() < 0.7 else random.choice(WIDE)


def _bytes(random: Random, data: bytes) -> bytes:
    """Mutate bytes without regard to the format."""
    at = random.randrange(len(data) + 1)
    size = random.randint(1, 16)
    match random.randrange(5):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + data[at + size :]
        case 2:
            return data[:at] + random.randbytes(size) + data[at:]
        case 3:
            return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :] if at < len(data) else data
        case _:
            return data[:at] + random.randbytes(size) + data[at + size :]


def _replace(found: Layout, start: int, end: int, by: bytes) -> bytes:
    return found.data[:start] + by + found.data[end:]


def _field(random: Random, found: Layout) -> bytes:
    """Replace a number by an edge case or a number close to it, or a text by another of the same length."""
    kinds = sorted({each.kind for each in found.fields})
    kind = random.choice(kinds)  # choosing among the fields would almost always choose a text
    chosen = random.choice([each for each in found.fields if each.kind == kind])
    size = chosen.end - chosen.start
    if kind == "text" or size not in (1, 2, 4, 8):
        by = (random.choice(TEXTS) + bytes(size))[:size]
    elif random.random() < 0.3:
        old = found.form.read(found.data[chosen.start : chosen.end])
        by = ((old + random.choice([-1, 1, 1 << 32])) % (1 << 8 * size)).to_bytes(size, found.form.byte_order)
    else:
        by = (number(random) % (1 << 8 * size)).to_bytes(size, found.form.byte_order)
    return _replace(found, chosen.start, chosen.end, by)


def _cut(random: Random, found: Layout) -> bytes:
    """Truncate the file at the start of a field, or a few bytes before."""
    at = random.choice(found.fields).start
    return found.data[: max(0, at - random.choice([0, 0, 1, 3]))]


def _text(random: Random, found: Layout) -> bytes:
    """Replace a string and its length."""
    places = [i for i, each in enumerate(found.fields) if each.kind == "text"]
    if not places:
        return _item(random, found)
    i = random.choice(places)
    text = random.choice(KEYS if random.random() < 0.3 else TEXTS)
    return _replace(found, found.fields[i - 1].start, found.fields[i].end, found.form.string(text))


def _item(random: Random, found: Layout) -> bytes:
    """Add, remove or shuffle key-values or tensor infos, and in most cases correct the count."""
    is_tensor = random.random() < 0.5
    spans = found.tensors if is_tensor else found.metadata
    items = [found.data[start:end] for start, end in spans]
    match random.randrange(5):
        case 0 if items:
            del items[random.randrange(len(items))]
        case 1 if items:
            items.insert(random.randrange(len(items) + 1), random.choice(items))
        case 2 if items:
            random.shuffle(items)
        case _:
            new = tensor(random, found.form) if is_tensor else key_value(random, found.form)
            items.insert(random.randrange(len(items) + 1), new)
    default = (found.metadata[-1][1] if found.metadata else found.form.first) if is_tensor else found.form.first
    start, end = (spans[0][0], spans[-1][1]) if spans else (default, default)
    data = _replace(found, start, end, b"".join(items))
    if random.random() < 0.1:
        return data
    at = 8 if is_tensor else 8 + found.form.width
    return data[:at] + found.form.length(len(items)) + data[at + found.form.width :]


MUTATIONS: list[Mutation] = [_field, _field, _field, _cut, _text, _item, _item]


def key_value(random: Random, form: Form) -> bytes:
    """Return a random key-value."""
    key = random.choice(KEYS) if random.random() < 0.7 else b"k%d" % random.randrange(100)
    value_type = random.randrange(13)
    return form.key_value(value_type, value(random, form, value_type), key)


def value(random: Random, form: Form, value_type: int, depth: int = 0) -> bytes:
    if value_type == STRING:
        return form.string(random.choice(TEXTS))
    if value_type != ARRAY:
        number = random.choice([random.randbytes(8), form.u8(random.choice(NUMBERS)), form.u4(random.choice(NUMBERS))])
        return number[: SIZES[value_type]].ljust(SIZES[value_type], b"\0")
    element_type = random.randrange(13 if depth < 3 else 8)
    count = random.choice([0, 1, 2, 3, 70])
    elements = b"".join(value(random, form, element_type, depth + 1) for _ in range(min(count, 3)))
    return form.array(element_type, min(count, 3) if count < 4 or random.random() < 0.8 else count, elements)


def tensor(random: Random, form: Form) -> bytes:
    """Return a random tensor info."""
    dims = [
        random.choice([0, 1, 2, 32, 64, 256, 512, number(random) % (1 << 8 * form.width)])
        for _ in range(random.randrange(6))
    ]
    type_id = random.choice([*range(45), number(random) % (1 << 32)])
    offset = random.choice([0, 32, 64, 1024, number(random)])
    return form.tensor(dims, type_id, offset, random.choice([b"t%d" % random.randrange(100), random.choice(TEXTS)]))
