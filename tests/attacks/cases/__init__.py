"""Small files, good and bad, each with what a reader has to make of it: made here, written by `verdicts.py`."""

from attacks.cases import cve, found, handcrafted, opened, refused
from attacks.cases.case import Case, Refusal

__all__ = ["CASES", "Case", "Refusal"]

CASES: dict[str, Case] = {
    case.name: case for group in (refused, opened, cve, handcrafted, found) for case in group.cases()
}
