"""What is written is compared on several threads, and no tensor is left out."""

from pathlib import Path

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import WriteError
from kaitai_gguf.writing.read_back import check_copies, check_stored
from kaitai_gguf.writing.sink import Sink
from kaitai_gguf.writing.tensor_data import described


def test_each_tensor_is_compared(tmp_path: Path) -> None:
    arrays = {f"t{number}": np.full(64, number, np.int8) for number in range(5)}
    kaitai_gguf.write(tmp_path / "x.gguf", {}, arrays)
    with kaitai_gguf.open(tmp_path / "x.gguf") as written:
        jobs = [(described(name, array), array) for name, array in arrays.items()]
        check_stored(jobs, written)
        for wrong in arrays:
            changed = [(tensor, data + (tensor.name == wrong)) for tensor, data in jobs]
            with pytest.raises(WriteError, match=f"tensor '{wrong}' was not written correctly"):
                check_stored(changed, written)


def test_the_size_is_compared(tmp_path: Path) -> None:
    kaitai_gguf.write(tmp_path / "x.gguf", {}, {})
    with (
        kaitai_gguf.open(tmp_path / "x.gguf") as written,
        (tmp_path / "x.gguf").open("rb") as file,
        pytest.raises(WriteError, match="the file that was written has 24 bytes, expected 0"),
    ):
        check_copies([Sink(file)], [written], verify=False)
