"""`kaitai-gguf explain`: lines, JSON and a map, for valid, broken and hostile files."""

from itertools import compress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from attacks import hostile
from support.commands import cells, output, process, raw_characters, refused, run, strict_json, terminal
from support.gguf_bytes import Array, Model, TensorSpec, file, header, key_value, string, tensor

import kaitai_gguf
from cli.conftest import Save

SVG = "{http://www.w3.org/2000/svg}"


def lines(*arguments: object) -> list[list[str]]:
    return cells(output("explain", *arguments))


def broken() -> bytes:
    return header([key_value(8, string(b"fine")), key_value(13, b"\7", b"bad")])


# Lines


def test_a_line_for_each_field(save: Save) -> None:
    text = b"a text that is too long to be shown in full, byte by byte"
    path = save(file([key_value(8, string(text))], [tensor()]))
    rows = lines(path)
    assert rows[0] == ["0x00000000", "4", "47 47 55 46", "/magic", "bytes", '"GGUF"']
    assert [row[3] for row in rows] == [field.path for field in kaitai_gguf.explain(path)]
    assert ["0x00000021", "4", "08 00 00 00", "/metadata/0/value_type", "u4", "8 (string)"] in rows
    (row,) = (row for row in rows if row[3] == "/metadata/0/value/data")
    assert row[1:3] == ["57", "61 20 74 65 78 74 20 74 68 61 74 20 69 73 20 74 …"]
    assert rows[-1][3:] == ["/tensors/0/data", "F32", '"t" (1, 4 of 4 bytes are missing)']


def test_the_fields_around_a_byte(sample: Path) -> None:
    rows = lines(sample, "--at", "0x1fba")
    assert [row[3] for row in rows] == [
        "/tensors/0/data",
        *(f"/tensors/0/data/26{more}" for more in ("", "/qs", "/qs/4")),
    ]
    assert rows[1][5] == "elements [3, 64:96]"
    assert lines(sample, "--at", "8122") == rows


def test_elements_are_left_out(save: Save) -> None:
    path = save(Model([("a", "array", Array("float32", [0.1] * 10))]))
    few, more, everything = (
        lines(path, "--path", "/metadata/0", *options) for options in ([], ["--elements", "5"], ["--all"])
    )
    assert few[-1][3:] == ["/metadata/0/value/elements/3:10", "float32[7]", "7 more"]
    assert (len(more) - len(few), len(everything) - len(few)) == (2, 6)
    assert few[-2][5] == "0.1"


def test_documentation(sample: Path) -> None:
    (row,) = (row for row in lines(sample, "--doc") if row[3] == "/num_tensors")
    assert row[6].startswith("tensor_count in ggml. A count of bytes or items.")


@pytest.mark.parametrize(("columns", "count"), [(80, 4), (120, 8), (200, 16)])
def test_a_narrow_terminal_gets_fewer_bytes(columns: int, count: int, sample: Path) -> None:
    status, seen = terminal("explain", sample, "--path", "/metadata/0/key", "--doc", columns=columns)
    assert status == 0
    start = seen.index("0x00000020")
    found = b"general.architecture"[:count].hex(" ")
    shown = " ".join(seen[start:].split())
    assert shown.startswith(
        f'0x00000020 20 {found} … /metadata/0/key/data bytes "general.architecture" string in ggml.'
    )


# JSON


def test_json_has_what_the_library_gives(sample: Path) -> None:
    document = strict_json(output("explain", sample, "--json", "--doc"))
    assert document["error"] is None
    for found, field in zip(document["fields"], kaitai_gguf.explain(sample), strict=True):
        for name in ("start", "end", "path", "type", "meaning", "depth", "original_name", "doc"):
            assert found[name] == getattr(field, name)
        assert found["head"] == field.head.hex()


def test_json_of_a_broken_file(save: Save) -> None:
    path = save(broken())
    result = run("explain", path, "--json")
    document = strict_json(result.stdout)
    with pytest.raises(kaitai_gguf.FormatError) as caught:
        kaitai_gguf.open(path)
    error = caught.value
    assert result.exit_code == 2
    assert document["error"] == {"offset": error.offset, "path": error.path, "message": str(error)}
    assert document["fields"][-1]["end"] == error.offset


def test_values(save: Save) -> None:
    """Numbers that JSON has no word for, texts that are not UTF-8, and more elements than are read at once."""
    texts = ["", "tab\tline\n", "\udcff", 'quote"', "ü", "a text of more than 16 bytes"] * 1000
    numbers = [0.1, -2.0, 1e30, float("nan"), float("inf")]
    arrays = [Array("string", texts), Array("float32", numbers), Array("int64", [-1, 2**63 - 1]), Array("bool", [1, 0])]
    path = save(Model([("f", "float32", float("-inf")), *((str(each), "array", each) for each in arrays)]))
    documents = strict_json(output("explain", path, "--json", "--all"))["fields"]
    rows = lines(path, "--all")
    is_element = ["/elements/" in row[3] and not row[3].endswith("len_data") for row in rows]
    shown = ['""', r'"tab\tline\n"', r'"\udcff"', '"quote\\""', '"ü"', '"a text of more than 16 bytes"'] * 1000
    shown += ["0.1", "-2", "1e+30", "nan", "inf", "-1", str(2**63 - 1), "true", "false"]
    assert [row[5] for row in compress(rows, is_element)] == shown
    in_json = [{"base64": "/w=="} if text == "\udcff" else text for text in texts]
    in_json += [0.1, -2.0, 1e30, "NaN", "Infinity", -1, 2**63 - 1, True, False]
    assert [each["value"] for each in compress(documents, is_element)] == in_json
    assert [each["value"] for each in documents if each["path"] == "/metadata/0/value"] == ["-Infinity"]


# Broken files


def test_a_broken_file_is_shown_up_to_the_byte(save: Save) -> None:
    path = save(broken())
    result = run("explain", path)
    rows = cells(result.stdout)
    at = broken().index(b"bad") + 3
    assert result.exit_code == 2
    assert rows[-2][3] == "/metadata/1/key/data"
    assert rows[-1][0] == f"{at:#010x}"
    assert rows[-1][3:] == [
        "/metadata/1/value_type",
        "error",
        f"value_type of key-value 1 is 13, expected a value_type (at byte {at:#x})",
    ]
    assert result.stderr == f"kaitai-gguf: {path}: {rows[-1][5]}\n"


# Arguments


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--at", "99999999"], "no byte at 0x5f5e0ff: the file ends at 0x71060"),
        (["--at", "-1"], "is not a position"),
        (["--at", "\x1b[2J"], r"'\x1b[2J' is not a position"),
        (["--at", "1e3"], "is not a position: expected 8122 or 0x1fba"),
        (["--path", "/metadata/99"], "no field '/metadata/99': /metadata has 23 parts, numbered from 0"),
        (["--path", "/metadata/0/\x1b"], r"no field '/metadata/0/\x1b': /metadata/0 has key, value_type, value"),
        (["--at", "1", "--path", "/"], "can't be given together"),
        (["--svg", "x.svg", "--at", "1"], "--svg draws the whole file"),
        (["--elements", "-1"], "--elements"),
    ],
)
def test_wrong_arguments(options: list[str], says: str, sample: Path) -> None:
    result = run("explain", sample, *options)
    refused(result, says)
    assert not raw_characters(result.stderr)


# Hostile text


@pytest.mark.parametrize("options", [["--all"], ["--doc"], ["--json", "--all"]], ids=" ".join)
def test_no_raw_character_reaches_a_pipe(options: list[str], save: Save) -> None:
    done = process("explain", save(hostile.model()), *options)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert not raw_characters(text)
    if "--json" in options:
        assert strict_json(text)
    else:
        assert {line.count("\t") for line in text.splitlines()} == {6 if options == ["--doc"] else 5}


def test_no_raw_character_reaches_a_terminal(save: Save) -> None:
    status, seen = terminal("explain", save(hostile.model()), "--all")
    assert status == 0
    assert not raw_characters(seen.replace("\r\n", "\n").replace("\x1b[1m", "").replace("\x1b[0m", ""))


def test_no_raw_character_of_an_error(save: Save, tmp_path: Path) -> None:
    for number, data in enumerate(hostile.broken().values()):
        path, svg = save(data), tmp_path / f"{number}.svg"
        for options in ([], ["--json"], ["--svg", svg]):
            result = run("explain", path, *options)
            assert result.exit_code == 2
            assert not raw_characters(result.stdout + result.stderr)
        document(svg.read_text())


# The map


def document(text: str) -> ElementTree.Element:
    """Parse the SVG, and check that it has no scripts and loads nothing."""
    assert not raw_characters(text)
    root = ElementTree.fromstring(text)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "title", "defs", "pattern", "path", "rect", "text")
    }
    names = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or name.endswith("href")]
    return root


def drawn(path: Path, tmp_path: Path, status: int = 0) -> ElementTree.Element:
    picture = tmp_path / "map.svg"
    assert run("explain", path, "--svg", picture, "--force").exit_code == status
    return document(picture.read_text())


def boxes(root: ElementTree.Element) -> list[tuple[str, float]]:
    """Return the title and the width of each part of the first bar."""
    found = [
        (box.findtext(f"{SVG}title"), box) for box in root.iter(f"{SVG}rect") if box.find(f"{SVG}title") is not None
    ]
    top = found[0][1].get("y")
    return [(title or "", float(box.get("width", "0"))) for title, box in found if box.get("y") == top]


def legend(root: ElementTree.Element) -> list[str]:
    return [text.text.partition(":")[0] for text in root.iter(f"{SVG}text") if " in " in (text.text or "")]


def test_a_map_is_to_scale(sample: Path, tmp_path: Path) -> None:
    root = drawn(sample, tmp_path)
    widths = dict(boxes(root))
    assert sum(widths.values()) == pytest.approx(912, abs=0.5)
    size = sample.stat().st_size
    with kaitai_gguf.open(sample) as model:
        for name, tensor in model.tensors.items():
            label = f"{name}: {kaitai_gguf.tensor_role(name).description} ({tensor.type_name})"
            found = [width for title, width in widths.items() if title.startswith(label)]
            if tensor.nbytes > size / 912:
                assert found == [pytest.approx(912 * tensor.nbytes / size, abs=0.02)]
        types = {tensor.type_name for tensor in model.tensors.values()}
    assert types | {"start", "metadata", "tensor infos", "padding"} == set(legend(root))
    assert "its header" in "".join(root.itertext())


def test_gaps_and_what_is_left_over_or_missing(save: Save, tmp_path: Path) -> None:
    data = file(tensors=[tensor((64,), 24, 64)], data=bytes(128 + 500))
    assert {"gap", "trailing", "I8"} <= set(legend(drawn(save(data), tmp_path)))
    cut = file(tensors=[tensor((4096,), 24)], data=bytes(64))
    root = drawn(save(cut), tmp_path)
    (missing,) = (width for title, width in boxes(root) if "missing data" in title)
    end = len(cut) - 64 + 4096
    assert missing == pytest.approx(912 * (4096 - 64) / end, abs=0.02)


def test_a_map_of_a_broken_file(save: Save, tmp_path: Path) -> None:
    data = broken() + bytes(1000)
    root = drawn(save(data), tmp_path, status=2)
    *_, (title, width) = boxes(root)
    at = broken().index(b"bad") + 3
    assert "is 13, expected a value_type" in title
    assert width == pytest.approx(912 * (len(data) - at) / len(data), abs=0.02)


@pytest.mark.parametrize("data", [b"", header()])
def test_maps_of_almost_nothing(data: bytes, save: Save, tmp_path: Path) -> None:
    drawn(save(data), tmp_path, status=0 if data else 2)


def test_a_map_of_many_tensors_stays_small(save: Save, tmp_path: Path) -> None:
    specs = [TensorSpec(f"blk.{i}.weight", (8,), (0, 24)[i % 2], 32 * i) for i in range(5000)]
    drawn(save(Model([], specs, bytes(32 * 5000))), tmp_path)
    assert (tmp_path / "map.svg").stat().st_size < 400_000


def test_names_in_a_map_are_text(save: Save, tmp_path: Path) -> None:
    titles = "".join(title for title, _ in boxes(drawn(save(hostile.model()), tmp_path)))
    assert "<script>" in titles or "parts" in titles
    assert "<script>" not in (tmp_path / "map.svg").read_text()
