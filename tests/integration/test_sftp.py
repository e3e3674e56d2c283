"""Models on an SFTP server: OpenSSH's, read through fsspec and paramiko."""

import numpy as np
import pytest
from integration.conftest import SFTP
from support.remote_models import NAMES, NUMBERS, far, small

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.catalog import expanded, read_rows
from kaitai_gguf.threads import map_threads

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of paramiko's imports


def test_tensors_that_several_threads_fetch(sftp: SFTP) -> None:
    with kaitai_gguf.open(sftp.put("far.gguf", far()), storage_options=sftp.options) as model:
        for arrays in map_threads(lambda _: model.fetch(NAMES[:3]), range(8), 8):
            for name, expected in zip(NAMES, NUMBERS, strict=False):
                np.testing.assert_array_equal(arrays[name], expected)


def test_ranges_that_one_call_fetches(sftp: SFTP) -> None:
    """`fetch` makes four requests at once where that is possible; with sftp it used to hang."""
    metadata = {"general.architecture": "llama"}
    tensors = {f"t{number}": np.full(1 << 20, number, np.float32) for number in range(12)}
    path = sftp.folder / "models" / "large.gguf"
    kaitai_gguf.write(path, metadata, tensors)
    with kaitai_gguf.open(f"sftp://127.0.0.1:{sftp.port}{path}", storage_options=sftp.options) as model:
        for name, array in model.fetch([f"t{number}" for number in (0, 2, 4, 6, 8, 10)]).items():
            assert set(array) == {float(name[1:])}


def test_a_folder_in_a_catalog(sftp: SFTP) -> None:
    url = sftp.put("small.gguf", small())
    listed = [each for each in expanded(url.removesuffix("small.gguf"), sftp.options) if each.endswith("/small.gguf")]
    assert listed == [url]
    (row,) = read_rows(url, storage_options=sftp.options)["files"].to_pylist()
    assert (row["source"], row["error"], row["n_tensors"]) == (url, None, 6)


def test_what_is_missing(sftp: SFTP) -> None:
    url = sftp.put("small.gguf", small())
    with pytest.raises(FileNotFoundError, match="no such file"):
        kaitai_gguf.open(f"{url}x", storage_options=sftp.options)
    with pytest.raises(FileError):
        kaitai_gguf.open(url, storage_options={"username": "nobody-of-this-name", "password": "wrong"})
