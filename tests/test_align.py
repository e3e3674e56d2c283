import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaitai_gguf.align import MUCH_PADDING, align, check_alignment, check_padding
from kaitai_gguf.errors import FormatError, WriteError


@given(st.integers(0, 2**62), st.integers(0, 31).map(lambda n: 1 << n))
def test_the_next_multiple(position: int, alignment: int) -> None:
    aligned = align(position, alignment)
    assert aligned % alignment == 0
    assert position <= aligned < position + alignment


@pytest.mark.parametrize("alignment", [0, 3, 24, 33, -8])
def test_only_powers_of_two(alignment: int) -> None:
    with pytest.raises(FormatError, match=f"is {alignment}, expected a power of two") as caught:
        check_alignment(alignment, offset=7, path="/metadata/0/value")
    assert (caught.value.offset, caught.value.path) == (7, "/metadata/0/value")


@pytest.mark.parametrize("alignment", [1, 2, 8, 64, 1 << 31])
def test_any_power_of_two(alignment: int) -> None:
    assert check_alignment(alignment, offset=0, path="") == alignment


@pytest.mark.parametrize("nbytes", [0, 136, MUCH_PADDING, MUCH_PADDING + 1, 1 << 40])
def test_padding_beyond_all_measure(nbytes: int) -> None:
    most = max(MUCH_PADDING, nbytes)
    check_padding(most, nbytes, alignment=32, allowed=False)
    check_padding(most + 1, nbytes, alignment=32, allowed=True)
    words = f"alignment 32 and offsets would add {most + 1} bytes of padding to {nbytes} bytes of header and data"
    with pytest.raises(WriteError, match=words):
        check_padding(most + 1, nbytes, alignment=32, allowed=False)
