"""The viewer with hostile files: no script in them runs, and nothing leaves the browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks import hostile
from support.browser import TABS, Viewer
from support.gguf_bytes import F32, STRING, Array, Model, TensorSpec, file, key_value, string, tensor

ROOT = Path(__file__).parents[2]
ATTACKS = ROOT / "tests" / "attacks" / "files"
SOME = {"cve": 1, "found": 1, "ggml": 5, "opened": 10, "refused": 10}  # every n-th file of each folder
FILES = [path for folder, step in SOME.items() for path in sorted((ATTACKS / folder).glob("*.gguf"))[::step]]

MARKUP = [
    b"<script>canary('script')</script>",
    b"<img src=x onerror=canary('img')>",
    b"<svg/onload=canary('svg')>",
    b"</pre></td></table><iframe src=javascript:canary('iframe')>",
    b"<a href=javascript:canary('link') autofocus onfocus=canary('focus')>click</a>",
    b"javascript:canary('url')",
    b"<style>@import 'http://127.0.0.1:9/style';*{background:url(http://127.0.0.1:9/image)}</style>",
    b"<link rel=stylesheet href=http://127.0.0.1:9/style><base href=http://127.0.0.1:9/>",
    b"<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    b"<form action=http://127.0.0.1:9/><input name=x autofocus></form>",
    b"' style='background:url(http://127.0.0.1:9/)' x='",
    b'" onmouseover="canary(1)" x="',
    b"</script><script>canary('end')</script>",
    b"<!--<script>canary('comment')//-->",
    b"{{constructor.constructor('canary(1)')()}}",
    b"\\u003cscript\\u003ecanary(1)\\u003c/script\\u003e",
    b"__proto__",
    b"constructor",
    b"toString",
]

CANARY = "window.sung = []; window.canary = (what) => window.sung.push(String(what)); window.alert = window.canary;"
STRANGE = """
return [...document.querySelectorAll("main script, main img, main iframe, main object, main link, main style, "
  + "main form, main base, main meta, main a, main image, main foreignObject")].map((each) => each.outerHTML).concat(
  [...document.querySelectorAll("main *")].flatMap((each) => [...each.attributes]).filter(
  ({ name, value }) => name.startsWith("on") || /javascript:/i.test(value) && name !== "title" && name !== "aria-label")
  .map(({ name, value }) => name + "=" + value));
"""


WALK = """
for (let i = 0; i < 30; i += 1) {
  const button = document.querySelectorAll(`#panel-${arguments[0]} button.key`)[i];
  if (button === undefined) break;
  button.click();
}
for (const each of document.querySelectorAll("main td, main button")) {
  for (const type of ["mouseenter", "focus"]) each.dispatchEvent(new MouseEvent(type, { bubbles: true }));
}
"""


@pytest.fixture(autouse=True)
def no_canary(viewer: Viewer) -> Iterator[None]:
    viewer.run(CANARY)
    yield
    assert viewer.run("return window.sung") == []


def walk(viewer: Viewer) -> None:
    """Open every tab, and every detail of the first keys and tensors."""
    for tab in TABS:
        if viewer.all(f"#tab-{tab}"):
            viewer.tab(tab)
            viewer.run(WALK, tab if tab in ("metadata", "tensors") else "none")
            assert viewer.run(STRANGE) == []


def of_one(text: bytes) -> bytes:
    """Build a file that uses one text as key, value, array element and tensor name."""
    words = Array("string", [text] * 3)
    metadata = [
        ("general.architecture", "string", text), ("general.name", "string", text), (text, "string", text),
        ("tokenizer.ggml.tokens", "array", words),
        ("tokenizer.chat_template", "string", text), ("tokenizer.ggml.bos_token_id", "uint32", 1),
        ("nested", "array", Array("array", [words])),
    ]  # fmt: skip
    return Model(
        list(metadata), [TensorSpec(b"blk.0." + text, (2,), 0, 0), TensorSpec(text, (2,), 0, 32)], bytes(64)
    ).build()


@pytest.mark.parametrize("markup", MARKUP, ids=range(len(MARKUP)))
def test_markup_is_text(viewer: Viewer, markup: bytes) -> None:
    viewer.drop(f"{markup.decode()}.gguf", of_one(markup))
    assert viewer.all("#tab-metadata"), viewer.error()
    walk(viewer)


def test_what_is_invisible_is_escaped(viewer: Viewer) -> None:
    viewer.drop("\u202efugg.gguf", hostile.model())
    assert viewer.all("#tab-metadata"), viewer.error()
    walk(viewer)
    texts = [*viewer.texts("header, main"), viewer.driver.title]
    invisible = "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
    assert re.findall(invisible, "".join(texts)) == []
    assert "\\u202ertl\\u2066" in "".join(texts)
    assert "\\u202efugg" in "".join(texts)


def test_refused_names_are_text(viewer: Viewer) -> None:
    files = hostile.broken()
    assert len(files) >= 40
    for name, data in files.items():
        viewer.drop(f"{name}.gguf", data)
        assert "can't be shown" in viewer.error()
        assert viewer.run(STRANGE) == []


def test_attacks_do_no_harm(viewer: Viewer) -> None:
    refused = 0
    for path in FILES:
        viewer.drop(path.name, path.read_bytes())
        refused += bool(viewer.error())
        walk(viewer)
    assert 40 <= refused <= len(FILES) - 20


def test_very_many_tensors_and_keys(viewer: Viewer) -> None:
    metadata = [key_value(STRING, string(b""), b"key.%d" % number) for number in range(50_000)]
    tensors = [tensor((0,), F32, 0, b"blk.%d.role%d.weight" % (number % 5000, number)) for number in range(50_000)]
    viewer.drop("many.gguf", file(metadata, tensors))
    assert viewer.text("#tab-tensors") == "Tensors (50,000)"
    for tab in TABS:
        viewer.tab(tab)
        assert viewer.run("return document.querySelectorAll('*').length") < 60_000
    viewer.tab("tensors")
    viewer.one("#panel-tensors input[type=checkbox]").click()
    assert viewer.text("#panel-tensors .pager-words").endswith("of 5,000 rows")


def test_very_long_texts(viewer: Viewer, tmp_path: Path) -> None:
    long = b"n." * (2 << 20)
    path = tmp_path / "long.gguf"
    tokens = Array("string", [long, long])
    metadata = [("general.architecture", "string", long), ("general.name", "string", long), (long, "string", long)]
    tensors = [TensorSpec(b"blk.0." + long + b"weight", (2,), 0, 0)]
    path.write_bytes(Model([*metadata, ("tokenizer.ggml.tokens", "array", tokens)], tensors, bytes(8)).build())
    viewer.choose(path)
    assert viewer.all("#tab-metadata"), viewer.error()
    walk(viewer)
    viewer.wait(lambda: viewer.texts(".fields .field-name"))
    assert viewer.run("return document.querySelector('main').textContent.length") < 1_000_000


def test_the_policy_is_that_nothing_is_loaded(viewer: Viewer) -> None:
    """Scripts that try to load something or insert markup are refused by the page's policy."""
    tries = """
    const [done] = arguments;
    const results = [];
    const tried = (what) => [() => results.push(what + " passed"), () => results.push(what + " refused")];
    const image = new Image();
    [image.onload, image.onerror] = tried("image");
    image.src = "http://127.0.0.1:9/image";
    fetch("http://127.0.0.1:9/fetch").then(...tried("fetch"));
    try { new WebSocket("ws://127.0.0.1:9/socket").onerror = tried("socket")[1]; } catch { tried("socket")[1](); }
    const [passed, refused] = tried("markup");
    try { document.body.insertAdjacentHTML("beforeend", "<b>markup</b>"); passed(); } catch { refused(); }
    setTimeout(() => done(results.sort()), 300);
    """
    results = viewer.driver.execute_async_script(tries)
    assert results == ["fetch refused", "image refused", "markup refused", "socket refused"]
    complaints = viewer.complaints()
    assert sum("Content Security Policy" in each for each in complaints) >= 3
    assert [url for url in viewer.urls() if "127.0.0.1" in url] == []
