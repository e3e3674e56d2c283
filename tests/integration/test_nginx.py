"""Models on nginx."""

import os
import time

import numpy as np
import pytest
from integration.conftest import Nginx
from support.remote_models import NAMES, NUMBERS, far, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError

RULES = {finding.rule for finding in kaitai_gguf.check(far())}


def test_a_model(nginx: Nginx) -> None:
    url = nginx.put("far.gguf", far())
    nginx.requests()
    with kaitai_gguf.open(url) as model:
        tensor = model.tensors[NAMES[0]]
        np.testing.assert_array_equal(tensor.data, NUMBERS[0])
        rows = tensor.dequantize(rows=[3, 4])
        np.testing.assert_array_equal(rows, NUMBERS[0][3:5])
        arrays = model.fetch(NAMES)
        np.testing.assert_array_equal(arrays[NAMES[2]], NUMBERS[2])
        start = tensor.position
        assert {finding.rule for finding in kaitai_gguf.check(model)} == RULES
    made = nginx.requests()[:4]
    assert [request[:1] + request[2:3] for request in made] == [["GET", "206"]] * 4
    assert [request[4] for request in made[:3]] == [
        '"bytes=0-1048575"',
        f'"bytes={start}-{start + 8191}"',
        f'"bytes={start + 3 * 128}-{start + 5 * 128 - 1}"',
    ]
    assert [int(request[3]) for request in made[:3]] == [1 << 20, 8192, 256]


def test_a_server_that_sends_whole_files(nginx: Nginx) -> None:
    data = vocabulary(60_000, 0, 200 << 20)
    nginx.put("whole.gguf", data)
    nginx.requests()
    with kaitai_gguf.open(nginx.url("whole/whole.gguf")) as model:
        assert len(model.metadata["tokenizer.ggml.tokens"]) == 60_000
        header = model.header_nbytes
    (made,) = nginx.requests()
    assert made[2] == "200"
    assert int(made[3]) < header + (20 << 20)


@pytest.mark.parametrize("folder", ["", "dated/", "moved/", "slow/"])
def test_a_model_that_is_replaced(nginx: Nginx, folder: str) -> None:
    nginx.put("replaced.gguf", far("before"))
    url = nginx.url(f"{folder}replaced.gguf")
    with kaitai_gguf.open(url) as model:
        _ = model.tensors[NAMES[0]].data
        nginx.put("replaced.gguf", far("after!"))
        os.utime(nginx.folder / "files" / "replaced.gguf", (time.time() + 5, time.time() + 5))
        with pytest.raises(FileError, match="was replaced while"):
            _ = model.tensors[NAMES[0]].data
    with kaitai_gguf.open(url) as model:
        assert model.metadata["general.name"] == "after!"


def test_the_server_closes_connections(nginx: Nginx) -> None:
    """The server closes a persistent connection after a timeout, or after a number of requests."""
    with kaitai_gguf.open(nginx.put("m.gguf", far())) as model:
        for _ in range(1100):  # nginx closes a connection after 1000 requests
            tensor = model.tensors[NAMES[0]].dequantize(rows=[0])
        np.testing.assert_array_equal(tensor[0], NUMBERS[0][0])
