"""Models in notebooks: the HTML escapes all text from a file."""

from html.parser import HTMLParser
from pathlib import Path

import kaitai_gguf
from kaitai_gguf import Typed, ValueType

SAMPLE = Path(__file__).parents[2] / "examples/sample.gguf"
HOSTILE = "<script>alert(1)</script>&amp;"


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(html)
        assert html.count("</") == len(self.tags)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def test_a_model() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        cells = Page(model._repr_html_()).cells
        assert [str(SAMPLE), f"{model.nbytes:,} bytes", "3, little-endian"] == [cells[1], cells[3], cells[5]]
        assert {*model.metadata, *model.tensors, "array of 264 string", "Q4_0"} <= set(cells)
        assert model.tensors["output.weight"]._repr_html_().count("<tr>") == 2
        assert " more</p>" not in model.metadata._repr_html_()
    assert "closed" in "".join(Page(model._repr_html_()).cells)


def test_text_of_a_file_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    metadata = {HOSTILE: HOSTILE, "a": [HOSTILE], "b": Typed([[]], ValueType.INT8), "c": b"\xff", "d\udcff": 1}
    kaitai_gguf.write(path, metadata, {})
    with kaitai_gguf.open(path) as model:
        html = model._repr_html_()
    page = Page(html)
    assert set(page.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "p"}
    assert page.cells.count(HOSTILE) == 2
    assert html.encode().count("\ufffd".encode()) == 2  # bytes that are not UTF-8


def test_long_tables_end(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    kaitai_gguf.write(path, {f"k{i}": i for i in range(1000)} | {"long": "x" * 1000, "many": list(range(1000))}, {})
    with kaitai_gguf.open(path) as model:
        html = model.metadata._repr_html_()
    assert (html.count("<tr>"), len(html) < 20_000) == (101, True)
    assert "and 902 more" in html
