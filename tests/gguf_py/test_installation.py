"""`install()` and `uninstall()`, and what works without gguf."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import gguf
import gguf.gguf_reader
import pytest

from gguf_py.files import EXAMPLE
from kaitai_gguf import gguf_py
from kaitai_gguf.gguf_py import install, uninstall

NAMES = ("GGUFReader", "ReaderField", "ReaderTensor")
THEIRS = {name: getattr(gguf, name) for name in NAMES}


def classes() -> dict[tuple[str, str], Any]:
    return {(module.__name__, name): getattr(module, name) for module in (gguf, gguf.gguf_reader) for name in NAMES}


OURS = {(module, name): getattr(gguf_py, name) for module, name in classes()}
ORIGINALS = {(module, name): THEIRS[name] for module, name in classes()}


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    assert classes() == ORIGINALS
    yield
    uninstall()
    assert classes() == ORIGINALS


def test_classes_are_replaced_and_restored() -> None:
    from gguf import GGUFReader

    rest = {name: value for name, value in vars(gguf).items() if name not in NAMES}
    for _ in range(2):
        install()
        install()
        assert classes() == OURS
        assert {name: value for name, value in vars(gguf).items() if name not in NAMES} == rest
        assert isinstance(gguf.GGUFReader(EXAMPLE).tensors[0], gguf.gguf_reader.ReaderTensor)
        assert GGUFReader is THEIRS["GGUFReader"]  # imported before
        uninstall()
        uninstall()
        assert classes() == ORIGINALS


def test_what_somebody_else_put_there_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        install()
        patch.setattr(gguf, "GGUFReader", str)
        uninstall()
        assert gguf.GGUFReader is str
    gguf.GGUFReader = THEIRS["GGUFReader"]


USE = """
import sys
sys.modules["gguf"] = None
from kaitai_gguf.gguf_py import *
reader = GGUFReader(sys.argv[1])
field = reader.fields["tokenizer.ggml.tokens"]
print([(type(each).__name__, each.name, int(each)) for each in field.types])
print(len(reader.tensors), {type(each.tensor_type).__name__ for each in reader.tensors}, repr(reader.endianess))
for enum in (GGUFValueType, GGMLQuantizationType, GGUFEndian):
    print({each.name: each.value for each in enum})
try:
    install()
except ImportError as error:
    print(type(error).__name__, error)
uninstall()
"""


def run(program: str, *arguments: object) -> str:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_it_works_without_gguf() -> None:
    types, tensors, values, tensor_types, endian, error = run(USE, EXAMPLE).splitlines()
    assert types == "[('GGUFValueType', 'ARRAY', 9), ('GGUFValueType', 'STRING', 8)]"
    assert tensors.endswith("{'GGMLQuantizationType'} <GGUFEndian.LITTLE: 0>")
    assert eval(values) == {each.name: each.value for each in gguf.GGUFValueType}
    assert eval(tensor_types) == {each.name: each.value for each in gguf.GGMLQuantizationType} | {"Q2_0": 42}
    assert eval(endian) == {each.name: each.value for each in gguf.GGUFEndian}
    assert error.startswith("MissingPackageError install() needs the package gguf: pip install gguf")


def test_the_library_does_not_import_gguf() -> None:
    assert run("import kaitai_gguf, sys; print('gguf' in sys.modules)") == "False\n"
