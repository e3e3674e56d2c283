"""The viewer's sources, without a browser: they agree with Python, and the committed page is built from them."""

import base64
import json
import random
import re
import struct
import subprocess
import unicodedata
from collections.abc import Callable
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from memory.headers import headers
from support.gguf_bytes import Array, Model
from support.node import ROOT
from test_chat_templates import HARMLESS, PIECES, SUSPICIOUS

import kaitai_gguf
from kaitai_gguf import standard_key, tensor_role
from kaitai_gguf.chat_templates import suspicions
from kaitai_gguf.cli.output import format_number, printable
from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.tensor_names import SUFFIXES
from kaitai_gguf.text import human_bytes, human_count

pytestmark = pytest.mark.xdist_group("javascript")
VIEWER = ROOT / "javascript" / "viewer"
SOURCES = "../../javascript/viewer/src"
WORKER = Path(__file__).with_name("viewer_worker.mjs")

STRANGE_NAMES = [
    "", ".", "..", "blk", "blk.3", "blk.3.", "v.blk.3.q", "mm", "mm.x", "x.blk.4.y.weight", "3.blk.4.y", "constructor",
    "__proto__", "toString.weight", "v", "blk.0.ffn_gate_inp.7.weight", "v.blk.0.1.bn1.weight", "cls.weight.1",
    "cls.weight.2", "blk.3.attn_q.weight.1", "blk.4.attn_q.weight.2", "blk.-1.attn_q", "blk.1234567890.attn_q",
]  # fmt: skip


def answers(url: str, function: str, calls: list[list[Any]]) -> list[Any]:
    command = ["node", str(WORKER), url, function]
    done = subprocess.run(command, input=json.dumps(calls), capture_output=True, encoding="utf-8", check=True)
    found: list[Any] = json.loads(done.stdout)
    assert len(found) == len(calls) > 0
    return found


def test_roles_are_those_of_python(viewer: Path) -> None:
    suffixes = ["", ".weight", ".other", *(f".{suffix}" for suffix in sorted(SUFFIXES))]
    known = [re.sub(r"\bN\b", block, name) for name in facts()["tensors"] for block in ("0", "12", "N", "007")]
    names = [name + suffix for name in known for suffix in suffixes] + STRANGE_NAMES
    for name, answer in zip(
        names, answers(f"{SOURCES}/roles.js", "tensorRole", [[name] for name in names]), strict=True
    ):
        expected = asdict(tensor_role(name))
        assert answer == {key: value for key, value in expected.items() if key != "is_known"}, name


def test_standard_keys_are_those_of_python(viewer: Path) -> None:
    documented = [key.replace("{id}", "7") for key in facts()["keys"]]
    keys = [key.replace("[arch]", architecture) for key in documented for architecture in ("llama", "a.b", "clip")]
    keys += ["", ".", "a", ".block_count", "general.x", "x.general.name", "constructor", "llama.__proto__", "{id}"]
    keys += ["[arch].block_count", "tokenizer.chat_template.a.b", "general.dataset.x.name", "x" * 2000]
    keys += [f"tokenizer.chat_template.{'x' * 2000}", f"{'x' * 2000}.block_count", "general.file_type"]
    known = map(standard_key, keys)
    expected = [
        each and [each.key, facts()["keys"][each.key][0].split("|"), each.description, list(each.values)]
        for each in known
    ]
    found = answers("../../javascript/src/standard_keys.js", "standardKey", [[key] for key in keys])
    assert [each and list(each.values()) for each in found] == expected


def test_suspicious_templates_are_those_of_python(viewer: Path) -> None:
    draw = random.Random(11)
    templates = [*HARMLESS, *SUSPICIOUS, *("".join(draw.choices(PIECES, k=10)) for _ in range(3000))]
    expected = [next((tag.code for tag in suspicions(template)), "") for template in templates]
    calls = [[template] for template in templates]
    assert answers(f"{SOURCES}/chat-templates.js", "suspiciousCode", calls) == expected
    assert len(set(expected)) > 300


def test_the_memory_of_a_context_is_that_of_python(viewer: Path) -> None:
    calls, expected = [], []
    for name, raw in headers().items():
        if name.startswith(("arch/", "size-1", "size-3")) or name.endswith("-F16.gguf"):
            model = kaitai_gguf.open(raw)
            prefix = f"{model.architecture}."
            rows = {key.removeprefix(prefix): value for key, value in model.metadata.to_dict().items() if prefix in key}
            for ctx_size in (1000, 32768):
                calls.append([model.architecture, rows, ctx_size])
                expected.append(kaitai_gguf.memory(model, ctx_size=ctx_size).context)
    assert answers(f"{SOURCES}/memory.js", "contextNbytes", calls) == expected
    assert len(set(expected)) > 150


SIZES = [0, 1, 999, 1000, 1023, 1024, 14592, 10240, 1048576, 999_499, 999_500, 2**40, 2**53 - 1, 7_241_732_096]
SIZES += [number * 128 for number in range(1, 2000)]
FLOATS = [0.0, -0.0, 0.1, 1e16, 1e-5, 5e-324, *struct.unpack("500d", random.Random(7).randbytes(4000))]
CODES = [*range(0x3000), 0xFEFF, 0xE0041, 0x1F600, 0x10FFFF]  # known to older versions of Unicode, too
TEXTS = [chr(code) for code in CODES if unicodedata.category(chr(code)) != "Cn"]


@pytest.mark.parametrize(
    ("function", "calls", "by_python"),
    [
        ("humanBytes", [[size] for size in SIZES], human_bytes),
        ("humanCount", [[size] for size in SIZES], human_count),
        ("formatNumber", [[number, True] for number in FLOATS if isfinite(number)], format_number),
        ("visible", [[text] for text in TEXTS], printable),
    ],
)
def test_values_are_written_as_in_python(
    viewer: Path, function: str, calls: list[list[Any]], by_python: Callable[[Any], str]
) -> None:
    assert answers(f"{SOURCES}/text.js", function, calls) == [by_python(call[0]) for call in calls]


def test_the_search_in_bytes_finds_what_comparing_each_string_finds(viewer: Path) -> None:
    """Strings as long as the code of a letter have a length that looks like that letter."""
    draw = random.Random(5)
    strings = ["".join(draw.choices("abAB▁éÉ\0", k=draw.choice([0, 1, 2, 3, 97, 98]))) for _ in range(60)]
    strings += ["c" * (1 << 20), "b" * 10 + "needle"]  # across two chunks
    words = ["a", "AB", "ba▁", "É", "\0\0", "▁▁", "bbb", "cNEEDLE", "needle", "ccc"]
    file = base64.b64encode(Model([("k", "array", Array("string", list(strings)))]).build()).decode()
    count = len(strings)
    expected = [
        [
            next((i % count for i in range(first, first + count) if word.lower() in strings[i % count].lower()), -1)
            for first in range(0, count, 7)
        ]
        for word in words
    ]
    assert answers("./search.mjs", "find", [[file, word] for word in words]) == expected
    assert [-1] * len(expected[0]) in expected


def test_no_source_makes_markup_of_text_or_navigates() -> None:
    sinks = r"location\.(href *=|assign|replace)|location *=|window\.open|sendBeacon|"
    sinks += r"(inner|outer|Adjacent)HTML|document\.write|ContextualFragment|DOMParser|\beval\b|new Function|srcdoc"
    sources = sorted((VIEWER / "src").glob("*.js"))
    assert len(sources) > 10
    assert [path.name for path in sources if re.search(sinks, path.read_text("utf-8"))] == []


def test_the_page_loads_nothing() -> None:
    page = (ROOT / "src" / "kaitai_gguf" / "cli" / "viewer.html").read_text("utf-8")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & set(policy.replace(";", "").split())
    markup = re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL)
    assert re.findall(r"<(?:link|script|img|iframe|base)\b|\b(?:src|href|style)=|\bon\w+=", markup) == []
