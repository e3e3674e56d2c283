from _typeshed import ReadableBuffer, WriteableBuffer

_Field = tuple[ReadableBuffer, int, ReadableBuffer]
_Scales = tuple[ReadableBuffer, tuple[_Field, ...] | None, float, float]

def f16(words: ReadableBuffer, out: WriteableBuffer, /) -> None: ...
def bf16(words: ReadableBuffer, out: WriteableBuffer, /) -> None: ...
def scale(
    codes: tuple[_Field, ...],
    minus: int,
    table: ReadableBuffer | None,
    width: int,
    signs: tuple[_Field, ...] | None,
    flips: ReadableBuffer | None,
    scales: _Scales,
    shifts: _Scales | None,
    out: WriteableBuffer,
    /,
) -> None: ...
