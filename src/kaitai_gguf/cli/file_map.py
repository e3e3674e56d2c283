"""Draw a map of a file as SVG, to scale. The SVG has no scripts or fonts, and loads nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import kaitai_gguf
from kaitai_gguf import Field
from kaitai_gguf.cli.files import check_target, new_file, source_of
from kaitai_gguf.cli.output import counted, human_bytes, printable
from kaitai_gguf.text import shorten

WIDTH, MARGIN, BAR, LINE = 960, 24, 56, 20  # pixels
LETTER = 6.5  # pixels: the approximate width of a character in a label
LEAST = 1.0  # pixels: narrower parts are drawn together with their neighbours

HEADER = {"start": "#4a5568", "metadata": "#4c78a8", "tensor infos": "#72b7b2"}
OTHERS = {
    "padding": "#c8c8c8", "gap": "#e8b83a", "trailing": "#b279a2", "missing": "url(#not-there)", "not read": "#e45756",
}  # fmt: skip
"""The colors of the parts other than tensors. The kind of a tensor is its type."""


class Part(NamedTuple):
    start: int
    end: int
    kind: str
    title: str


def write(path: Path, file: str, *, force: bool, mmap: bool) -> None:
    """Write the map of a file, whole or not at all. For a broken file, write the map and then raise its error."""
    check_target(path, force)  # fail before the work is done
    source = source_of(file)
    fields: list[Field] = []
    failed: kaitai_gguf.FormatError | None = None
    try:
        for field in kaitai_gguf.explain(source, elements=0, mmap=mmap):
            fields.append(field)
        with kaitai_gguf.open(source, mmap=mmap, shards=False) as model:
            rest = Part(model.nbytes, model.nbytes + model.info().missing_nbytes, "missing", "missing data")
    except kaitai_gguf.FormatError as error:
        failed = error
        nbytes = Path(source).stat().st_size if isinstance(source, str) else len(source)
        rest = Part(error.offset, nbytes, "not read", str(error))
    with new_file(path, force=force) as drawn:
        drawn.write(draw(Path(file).name, [part for part in (*parts(fields), rest) if part.end > part.start]))
    if failed is not None:
        raise failed


def parts(fields: Iterable[Field]) -> Iterator[Part]:
    """Combine fields into parts: one for each key-value, tensor info and tensor."""
    for (kind, _), group in groupby(fields, key=_part_of):
        members = list(group)
        title = next((field.value for field in members if isinstance(field.value, str)), members[0].meaning or kind)
        if kind not in HEADER and (description := kaitai_gguf.tensor_role(title).description):
            title += f": {description}"
        yield Part(members[0].start, members[-1].end, kind, title)


def _part_of(field: Field) -> tuple[str, str]:
    """Return the kind of the part that a field belongs to, and the part's name."""
    _, kind, number, below, *_ = (*field.path.split("/"), "", "")
    if field.type in ("padding", "gap", "trailing"):
        return field.type, field.path
    if kind == "tensors" and below == "data":
        return field.type, number
    return {"metadata": ("metadata", number), "tensors": ("tensor infos", number)}.get(kind, ("start", ""))


def draw(name: str, file_parts: Sequence[Part]) -> bytes:
    """Return the SVG. Control characters in text from the file are escaped."""
    sizes, counts = Counter[str](), Counter(part.kind for part in file_parts)
    for part in file_parts:
        sizes[part.kind] += part.end - part.start
    types = [kind for kind, _ in sizes.most_common() if kind not in HEADER | OTHERS]
    hues = {kind: (29 + 137 * number) % 360 for number, kind in enumerate(types)}  # neighbours differ clearly
    colors = HEADER | {kind: f"hsl({hue}, 50%, 45%)" for kind, hue in hues.items()} | OTHERS
    end = file_parts[-1].end if file_parts else 0
    bars = [(f"{name}: the file", file_parts)]
    header = [part for part in file_parts if part.kind in HEADER]
    if header and header[-1].end < end / 2:
        bars.append(("its header", header))
    top = MARGIN + len(bars) * (BAR + 2 * LINE)
    width, height = str(WIDTH), str(top + MARGIN + (len(sizes) + 1) // 2 * LINE)
    form = {"font-family": "sans-serif", "font-size": "12", "shape-rendering": "crispEdges"}
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | size | form)
    _add(svg, "title", name)
    pattern = _add(_add(svg, "defs"), "pattern", id="not-there", width=6, height=6, patternUnits="userSpaceOnUse")
    _add(pattern, "path", d="M0 6L6 0", stroke="#999")
    _add(svg, "rect", width=width, height=height, fill="#fff")
    for number, (title, shown) in enumerate(bars):
        _bar(svg, MARGIN + number * (BAR + 2 * LINE), title, shown, colors)
    for number, kind in enumerate(kind for kind in colors if kind in sizes):
        x, y = MARGIN + number % 2 * WIDTH // 2, top + number // 2 * LINE
        _add(svg, "rect", x=x, y=y, width=12, height=12, fill=colors[kind], stroke="#999")
        share = f"{human_bytes(sizes[kind])}, {sizes[kind] / end:.1%} in {counted(counts[kind], 'part')}"
        _add(svg, "text", f"{kind}: {share}", x=x + 18, y=y + 10)
    return tostring(svg) + b"\n"


def _bar(svg: Element, top: int, title: str, file_parts: Sequence[Part], colors: dict[str, str]) -> None:
    end = file_parts[-1].end if file_parts else 0
    scale = (WIDTH - 2 * MARGIN) / max(end, 1)
    _add(svg, "text", f"{shorten(printable(title), 90)}, {human_bytes(end)}", x=MARGIN, y=top + 4, font_weight="bold")
    y = top + LINE - 6
    for part in _joined(file_parts, LEAST / scale):
        x, nbytes = MARGIN + part.start * scale, part.end - part.start
        width = nbytes * scale
        box = _add(svg, "rect", x=f"{x:.2f}", y=y, width=f"{width:.2f}", height=BAR, fill=colors[part.kind])
        if width > 4:
            box.set("stroke", "#fff")
        span = f"bytes {part.start:,} to {part.end:,}: {human_bytes(nbytes)}"
        _add(box, "title", f"{part.title} ({part.kind}), {span}")
        if width >= 8 * LETTER:
            label = shorten(printable(part.title), int(width / LETTER) - 1)
            fill = "#333" if part.kind in ("padding", "gap", "missing") else "#fff"
            _add(svg, "text", label, x=f"{x + 4:.2f}", y=y + BAR // 2 + 4, fill=fill, pointer_events="none")


def _joined(file_parts: Sequence[Part], least: float) -> Iterator[Part]:
    """Yield parts of at least so many bytes, joining smaller neighbours."""
    group: list[Part] = []
    for part, following in zip_longest(file_parts, file_parts[1:]):
        group.append(part)
        if following is None or following.end - group[0].start >= least:
            kind = max(group, key=lambda part: part.end - part.start).kind
            yield Part(group[0].start, part.end, kind, part.title if len(group) == 1 else f"{len(group)} parts")
            group = []


def _add(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    element = SubElement(parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})
    element.text = printable(text)
    return element
