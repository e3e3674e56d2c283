"""Rules on the vocabulary."""

from collections.abc import Iterator, Sequence

import numpy as np

from kaitai_gguf.reading.arrays import TOKENS, StringArray, vocabulary
from kaitai_gguf.rules.facts import Facts, duplicates
from kaitai_gguf.rules.finding import ERROR, LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import TOKENIZER, VOCAB
from kaitai_gguf.rules.rule import SET, UNSET, Place, rule, several
from kaitai_gguf.text import quoted

PREFIX = "tokenizer.ggml."
MODEL = "tokenizer.ggml.model"
MERGES = "tokenizer.ggml.merges"
TOKEN_TYPES = "tokenizer.ggml.token_type"
PER_TOKEN = ("tokenizer.ggml.scores", TOKEN_TYPES)

WITHOUT_TOKENS = ("no_vocab", "none")
WITH_MERGES = ("gpt2", "gemma4", "hybriddna", "whitespace")
WITHOUT_MERGES = "kimi-k2"  # a pre-tokenizer with its own merges
KNOWN_TYPES = 6


@rule("tokenizer-length", ERROR, TOKENIZER)
def tokenizer_length(facts: Facts) -> Iterator[Place]:
    """The number of scores or token types is not the number of tokens.

    The arrays correspond element by element. llama.cpp refuses shorter arrays, and ignores excess elements.

    Fix: convert the original tokenizer again.
    """
    num_tokens = _num_tokens(facts)
    for key in PER_TOKEN:
        array = facts.array(key)
        if num_tokens is not None and array is not None and array.num_elements != num_tokens:
            message = f"{key} has {array.num_elements:,} elements, but there are {num_tokens:,} tokens"
            refused_by = (LLAMA_CPP,) if array.num_elements < num_tokens else ()
            yield facts.value_place(key, message)._replace(refused_by=refused_by)


@rule("missing-tokens", WARNING, VOCAB, refused_by=(LLAMA_CPP,))
def missing_tokens(facts: Facts) -> Iterator[Place]:
    """There is a tokenizer model, but there are no tokens.

    Fix: convert the original tokenizer again.
    """
    model = facts.header.text(MODEL)
    if model is not None and model not in WITHOUT_TOKENS and facts.number(TOKENS) is None:
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {TOKENS} is missing")


@rule("missing-merges", WARNING, VOCAB, refused_by=(LLAMA_CPP,))
def missing_merges(facts: Facts) -> Iterator[Place]:
    """The tokenizer model merges tokens, but there are no merges.

    Fix: convert the original tokenizer again.
    """
    model = facts.header.text(MODEL)
    if (
        model in WITH_MERGES
        and facts.number(MERGES) is None
        and facts.header.text("tokenizer.ggml.pre") != WITHOUT_MERGES
    ):
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {MERGES} is missing")


@rule("token-id", ERROR, TOKENIZER, fixes=[SET, UNSET])
def token_id(facts: Facts) -> Iterator[Place]:
    """The id of a special token is not in the vocabulary.

    llama.cpp warns about it, and uses a default instead.

    Fix: set the right id, or remove the key.
    """
    num_tokens = _num_tokens(facts)
    if num_tokens is None:
        return
    keys = [key for key in dict.fromkeys(facts.header.keys) if key.startswith(PREFIX) and key.endswith("_token_id")]
    values = [(key, facts.header.integer(key)) for key in keys]
    invalid = [(key, value) for key, value in values if value is not None and not 0 <= value < num_tokens]

    def place(key: str, value: int) -> Place:
        return facts.value_place(key, f"{quoted(key)} is {value}, but there are {num_tokens:,} tokens")

    yield from several(invalid, lambda each: place(*each))


@rule("token-type", NOTE, TOKENIZER, fixes=[f"set FILE {TOKEN_TYPES}=@JSON --output FIXED"])
def token_type(facts: Facts) -> Iterator[Place]:
    """The type of a token is not in the range 1 to 6.

    1 is normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. llama.cpp treats other types as undefined.

    Fix: convert the original tokenizer again, or set all types, as a JSON array.
    """
    types = facts.header.get(TOKEN_TYPES)
    if isinstance(types, np.ndarray) and types.dtype.kind in "iu":
        invalid = (types < 1) | (types > KNOWN_TYPES)
        if invalid.any():
            first = int(invalid.argmax())
            message = f"the type of token {first} is {types[first]}, expected 1 to {KNOWN_TYPES}"
            yield _element(facts, TOKEN_TYPES, first, message, int(np.count_nonzero(invalid)))


@rule("duplicate-token", WARNING, VOCAB, refused_by=(LLAMA_CPP,), fixes=[f"set FILE {TOKENS}=@JSON --output FIXED"])
def duplicate_token(facts: Facts) -> Iterator[Place]:
    """Two tokens have the same text.

    llama.cpp aborts when it loads such a vocabulary. Empty tokens are not reported, because llama.cpp gives each of
    them a different name.

    Fix: convert the original tokenizer again, or set all tokens, as a JSON array in which all unused tokens differ.
    """
    tokens = list(_strings(facts, TOKENS))
    invalid = [index for index in duplicates(tokens) if tokens[index]]
    if invalid:
        message = f"token {invalid[0]}, {quoted(tokens[invalid[0]])}, is duplicated"
        yield _element(facts, TOKENS, invalid[0], message, len(invalid))


@rule("merge-form", NOTE, VOCAB, fixes=[f"set FILE {MERGES}=@JSON --output FIXED"])
def merge_form(facts: Facts) -> Iterator[Place]:
    """A merge is not two tokens with a space between them.

    llama.cpp never applies it.

    Fix: convert the original tokenizer again, or set all merges, as a JSON array.
    """
    merges = _strings(facts, MERGES)
    invalid = [index for index, merge in enumerate(merges) if merge.find(" ", 1) < 0]
    if invalid:
        message = f"merge {invalid[0]}, {quoted(merges[invalid[0]])}, is not two tokens with a space between them"
        yield _element(facts, MERGES, invalid[0], message, len(invalid))


@rule("vocab-size", NOTE, VOCAB, fixes=[SET])
def vocab_size(facts: Facts) -> Iterator[Place]:
    """`[architecture].vocab_size` is not the number of tokens.

    Some models have more rows of embeddings than tokens, and store the number of rows here.

    Fix: set the number of tokens, if the model has no other rows.
    """
    key = f"{facts.architecture}.vocab_size"
    size, num_tokens = facts.header.integer(key), _num_tokens(facts)
    if size is not None and num_tokens is not None and size != num_tokens:
        yield facts.value_place(key, f"{quoted(key)} is {size:,}, but there are {num_tokens:,} tokens")


def _num_tokens(facts: Facts) -> int | None:
    """How many tokens there are; None if they are missing or not strings."""
    tokens = vocabulary(facts.header)
    return None if tokens is None else len(tokens)


def _strings(facts: Facts, key: str) -> Sequence[str]:
    """The strings of an array; none if the key is missing or its value is something else."""
    value = facts.header.get(key)
    return value if isinstance(value, StringArray) else ()


def _element(facts: Facts, key: str, index: int, message: str, count: int) -> Place:
    array = facts.array(key)
    assert array is not None
    return facts.element_place(f"/metadata/{facts.number(key)}/value", array, index, message, count)
