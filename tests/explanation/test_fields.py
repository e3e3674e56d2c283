"""explain(): one byte, one path, the values of fields, sources, and arguments."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attacks.test_mutation import FILES
from support.gguf_bytes import Array, Model, array, file, header, key_value, string, tensor

import kaitai_gguf
from explanation.fields import MODELS, SMALL, one, opened
from kaitai_gguf import FieldNotFound, FormatError, explain

# One byte


@pytest.mark.parametrize("name", SMALL)
def test_each_byte_and_each_path_lead_to_the_field(name: str) -> None:
    data = FILES[name]
    fields = [field for field in explain(data, elements=None) if field.end > field.start]
    for field in fields:
        for at in {field.start, field.end - 1}:
            outer, *_ = chain = list(explain(data, at))
            inner = chain[-1]
            assert outer.depth == 0
            for around, inside in itertools.pairwise(chain):
                assert around.start <= inside.start <= at < inside.end <= around.end
                assert inside.path.startswith(around.path)
                assert inside.depth == around.depth + 1
            if not field.path.endswith("/data") or field.type == "bytes":  # tensor data contains further fields
                assert inner == one(data, field.path) == field


def test_the_structures_around_a_byte() -> None:
    data = header([key_value(9, array(8, 2, string(b"one") + string(b"two")), b"words")])
    assert [(field.path, field.type, field.value) for field in explain(data, data.index(b"two"))] == [
        ("/metadata", "key_value[1]", None),
        ("/metadata/0", "key_value", "words"),
        ("/metadata/0/value", "string[2]", None),
        ("/metadata/0/value/elements", "string[2]", None),
        ("/metadata/0/value/elements/1", "gguf_string", "two"),
        ("/metadata/0/value/elements/1/data", "bytes", "two"),
    ]


@pytest.mark.parametrize("path", [path for path in MODELS if path.stem.startswith("tiny")], ids=lambda path: path.stem)
def test_bytes_of_tensor_data(path: Path) -> None:
    """The tensor, the block, the field and the elements at a byte agree with numpy's dtypes."""
    data = path.read_bytes()
    for name, whole in kaitai_gguf.open(data).tensors.items():
        number = whole.nbytes // 2
        found = list(explain(data, whole.position + number))
        blocks = whole.blocks.reshape(-1)
        block, offset = divmod(number, blocks.itemsize)
        assert (found[0].value, found[0].type) == (name, whole.type_name)
        assert found[1].path == f"{found[0].path}/{block}"
        assert found[1].start == whole.position + block * blocks.itemsize
        if len(blocks.dtype.names) > 1:
            field = found[2].path.rpartition("/")[2]
            dtype, start = blocks.dtype.fields[field][:2]
            assert start <= offset < start + dtype.itemsize
            assert (found[2].start, found[2].end) == (found[1].start + start, found[1].start + start + dtype.itemsize)
            index = (offset - start) // dtype.base.itemsize
            assert repr(found[-1].value) == repr(blocks[field].reshape(len(blocks), -1)[block, index].item())
        numbers = np.arange(whole.n_elements).reshape(whole.shape)
        chosen = eval(f"numbers{found[1].meaning.partition(' ')[2]}", {"numbers": numbers})
        size = whole.n_elements // len(blocks)
        assert np.ravel(chosen).tolist() == list(range(block * size, (block + 1) * size))


# One path


def test_all_fields_of_a_structure_and_of_blocks() -> None:
    fields = list(explain(FILES["v1"], path="/tensors/0"))
    assert [field.path.removeprefix("/tensors/0/") for field in fields] == [
        "name/len_data", "name/data", "num_dims", "dims/0", "dims/1", "type_id", "ofs_data",
    ]  # fmt: skip
    assert [field.value for field in fields] == [17, "token_embd.weight", 2, 5, 3, 0, 0]
    assert fields[5].meaning == "F32"
    data = file(tensors=[tensor((64,), 2)], data=bytes(range(36)))
    fields = list(explain(data, path="/tensors/0/data", elements=1))
    assert [(field.path.removeprefix("/tensors/0/data/"), field.type) for field in fields] == [
        ("0/d", "float16"), ("0/qs", "uint8[16]"), ("1:2", "Q4_0 block[1]"),
    ]  # fmt: skip
    assert [field.value for field in explain(data, path="/tensors/0/data/1/qs", elements=2)] == [20, 21, None]
    assert one(data, "/tensors/0/data/1/qs/15").value == 35


def test_a_path_that_does_not_exist() -> None:
    data = file([key_value(9, array(0, 2, b"ab"))], [tensor((32,), 2)], bytes(18))
    for path, words in {
        "/nonsense": "'/nonsense': the file has magic, version, num_tensors, num_metadata, metadata, tensors",
        "metadata/1/value": "'/metadata/1/value': /metadata has 1 part, numbered from 0",
        f"/metadata/{'9' * 5000}": "/metadata has 1 part",
        "/metadata/0/type": "/metadata/0 has key, value_type, value",
        "/metadata/0/value/elements/2": "/metadata/0/value/elements has 2 parts, numbered from 0",
        "/metadata/0/value/elements/0/1": "/metadata/0/value/elements/0 has no parts",
        "/tensors/0/data/1": "/tensors/0/data has 1 part",
        "/tensors/0/data/0/m": "/tensors/0/data/0 has d, qs",
    }.items():
        with pytest.raises(FieldNotFound) as caught:
            list(explain(data, path=path))
        assert words in str(caught.value)
    assert list(explain(data, path="/metadata/0/"))


# Values of fields


def test_values_of_elements() -> None:
    """test_positions.py compares all other values with those of the generated classes."""
    arrays = {"float64": [0.25], "bool": [1, 0], "string": []}
    metadata = [(type, "array", Array(type, items)) for type, items in arrays.items()]
    data = Model([*metadata, ("not UTF-8", "string", b"a\xff")], byte_order="big").build()
    values = {field.path: field.value for field in explain(data)}
    paths = ("/0/value/elements/0", "/1/value/elements/0", "/3/value/data")
    assert [values[f"/metadata{path}"] for path in paths] == [0.25, True, "a\udcff"]
    empty = one(data, "/metadata/2/value/elements")
    assert (empty.type, empty.meaning, empty.start) == ("string[0]", "empty", empty.end)


def test_documentation_from_the_schema() -> None:
    fields = {field.path: field for field in explain(FILES["v1"])}
    assert fields["/num_metadata"].original_name == "metadata_kv_count"
    assert fields["/tensors/0/num_dims"].original_name == "n_dimensions"
    assert fields["/version"].doc.startswith("Lengths and counts have 32 bits in version 1")
    assert "count of bytes" in fields["/metadata/0/key/len_data"].doc
    assert (fields["/num_tensors"].type, fields["/tensors/0/dims/0"].type) == ("u4", "u4")
    fields = {field.path: field for field in explain(FILES["nested-arrays"])}
    assert fields["/metadata/0/value_type"].meaning == "string"
    assert fields["/metadata/1/value/elements/0/element_type"].meaning == "int32"
    assert [field.original_name for field in explain(FILES["nested-arrays"], 0x6C)][3] == "array"
    assert one(header(tensors=[tensor(type_id=4)]), "/tensors/0/type_id").meaning == "Q4_2"
    assert one(header(tensors=[tensor(type_id=77)]), "/tensors/0/type_id").meaning == "type 77"


# Sources and arguments


def test_one_shard_is_explained() -> None:
    first, second, _ = (path for path in MODELS if path.stem.startswith("split5"))
    with kaitai_gguf.open(second) as model:
        assert list(explain(model)) == list(explain(first))
        assert list(explain(model.shards[1])) == list(explain(second))
        assert list(explain(model, at=4)) == list(explain(first, at=4)) != []
    assert list(explain(second))[-1].end == second.stat().st_size


def test_errors_of_opening_come_at_once() -> None:
    with pytest.raises(kaitai_gguf.FileMissingError, match="no such file"):
        explain("none")
    with pytest.raises(TypeError, match="must be a str, not 5"):
        explain(b"", path=5)  # type: ignore[arg-type]
    wrong: list[dict[str, Any]] = [{"at": 1, "path": "/"}, {"at": -1}, {"elements": -1}]
    for options in wrong:
        with pytest.raises(ValueError, match="expected"):
            explain(b"", **options)


def test_a_byte_after_the_end() -> None:
    data = file(tensors=[tensor((4,))])
    for at, words in (
        (15, "the data of tensor 't', which belongs there, is missing"),
        (16, r"the file ends at 0x\w+$"),
    ):
        with pytest.raises(FieldNotFound, match=words):
            list(explain(data, len(data) + at))


def test_what_comes_after_the_error_is_not_known() -> None:
    data = header([key_value(0, b"\7"), key_value(13, b"\7"), key_value(0, b"\7")])
    error = opened(data)
    assert error is not None
    for options in ({"at": error.offset}, {"path": "/metadata/2"}, {"path": "/tensors"}, {"path": "/metadata/1"}):
        with pytest.raises(FormatError) as caught:
            list(explain(data, **options))
        assert (caught.value.offset, caught.value.path) == (error.offset, error.path)
    assert list(explain(data, error.offset - 1))[-1].path == "/metadata/1/key/data"
    assert one(data, "/metadata/0/value").value == 7
