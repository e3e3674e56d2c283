"""Draw a map of a file as SVG, to scale. The SVG has no scripts or fonts, and loads nothing."""

import colorsys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import kaitai_gguf
from kaitai_gguf.cli.files import check_target, missing_nbytes, new_file, source_of
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

    @property
    def nbytes(self) -> int:
        return self.end - self.start


def write(path: Path, file: str, *, force: bool, mmap: bool) -> None:
    """Write the map of a file, whole or not at all. For a broken file, write the map and then raise its error."""
    check_target(path, force)  # fail before the work is done
    source = source_of(file)
    fields: list[kaitai_gguf.Field] = []
    failed: kaitai_gguf.FormatError | None = None
    try:
        for field in kaitai_gguf.explain(source, elements=0, mmap=mmap):
            fields.append(field)
        with kaitai_gguf.open(source, mmap=mmap, shards=False) as model:
            rest = Part(model.nbytes, model.nbytes + missing_nbytes(model), "missing", "missing data")
    except kaitai_gguf.FormatError as error:
        failed = error
        nbytes = Path(source).stat().st_size if isinstance(source, str) else len(source)
        rest = Part(error.offset, max(error.offset, nbytes), "not read", str(error))
    with new_file(path, force=force) as drawn:
        rests = [rest] if failed is not None or rest.nbytes > 0 else []
        drawn.write(draw(Path(file).name, parts(fields) + rests).encode())
    if failed is not None:
        raise failed


def parts(fields: Iterable[kaitai_gguf.Field]) -> list[Part]:
    """Combine fields into parts: one for each key-value, tensor info and tensor."""
    result = []
    for (kind, _), group in groupby(fields, key=_part_of):
        first, *more = group
        named = first if kind not in HEADER else (more or [first])[0]  # after the length of the key or name
        title = named.value if isinstance(named.value, str) and kind != "start" else first.meaning or kind
        if kind not in HEADER and (description := kaitai_gguf.tensor_role(title).description):
            title += f": {description}"
        result.append(Part(first.start, (more or [first])[-1].end, kind, title))
    return [part for part in result if part.nbytes > 0]


def draw(name: str, file_parts: Sequence[Part]) -> str:
    """Return the SVG. Text that comes from the file is escaped twice: control characters, then XML."""
    sizes: Counter[str] = Counter()
    for part in file_parts:
        sizes[part.kind] += part.nbytes
    colors = _colors(sizes)
    whole = max((part.end for part in file_parts), default=0)
    bars = [(f"{name}: the file", file_parts, whole)]
    header = [part for part in file_parts if part.kind in HEADER]
    if header and header[-1].end < whole / 2:
        bars.append(("its header", header, header[-1].end))
    height = MARGIN * 2 + len(bars) * (BAR + 3 * LINE) + (len(sizes) + 1) // 2 * LINE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12" shape-rendering="crispEdges">',
        f"<title>{_text(name)}</title>",
        '<defs><pattern id="not-there" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<path d="M0 6L6 0" stroke="#999"/></pattern></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    top = MARGIN
    for title, shown, end in bars:
        lines += _bar(title, shown, end, top, colors)
        top += BAR + 3 * LINE
    lines += _legend(Counter(part.kind for part in file_parts), sizes, whole, top, colors)
    return "\n".join([*lines, "</svg>", ""])


def _bar(title: str, file_parts: Sequence[Part], end: int, top: int, colors: dict[str, str]) -> Iterator[str]:
    scale = (WIDTH - 2 * MARGIN) / max(end, 1)
    caption = f"{shorten(printable(title), 90)}, {human_bytes(end)}"
    yield f'<text x="{MARGIN}" y="{top + 4}" font-weight="bold">{escape(caption)}</text>'
    y = top + LINE - 6
    for part in _drawn(file_parts, scale):
        x, width = MARGIN + part.start * scale, part.nbytes * scale
        span = f"bytes {part.start:,} to {part.end:,}: {human_bytes(part.nbytes)}"
        box = f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" fill="{colors[part.kind]}"'
        edge = ' stroke="#fff" stroke-width="0.5"' if width > 4 else ""
        yield f"{box}{edge}><title>{_text(part.title)} ({_text(part.kind)}), {span}</title></rect>"
        if width >= 8 * LETTER:
            label = _text(shorten(printable(part.title), int(width / LETTER) - 1))
            fill = "#333" if part.kind in ("padding", "gap", "missing") else "#fff"
            yield f'<text x="{x + 4:.2f}" y="{y + BAR / 2 + 4}" fill="{fill}" pointer-events="none">{label}</text>'
    for quarter in range(5 if end else 0):
        x, anchor = MARGIN + (WIDTH - 2 * MARGIN) * quarter / 4, ("start", *["middle"] * 3, "end")[quarter]
        tick = human_bytes(end * quarter // 4)
        yield f'<text x="{x}" y="{y + BAR + 14}" text-anchor="{anchor}" fill="#555" font-size="10">{tick}</text>'


def _legend(counts: Counter[str], sizes: Counter[str], whole: int, top: int, colors: dict[str, str]) -> Iterator[str]:
    for number, (kind, color) in enumerate(colors.items()):
        x, y = MARGIN + number % 2 * WIDTH // 2, top + number // 2 * LINE
        share = f"{sizes[kind] / whole:.1%}" if whole else "0%"
        label = f"{kind}: {human_bytes(sizes[kind])}, {share} in {counted(counts[kind], 'part')}"
        yield f'<rect x="{x}" y="{y}" width="12" height="12" fill="{color}" stroke="#999" stroke-width="0.5"/>'
        yield f'<text x="{x + 18}" y="{y + 10}">{_text(label)}</text>'


def _part_of(field: kaitai_gguf.Field) -> tuple[str, str]:
    """Return the kind of the part that a field belongs to, and the part's name."""
    _, kind, number, below, *_ = (*field.path.split("/"), "", "")
    if field.type in ("padding", "gap", "trailing"):
        return field.type, field.path
    if kind == "tensors" and below == "data":
        return field.type, number
    return {"metadata": ("metadata", number), "tensors": ("tensor infos", number)}.get(kind, ("start", ""))


def _drawn(file_parts: Sequence[Part], scale: float) -> Iterator[Part]:
    """Yield parts that are wide enough to be seen, joining narrower neighbours."""
    group: list[Part] = []
    for part, next_part in zip_longest(file_parts, file_parts[1:]):
        group.append(part)
        if next_part is None or (next_part.end - group[0].start) * scale >= LEAST:
            largest = max(group, key=lambda part: part.nbytes)
            title = part.title if len(group) == 1 else f"{len(group)} parts"
            yield Part(group[0].start, part.end, largest.kind, title)
            group = []


def _colors(sizes: Counter[str]) -> dict[str, str]:
    """Return a color for each existing kind, in the order of the legend: the header, types by size, the rest."""
    types = [kind for kind, _ in sizes.most_common() if kind not in HEADER and kind not in OTHERS]
    hues = {}
    for i, kind in enumerate(types):
        rgb = colorsys.hls_to_rgb(0.08 + 0.381966 * i % 1, 0.45, 0.5)
        hues[kind] = "#" + "".join(f"{round(255 * part):02x}" for part in rgb)
    return {kind: color for kind, color in (HEADER | hues | OTHERS).items() if kind in sizes}


def _text(text: str) -> str:
    return escape(printable(text))
