"""Writes everything in generated/ from schema/*.ksy, or checks that it is what would be written.

python schema/tools/generate.py [--check]
"""

import argparse
import difflib
import filecmp
import os
import shutil
import sys
import tempfile
from pathlib import Path

import yaml
from compiler import ToolMissing, compile_schema, render_diagram
from skip import Plan, Unsupported, compile_c_index, compile_index
from type_tables import compile_type_list, compile_types

ROOT = Path(__file__).parents[2]
GGUF, GGML_BLOCK = ROOT / "schema" / "gguf.ksy", ROOT / "schema" / "ggml_block.ksy"
GENERATED = ROOT / "generated"

# directory: the compiler's name of the target, and its options
TARGETS = {
    "cpp_stl": ("cpp_stl", "--cpp-standard", "11"),
    "csharp": ("csharp",),
    "go": ("go", "--go-package", "gguf"),
    "java": ("java", "--java-package", "gguf"),
    "javascript": ("javascript",),
    "lua": ("lua",),
    "nim": ("nim",),
    "perl": ("perl",),
    "php": ("php",),
    "ruby": ("ruby",),
    "rust": ("rust",),
}

INDEX = Plan(
    constants={"version": [1, 2, 3]},
    index={"gguf": ["body.metadata", "body.tensors"], "string_elements": ["items"], "array_elements": ["items"]},
    read={"gguf_array": ["element_type", "num_elements", "elements"], "gguf_string": ["data"]},
    table={
        "key_value": ["key.data", "value_type", "value"],
        "tensor_info": ["name.data", "num_dims", "dims", "type_id", "ofs_data"],
        "gguf_string": ["data"],
    },
    where=["key_value", "tensor_info"],
)

PACKAGE_DOC = '''\
# This is a generated file! Please edit schema/*.ksy and run `make generate`.
"""What is generated from gguf.ksy and ggml_block.ksy. It needs `kaitaistruct`, and nothing else of kaitai_gguf.

- `gguf.Gguf` and `ggml_block.GgmlBlock` read, e.g. `Gguf.from_file("model.gguf")`.
- `read_write.gguf.Gguf` also writes.
- `index` finds things without reading them; `types` lists the types of values and tensors.
"""
'''


def generate(out: Path) -> None:
    for directory, options in TARGETS.items():
        compile_schema([GGUF, GGML_BLOCK], out / directory, *options)
    python = out / "python" / "kaitai_gguf_schema"
    compile_schema([GGUF, GGML_BLOCK], python, "python")
    compile_schema([GGUF], python / "read_write", "python", "--read-write")
    (python / "__init__.py").write_text(PACKAGE_DOC)
    (python / "read_write" / "__init__.py").write_text("")
    (python / "types.py").write_text(compile_types(GGUF, GGML_BLOCK))
    (python / "index.py").write_text(compile_index(yaml.safe_load(GGUF.read_text()), INDEX))
    for schema in (GGUF, GGML_BLOCK):
        shutil.copyfile(schema, python / schema.name)  # to be found by whoever has only the package
    (out / "c").mkdir()
    (out / "c" / "gguf_index.h").write_text(compile_c_index(yaml.safe_load(GGUF.read_text()), INDEX))
    (out / "types.json").write_text(compile_type_list(GGUF, GGML_BLOCK))
    compile_schema([GGUF], out, "graphviz")
    render_diagram(out / "gguf.dot", out / "gguf.svg")
    (out / "gguf.dot").unlink()


def differences(wanted: Path, found: Path) -> list[str]:
    """The paths of files that differ or are in one directory only."""
    names = {path.relative_to(top) for top in (wanted, found) for path in top.rglob("*") if path.is_file()}
    names = {name for name in names if "__pycache__" not in name.parts}
    _, mismatched, missing = filecmp.cmpfiles(wanted, found, sorted(map(str, names)), shallow=False)
    return sorted([*mismatched, *missing])


def show_difference(wanted: Path, found: Path) -> None:
    before, after = (path.read_text().splitlines() if path.exists() else [] for path in (found, wanted))
    for line in list(difflib.unified_diff(before, after, "committed", "generated", lineterm=""))[:20]:
        print(f"    {line}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if generated/ is not up to date")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        try:
            generate(Path(scratch))
        except Unsupported as unsupported:
            print(f"schema/gguf.ksy: the skip compiler does not know how to fold {unsupported}", file=sys.stderr)
            return 1
        except ToolMissing as missing:
            required = not check or os.environ.get("CI") == "true"
            print(f"{'error' if required else 'skipped'}: {missing} is not on this machine, and generating needs it")
            return 1 if required else 0
        if not check:
            shutil.rmtree(GENERATED, ignore_errors=True)
            shutil.copytree(scratch, GENERATED)
            return 0
        changed = differences(Path(scratch), GENERATED)
        for name in changed:
            print(f"generated/{name} is not what the schema makes of it")
            show_difference(Path(scratch) / name, GENERATED / name)
        if changed:
            print("run `make generate`, and commit what it writes")
        else:
            print("generated/ is what the schema makes of it")
        return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
