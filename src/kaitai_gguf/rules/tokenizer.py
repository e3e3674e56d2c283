"""Rules on the vocabulary."""

from collections.abc import Iterator, Sequence

import numpy as np

from kaitai_gguf.chat_templates import model_suspicions, template_names
from kaitai_gguf.reading.arrays import TOKENS, vocabulary
from kaitai_gguf.rules.facts import Facts, duplicates
from kaitai_gguf.rules.rule import LLAMA_CPP, SET, UNSET, Place, rule
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import encode, quoted

SET_TOKENS = f"set FILE {TOKENS}=@JSON --output FIXED"
PREFIX = "tokenizer.ggml."
MODEL, PRE = "tokenizer.ggml.model", "tokenizer.ggml.pre"
MERGES = "tokenizer.ggml.merges"
TOKEN_TYPES = "tokenizer.ggml.token_type"
PER_TOKEN = ("tokenizer.ggml.scores", TOKEN_TYPES)

WITHOUT_TOKENS = ("no_vocab", "none")
WITH_MERGES = ("gpt2", "gemma4", "hybriddna", "whitespace")
WITHOUT_MERGES = "kimi-k2"  # a pre-tokenizer with its own merges
KNOWN_TYPES = 6


@rule("tokenizer", "error", "ggml/docs/gguf.md#tokenizer")
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


@rule("tokenizer", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp")
def missing_tokens(facts: Facts) -> Iterator[Place]:
    """There is a tokenizer model, but there are no tokens.

    Fix: convert the original tokenizer again.
    """
    model = facts.header.text(MODEL)
    if model is not None and model not in WITHOUT_TOKENS and not facts.has(TOKENS):
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {TOKENS} is missing")


@rule("tokenizer", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp")
def missing_merges(facts: Facts) -> Iterator[Place]:
    """The tokenizer model merges tokens, but there are no merges.

    Fix: convert the original tokenizer again.
    """
    model, pre = facts.header.text(MODEL), facts.header.text(PRE)
    if model in WITH_MERGES and pre != WITHOUT_MERGES and not facts.has(MERGES):
        yield facts.missing_key(f"{MODEL} is {quoted(model)}, but {MERGES} is missing")


@rule("tokenizer", "error", "ggml/docs/gguf.md#tokenizer", fixes=[SET, UNSET])
def token_id(facts: Facts) -> Iterator[Place]:
    """The id of a special token is not in the vocabulary.

    llama.cpp warns about it, and uses a default instead.
    Fix: set the right id, or remove the key.
    """
    num_tokens = _num_tokens(facts)
    for key in dict.fromkeys(facts.header.keys) if num_tokens is not None else ():
        if key.startswith(PREFIX) and key.endswith("_token_id"):
            value = facts.header.integer(key)
            if value is not None and num_tokens is not None and not 0 <= value < num_tokens:
                yield facts.value_place(key, f"{quoted(key)} is {value}, but there are {num_tokens:,} tokens")


@rule("tokenizer", "note", "ggml/docs/gguf.md#tokenizer", fixes=[f"set FILE {TOKEN_TYPES}=@JSON --output FIXED"])
def token_type(facts: Facts) -> Iterator[Place]:
    """The type of a token is not in the range 1 to 6.

    1 is normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte. llama.cpp treats other types as undefined.
    Fix: convert the original tokenizer again, or set all types, as a JSON array.
    """
    types = facts.header.get(TOKEN_TYPES)
    if isinstance(types, np.ndarray) and types.dtype.kind in "iu":
        invalid = np.flatnonzero((types < 1) | (types > KNOWN_TYPES)).tolist()
        return _elements(facts, TOKEN_TYPES, invalid, f"the type of token {{}} is {{}}, expected 1 to {KNOWN_TYPES}")
    return iter(())


@rule("tokenizer", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp", fixes=[SET_TOKENS])
def duplicate_token(facts: Facts) -> Iterator[Place]:
    """Two tokens have the same text.

    llama.cpp aborts when it loads such a vocabulary. Empty tokens are not reported, because llama.cpp gives each of
    them a different name.
    Fix: convert the original tokenizer again, or set all tokens, as a JSON array in which all unused tokens differ.
    """
    invalid = duplicates(facts.strings(TOKENS), of_empty=False)
    return _elements(facts, TOKENS, invalid, "token {}, {}, is duplicated")


@rule("tokenizer", "note", "llama.cpp/src/llama-vocab.cpp", fixes=[f"set FILE {MERGES}=@JSON --output FIXED"])
def merge_form(facts: Facts) -> Iterator[Place]:
    """A merge is not two tokens with a space between them.

    llama.cpp never applies it.
    Fix: convert the original tokenizer again, or set all merges, as a JSON array.
    """
    invalid = [index for index, merge in enumerate(facts.strings(MERGES)) if merge.find(" ", 1) < 0]
    return _elements(facts, MERGES, invalid, "merge {}, {}, is not two tokens with a space between them")


@rule("tokenizer", "warning", "llama.cpp/SECURITY.md", refused_by="transformers", fixes=[SET, UNSET])
def template_code(facts: Facts) -> Iterator[Place]:
    """A chat template has code that no chat needs.

    Many programs render chat templates with Jinja, and some without its sandbox. There, a template that uses names such
    as `__globals__`, loads other templates, or uses the filter `attr` can run any command. In a sandbox, as in
    transformers, rendering fails. Templates are searched for such code, not run; a template that builds a name from
    parts may not be found.
    Fix: do not load the model; set the template of the original model, or remove the key.
    """
    names = template_names(facts.header.keys)
    for name, text, tags in model_suspicions(facts.header.keys, facts.header.get):
        item, first = facts.header.key_value(names[name]), next(tags, None)
        if item is not None and first is not None:
            count = 1 + sum(1 for _ in tags)
            which = quoted(first.code) if count == 1 else f"{quoted(first.code)}, the first of {count:,} tags"
            message = f"the chat template {quoted(name)} {first.reason}: {which}"
            offset = item.end - len(encode(text[first.position :]))
            yield Place(f"/metadata/{item.number}/value", message, offset, count)


@rule("tokenizer", "note", "llama.cpp/src/llama-vocab.cpp", fixes=[SET])
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
    """Return the number of tokens; None if they are missing or not strings."""
    tokens = vocabulary(facts.header.get)
    return None if tokens is None else len(tokens)


def _elements(facts: Facts, key: str, invalid: Sequence[int] | IntArray, message: str) -> Iterator[Place]:
    """Yield a place at the first invalid element of the array with a key, which represents all of them."""
    array = facts.array(key)
    if array is not None and len(invalid):
        header, first = facts.header, int(invalid[0])
        if array.element_type is ValueType.STRING:
            offset = int(header.items(array, first + 1)[0][first])
            shown = quoted(header.string(offset))
        else:
            values = header.get(key)
            assert isinstance(values, np.ndarray)
            shown, offset = str(values[first]), array.elements + first * values.itemsize
        place = facts.value_place(key, message.format(first, shown))
        yield place._replace(path=f"{place.path}/elements/{first}", offset=offset, total=len(invalid))
