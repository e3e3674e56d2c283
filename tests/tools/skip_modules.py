"""Modules that the skip compiler generates from a schema, or the reason why it can't."""

import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from skip import Plan, Unsupported, compile_index

SCHEMAS = Path(__file__).parent / "schemas"


def load(source: str) -> ModuleType:
    module = ModuleType("generated")
    exec(compile(source, "generated.py", "exec"), module.__dict__)
    return module


def schema(text: str, meta: str = "endian: le") -> dict[str, Any]:
    """A schema named `t`, from the YAML of everything but its `meta`."""
    return yaml.safe_load(f"meta: {{id: t, {meta}}}\n" + textwrap.dedent(text))


def source(text: str, meta: str = "endian: le", **plan: Any) -> str:
    return compile_index(schema(text, meta), Plan(**(plan or {"index": {"t": []}})))


def module(text: str, meta: str = "endian: le", **plan: Any) -> ModuleType:
    return load(source(text, meta, **plan))


def listed(found: Any) -> Any:
    """What an index gives, with its positions as lists."""
    return tuple(each if isinstance(each, int) else list(each) for each in found) if isinstance(found, tuple) else found


def end(text: str, data: bytes, meta: str = "endian: le") -> int:
    """Where the index of a schema of one layout ends."""
    made = module(text, meta)
    return made.layout(data).index_t(data, 0)


def refused(text: str, data: bytes, meta: str = "endian: le") -> Any:
    """What the index of a schema of one layout refuses."""
    made = module(text, meta)
    with pytest.raises(made.Refused) as caught:
        made.layout(data).index_t(data, 0)
    return caught.value


def unsupported(text: str, meta: str = "endian: le", **plan: Any) -> str:
    """Why the skip compiler does not take a schema."""
    with pytest.raises(Unsupported) as caught:
        source(text, meta, **plan)
    return str(caught.value)
