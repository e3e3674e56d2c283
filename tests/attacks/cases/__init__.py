"""Small files, valid and invalid, and what a reader should do with each. `verdicts.py` writes them."""

from attacks.cases import cve, found, opened, refused
from attacks.cases.case import Case, Refusal

__all__ = ["CASES", "Case", "Refusal"]

CASES: dict[str, Case] = {case.name: case for group in (refused, opened, cve, found) for case in group.cases()}
