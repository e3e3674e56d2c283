"""`read_rows`: the rows of one file in each table."""

import hashlib
import json
import math
import os
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from support.gguf_bytes import V3, Array, Model, TensorSpec

import kaitai_gguf
from catalog.conftest import MODELS, ROOT, SAMPLE, file_row, rows_of, small
from kaitai_gguf.catalog import TABLES, read_rows
from kaitai_gguf.catalog.tables import schema
from kaitai_gguf.cli import canonical
from kaitai_gguf.sources import file_ranges, locks

BROKEN = sorted((ROOT / "tests" / "attacks" / "files").glob("*/*.gguf"))


def saved(path: Path, model: Model | bytes) -> Path:
    path.write_bytes(model if isinstance(model, bytes) else model.build())
    return path


# Values


def value_of(row: dict[str, Any]) -> Any:
    names = ("value_int", "value_uint", "value_float", "value_bool", "value_string")
    (value,) = [row[name] for name in names if row[name] is not None]
    return int(value) if row["value_uint"] is not None else value


@pytest.mark.parametrize("path", [SAMPLE, *MODELS], ids=lambda path: path.stem)
def test_key_values_are_those_of_the_model(path: Path) -> None:
    rows = rows_of(path)["metadata"]
    with kaitai_gguf.open(path, shards=False) as model:
        assert [row["key"] for row in rows] == list(model.metadata)
        assert [row["number"] for row in rows] == list(range(len(rows)))
        for row in rows:
            entry, value = model.metadata.entry(row["key"]), model.metadata[row["key"]]
            assert (row["type"], row["offset"]) == (str(entry.value_type), entry.value_span[0])
            assert row["nbytes"] == entry.value_span[1] - entry.value_span[0]
            if entry.element_type is None:
                document = canonical.typed_value(model, row["key"], full=True)
                assert (canonical.number(value_of(row)), row["sha256"]) == (document["value"], None)
                assert type(value_of(row)) is type(value)
            else:
                assert (row["element_type"], row["count"]) == (str(entry.element_type), len(value))
                assert row["sha256"] == hashlib.sha256(value.tobytes()).hexdigest()
        assert rows


@pytest.mark.parametrize("path", [SAMPLE, *MODELS], ids=lambda path: path.stem)
def test_tensors_are_those_of_the_model(path: Path) -> None:
    rows = rows_of(path)["tensors"]
    with kaitai_gguf.open(path, shards=False) as model:
        for row, tensor in zip(rows, model.tensors.values(), strict=True):
            role = kaitai_gguf.tensor_role(tensor.name)
            assert row == {
                "file": str(path.absolute()),
                "number": row["number"],
                "name": tensor.name,
                "name_bytes": None,
                "block": role.block,
                "part": role.part,
                "role": role.role,
                "kind": role.kind,
                "type": None if tensor.type is None else tensor.type.name,
                "type_id": tensor.type_id,
                "dims": list(tensor.dims),
                "n_elements": tensor.n_elements,
                "offset": tensor.offset,
                "nbytes": tensor.nbytes,
            }


@pytest.mark.parametrize("path", [SAMPLE, *MODELS], ids=lambda path: path.stem)
def test_facts_are_those_that_info_shows(path: Path) -> None:
    from support.commands import output

    facts = json.loads(output("info", path, "--json")) if "split5" not in path.name else None
    row = file_row(path)
    assert (row["error"], row["nbytes"]) == (None, path.stat().st_size)
    if facts is None:  # info describes the whole model, the row only this shard
        assert row["split_count"] == 3
        return
    same = {
        "version": "version", "byte_order": "byte_order", "alignment": "alignment", "architecture": "architecture",
        "parameters": "parameters", "bits_per_weight": "bits_per_weight", "header_nbytes": "header_nbytes",
        "data_offset": "data_offset", "n_tensors": "tensors", "n_kv": "metadata_keys", "vocabulary_size": "vocabulary",
        "tokenizer_model": "tokenizer", "tokenizer_pre": "tokenizer_pre", "missing_nbytes": "missing_nbytes",
    }  # fmt: skip
    assert {name: row[name] for name in same} == {name: facts[of_info] for name, of_info in same.items()}
    hyperparameters = {"context_length", "embedding_length", "block_count"}
    assert {name: row[name] for name in hyperparameters} == {
        name: facts["hyperparameters"][name] for name in hyperparameters
    }
    types = [{"type": each["type"], "n_tensors": each["tensors"], "nbytes": each["nbytes"]} for each in facts["types"]]
    assert [{name: share[name] for name in ("type", "n_tensors", "nbytes")} for share in row["type_mix"]] == types
    file_type = facts["file_type"] or {"number": None, "name": None, "contradicted_by": None}
    assert [row["file_type"], row["file_type_name"], row["contradicted_by"]] == list(file_type.values())


def test_the_hash_of_the_tokens() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        tokens = model.metadata["tokenizer.ggml.tokens"]
        assert file_row(SAMPLE)["tokens_sha256"] == hashlib.sha256(tokens.tobytes()).hexdigest()


@pytest.mark.parametrize(
    ("type", "value", "column"),
    [
        ("uint64", (1 << 64) - 1, "value_uint"),
        ("uint64", 1 << 63, "value_uint"),
        ("uint64", (1 << 63) - 1, "value_int"),
        ("int64", -(1 << 63), "value_int"),
        ("uint8", 255, "value_int"),
        ("float64", 1e300, "value_float"),
        ("float64", math.inf, "value_float"),
        ("float32", -0.0, "value_float"),
        ("bool", 1, "value_bool"),
    ],
)
@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_a_number_is_in_one_column(type: str, value: Any, column: str, byte_order: str, tmp_path: Path) -> None:
    (row,) = rows_of(saved(tmp_path / "m.gguf", Model([("k", type, value)], byte_order=byte_order)))["metadata"]
    assert {name for name in row if name.startswith("value_") and row[name] is not None} == {column}
    assert (row[column], math.copysign(1, row[column])) == (value, math.copysign(1, value))


def test_a_float_that_is_no_number(tmp_path: Path) -> None:
    rows = rows_of(saved(tmp_path / "m.gguf", Model([("a", "float32", math.nan), ("b", "float64", math.nan)])))
    assert [math.isnan(row["value_float"]) for row in rows["metadata"]] == [True, True]


def test_hyperparameters_of_the_wrong_type_or_size_are_null(tmp_path: Path) -> None:
    metadata = [
        ("general.architecture", "string", "llama"),
        ("llama.context_length", "uint64", (1 << 64) - 1),
        ("llama.block_count", "string", "many"),
        ("llama.embedding_length", "bool", 1),
        ("llama.attention.head_count", "array", Array("uint32", [8, 16, 4])),
        ("llama.attention.head_count_kv", "array", Array("string", ["8"])),
        ("general.license", "array", Array("string", ["mit"])),
    ]
    row = file_row(saved(tmp_path / "m.gguf", Model(metadata)))
    names = ["context_length", "block_count", "embedding_length", "head_count", "head_count_kv", "license"]
    assert [row[name] for name in names] == [None, None, None, 16, None, None]


def test_hyperparameters_need_an_architecture(tmp_path: Path) -> None:
    row = file_row(saved(tmp_path / "m.gguf", Model([("None.context_length", "uint32", 7)])))
    assert (row["architecture"], row["context_length"]) == (None, None)


def test_base_models(tmp_path: Path) -> None:
    metadata = [
        ("general.base_model.count", "uint32", 3),
        ("general.base_model.0.repo_url", "string", "https://hub.example/a"),
        ("general.base_model.1.name", "string", "B"),
    ]
    row = file_row(saved(tmp_path / "m.gguf", Model(metadata)))
    assert row["base_models"] == ["https://hub.example/a", "B", None]


# Text


def test_text_that_is_not_utf8_survives(tmp_path: Path) -> None:
    metadata = [(b"k\xff", "string", b"v\xfe\0"), ("tokenizer.ggml.tokens", "array", Array("string", [b"\x80", "ö"]))]
    model = Model(metadata, [TensorSpec(b"t\xfd", (1,), 0, 0)], data=bytes(4))
    rows = rows_of(saved(tmp_path / "m.gguf", model))
    key, tokens = rows["metadata"]
    assert (key["key"], key["key_bytes"]) == ("k\\xff", b"k\xff")
    assert (key["value_string"], key["value_string_bytes"]) == ("v\\xfe\0", b"v\xfe\0")
    assert (tokens["key"], tokens["key_bytes"]) == ("tokenizer.ggml.tokens", None)
    (tensor,) = rows["tensors"]
    assert (tensor["name"], tensor["name_bytes"]) == ("t\\xfd", b"t\xfd")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system requires paths in UTF-8")
def test_a_path_that_is_not_utf8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/m\xff.gguf"
    saved(Path(os.fsdecode(path)), small())
    row = file_row(os.fsdecode(path))
    assert (row["source"], row["source_bytes"]) == (str(tmp_path / "m\\xff.gguf"), path)


# Files that can't be read


def test_every_broken_file_is_a_row_with_the_error_of_open() -> None:
    broken = 0
    for path in BROKEN:
        row = file_row(path)
        try:
            kaitai_gguf.open(path, shards=False).close()
        except kaitai_gguf.FormatError as error:
            expected = (str(error), type(error).__name__, error.offset, error.path)
            broken += 1
        else:
            expected = (None, None, None, None)
        assert (row["error"], row["error_type"], row["error_offset"], row["error_path"]) == expected, path
        assert row["revision"] == file_ranges.local_version(path.stat())
    assert broken > 300


def test_findings_are_those_of_check() -> None:
    found = 0
    for path in (SAMPLE, *MODELS, *BROKEN[::3]):
        rows = rows_of(path, check=True)
        expected = kaitai_gguf.check(path.read_bytes())
        assert [(row["rule"], row["offset"], row["path"], row["count"]) for row in rows["findings"]] == [
            (each.rule, each.offset, each.path, each.count) for each in expected
        ], path
        (file,) = rows["files"]
        assert file["n_errors"] == sum(each.severity == "error" for each in expected)
        assert file["n_warnings"] == sum(each.severity == "warning" for each in expected)
        found += len(expected)
    assert found > 100


def test_what_is_not_a_file_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder.gguf").mkdir()
    errors = {"folder.gguf": "FileIsDirectoryError", "missing.gguf": "FileMissingError", "\0.gguf": "FileError"}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.gguf")
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(tmp_path / "socket.gguf"))
        errors |= {"pipe.gguf": "FileError", "socket.gguf": "FileError"}
    for name, expected in errors.items():
        row = file_row(str(tmp_path / name))
        assert (row["error_type"], row["revision"]) == (expected, None)


def test_a_folder_that_can_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    row = file_row(tmp_path)
    assert (row["error_type"], row["error"]) == ("FileAccessError", "the folder can't be listed: Permission denied")


def test_a_file_that_is_cut_short_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "m.gguf", Model([("k", "array", Array("uint8", [1] * 1_000_000))]))
    read = file_ranges.FileRanges._read

    def cut(self: file_ranges.FileRanges, start: int, end: int) -> bytes:
        if start:
            os.truncate(path, 2000)
        return read(self, start, end)

    monkeypatch.setattr(file_ranges.FileRanges, "_read", cut)
    row = file_row(path)
    assert row["error_type"] == "FileError"
    assert "was truncated" in row["error"]


def test_nothing_is_mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    import mmap

    monkeypatch.setattr(mmap, "mmap", None)
    assert file_row(SAMPLE)["error"] is None
    with pytest.raises(TypeError):
        kaitai_gguf.open(SAMPLE)


@pytest.mark.skipif(locks.fcntl is None, reason="the system has no flock")
def test_a_file_that_is_being_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(locks.lock, "__kwdefaults__", {"wait": 0.0})
    path = saved(tmp_path / "m.gguf", small())
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "is being changed by another program" in file_row(path)["error"]
    assert file_row(path)["error"] is None


def test_a_file_whose_change_was_interrupted_has_its_old_header(tmp_path: Path) -> None:
    from kaitai_gguf.sources.journal_recovery import journal_head, journal_of

    data = small(7).build()
    path = saved(tmp_path / "m.gguf", b"GGU~" + data[4:])
    assert file_row(path)["error_type"] == "NotGGUFError"
    journal_of(path).write_bytes(journal_head(len(data), data[:256]) + data[:256])
    assert file_row(path)["name"] == "Model 7"


def test_a_header_that_is_too_large(tmp_path: Path) -> None:
    path = saved(tmp_path / "m.gguf", Model([("k", "array", Array("uint8", [1] * 1_000_000))]))
    row = file_row(path, max_header_nbytes=500_000)
    assert (row["error_type"], row["error"]) == (
        "FileError",
        "its header is longer than the limit of 500,000 bytes, which max_header_nbytes raises",
    )
    assert file_row(path)["error"] is None


def test_too_many_items(tmp_path: Path) -> None:
    count = 1 << 18
    items = b"".join(V3.key_value(0, b"\0", b"%d" % number) for number in range(count + 1))
    header = b"GGUF" + V3.u4(3) + V3.u8(0) + V3.u8(count + 1) + items
    row = file_row(saved(tmp_path / "m.gguf", header))
    assert row["error"] == "has 262,145 key-values and tensors, more than the 262,144 that are read"


def test_an_error_that_nobody_foresaw_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ArithmeticError("of all things")

    monkeypatch.setattr("kaitai_gguf.catalog.rows.file_columns", fail)
    row = file_row(SAMPLE)
    assert (row["error"], row["error_type"], row["revision"]) == ("of all things", "ArithmeticError", None)


def test_a_cut_off_download(tmp_path: Path) -> None:
    data = small().build()
    row = file_row(saved(tmp_path / "m.gguf", data[:-100]))
    assert (row["error"], row["missing_nbytes"]) == (None, 100)
    assert file_row(saved(tmp_path / "m.gguf", data[:100]))["error_type"] == "TruncatedError"


# The tables


def test_batches_have_the_documented_columns() -> None:
    for source in (SAMPLE, "missing.gguf"):
        batches = read_rows(source, check=True)
        assert list(batches) == list(TABLES)
        for name, batch in batches.items():
            assert batch.schema.equals(schema(name), check_metadata=True)
            batch.validate(full=True)
    assert read_rows(SAMPLE)["findings"].num_rows == 0


@pytest.mark.parametrize("source", [b"m.gguf", 1, None])
def test_what_is_not_a_path(source: object) -> None:
    with pytest.raises(TypeError, match="expected a path or a URL"):
        rows_of(source)


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    from kaitai_gguf.catalog import tables

    tables._imported.cache_clear()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        kaitai_gguf.MissingPackageError, match=r"needs the package pyarrow: pip install 'kaitai-gguf\[catalog\]'"
    ):
        read_rows(SAMPLE)


def test_importing_the_package_imports_neither_pyarrow_nor_dask() -> None:
    import subprocess

    code = "import kaitai_gguf.catalog, sys; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "kaitai_gguf.catalog.scanning" in modules
    assert not {"pyarrow", "deltalake", "distributed", "dask"} & set(modules)


def test_shards_and_vocabularies_are_those_of_check(tmp_path: Path) -> None:
    for count, tokens in ((1, Array("int32", [1])), (2, Array("string", ["a"]))):
        metadata = [("split.count", "uint16", count), ("general.file_type", "uint32", 7)]
        metadata.append(("tokenizer.ggml.tokens", "array", tokens))
        row = file_row(saved(tmp_path / "model.gguf", Model(metadata, [TensorSpec("t", (4, 4), 0, 0)], bytes(64))))
        expected = ("F32", None) if count == 1 else (None, 1)
        assert (row["contradicted_by"], row["vocabulary_size"]) == expected
