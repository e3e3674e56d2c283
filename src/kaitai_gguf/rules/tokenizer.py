"""Rules on the vocabulary."""

from collections.abc import Iterator

import numpy as np

from kaitai_gguf.reading.arrays import StringArray
from kaitai_gguf.rules.facts import TOKENS, Facts, duplicates
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.rule import SET, UNSET, Place, rule
from kaitai_gguf.rules.sources import TOKENIZER, VOCAB
from kaitai_gguf.text import quoted

MODEL = "tokenizer.ggml.model"
MERGES = "tokenizer.ggml.merges"
TOKEN_TYPES = "tokenizer.ggml.token_type"
PER_TOKEN = ("tokenizer.ggml.scores", TOKEN_TYPES)

WITHOUT_TOKENS = ("no_vocab", "none")
WITH_MERGES = ("gpt2", "gemma4", "hybriddna", "whitespace")
WITHOUT_MERGES = "kimi-k2"  # a pre-tokenizer that has merges of its own
KNOWN_TYPES = 6


@rule("tokenizer-length", ERROR, TOKENIZER)
def tokenizer_length(facts: Facts) -> Iterator[Place]:
    """There are not as many scores or token types as tokens.

    The arrays correspond element by element. llama.cpp refuses one that is shorter than the tokens, and ignores what a
    longer one has in excess.

    Fix: convert the original tokenizer again.
    """
    tokens = _tokens(facts)
    for key in PER_TOKEN:
        number = facts.number(key)
        info = facts.array(number) if number is not None else None
        if tokens is not None and number is not None and info and info.num_elements != len(tokens):
            message = f"{key} has {info.num_elements:,} elements, but there are {len(tokens):,} tokens"
            place = facts.key_value_place(number, "value", message)
            yield place._replace(refused_by=(LLAMA_CPP,) if info.num_elements < len(tokens) else ())


@rule("missing-tokens", WARNING, VOCAB, refused_by=(LLAMA_CPP,))
def missing_tokens(facts: Facts) -> Iterator[Place]:
    """There is a tokenizer model, but there are no tokens.

    Fix: convert the original tokenizer again.
    """
    model = facts.text(MODEL)
    if model is not None and model not in WITHOUT_TOKENS and facts.number(TOKENS) is None:
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {TOKENS} is missing")


@rule("missing-merges", WARNING, VOCAB, refused_by=(LLAMA_CPP,))
def missing_merges(facts: Facts) -> Iterator[Place]:
    """The tokenizer model merges tokens, but there are no merges.

    Fix: convert the original tokenizer again.
    """
    model = facts.text(MODEL)
    if model in WITH_MERGES and facts.number(MERGES) is None and facts.text("tokenizer.ggml.pre") != WITHOUT_MERGES:
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {MERGES} is missing")


@rule("token-id", ERROR, TOKENIZER, fixes=[SET, UNSET])
def token_id(facts: Facts) -> Iterator[Place]:
    """The id of a special token is not in the vocabulary.

    llama.cpp warns about it, and uses a default instead.

    Fix: set the right id, or remove the key.
    """
    tokens = _tokens(facts)
    for number, key in enumerate(facts.keys):
        if tokens is not None and key.startswith("tokenizer.ggml.") and key.endswith("_token_id"):
            value = facts.integer(key)
            if value is not None and not 0 <= value < len(tokens) and facts.number(key) == number:
                message = f"{quoted(key)} is {value}, but there are {len(tokens):,} tokens"
                yield facts.key_value_place(number, "value", message)


@rule("token-type", NOTE, TOKENIZER, fixes=["set FILE tokenizer.ggml.token_type=@JSON --output FIXED"])
def token_type(facts: Facts) -> Iterator[Place]:
    """A token has a type that is not one of 1 to 6.

    1 is normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. llama.cpp treats other types as undefined.

    Fix: convert the original tokenizer again, or set all types, as a JSON array.
    """
    number, types = facts.number(TOKEN_TYPES), facts.get(TOKEN_TYPES)
    info = facts.array(number) if number is not None else None
    if number is not None and info is not None and isinstance(types, np.ndarray) and types.dtype.kind in "iu":
        invalid = np.flatnonzero((types < 1) | (types > KNOWN_TYPES))
        if len(invalid):
            first = int(invalid[0])
            message = f"the type of token {first} is {types[first]}, expected 1 to {KNOWN_TYPES}"
            position = info.elements + first * types.dtype.itemsize
            yield Place(position, f"/metadata/{number}/value/elements/{first}", message, len(invalid))


@rule(
    "duplicate-token",
    WARNING,
    VOCAB,
    refused_by=(LLAMA_CPP,),
    fixes=["set FILE tokenizer.ggml.tokens=@JSON --output FIXED"],
)
def duplicate_token(facts: Facts) -> Iterator[Place]:
    """Two tokens have the same text.

    llama.cpp aborts when it loads such a vocabulary. Empty tokens don't count: it gives each of them a name of its own.

    Fix: convert the original tokenizer again, or set all tokens, as a JSON array in which unused ones differ.
    """
    tokens = _tokens(facts)
    if tokens is None:
        return
    invalid = [index for index in duplicates(tokens) if tokens[index]]
    if invalid:
        message = f"token {invalid[0]}, {quoted(tokens[invalid[0]])}, is duplicated"
        yield _element(facts, TOKENS, invalid[0], message)._replace(total=len(invalid))


@rule("merge-form", NOTE, VOCAB, fixes=["set FILE tokenizer.ggml.merges=@JSON --output FIXED"])
def merge_form(facts: Facts) -> Iterator[Place]:
    """A merge is not two tokens with a space between them.

    llama.cpp never applies it.

    Fix: convert the original tokenizer again, or set all merges, as a JSON array.
    """
    merges = facts.get(MERGES)
    if isinstance(merges, StringArray):
        invalid = [index for index, merge in enumerate(merges) if merge.find(" ", 1) < 0]
        if invalid:
            message = f"merge {invalid[0]}, {quoted(merges[invalid[0]])}, is not two tokens with a space between them"
            yield _element(facts, MERGES, invalid[0], message)._replace(total=len(invalid))


@rule("vocab-size", NOTE, VOCAB, fixes=[SET])
def vocab_size(facts: Facts) -> Iterator[Place]:
    """`[architecture].vocab_size` is not the number of tokens.

    Some models have more rows of embeddings than tokens, and give the number of rows here.

    Fix: set the number of tokens, if that is what the model has.
    """
    key = f"{facts.architecture}.vocab_size"
    number, size, tokens = facts.number(key), facts.integer(key), _tokens(facts)
    if number is not None and size is not None and tokens is not None and size != len(tokens):
        yield facts.key_value_place(number, "value", f"{quoted(key)} is {size:,}, but there are {len(tokens):,} tokens")


def _tokens(facts: Facts) -> StringArray | None:
    tokens = facts.get(TOKENS)
    return tokens if isinstance(tokens, StringArray) else None


def _element(facts: Facts, key: str, index: int, message: str) -> Place:
    """An element of an array of strings."""
    number = facts.number(key)
    assert number is not None
    info = facts.array(number)
    assert info is not None
    positions, _ = facts.reader.string_items(info)
    return Place(int(positions[index]), f"/metadata/{number}/value/elements/{index}", message)
