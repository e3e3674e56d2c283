"""Helpers that load the modules that the skip compiler generates from a schema."""

import textwrap
from types import ModuleType
from typing import Any

import pytest
import yaml
from skip import Plan, Unsupported, compile_index


def load(source: str) -> ModuleType:
    module = ModuleType("generated")
    exec(compile(source, "generated.py", "exec"), module.__dict__)
    return module


def schema(text: str, meta: str = "endian: le") -> dict[str, Any]:
    """Return a schema named `t`, from the YAML of everything but its `meta`."""
    return {"meta": yaml.safe_load(f"{{id: t, {meta}}}"), **yaml.safe_load(textwrap.dedent(text))}


def source(text: str, meta: str = "endian: le", **plan: Any) -> str:
    return compile_index(schema(text, meta), Plan(**(plan or {"index": {"t": []}})))


def module(text: str, meta: str = "endian: le", **plan: Any) -> ModuleType:
    return load(source(text, meta, **plan))


def index(made: Any, data: bytes) -> Any:
    """Return the result of `index_t`, with its positions as lists."""
    return listed(made.layout(data).index_t(data, 0))


def listed(found: Any) -> Any:
    return tuple(each if isinstance(each, int) else list(each) for each in found) if isinstance(found, tuple) else found


def refusal(made: Any, data: bytes) -> Any:
    """Return the refusal of `layout` or `index_t`."""
    with pytest.raises(made.Refused) as caught:
        index(made, data)
    return caught.value


def unsupported(text: str, meta: str = "endian: le", **plan: Any) -> str:
    """Return the reason why the skip compiler does not support a schema."""
    with pytest.raises(Unsupported) as caught:
        source(text, meta, **plan)
    return str(caught.value)
