"""A case: a small file, a description, and what a reader should do with it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from support.gguf_bytes import FORMS, Form


@dataclass(frozen=True)
class Refusal:
    """The class of the error, the byte where the offending field starts, and the path of the field."""

    error: str
    offset: int
    path: str


@dataclass(frozen=True)
class Case:
    """A file in `files/`. It opens if `refusal` is None. `no_data` names the tensors whose data is not available."""

    name: str
    about: str
    data: bytes
    refusal: Refusal | None = None
    no_data: tuple[str, ...] = ()


Build = Callable[[Form], bytes]
WIDE = ["v2", "v3", "big-endian"]  # the forms with 64-bit lengths


def in_forms(group: str, name: str, about: str, build: Build, forms: Sequence[str]) -> Iterator[tuple[Form, Case]]:
    """Yield the case in each of these versions and byte orders, with a name for each."""
    for form in forms:
        yield FORMS[form], Case(f"{group}/{name}-{form}", about, build(FORMS[form]))
