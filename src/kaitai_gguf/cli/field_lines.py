"""Lines for the fields of a file, as cells with tabs between them or as JSON, for thousands of fields at a time.

A file may have millions of fields. numpy turns their numbers into digits: arrays of bytes, in which NUL stands for no
character. They are joined with the texts that Python makes.
"""

import json
import math
import sys
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress, islice, repeat
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

import numpy as np

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import describe_texts, describe_value, format_number, printable, value_width
from kaitai_gguf.decimals import all_shortest, shortest
from kaitai_gguf.explanation import HEAD, Column, Columns, Paths, listed
from kaitai_gguf.text import encode

MANY = 1 << 11  # fields: formatting this many takes much longer than gathering them
PIECE = 1 << 8  # lines to join at a time: in nested arrays they are long, and longer texts don't fit the cache
SAMPLED = 61  # every how many bytes are looked at to estimate how many are NUL

Integers = np.ndarray[Any, np.dtype[np.integer]]

Digits = np.ndarray[Any, np.dtype[np.bytes_]]
"""UTF-8 texts, one for each line. NULs in them don't count."""

Cell = str | Digits | list[str]
"""What the lines have at one place: the same text in all of them, or one for each."""

_HEX = np.array([f"{byte:02x}" for byte in range(256)] + [""], np.bytes_)
_SPACED_HEX = np.array([f" {byte:02x}" for byte in range(256)] + [""], np.bytes_)
_SMALL = np.array([str(number) for number in [*range(256), *range(-128, 0)]], np.bytes_)
_NONE = 256  # a byte that a field doesn't have
_SPLIT = "\1"  # is in no line


def together(groups: Iterable[Columns]) -> Iterator[Columns]:
    """Yield the same fields in groups of many. If reading them fails, those before the error are yielded first."""
    # Freeing a large block raises the size up to which glibc keeps freed memory. Otherwise it gives the memory of each
    # group back to the system and requests it again, which takes up to a quarter of the whole time.
    bytes(31 << 20)
    waiting: list[Columns] = []
    count = 0
    failure = None
    try:
        for group in groups:
            waiting.append(group)
            count += _num_fields(group)
            if count >= MANY:
                yield _merged(waiting)
                waiting, count = [], 0
    except kaitai_gguf.GGUFError as error:
        failure = error
    if waiting:
        yield _merged(waiting)
    if failure is not None:
        raise failure


def _num_fields(group: Columns) -> int:
    return sum(len(column.starts) for column in group.columns)


def _merged(groups: list[Columns]) -> Columns:
    if len(groups) == 1:
        return groups[0]
    first, orders = 0, []
    for group in groups:
        orders.append(_order(group) + first)
        first += len(orders[-1])
    return Columns(tuple(column for group in groups for column in group.columns), np.concatenate(orders))


def _order(group: Columns) -> Integers:
    """Return `Columns.order`, even if it is row by row."""
    if group.order is not None:
        return group.order
    return np.arange(_num_fields(group)).reshape(len(group.columns), -1).T.ravel()


def text_lines(group: Columns, count: int, with_doc: bool) -> Iterator[str]:
    """Yield texts of many lines, one line for each field, of printable cells.

    count  the most bytes of a field that its line shows.
    """
    order = _order(group)
    starts, ends, heads = _numbers(group, order, count)
    sizes = ends - starts
    high = starts >> 32  # in most files, all are 0
    cells: list[Cell] = [
        "0x",
        *([np.array([f"{number:x}" if number else "" for number in high.tolist()], np.bytes_)] if high.any() else []),
        _row_texts(_HEX[starts.astype(">u4").view(np.uint8).reshape(-1, 4)]),
        "\t",
        _decimal(sizes),
        "\t",
        _row_texts(_HEX[heads[:, :1]]),
        _row_texts(_SPACED_HEX[heads[:, 1:]]),
        np.where(sizes > count, " …\t".encode(), b"\t") if sizes.max() > count else "\t",
    ]

    def last(column: Column) -> list[Cell]:
        like = column.like
        doc = ". ".join(each for each in (like.original_name and f"{like.original_name} in ggml", like.doc) if each)
        return [f"\t{printable(doc)}\n" if with_doc else "\n"]

    def value(column: Column) -> list[Cell]:
        meaning = f" ({printable(column.like.meaning)})" if column.like.meaning else ""
        return [*digits, meaning] if (digits := _value_digits(column)) else [_described(column)]

    return _joined(cells + _details(group, lambda type: f"\t{printable(type)}\t", value, last), len(starts))


def json_lines(group: Columns, with_doc: bool) -> Iterator[str]:
    """Yield texts of many lines, each a JSON object for a field. A line begins with the comma after the one before."""
    order = _order(group)
    starts, ends, heads = _numbers(group, order, HEAD)
    cells: list[Cell] = [',\n{"start": ', _decimal(starts), ', "end": ', _decimal(ends), ', "path": "']

    def value(column: Column) -> list[Cell]:
        return [*_value_digits(column)] or [_documents(column)]

    def last(column: Column) -> list[Cell]:
        meaning = "" if column.meanings is not None else f', "meaning": {quoted(column.like.meaning)}'
        depth = str(column.like.depth) if column.depths is None else _decimal(column.depths)
        return [f'{meaning}, "depth": ', depth, ', "head": "']

    cells += _details(group, lambda type: f'", "type": {quoted(type)}, "value": ', value, last)
    cells.append(_row_texts(_HEX[heads]))
    if with_doc:
        tails = [
            f'", "original_name": {quoted(column.like.original_name)}, "doc": {quoted(column.like.doc)}}}'
            for column in group.columns
        ]
    else:
        tails = ['"}']
    if len(set(tails)) == 1:
        cells.append(tails[0])
    else:
        pairs = zip(tails, group.columns, strict=True)
        cells.append(list(group.in_order([tail] * len(column.starts) for tail, column in pairs)))
    return _joined(cells, len(starts))


def _details(
    group: Columns,
    before_value: Callable[[str], str],
    value: Callable[[Column], list[Cell]],
    after_value: Callable[[Column], list[Cell]],
) -> list[Cell]:
    """Return the cells with the paths and values of fields.

    before_value  returns what comes between path and value, from the type.
    value         returns the cells with the values of a column.
    after_value   returns the cells after the values of a column.
    """

    def regular(column: Column) -> list[Cell]:
        """Return the cells of a column in which paths differ by a number, and types don't; no cells of another one."""
        paths = column.paths
        if not isinstance(paths, Paths) or column.types is not None:
            return []
        middle = paths.after + before_value(column.like.type)
        return [paths.before, _decimal(paths.numbers), middle, *value(column), *after_value(column)]

    def texts(column: Column) -> list[str]:
        count, paths = len(column.starts), column.paths
        if cells := regular(column):
            return _each(cells, count)
        types = [column.like.type] * count if column.types is None else column.types
        middles = {type: before_value(type) for type in set(types)}
        tails = paths.tails() if isinstance(paths, Paths) else list(paths)
        return _each([tails, list(map(middles.__getitem__, types)), *value(column), *after_value(column)], count)

    column, *others = group.columns
    cells = [] if others else regular(column)
    return _owners(group) + (cells or [list(group.in_order(map(texts, group.columns)))])


def _owners(group: Columns) -> list[Cell]:
    """Return the cell with the beginnings of paths that elements of arrays share; no cell if there are none."""
    owners = [getattr(column.paths, "owners", None) for column in group.columns]
    if all(each is None for each in owners):
        return []
    columns = zip(group.columns, owners, strict=True)
    texts = [np.full(len(column.starts), "", np.object_) if each is None else each for column, each in columns]
    return [np.concatenate(texts)[_order(group)].tolist()]


def _numbers(group: Columns, order: Integers, count: int) -> tuple[Integers, Integers, Integers]:
    """Return starts, ends and the first `count` bytes of the fields, or `_NONE`, in file order."""
    starts = np.concatenate([column.starts for column in group.columns])
    ends = np.concatenate([column.ends for column in group.columns])
    width = min(count, max(column.heads.data.shape[1] for column in group.columns))
    heads = np.full((len(starts), width), _NONE, np.uint16)
    first = 0
    for column in group.columns:
        data, sizes = column.heads
        rows = heads[first : first + len(data), : data.shape[1]]
        rows[:] = data[:, :width]
        if sizes.min() < rows.shape[1]:
            rows[np.arange(rows.shape[1]) >= sizes[:, None]] = _NONE
        first += len(data)
    if len(group.columns) == 1 and group.order is None:
        return starts, ends, heads
    return starts[order], ends[order], heads[order]


def _joined(cells: list[Cell], count: int) -> Iterator[str]:
    """Yield `count` lines, in texts of many."""
    digits = [cell for cell in cells if not isinstance(cell, list)]
    if len(digits) == len(cells):
        yield _packed(digits, count)
        return
    lines = zip(*_texts(cells, count), strict=True)
    while piece := "".join(chain.from_iterable(islice(lines, PIECE))):
        yield piece


def _each(cells: list[Cell], count: int) -> list[str]:
    """Return what these cells are in each of `count` lines."""
    return list(map("".join, zip(*_texts(cells, count), strict=True)))


def _texts(cells: list[Cell], count: int) -> list[Iterable[str]]:
    """Return texts for each of `count` lines, which make up the line together."""
    columns: list[Iterable[str]] = []
    run: list[str | Digits] = []
    for cell in cells:
        if not isinstance(cell, list):
            run.append(cell)
            continue
        if run:
            columns.append(_split(run, count))
        columns.append(cell)
        run = []
    if run:
        columns.append(_split(run, count))
    return columns


def _split(cells: list[str | Digits], count: int) -> Iterable[str]:
    """Return what these cells are in each of `count` lines."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    if len(texts) == len(cells):
        return repeat("".join(texts), count)
    return _packed([*cells, _SPLIT], count).split(_SPLIT)[:-1]


def _packed(cells: list[str | Digits], count: int) -> str:
    columns = [np.array(cell.encode()) if isinstance(cell, str) else cell for cell in cells if len(cell)]
    record = np.empty(count, [(str(number), column.dtype) for number, column in enumerate(columns)])
    for number, column in enumerate(columns):
        record[str(number)] = column
    text = record.tobytes()
    # `replace` takes 13 ns for each NUL, `translate` 1 ns for each byte.
    is_dense = text[::SAMPLED].count(0) * SAMPLED > len(text) >> 4
    return (text.translate(None, b"\0") if is_dense else text.replace(b"\0", b"")).decode()


def _row_texts(cells: Digits) -> Digits | str:
    """Return the text of each row of a table."""
    count, width = cells.shape
    return cells.view(f"S{width * cells.itemsize}").reshape(count) if width else ""


def _decimal(numbers: Integers) -> Digits:
    """Return the digits of numbers that are not negative."""
    smallest, largest = int(numbers.min()), int(numbers.max())
    rest: Integers = numbers.astype(np.uint32 if largest < 1 << 32 else np.uint64)
    width = len(str(largest))
    digits = np.empty((len(numbers), width), np.uint8)
    for power in range(width):
        quotient = rest // 10
        digit = (rest - quotient * 10 + ord("0")).astype(np.uint8)
        if power and smallest < 10**power:
            digit *= rest > 0  # no leading zeros
        digits[:, width - 1 - power] = digit
        rest = quotient
    return digits.view(f"S{width}")[:, 0]


# Values


def _value_digits(column: Column) -> list[Digits]:
    """Return the cells of values that are integers or bools; no cells for others."""
    values = column.values
    if not isinstance(values, np.ndarray) or column.meanings is not None:
        return []
    if values.dtype.kind == "b":
        return [np.where(values, b"true", b"false")]
    if values.dtype.itemsize == 1 and values.dtype.kind in "iu":
        return [_SMALL[values.astype(np.int16)]]
    if values.dtype.kind == "u":
        return [_decimal(values)]
    if values.dtype.kind == "i":
        wide = values.astype(np.int64)
        return [np.where(wide < 0, b"-", b""), _decimal(np.abs(wide).view(np.uint64))]
    return []


def _described(column: Column) -> list[str]:
    """Return values and their meanings for people."""
    values: Sequence[Any] = listed(column.values)
    width = value_width()
    kinds = set(map(type, values))
    if kinds == {int}:
        texts = list(map(str, values))  # what describe_value returns, only faster
    elif kinds == {float}:
        texts = list(map(format_number, values))  # likewise
    elif kinds == {str} and width == sys.maxsize:
        texts = describe_texts(values)  # likewise
    else:
        texts = ["" if value is None else describe_value(value, width) for value in values]
    meanings = [column.like.meaning] * len(texts) if column.meanings is None else column.meanings
    if not any(meanings):
        return texts
    if not "".join(meanings).isprintable():
        meanings = list(map(printable, meanings))
    pairs = zip(texts, meanings, strict=True)
    return [f"{text} ({meaning})" if text and meaning else text or meaning for text, meaning in pairs]


_FLOAT32 = ("f4", "float32")
_NOT_FINITE = {repr(value): f'"{canonical.number(value)}"' for value in (math.nan, math.inf, -math.inf)}
_VALUES = json.JSONEncoder(allow_nan=False, separators=("\n", ": "))
"""Encodes a list with one line for each item: newlines in strings are escaped."""


def _documents(column: Column) -> list[str]:
    """Return values as JSON, with their meanings unless all have the same."""
    values = _shortest(column)
    kinds = set(map(type, values))
    if kinds == {str}:
        texts = _text_documents(values)
    elif kinds == {float}:
        texts = list(map(repr, values))
        if not np.isfinite(np.array(values, np.float64)).all():
            texts = [_NOT_FINITE.get(text, text) for text in texts]
    else:
        texts = _encoded([canonical.text(each) if isinstance(each, str) else canonical.number(each) for each in values])
    if column.meanings is None:
        return texts
    return [f'{text}, "meaning": {quoted(each)}' for text, each in zip(texts, column.meanings, strict=True)]


def _text_documents(values: Sequence[Any]) -> list[str]:
    """Return texts from a file as JSON: what is not UTF-8 in base64, as `canonical.text` does, only faster."""
    if "".join(values).isascii():
        return _encoded(values)
    is_plain = list(map(canonical.is_utf8, values))
    plain = iter(_encoded(list(compress(values, is_plain))))
    others = [encode(value) for value, is_utf8 in zip(values, is_plain, strict=True) if not is_utf8]
    base64 = iter(b"".join(map(b2a_base64, others)).decode().splitlines())
    return [next(plain) if is_utf8 else f'{{"base64": "{next(base64)}"}}' for is_utf8 in is_plain]


def _encoded(values: Sequence[Any]) -> list[str]:
    return _VALUES.encode(values)[1:-1].split("\n")


def _shortest(column: Column) -> Sequence[int | float | str | None]:
    """Return the values, float32 as the shortest decimal that round-trips."""
    values = column.values
    if column.like.type not in _FLOAT32:
        return listed(values)
    if isinstance(values, np.ndarray):
        return all_shortest(values)
    return [shortest(value) if isinstance(value, float) else value for value in values]
