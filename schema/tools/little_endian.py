"""Derive the schema for Rust and Nim: for little-endian files only, without what their compilers or runtimes can't do.

- Both: a switched byte order leads to calls of functions that don't exist (Rust).
- Rust: a number of a cast object, `value.as<value_u4>.value`, can't be converted; one of its instances can. `_io.pos`
  in an instance is where the object starts, so that an empty object marks the end of the header.
- Nim: a list of an instance can't be used while it is read. Members of enums hide types of the same name.
"""

import re
from typing import Any

import yaml

NIM_TYPES = {"array", "bool", "string", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64))}
NIM_TYPES |= {"float32", "float64"}


def little_endian(text: str) -> str:
    """Return gguf.ksy for little-endian files."""
    ksy = yaml.safe_load(text)
    ksy["doc"] = replaced(ksy["doc"], "in both byte orders", "in little-endian byte order")
    types: dict[str, Any] = ksy["types"]
    for each in types.values():
        if "endian" in each.get("meta", {}):
            each["meta"]["endian"] = "le"
    types["value_u4"]["instances"] = {"as_s8": {"value": "value.as<s8>"}}
    alignment = types["key_value"]["instances"]["alignment"]
    alignment["value"] = replaced(alignment["value"], "as<value_u4>.value.as<s8>", "as<value_u4>.as_s8")
    body = types["gguf_body"]
    (end,) = [each for each in body["seq"] if each["id"] == "header_end"]
    del end["size"], end["if"]
    end["type"] = "position"
    types["position"] = {"instances": {"value": {"value": body["instances"]["len_header"]["value"]}}}
    body["instances"]["len_header"]["value"] = "header_end.value"
    return dumped(ksy)


def for_nim(text: str) -> str:
    """Return a schema for Nim. Members of enums that are types of Nim end in `_type`."""
    ksy = yaml.safe_load(re.sub(r"::(\w+)", lambda match: f"::{renamed(match[1])}", text))
    if "gguf_body" in ksy["types"]:
        search = ksy["types"]["gguf_body"]["instances"]["alignment_search"]
        until = replaced(search["repeat-until"], "alignment_search.size - 1", "_index")
        search["repeat-until"] = replaced(
            until, "alignment_search.size == metadata.size", "_index == metadata.size - 1"
        )
    for members in ksy.get("enums", {}).values():
        for number, member in members.items():
            members[number] = member | {"id": renamed(member["id"])} if isinstance(member, dict) else renamed(member)
    return dumped(ksy)


def renamed(name: str) -> str:
    return f"{name}_type" if name in NIM_TYPES else name


def replaced(text: str, old: str, new: str) -> str:
    if old not in text:
        raise SystemExit(f"schema/tools/little_endian.py: {text!r} does not have {old!r}")
    return text.replace(old, new)


def dumped(ksy: Any) -> str:
    return yaml.safe_dump(ksy, sort_keys=False, allow_unicode=True)
