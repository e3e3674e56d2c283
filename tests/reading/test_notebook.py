"""Models in notebooks: the HTML escapes all text from a file."""

import re
from html import unescape
from pathlib import Path

import kaitai_gguf
from kaitai_gguf import Typed, ValueType

SAMPLE = Path(__file__).parents[2] / "examples/sample.gguf"
HOSTILE = "<script>alert(1)</script>&amp;"


def cells(html: str) -> list[str]:
    """Return the texts between the tags, of which only harmless ones are allowed."""
    tags = re.findall(r"<([a-z]+)", html)
    assert set(tags) <= {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "p"}
    assert html.count("</") == len(tags)
    return [unescape(text) for text in re.split("<[^>]*>", html) if text]


def test_a_model() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        texts = cells(model._repr_html_())
        assert [str(SAMPLE), f"{model.nbytes:,} bytes", "3, little-endian"] == [texts[1], texts[3], texts[5]]
        assert {*model.metadata, *model.tensors, "array of 264 string", "Q4_0"} <= set(texts)
        assert model.tensors["output.weight"]._repr_html_().count("<tr>") == 2
        assert " more</p>" not in model.metadata._repr_html_()
    assert "closed" in "".join(cells(model._repr_html_()))


def test_text_of_a_file_is_escaped_and_long_tables_end(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    metadata = {HOSTILE: HOSTILE, "a": [HOSTILE], "b": Typed([[]], ValueType.INT8), "c": b"\xff", "d\udcff": 1}
    kaitai_gguf.write(path, metadata, {})
    with kaitai_gguf.open(path) as model:
        html = model._repr_html_()
    assert cells(html).count(HOSTILE) == 2
    assert html.count("\ufffd") == 2  # bytes that are not UTF-8
    kaitai_gguf.write(path, {f"k{i}": i for i in range(1000)} | {"long": "x" * 1000, "many": list(range(1000))}, {})
    with kaitai_gguf.open(path) as model:
        html = model.metadata._repr_html_()
    assert (html.count("<tr>"), len(html) < 20_000) == (101, True)
    assert "and 902 more" in html
