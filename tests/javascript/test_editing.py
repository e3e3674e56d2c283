"""`edited` of the npm package writes the bytes that Python writes, and refuses what Python refuses."""

import base64
import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.commands import run
from support.gguf_bytes import Array, Model, TensorSpec
from support.node import ROOT, Worker

import kaitai_gguf
from kaitai_gguf import Typed, ValueType
from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.types import KeyType

pytestmark = pytest.mark.xdist_group("javascript")  # which shares a Node.js process
MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))
ALIGNED = Model(
    [("general.alignment", "uint32", 128), ("k", "string", "v"), ("list", "array", Array("int16", [1, -2]))],
    [TensorSpec("a", (32,), 2, 0), TensorSpec("b", (3,), 0, 128)],
    bytes(range(140)),
    alignment=128,
)

Changes = dict[str, Any]


def in_json(value: Any) -> Any:
    """Return a value for the worker: JSON has neither BigInt nor NaN."""
    if isinstance(value, Typed):
        return {"type": str(value.type), "value": in_json(value.value)}
    if isinstance(value, list):
        return [in_json(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53:
        return {"$big": str(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": repr(value).replace("inf", "Infinity").replace("nan", "NaN")}
    return value


def by_python(path: Path, changes: Changes) -> bytes | None:
    """Return the file with the changes; None if they are refused."""
    output = path.with_name("output.gguf")
    try:
        with kaitai_gguf.edit(path) as editor:
            try:
                for key, value in changes["set"]:
                    editor.metadata[key] = value
                for key in changes["remove"]:
                    del editor.metadata[key]
                for old, new in changes["renameKeys"]:
                    editor.metadata.rename(old, new)
                for old, new in changes["renameTensors"]:
                    editor.tensors.rename(old, new)
                editor.commit(output, overwrite=True)
            finally:
                editor.discard()
    except (kaitai_gguf.GGUFError, TypeError):
        return None
    return output.read_bytes()


def by_javascript(worker: Worker, data: bytes, changes: Changes, **options: Any) -> bytes | None:
    given = changes | {"set": [[key, in_json(value)] for key, value in changes["set"]]}
    answer = worker.ask("edited", data, changes=given, **options)
    if answer.error is None:
        return base64.b64decode(answer.result)
    assert answer.error["name"] in ("WriteError", "TypeError"), answer.error
    assert not answer.error["message"].startswith(("Cannot", "undefined")), answer.error["stack"]
    return None


SCALARS: list[Callable[[Random], Any]] = [
    lambda draw: draw.choice([True, False]),
    lambda draw: draw.choice(
        [0, 1, -1, 64, 255, 256, -129, 2**31, 2**32, -(2**31) - 1, 2**53, 2**64 - 1, 2**64, -(2**63)]
    ),
    lambda draw: draw.choice([0.5, -1.25, 1e-8, 3.5e38, 1e308, math.inf, math.nan, draw.random()]),
    lambda draw: draw.choice(["", "llama", "naïve 😀\n", "\udcff\x00", "x" * 300, "\ud800"]),
]


def drawn_value(draw: Random, depth: int = 0) -> Any:
    make = draw.choice(SCALARS)
    if draw.random() < 0.6:
        return make(draw)
    if depth < 2 and draw.random() < 0.15:
        return [drawn_value(draw, depth + 1) for _ in range(draw.randrange(3))]
    return [make(draw) for _ in range(draw.randrange(4))]


def fitting(draw: Random, type: KeyType) -> Any:
    """Return a value that a type may have."""
    if type.value_type is ValueType.ARRAY:
        element = type.element_type or ValueType.UINT8
        return [[1], ["a"]] if element is ValueType.ARRAY else [fitting(draw, KeyType(element)) for _ in range(3)]
    value = {ValueType.STRING: "naïve", ValueType.BOOL: draw.random() < 0.5}.get(type.value_type)
    if value is None:
        return draw.uniform(-9, 9) if type.value_type in (ValueType.FLOAT32, ValueType.FLOAT64) else draw.randrange(128)
    return value


def drawn_changes(draw: Random, model: kaitai_gguf.GGUFFile) -> Changes:
    keys, tensors = list(model.metadata), list(model.tensors)[:5]
    documented = [key.replace("[arch]", "llama").replace("{id}", "0") for key in facts()["keys"]]
    values = {}
    for _ in range(draw.randrange(4)):
        key = draw.choice([*keys, *draw.sample(documented, 3), "my.key", "naïve", "7", "general.alignment"])
        value = drawn_value(draw)
        if draw.random() < 0.8:
            entry, known = model.metadata.entry(key) if key in model.metadata else None, kaitai_gguf.standard_key(key)
            own = KeyType(entry.value_type, entry.element_type) if entry else known.types[0] if known else None
            values[key] = fitting(draw, own or KeyType(ValueType.UINT8))
            continue
        values[key] = Typed(value, draw.choice(list(ValueType))) if draw.random() < 0.3 else value
    rest = [key for key in keys if key not in values]
    draw.shuffle(rest)
    return {
        "set": list(values.items()),
        "remove": [rest.pop() for _ in range(draw.randrange(3)) if rest],
        "renameKeys": [
            (rest.pop(), draw.choice([f"new.{i}", f"new.{i}", "é", *keys[:1], ""]))
            for i in range(draw.randrange(2))
            if rest
        ],
        "renameTensors": [
            (name, draw.choice([f"{name}.new", "t", *tensors[:1]])) for name in tensors if draw.random() < 0.2
        ],
    }


@pytest.mark.filterwarnings("ignore:the key:UserWarning")
def test_a_thousand_random_edits_are_those_of_python(worker: Worker, tmp_path: Path) -> None:
    draw, written = Random(37), 0
    sources = [*(path.read_bytes() for path in MODELS if path.stat().st_size < 100_000), ALIGNED.build()]
    for number in range(1000):
        data = sources[number % len(sources)]
        path = tmp_path / "model.gguf"
        path.write_bytes(data)
        with kaitai_gguf.open(data) as model:
            changes = drawn_changes(draw, model)
        expected = by_python(path, changes)
        assert by_javascript(worker, data, changes, isSliced=number % 2 == 0) == expected, changes
        written += expected is not None
    assert 300 < written < 800


@pytest.mark.parametrize("name", ["v1", "v2", "tiny-be", "tiny-allquants", "split5-00001-of-00003"])
@pytest.mark.parametrize("alignment", [None, 8, 64, 4096])
def test_alignment(name: str, alignment: int | None, worker: Worker, tmp_path: Path) -> None:
    """The data moves. A smaller alignment, or one that fits the offsets, is accepted."""
    path = tmp_path / "model.gguf"
    path.write_bytes(data := (ROOT / "tests" / "data" / "models" / f"{name}.gguf").read_bytes())
    changes = {"set": [("general.alignment", alignment)], "remove": [], "renameKeys": [], "renameTensors": []}
    if alignment is None:
        changes["set"] = []
    assert by_javascript(worker, data, changes) == by_python(path, changes)


def test_commands_write_the_same(worker: Worker, tmp_path: Path) -> None:
    data = (ROOT / "examples" / "sample.gguf").read_bytes()
    with kaitai_gguf.open(data) as model:
        key, tensor = "general.name", next(iter(model.tensors))
    none: Changes = {"set": [], "remove": [], "renameKeys": [], "renameTensors": []}
    cases: list[tuple[list[str], Changes]] = [
        (["set", f"{key}=naïve"], {"set": [(key, "naïve")]}),
        (["set", "tokenizer.chat_template={{ x }}"], {"set": [("tokenizer.chat_template", "{{ x }}")]}),
        (["set", "llama.rope.freq_base=10000"], {"set": [("llama.rope.freq_base", 10000)]}),
        (["set", "a.b=5"], {"set": [("a.b", 5)]}),
        (["set", "a.b=[1, 2]", "--type", "uint8[]"], {"set": [("a.b", Typed([1, 2], "uint8"))]}),
        (["set", "a.b=18446744073709551615"], {"set": [("a.b", 2**64 - 1)]}),
        (["unset", key], {"remove": [key]}),
        (["rename-key", key, "general.basename"], {"renameKeys": [(key, "general.basename")]}),
        (["rename-tensor", tensor, "lm_head.weight"], {"renameTensors": [(tensor, "lm_head.weight")]}),
    ]
    for (command, *arguments), changes in cases:
        output = tmp_path / "output.gguf"
        run(command, ROOT / "examples" / "sample.gguf", *arguments, "--output", output, "--force")
        assert by_javascript(worker, data, none | changes) == output.read_bytes(), command
