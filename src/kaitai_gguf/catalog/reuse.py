"""Reuse the rows of an earlier scan for files that have not changed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kaitai_gguf.catalog.generations import Generation
from kaitai_gguf.catalog.packages import arrow
from kaitai_gguf.catalog.rows import Options
from kaitai_gguf.catalog.sources import shown_source
from kaitai_gguf.catalog.tables import TABLES
from kaitai_gguf.catalog.text_columns import readable
from kaitai_gguf.errors import CatalogError, GGUFError
from kaitai_gguf.sources.opening import version_of
from kaitai_gguf.sources.urls import is_url
from kaitai_gguf.threads import map_threads

__all__ = ["Earlier"]

AT_ONCE = 16  # remote files whose revision is requested at once


class _Place(NamedTuple):
    """Where the rows of a file are."""

    revision: str
    generation: int
    part: str


class Earlier:
    """The rows of earlier generations, complete or not."""

    def __init__(self, generations: Iterable[Generation], options: Options) -> None:
        """`generations` are the latest first."""
        self._options = options
        self.generations = [each for each in generations if each.is_like(options)]
        self._places: dict[str, _Place] = {}
        for number, generation in reversed(list(enumerate(self.generations))):
            names: set[str] = set()
            for part in generation.parts():
                self._add(number, generation, part, names)

    def _add(self, number: int, generation: Generation, part: str, names: set[str]) -> None:
        """Remember which part has the rows of each file. Files that share a name, such as URLs that differ only in
        their queries, are read again.
        """
        try:
            table = generation.read("files", part, ["source", "revision"])
        except CatalogError:  # its files are read again
            return
        for source, revision in zip(*(column.to_pylist() for column in table.columns), strict=True):
            if source in names:
                self._places.pop(source, None)
            elif revision is not None:
                self._places[source] = _Place(revision, number, part)
            names.add(source)

    def unchanged(self, sources: Sequence[str]) -> list[str]:
        """Return those of the files whose rows are known, and which have not changed."""
        count = Counter(map(_name, sources))
        known = [source for source in sources if count[_name(source)] == 1 and _name(source) in self._places]
        threads = AT_ONCE if any(map(is_url, known)) else 1
        same = map_threads(self._is_unchanged, known, threads) if threads > 1 else map(self._is_unchanged, known)
        return [source for source, is_same in zip(known, same, strict=True) if is_same]

    def _is_unchanged(self, source: str) -> bool:
        try:
            return version_of(source, self._options.of(source)) == self._places[_name(source)].revision
        except (GGUFError, ValueError):
            return False

    def part_of(self, sources: Sequence[str], name: str) -> tuple[Generation, str] | None:
        """Return the part with exactly these files, or None; `name` is the name of the new part."""
        places = {self._places[_name(source)][1:] for source in sources}
        if len(places) != 1:
            return None
        ((number, part),) = places
        return (self.generations[number], part) if _hash(part) == _hash(name) else None

    def rows(self, sources: Sequence[str]) -> list[dict[str, Any]]:
        """Return the tables with the rows of these files, a dict for each part that has some. Raises `CatalogError`."""
        by_part: dict[tuple[int, str], list[str]] = {}
        for source in sources:
            by_part.setdefault(self._places[_name(source)][1:], []).append(_name(source))
        return [self._rows_of(number, part, names) for (number, part), names in by_part.items()]

    def _rows_of(self, number: int, part: str, names: list[str]) -> dict[str, Any]:
        import pyarrow.compute as pc

        wanted = arrow().array(names, arrow().string())
        tables = {}
        for name in TABLES:
            if name != "tokenizers":
                table = self.generations[number].read(name, part)
                column = table["source" if name == "files" else "file"]
                tables[name] = table.filter(pc.is_in(column, value_set=wanted))
        return tables


def _name(source: str) -> str:
    return readable(shown_source(source))


def _hash(part: str) -> str:
    return part.rpartition("-")[2]
