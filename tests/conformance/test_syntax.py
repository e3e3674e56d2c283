"""Syntax of the generated parsers whose runtimes are not available from a package manager.

C++ is compiled against declarations of the runtime, without its code. Perl is checked with an empty runtime, and
Rust is only parsed. The other languages are tested in test_first_tensor.py.
"""

import subprocess
from pathlib import Path

import pytest
from support.tools import require
from toolchains import GENERATED

NUMBERS = [
    "u1",
    "s1",
    *(f"{kind}{end}" for kind in ["u2", "u4", "u8", "s2", "s4", "s8", "f4", "f8"] for end in ("le", "be")),
]
ERRORS = ["not_equal", "less_than", "greater_than", "not_any_of", "not_in_enum"]
STRUCT_H = f"""
#pragma once
#include <cstdint>
#include <string>
#define KAITAI_STRUCT_VERSION 11000L
namespace kaitai {{
struct kstream {{
    uint64_t pos();
    void seek(uint64_t pos);
    std::string read_bytes(uint64_t len);
    static std::string bytes_to_str(std::string bytes, const char *encoding);
    static int mod(int a, int b);
    {" ".join(f"{'double' if name[0] == 'f' else 'int64_t'} read_{name}();" for name in NUMBERS)}
}};
struct kstruct {{
    explicit kstruct(kstream *io) : m__io(io) {{}}
    virtual ~kstruct() {{}}
    kstream *_io() {{ return m__io; }}
    kstream *m__io;
}};
struct undecided_endianness_error {{ explicit undecided_endianness_error(std::string path); }};
template <class T> struct error {{ template <class... A> error(A...); }};
{" ".join(f"template <class T> using validation_{name}_error = error<T>;" for name in ERRORS)}
}}
"""
STRUCT_PM = "package IO::KaitaiStruct; our $VERSION = '0.011_000'; package IO::KaitaiStruct::Struct; 1;"


def passes(tool: str, *arguments: str | Path) -> None:
    require(tool)
    done = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["gguf", "ggml_block"])
def test_cpp(name: str, tmp_path: Path) -> None:
    (tmp_path / "kaitai").mkdir()
    (tmp_path / "kaitai" / "kaitaistruct.h").write_text(STRUCT_H)
    (tmp_path / "kaitai" / "exceptions.h").touch()
    warnings = ["-Wall", "-Wextra", "-Wno-type-limits", "-Werror"]
    passes("g++", "-std=c++11", *warnings, f"-I{tmp_path}", "-fsyntax-only", GENERATED / "cpp_stl" / f"{name}.cpp")


@pytest.mark.parametrize("name", ["Gguf", "GgmlBlock"])
def test_perl(name: str, tmp_path: Path) -> None:
    (tmp_path / "IO").mkdir()
    (tmp_path / "IO" / "KaitaiStruct.pm").write_text(STRUCT_PM)
    passes("perl", f"-I{tmp_path}", "-c", GENERATED / "perl" / f"{name}.pm")


def test_rust() -> None:
    passes("rustfmt", "--edition", "2021", "--emit", "stdout", *(GENERATED / "rust").glob("*.rs"))
