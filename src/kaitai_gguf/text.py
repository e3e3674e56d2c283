"""Names and other text in files: decoding, encoding, quoting and shortening; sizes and counts for people."""

from typing import TYPE_CHECKING, Any

from kaitai_gguf.errors import WriteError

if TYPE_CHECKING:
    from kaitai_gguf.schema import Buffer

QUOTED = 100  # the most characters of a text that a message quotes


def decode(data: "Buffer") -> str:
    """Decode UTF-8 bytes. Bytes that are not UTF-8 become lone surrogates, which `encode` turns back."""
    return str(data, "utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text, as `decode` read them. Raises UnicodeEncodeError for other surrogates."""
    return text.encode("utf-8", "surrogateescape")


def name_bytes(name: object) -> bytes | None:
    """Return the bytes of a key or tensor name; None for an object that can't be one."""
    try:
        # Like `encode(name)`, with a call less: every look-up comes here.
        return name.encode("utf-8", "surrogateescape") if isinstance(name, str) else None
    except UnicodeEncodeError:
        return None


def canonical(name: Any) -> Any:
    """Return a key or tensor name as `decode` spells its bytes; anything else unchanged."""
    if type(name) is str and name.isascii():
        return name
    raw = name_bytes(name)
    return name if raw is None else decode(raw)


def checked_name(name: Any, what: str) -> str:
    """Return a name as `canonical` does. Raises TypeError or `WriteError`, which call it `what`, if it is invalid."""
    if type(name) is str and name.isascii() and name:
        return name
    if not isinstance(name, str):
        raise TypeError(f"{what} must be a str, not {name!r}")
    if not name:
        raise WriteError(f"{what} must not be empty")
    raw = name_bytes(name)
    if raw is None:
        raise WriteError(f"{what} {name!r} has an unpaired surrogate, which UTF-8 can't encode")
    return decode(raw)


def quoted(text: "str | Buffer") -> str:
    """Return a text, or the text of UTF-8 bytes, quoted and escaped for a message, cut off if it is long."""
    shown = text if isinstance(text, str) else decode(text[: 4 * QUOTED + 1])  # a character has at most 4 bytes
    return repr(shown) if len(shown) <= QUOTED else f"{shown[:QUOTED]!r}…"


def shorten(text: str, width: int) -> str:
    """Return a text cut to at most `width` characters; "…" is the last one if it was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


def human_bytes(size: int) -> str:
    """Return a size in bytes for people: 4.37 GiB."""
    return _scaled(size, 1024, [" B", " KiB", " MiB", " GiB", " TiB"])


def human_count(number: int) -> str:
    """Return a count for people: 7.24 B for 7,241,732,096."""
    return _scaled(number, 1000, ["", " K", " M", " B", " T"])


def _scaled(number: int, step: int, units: list[str]) -> str:
    """Return a number in the largest unit it reaches, with three significant digits or all before the point."""
    value, power = float(number), 0
    while round(value) >= step and power + 1 < len(units):
        value, power = value / step, power + 1
    return f"{value:.3g}{units[power]}" if value < 999.5 and power else f"{value:,.0f}{units[power]}"
