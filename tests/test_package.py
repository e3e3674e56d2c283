"""The contents of distributions and installations."""

import os
import re
import runpy
import shutil
import sysconfig
import tarfile
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import setuptools
from support import distributions

import kaitai_gguf

ROOT = Path(__file__).parents[1]
TOP = {"kaitai_gguf": ROOT / "src" / "kaitai_gguf", "kaitai_gguf_schema": ROOT / "generated/python/kaitai_gguf_schema"}
SAMPLE = ROOT / "examples" / "sample.gguf"

builds = pytest.mark.xdist_group("distributions")


@pytest.mark.parametrize("name", ["gguf.ksy", "ggml_block.ksy"])
def test_the_schemas_come_along(name: str) -> None:
    assert files("kaitai_gguf_schema").joinpath(name).read_bytes() == (ROOT / "schema" / name).read_bytes()


def test_the_generated_parser_needs_nothing_of_ours() -> None:
    texts = [path.read_text() for path in TOP["kaitai_gguf_schema"].rglob("*.py")]
    assert len(texts) > 5
    assert [text for text in texts if re.search(r"^\s*(import|from) kaitai_gguf(\.| |$)", text, re.MULTILINE)] == []


@builds
def test_groups_are_kept_together(request: pytest.FixtureRequest) -> None:
    """If pytest-xdist ignored groups, it would say nothing, but each process would build everything again."""
    if not request.config.getoption("loadgroup", False):
        pytest.skip("tests are not distributed by group")
    assert request.node.nodeid.endswith("@distributions")


# The source distribution


@builds
def test_the_source_distribution_is_the_repository() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = distributions.run("git", "ls-files", cwd=ROOT).splitlines()
    others = distributions.run("git", "ls-files", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    with tarfile.open(distributions.sdist()) as archive:
        packed = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert len(tracked) > 300
    assert {name for name in tracked if (ROOT / name).exists()} - packed == set()
    added = {name for name in packed - {*tracked, *others} if not name.startswith("kaitai_gguf.egg-info/")}
    assert added == {"PKG-INFO", "setup.cfg"}


# Wheels


def has_compiler() -> bool:
    """Return whether there is a C compiler. In CI, it must exist."""
    names = ["cl"] if os.name == "nt" else [(sysconfig.get_config_var("CC") or "cc").split()[0]]
    found = any(map(shutil.which, names))
    assert found or os.environ.get("CI") != "true", "no C compiler"
    return found


def opened_by(python: Path) -> str:
    """Return the scanner of a Python environment, and the architecture of the sample that it opens."""
    code = "import kaitai_gguf, sys; print(kaitai_gguf.scanner, end=' '); "
    code += "print(kaitai_gguf.open(sys.argv[1]).metadata['general.architecture'])"
    return distributions.run(python, "-c", code, SAMPLE, KAITAI_GGUF_SCANNER="").strip()


@builds
def test_a_wheel_of_the_source_distribution_can_be_installed() -> None:
    assert opened_by(distributions.environment(distributions.wheel())).endswith("llama")


@builds
def test_a_wheel_has_every_module() -> None:
    modules = {f"{name}/{path.relative_to(top).as_posix()}" for name, top in TOP.items() for path in top.rglob("*.py")}
    packed = {name for name in zipfile.ZipFile(distributions.wheel()).namelist() if name.endswith(".py")}
    assert len(modules) > 100
    assert packed == modules


@builds
def test_a_wheel_has_what_was_compiled_and_is_for_one_machine() -> None:
    if not has_compiler():
        pytest.skip("no C compiler")
    wheel = distributions.wheel()
    names = zipfile.ZipFile(wheel).namelist()
    compiled = [name for name in names if name.endswith((".so", ".pyd"))]
    assert len(compiled) == 2
    assert not wheel.name.endswith("-any.whl")
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert "-cp311-abi3-" in wheel.name
        assert all(name.endswith(".pyd") or ".abi3." in name for name in compiled)
    assert {"kaitai_gguf/py.typed", "kaitai_gguf_schema/py.typed", "kaitai_gguf_schema/gguf.ksy"} <= set(names)


@builds
@pytest.mark.skipif(os.name == "nt", reason="no environment variable sets the compiler on Windows")
def test_a_wheel_without_a_compiler_is_for_every_machine() -> None:
    wheel = distributions.wheel(CC=shutil.which("false") or "false")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.endswith((".so", ".pyd"))]
    assert not [name for name in names if ".data/" in name]
    assert opened_by(distributions.environment(wheel)) == "python llama"


# What setup.py requests


def asked_for(monkeypatch: pytest.MonkeyPatch, is_free_threaded: bool) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    original = sysconfig.get_config_var
    monkeypatch.setattr(setuptools, "setup", asked.update)
    is_free = {"Py_GIL_DISABLED": int(is_free_threaded)}
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: is_free.get(name, original(name)))
    runpy.run_path(str(ROOT / "setup.py"))
    return asked


@pytest.mark.parametrize("is_free_threaded", [False, True])
def test_the_stable_abi_is_asked_for_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, is_free_threaded: bool
) -> None:
    asked = asked_for(monkeypatch, is_free_threaded)
    assert asked["options"] == ({} if is_free_threaded else {"bdist_wheel": {"py_limited_api": "cp311"}})
    assert len(asked["ext_modules"]) == 2
    for extension in asked["ext_modules"]:
        assert extension.py_limited_api is not is_free_threaded
        assert extension.define_macros == ([] if is_free_threaded else [("Py_LIMITED_API", "0x030B0000")])


def test_the_description_has_absolute_links(monkeypatch: pytest.MonkeyPatch) -> None:
    description = asked_for(monkeypatch, is_free_threaded=False)["long_description"]
    targets = re.findall(r"\]\((.*?)\)", description)
    assert [target for target in targets if not target.startswith("https://")] == []
    files = {target: target.partition(f"/v{kaitai_gguf.__version__}/")[2] for target in targets}
    assert len([path for path in files.values() if path]) > 20
    assert [target for target, path in files.items() if not (ROOT / path).exists()] == []
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", description)
    assert picture.endswith(f"/raw/v{kaitai_gguf.__version__}/docs/images/info.svg")


@pytest.mark.parametrize(("compiler", "flag"), [("unix", "-ffp-contract=off"), ("msvc", "/fp:strict"), ("other", None)])
def test_each_compiler_gets_options_that_it_knows(
    monkeypatch: pytest.MonkeyPatch, compiler: str, flag: str | None
) -> None:
    asked = asked_for(monkeypatch, is_free_threaded=False)
    command = asked["cmdclass"]["build_ext"](setuptools.Distribution())
    command.extensions = asked["ext_modules"]
    command.compiler = type("Compiler", (), {"compiler_type": compiler})
    monkeypatch.setattr(asked["cmdclass"]["build_ext"].__mro__[1], "build_extensions", lambda self: None)
    command.build_extensions()
    for extension in command.extensions:
        given = extension.extra_compile_args
        assert flag in given if flag else given == []
        assert all(each.startswith("/" if compiler == "msvc" else "-") for each in given)
