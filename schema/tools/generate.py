"""Generate everything in generated/ from schema/*.ksy, or check that it is up to date.

The JavaScript index and the type tables go into the npm package, which can't include files from other folders.

python schema/tools/generate.py [--check]
"""

import argparse
import difflib
import filecmp
import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml
from compiler import ToolMissing, command, compile_schema, render_diagram
from field_tables import compile_fields
from little_endian import for_nim, little_endian
from skip import Plan, Unsupported, compile_c_index, compile_index, compile_javascript_index, compile_packing
from type_tables import compile_javascript_types, compile_type_list, compile_types

ROOT = Path(__file__).parents[2]
GGUF, GGML_BLOCK = ROOT / "schema" / "gguf.ksy", ROOT / "schema" / "ggml_block.ksy"
GENERATED = ROOT / "generated"
PACKAGE = ROOT / "javascript"

TARGETS = ["cpp_stl", "csharp", "go", "java", "javascript", "lua", "perl", "php", "python", "ruby"]
OPTIONS = ["--cpp-standard", "11", "--go-package", "gguf", "--java-package", "gguf"]

INDEX = Plan(
    constants={"version": [1, 2, 3]},
    index={"gguf": ["body.metadata", "body.tensors"], "string_elements": ["items"], "array_elements": ["items"]},
    table={
        "key_value": ["key.data", "value_type", "value"],
        "tensor_info": ["name.data", "num_dims", "dims", "type_id", "ofs_data"],
        "gguf_array": ["element_type", "num_elements", "elements"],
        "gguf_string": ["data"],
    },
    pack={
        "gguf": ["body.version", "body.num_tensors", "body.num_metadata"],
        "key_value": ["key.data", "value_type"],
        "tensor_info": ["name.data", "dims", "type_id", "ofs_data"],
        "gguf_array": ["element_type", "num_elements"],
        "gguf_string": ["data"],
    },
    decided={"gguf_body": ["version"]},
    trace=["gguf", "key_value", "tensor_info"],
)

# Parsed instances, of zero bytes: a class that writes would require values for them. Their users are dropped too.
NOT_WRITTEN = {"gguf_body": ["alignment_search", "alignment", "ofs_tensor_data"]}

PACKAGE_DOC = '''\
# This is a generated file! Please edit schema/*.ksy and run `make generate`.
"""What is generated from gguf.ksy and ggml_block.ksy. It needs `kaitaistruct`, and nothing else of kaitai_gguf.

- `gguf.Gguf` and `ggml_block.GgmlBlock` read, e.g. `Gguf.from_file("model.gguf")`.
- `read_write.gguf.Gguf` also writes.
- `positions.gguf.Gguf` remembers where each field is, and keeps what it has when it fails.
- `index` finds things without reading them; `packing` makes the bytes of headers; `fields` lists the fields of each
  type, with their documentation; `types` lists the types of values and tensors.
"""
'''


def generate(out: Path) -> None:
    """Write everything in generated/. This project's own tools run first, so that their errors show at once."""
    python = out / "python" / "kaitai_gguf_schema"
    compile_own(out, python)
    command()  # downloaded once, before several threads need it
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        targets = Path(scratch)
        jobs = [
            pool.submit(compile_schema, [GGUF, GGML_BLOCK], targets, [*TARGETS, "graphviz"], *OPTIONS),
            pool.submit(compile_writable, GGUF, python / "read_write"),
            *(pool.submit(compile_little_endian, out / target, target) for target in ("nim", "rust")),
            # `--no-auto-read`: the constructor does not read, so if a field fails, the fields before it are kept.
            pool.submit(compile_schema, [GGUF], python / "positions", ["python"], "--read-pos", "--no-auto-read"),
        ]
        for job in jobs:
            job.result()
        for name in TARGETS:
            source = targets / name / "src" if (targets / name / "src").exists() else targets / name
            shutil.copytree(source, python if name == "python" else out / name, dirs_exist_ok=True)
        render_diagram(targets / "graphviz" / "gguf.dot", out / "gguf.svg")


def compile_own(out: Path, python: Path) -> None:
    """Write what this project's own tools generate."""
    ksy = yaml.safe_load(GGUF.read_text())
    for directory in (out / "c", python / "read_write", python / "positions"):
        directory.mkdir(parents=True)
    (out / "types.json").write_text(compile_type_list(GGUF, GGML_BLOCK))
    (out / "c" / "gguf_index.h").write_text(compile_c_index(ksy, INDEX))
    (python / "__init__.py").write_text(PACKAGE_DOC)
    (python / "py.typed").write_text("")  # without it, type checkers treat all imports from the package as Any
    (python / "types.py").write_text(compile_types(GGUF, GGML_BLOCK))
    (python / "index.py").write_text(compile_index(ksy, INDEX))
    (python / "packing.py").write_text(compile_packing(ksy, INDEX))
    (python / "fields.py").write_text(compile_fields(ksy, INDEX))
    (python / "read_write" / "__init__.py").write_text("")
    (python / "positions" / "__init__.py").write_text("")
    for schema in (GGUF, GGML_BLOCK):
        shutil.copyfile(schema, python / schema.name)  # for users who only have the package


def compile_package() -> dict[str, str]:
    """Return the generated files of the npm package: contents by name."""
    return {
        "gguf_index.js": compile_javascript_index(yaml.safe_load(GGUF.read_text()), INDEX),
        "types.js": compile_javascript_types(GGUF, GGML_BLOCK),
    }


def compile_writable(schema: Path, out: Path) -> None:
    """Compile the Python classes that also write, without the instances in `NOT_WRITTEN`."""
    ksy = yaml.safe_load(schema.read_text())
    for name, instances in NOT_WRITTEN.items():
        for instance in instances:
            del ksy["types"][name]["instances"][instance]
    with tempfile.TemporaryDirectory() as scratch:
        reduced = Path(scratch) / schema.name
        reduced.write_text(yaml.safe_dump(ksy, sort_keys=False, allow_unicode=True))
        compile_schema([reduced], out, ["python"], "--read-write")


def compile_little_endian(out: Path, target: str) -> None:
    """Compile the parsers that only read little-endian files."""
    with tempfile.TemporaryDirectory() as scratch:
        texts = {GGUF.name: little_endian(GGUF.read_text()), GGML_BLOCK.name: GGML_BLOCK.read_text()}
        for name, text in texts.items():
            (Path(scratch) / name).write_text(for_nim(text) if target == "nim" else text)
        compile_schema([Path(scratch) / name for name in texts], out, [target])


def replace(expected: Path, existing: Path) -> None:
    """Make the existing directory equal to the expected one. Files that are the same are not touched."""
    for name in differences(expected, existing):
        if (expected / name).exists():
            (existing / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(expected / name, existing / name)
        else:
            (existing / name).unlink()


def differences(expected: Path, existing: Path) -> list[str]:
    """Return the paths of files that differ, or that only one of two directories has."""
    names = {path.relative_to(top) for top in (expected, existing) for path in top.rglob("*") if path.is_file()}
    names = {name for name in names if "__pycache__" not in name.parts}
    _, mismatched, missing = filecmp.cmpfiles(expected, existing, sorted(map(str, names)), shallow=False)
    return sorted([*mismatched, *missing])


def show_difference(expected: Path, existing: Path) -> None:
    """Print the first lines of the difference between two files."""
    before, after = (path.read_text().splitlines() if path.exists() else [] for path in (existing, expected))
    for line in list(difflib.unified_diff(before, after, "committed", "generated", lineterm=""))[:20]:
        print(f"    {line}")


def write_package() -> None:
    for name, text in compile_package().items():
        path = PACKAGE / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def check_package(scratch: Path) -> bool:
    """Return whether the generated files of the npm package are up to date, and print what differs."""
    changed = []
    for name, text in compile_package().items():
        (scratch / name).write_text(text)
        if not (PACKAGE / name).exists() or (PACKAGE / name).read_text() != text:
            changed.append(name)
            print(f"javascript/{name} is not up to date with the schema")
            show_difference(scratch / name, PACKAGE / name)
    return not changed


def check_generated(expected: Path) -> bool:
    """Return whether generated/ is up to date, and print what differs."""
    changed = differences(expected, GENERATED)
    for name in changed:
        print(f"generated/{name} is not up to date with the schema")
        show_difference(expected / name, GENERATED / name)
    return not changed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if anything is not up to date")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as package:
        try:
            generate(Path(scratch))
        except Unsupported as unsupported:
            print(f"schema/gguf.ksy: the skip compiler does not support {unsupported}", file=sys.stderr)
            return 1
        except ToolMissing as missing:
            required = not check or os.environ.get("CI") == "true"
            print(f"{'error' if required else 'skipped'}: {missing} is missing on this machine; generating needs it")
            return 1 if required else 0
        if not check:
            replace(Path(scratch), GENERATED)
            write_package()
            return 0
        is_current = all([check_generated(Path(scratch)), check_package(Path(package))])
        advice = "run `make generate`, and commit the result"
        print("generated/ is up to date with the schema" if is_current else advice)
        return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
