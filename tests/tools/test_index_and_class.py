"""The skip compiler's index and the official compiler's class give the same positions for the same data."""

from typing import Any

import numpy as np
import pytest
import schema_data
from hypothesis import given, settings, strategies as st
from official import FORMATS, Format, objects, place, starts, type_name
from skip_modules import listed

MODELS = schema_data.FORMATS
EXAMPLES = settings(report_multiple_bugs=False)
pytestmark = pytest.mark.xdist_group("official")  # the formats are compiled once
each_format = pytest.mark.parametrize("name", FORMATS)


def indexed(form: Format, name: str, data: bytes) -> tuple[Any, Any]:
    """Return the layout of the data and the index of its root, or a refusal instead of either."""
    layout = None
    try:
        layout = form.index.layout(data)
        return layout, listed(getattr(layout, f"index_{name}")(data, 0))
    except form.index.Refused as refused:
        return layout, refused


def compare(name: str, form: Format, data: bytes) -> None:
    """Assert that the index and the class agree about the data."""
    read, error = form.read(data)
    layout, found = indexed(form, name, data)
    too_deep = error is None and form.is_too_deep(read)
    if not isinstance(found, form.index.Refused):
        assert error is None, f"the class refuses what index_{name} accepts: {error}"
        assert not too_deep
        [path] = FORMATS[name].index[name]
        assert found == (starts(read, path), read._io.pos())
        return
    assert found.path
    assert found.reason
    if layout is None:
        assert error is not None, f"the class reads what layout() refuses: {found}"
        return
    assert error is not None or (too_deep and found.kind == "depth"), f"the class reads what the index refuses: {found}"
    assert found.pos <= len(data)
    assert place(read, found.path) == found.pos


@each_format
@EXAMPLES
@given(st.data())
def test_index_and_class_read_valid_data(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    valid = data.draw(MODELS[name]())
    read, error = formats[name].read(valid)
    assert error is None
    assert read._io.is_eof()
    compare(name, formats[name], valid)


@each_format
@EXAMPLES
@given(st.data())
def test_index_and_class_agree_on_damaged_data(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    compare(name, formats[name], data.draw(schema_data.damaged(MODELS[name](wild=True))))


@each_format
@given(st.data())
def test_truncations_are_refused(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    valid = data.draw(MODELS[name]())
    for size in range(data.draw(st.integers(0, 2)), len(valid), 3):
        assert formats[name].read(valid[:size])[1] is not None
        compare(name, formats[name], valid[:size])


@each_format
@EXAMPLES
@given(st.data())
def test_a_part_is_indexed_on_its_own(formats: dict[str, Format], name: str, data: st.DataObject) -> None:
    form, valid = formats[name], data.draw(MODELS[name]())
    read, _ = form.read(valid)
    layout = form.index.layout(valid)
    for part, start, end in objects(read, 0, len(valid)):
        paths = FORMATS[name].index.get(type_name(part))
        if paths is None or part is read or form.is_too_deep(read):
            continue
        given_by_parent = {"children": "num_children", "shelf": "flags"}.get(type_name(part))
        arguments = [getattr(part._parent, given_by_parent)] if given_by_parent else []
        found = listed(getattr(layout, f"index_{type_name(part)}")(valid, start, *arguments))
        assert found == ((starts(part, paths[0]), end) if paths else end)


@EXAMPLES
@given(data=schema_data.tracks())
def test_fields_are_where_the_class_has_them(formats: dict[str, Format], data: bytes) -> None:
    read, _ = formats["track"].read(data)
    layout = formats["track"].index.layout(data)
    positions = starts(read, "body.laps")
    rows = []
    for lap in read.body.laps:
        name, fields = lap.name._debug["data"], lap._debug
        aliases = fields["aliases"]["start"]
        note = (fields["note"]["start"], fields["note"]["end"])
        numbers = (name["start"], name["end"], lap.rank, lap.num_marks)
        rows.append((*numbers, lap.marks, *note, aliases))
    columns = layout.table_lap(np.frombuffer(data, np.uint8), np.array(positions, np.int64))
    width = max((len(row[4]) for row in rows), default=0)
    expected = [(*row[:4], [*row[4], *[0] * (width - len(row[4]))], *row[5:]) for row in rows]
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
