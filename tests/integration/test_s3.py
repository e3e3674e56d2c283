"""Models on an S3 server, read through s3fs."""

import errno
import json
import subprocess
import sys
from pathlib import Path

import fsspec
import numpy as np
import pytest
from integration.conftest import S3
from support.commands import run
from support.remote_models import NAMES, NUMBERS, far, shard, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError, MissingShardError
from kaitai_gguf.catalog import scan, table
from kaitai_gguf.reading.handle import source_of

SECRETS = ("integration-key", "integration-secret")

RULES = {finding.rule for finding in kaitai_gguf.check(far())}


def test_a_model(s3: S3) -> None:
    with kaitai_gguf.open(s3.put("far.gguf", far()), storage_options=s3.options) as model:
        for name, expected in zip(NAMES, NUMBERS, strict=False):
            np.testing.assert_array_equal(model.tensors[name].data, expected)
        np.testing.assert_array_equal(model.tensors[NAMES[0]].dequantize(rows=[3, 60]), NUMBERS[0][[3, 60]])
        np.testing.assert_array_equal(model.tensors[NAMES[0]][2:4], NUMBERS[0][2:4])
        ranges = source_of(model).ranges
        assert ranges is not None
        before = ranges.num_bytes
        assert len(model.fetch(NAMES)) == 6
        assert ranges.num_bytes - before < 40_000
        assert {finding.rule for finding in kaitai_gguf.check(model)} == RULES
        assert not any(secret in repr(model) for secret in SECRETS)


def test_a_large_header(s3: S3) -> None:
    url = s3.put("vocabulary.gguf", vocabulary(262_144, 514_906, 20 << 20))
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        assert len(model.metadata["tokenizer.ggml.tokens"]) == 262_144
        ranges = source_of(model).ranges
        assert ranges is not None
        assert ranges.num_requests <= 4
        assert ranges.num_bytes <= 1.07 * model.header_nbytes


@pytest.mark.parametrize("bucket", ["models", "versions"])
def test_an_object_that_is_replaced(s3: S3, bucket: str) -> None:
    url = s3.put("replaced.gguf", far("before"), bucket)
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        _ = model.tensors[NAMES[0]].data
        s3.put("replaced.gguf", far("after!"), bucket)
        for use in (lambda: model.tensors[NAMES[0]].data, lambda: model.fetch(NAMES)):
            with pytest.raises(FileError, match="was replaced while") as caught:
                use()
            assert caught.value.errno == errno.ESTALE
            assert caught.value.__context__ is None
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        assert model.metadata["general.name"] == "after!"


def test_a_version_of_an_object(s3: S3) -> None:
    s3.put("versions.gguf", far("before"), "versions")
    version = s3.client.head_object(Bucket="versions", Key="versions.gguf")["VersionId"]
    url = s3.put("versions.gguf", far("after!"), "versions")
    options = s3.options | {"version_aware": True}
    with kaitai_gguf.open(f"{url}?versionId={version}", storage_options=options) as model:
        assert model.metadata["general.name"] == "before"
        np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])
    with kaitai_gguf.open(url, storage_options=options) as model:
        s3.put("versions.gguf", far("later!"), "versions")
        np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])  # the old version still exists


def test_an_object_that_is_deleted(s3: S3) -> None:
    url = s3.put("deleted.gguf", far())
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        s3.client.delete_object(Bucket="models", Key="deleted.gguf")
        with pytest.raises(FileError):
            _ = model.tensors[NAMES[0]].data


def test_a_listing_from_before_is_not_believed(s3: S3) -> None:
    url = s3.put("listed.gguf", far("before"))
    files = fsspec.filesystem("s3", **s3.options)
    assert "models/listed.gguf" in files.ls("models")
    s3.put("listed.gguf", far("after!"))
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        assert model.metadata["general.name"] == "after!"


def test_shards(s3: S3) -> None:
    for number in range(3):
        url = s3.put(f"m-{number + 1:05d}-of-00003.gguf", shard(number, 3))
    with kaitai_gguf.open(url, storage_options=s3.options) as model:
        assert [array.flat[0] for array in model.fetch(["t2", "t0", "t1"]).values()] == [2, 0, 1]
    s3.client.delete_object(Bucket="models", Key="m-00002-of-00003.gguf")
    with pytest.raises(MissingShardError, match="m-00002-of-00003"):
        kaitai_gguf.open(url, storage_options=s3.options)


def test_what_is_missing(s3: S3) -> None:
    for url in ("s3://models/nothing.gguf", "s3://no-such-bucket/m.gguf"):
        with pytest.raises(FileNotFoundError) as caught:
            kaitai_gguf.open(url, storage_options=s3.options)
        assert not any(secret in str(caught.value) for secret in SECRETS)


def test_a_file_object(s3: S3) -> None:
    files = fsspec.filesystem("s3", **s3.options)
    with files.open(s3.put("far.gguf", far())) as file, kaitai_gguf.open(file) as model:
        assert model.tensors[NAMES[0]].is_remote
        np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])


SCAN = """
import json, sys
from kaitai_gguf.catalog import scan, scanning
scanning.TASK_FILES, scanning.COMMIT_FILES = 2, 4
options = json.loads(sys.argv[1])
assert scan(sys.argv[2], sys.argv[3], storage_options=options).errors == 0
"""


def test_a_catalog_in_a_bucket_written_by_two_processes(s3: S3, tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number:02}.gguf").write_bytes(far(str(number)))
    output = "s3://models/lake"
    command = [sys.executable, "-c", SCAN, json.dumps(s3.options), str(tmp_path), output]
    children = [subprocess.Popen(command) for _ in range(2)]
    assert [child.wait(120) for child in children] == [0, 0]
    rows = table(output, "files", storage_options=s3.options).to_table().to_pylist()
    assert sorted(row["name"] for row in rows) == sorted(map(str, range(12)))
    assert scan(tmp_path, output, storage_options=s3.options).reused == 12


def test_a_catalog_in_a_bucket_that_does_not_exist(s3: S3) -> None:
    with pytest.raises(kaitai_gguf.CatalogError, match="s3://missing/lake"):
        scan([], "s3://missing/lake", storage_options=s3.options)


def test_the_command_writes_a_catalog_to_a_bucket(s3: S3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", s3.options["key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", s3.options["secret"])
    (tmp_path / "m.gguf").write_bytes(far())
    option = f"endpoint_url={s3.endpoint}"
    assert run("catalog", tmp_path, "-o", "s3://models/shell", "--storage-option", option).exit_code == 0
    assert table("s3://models/shell", "files", storage_options=s3.options).count_rows() == 1
    refused = run("catalog", tmp_path, "-o", "s3://models/shell", "--storage-option", "secret=x")
    assert refused.exit_code == 2
    assert "secrets are read from the environment" in refused.stderr
