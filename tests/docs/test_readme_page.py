"""README.md fits on two screens. Its code and links: test_pages.py."""

from support.pages import ROOT


def test_it_fits_on_two_screens() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 110
