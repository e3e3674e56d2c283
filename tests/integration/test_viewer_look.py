"""The viewer's accessibility (axe-core), keyboard use and layout at several widths, and screenshots for the docs."""

import os
import re
from pathlib import Path

import pytest
from support.browser import TABS, Viewer
from support.tools import npm_installed

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "javascript" / "viewer"
AXE = PACKAGE / "node_modules" / "axe-core" / "axe.min.js"
IMAGES = ROOT / "docs" / "images"
RUN_AXE = "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then(done);"


@pytest.fixture(scope="module")
def axe() -> str:
    npm_installed(PACKAGE)
    return AXE.read_text("utf-8")


def close_detail(viewer: Viewer) -> None:
    """Close the details, which cover the tabs of a narrow window."""
    viewer.run(
        "for (const each of document.querySelectorAll('.detail:not([hidden]) .detail-head button')) each.click()"
    )


def open_form(viewer: Viewer) -> None:
    """Make a change, and open the form of another one."""
    close_detail(viewer)
    viewer.show("metadata", "general.license")
    viewer.click(".detail button", "Remove")
    viewer.show("metadata", "tokenizer.chat_template")
    viewer.click("#panel-metadata .detail button", "Edit")
    viewer.run("document.querySelector('textarea').setRangeText('{# new #}')")
    viewer.run("document.querySelector('textarea').dispatchEvent(new Event('input')); scrollTo(0, 0)")


def open_detail(viewer: Viewer, tab: str) -> None:
    """Select a tab, and open a detail in it."""
    if tab == "changes":
        open_form(viewer)
        return
    close_detail(viewer)
    viewer.tab(tab)
    if tab == "metadata":
        viewer.click("#panel-metadata button.key", "tokenizer.ggml.tokens")
    if tab == "tensors":
        viewer.click("#panel-tensors button.key", "blk.0.attn_q.weight")
        viewer.wait(lambda: viewer.texts(".detail .block"))
    if tab == "file":
        viewer.wait(lambda: viewer.texts(".fields li"))
        viewer.run("document.querySelectorAll('.hex td[data-position]')[37].click()")
        viewer.wait(lambda: viewer.texts(".fields .field-value"))
    viewer.run("scrollTo(0, 0); document.activeElement.blur()")


# Accessibility


def violations(viewer: Viewer, axe: str) -> list[str]:
    viewer.run(axe)
    found = viewer.driver.execute_async_script(RUN_AXE)
    assert len(found["passes"]) > 10
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing(viewer: Viewer, axe: str, model: Path, scheme: str, width: int) -> None:
    viewer.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # axe inserts elements with styles
    try:
        viewer.open()
        viewer.prefer(scheme)
        viewer.resize(width)
        assert violations(viewer, axe) == []
        viewer.drop("broken.gguf", b"GGUF")
        assert violations(viewer, axe) == []
        viewer.choose(model)
        for tab in TABS:
            open_detail(viewer, tab)
            assert violations(viewer, axe) == [], tab
        open_form(viewer)
        assert violations(viewer, axe) == []
    finally:
        viewer.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})


def test_tabs_have_keys(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "summary")
    keys = {
        "ARROW_RIGHT": "metadata", "END": "file", "RIGHT": "summary", "ARROW_LEFT": "file", "HOME": "summary",
    }  # fmt: skip
    for key, tab in keys.items():
        focused = viewer.press(key)
        assert focused.get_attribute("id") == f"tab-{tab}"
        assert viewer.all("[role=tab][aria-selected=true]") == [focused]


def test_bytes_and_layers_have_keys(viewer: Viewer, model: Path) -> None:
    viewer.choose(model)
    open_detail(viewer, "file")
    viewer.run("document.querySelector('.hex td.selected').focus()")
    viewer.press("ARROW_DOWN")
    assert viewer.texts(".fields .position") == ["byte 53 0x35"]
    viewer.press("PAGE_DOWN")
    viewer.wait(lambda: viewer.texts(".fields .position") == ["byte 437 0x1b5"])
    viewer.tab("layers")
    viewer.run("arguments[0].focus()", viewer.one(".heat td[tabindex='0']"))
    viewer.press("ARROW_DOWN")
    viewer.press("ARROW_RIGHT")
    assert viewer.text("#panel-layers .note").startswith("layer 0, attn_norm: F32, 4096")
    viewer.press("ENTER")
    assert viewer.text("#panel-tensors .detail h2") == "blk.0.attn_norm.weight"


@pytest.mark.parametrize("tab", ["metadata", "tensors"])
def test_details_can_be_closed(viewer: Viewer, model: Path, tab: str) -> None:
    viewer.choose(model, tab)
    key = viewer.all(f"#panel-{tab} button.key")[2]
    name = key.text
    key.click()
    assert (viewer.focused.tag_name, viewer.focused.text) == ("h2", name)
    viewer.click(f"#panel-{tab} .detail button", "Close")
    assert not viewer.one(f"#panel-{tab} .detail").is_displayed()
    assert (viewer.focused.tag_name, viewer.focused.text) == ("button", name)


def test_everything_has_a_visible_focus(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "tensors")
    seen = set()
    for _ in range(12):
        seen.add(focused := viewer.press("TAB"))
        outline = [focused.value_of_css_property(name) for name in ("outline-style", "outline-width")]
        assert outline == ["solid", "2px"]
    assert len(seen) == 12


# Sizes


@pytest.mark.parametrize("width", [360, 768, 1920])
def test_nothing_is_wider_than_the_window(viewer: Viewer, model: Path, width: int) -> None:
    viewer.resize(width)
    viewer.choose(model)
    for tab in TABS:
        open_detail(viewer, tab)
        assert viewer.run("return document.documentElement.scrollWidth") <= width, tab
    open_form(viewer)
    assert viewer.run("return document.documentElement.scrollWidth") <= width


def test_changes_are_made_with_the_keyboard(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "metadata")
    viewer.run("arguments[0].focus()", viewer.all("#panel-metadata button.key")[3])
    key = viewer.press("ENTER").text
    for text in ("Close", "at byte", "Edit"):
        while not viewer.press("TAB").text.startswith(text):
            pass
    viewer.press("ENTER")
    assert viewer.focused.tag_name == "textarea"
    viewer.focused.send_keys("x")
    assert viewer.press("TAB").text == "Change value"
    viewer.press("ENTER")
    assert viewer.texts(".changes li")[0].startswith(f"Set {key} = ")
    viewer.press("ESCAPE")
    assert not viewer.one("#panel-metadata .detail").is_displayed()


@pytest.mark.parametrize("width", [360, 390])
def test_labels_stay_with_their_controls(viewer: Viewer, model: Path, width: int) -> None:
    viewer.resize(width)
    viewer.choose(model)
    for tab in ("metadata", "tensors", "file"):
        viewer.tab(tab)
        script = """return Array.from(document.querySelectorAll(".controls .pair"))
            .filter((each) => each.checkVisibility()).map((each) => Array.from(each.children, (child) => {
              const { top, bottom } = child.getBoundingClientRect(); return (top + bottom) / 2; }))"""
        places = viewer.run(script)
        assert places
        assert all(abs(label - control) < 8 for label, control in places), tab


SCREENSHOTS = [
    ("summary", 1920, 900, "light"), ("tensors", 1920, 1080, "dark"), ("layers", 1280, 620, "light"),
    ("file", 1280, 860, "dark"), ("summary", 360, 780, "light"), ("metadata", 360, 780, "dark"),
    ("changes", 1280, 860, "light"),
]  # fmt: skip


@pytest.mark.skipif(
    "VIEWER_SCREENSHOTS" not in os.environ, reason="VIEWER_SCREENSHOTS=1 writes the screenshots of docs/viewer.md"
)
@pytest.mark.parametrize("screenshot", SCREENSHOTS)
def test_screenshots(viewer: Viewer, model: Path, screenshot: tuple[str, int, int, str]) -> None:
    from PIL import Image

    tab, width, height, scheme = screenshot
    IMAGES.mkdir(exist_ok=True)
    viewer.resize(width, height)
    viewer.prefer(scheme)
    viewer.choose(model)
    open_detail(viewer, tab)
    path = IMAGES / f"viewer-{tab}-{width}-{scheme}.png"
    assert viewer.driver.save_screenshot(str(path))
    with Image.open(path) as image:
        image.convert("RGB").quantize(192).save(path, optimize=True)


def test_the_screenshots_of_the_docs_exist() -> None:
    shown = set(re.findall(r"\(images/([^)]*)\)", (ROOT / "docs" / "viewer.md").read_text("utf-8")))
    assert shown == {path.name for path in IMAGES.glob("viewer-*.png")}
    assert shown == {f"viewer-{tab}-{width}-{scheme}.png" for tab, width, _, scheme in SCREENSHOTS}
