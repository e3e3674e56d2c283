"""The viewer in Chromium: changes of keys and tensor names, and the file that is saved with them."""

import base64
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.browser import Viewer
from support.commands import run
from support.gguf_bytes import Model
from support.viewer_models import TEMPLATE, llama

import kaitai_gguf

ROOT = Path(__file__).parents[2]

# Saves to memory, or only counts the bytes, instead of asking the user for a file.
PICKER = """
const [name, keeps] = arguments;
window.saved = { chunks: [], size: 0, state: "open" };
window.showSaveFilePicker = async () => ({
  name,
  getFile: async () => new File([], name),
  createWritable: async () => ({
    async write(chunk) {
      if (keeps) saved.chunks.push(new Blob([chunk])); // the page may write to the same array again
      saved.size += chunk.size ?? chunk.byteLength;
    },
    async close() { saved.state = "closed"; },
    async abort() { saved.state = "aborted"; },
  }),
});
"""
SAVED = """
const done = arguments[0];
const reader = new FileReader();
reader.onload = () => done(reader.result.split(",")[1]);
reader.readAsDataURL(new Blob(saved.chunks));
"""


def press(viewer: Viewer, text: str, within: str = "#panel-metadata .detail") -> None:
    viewer.click(f"{within} button", text)


def field(viewer: Viewer, words: str) -> Any:
    """Return the control with a label."""
    script = """const label = Array.from(document.querySelectorAll(".detail form label"))
        .find((each) => each.textContent === arguments[0] && each.checkVisibility());
        return document.getElementById(label.htmlFor)"""
    return viewer.run(script, words)


def fill(viewer: Viewer, words: str, text: str) -> None:
    script = """arguments[0].value = arguments[1];
        for (const type of ["input", "change"]) arguments[0].dispatchEvent(new Event(type, { bubbles: true }))"""
    viewer.run(script, field(viewer, words), text)


def change(viewer: Viewer, key: str, text: str) -> None:
    viewer.show("metadata", key)
    press(viewer, "Edit")
    fill(viewer, "Value", text)
    press(viewer, "Change value")


def start_saving(viewer: Viewer, keeps: bool) -> None:
    viewer.run(PICKER, "new.gguf", keeps)
    press(viewer, "Save as…", ".changes")


def is_saved(viewer: Viewer) -> bool:
    status = viewer.text(".changes [role=status]")
    assert "Nothing was saved" not in status
    return status.startswith("Saved new.gguf")


def save(viewer: Viewer, keeps: bool = True) -> bytes:
    start_saving(viewer, keeps)
    viewer.wait(lambda: is_saved(viewer))
    return base64.b64decode(viewer.driver.execute_async_script(SAVED)) if keeps else b""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.gguf"
    shutil.copy(ROOT / "examples" / "sample.gguf", path)
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["tokenizer.chat_template"] = TEMPLATE
    return path


def test_a_template_is_changed_and_saved(viewer: Viewer, small: Path) -> None:
    template = "{% for m in messages %}\n{{ m.content }} naïve\n{% endfor %}"
    viewer.choose(small)
    viewer.show("metadata", "tokenizer.chat_template")
    press(viewer, "Edit")
    fill(viewer, "Value", template)
    assert "+ {{ m.content }} naïve" in viewer.text(".preview ins:nth-of-type(2)")
    press(viewer, "Change value")
    assert viewer.texts("#panel-metadata .detail pre") == [template]
    output = small.with_name("expected.gguf")
    run("set", small, f"tokenizer.chat_template={template}", "--output", output)
    assert save(viewer) == output.read_bytes()
    with kaitai_gguf.open(small) as before, kaitai_gguf.open(output) as after:
        sizes = f"Header: {before.header_nbytes:,} bytes before, {after.header_nbytes:,} bytes after."
    assert sizes in viewer.text(".changes")


def test_all_kinds_of_changes(viewer: Viewer, small: Path) -> None:
    output = small.with_name("expected.gguf")
    viewer.choose(small)
    change(viewer, "llama.block_count", "7")
    viewer.show("metadata", "general.license")
    press(viewer, "Remove")
    viewer.show("metadata", "general.name")
    press(viewer, "Rename")
    fill(viewer, "New name", "general.basename")
    press(viewer, "Rename", "#panel-metadata .detail form")
    press(viewer, "Add a key", "#panel-metadata .controls")
    fill(viewer, "Key", "llama.rope.freq_base")
    assert field(viewer, "Type").get_attribute("value") == "float32"
    fill(viewer, "Value", "0.1")
    press(viewer, "Add key")
    press(viewer, "Add a key", "#panel-metadata .controls")
    fill(viewer, "Key", "my.ids")
    fill(viewer, "Type", "uint64[]")
    fill(viewer, "Value", "[1, 18446744073709551615]")
    press(viewer, "Add key")
    viewer.show("tensors", "blk.0.attn_q.weight")
    press(viewer, "Rename", "#panel-tensors .detail")
    fill(viewer, "New name", "blk.0.query.weight")
    press(viewer, "Rename", "#panel-tensors .detail form")
    assert viewer.text("#panel-tensors .detail h2") == "blk.0.query.weight"
    assert len(viewer.texts(".changes li")) == 6
    with kaitai_gguf.edit(small) as editor:
        editor.metadata["llama.block_count"] = 7
        editor.metadata["llama.rope.freq_base"] = 0.1
        editor.metadata["my.ids"] = kaitai_gguf.Typed([1, 2**64 - 1], "uint64")
        del editor.metadata["general.license"]
        editor.metadata.rename("general.name", "general.basename")
        editor.tensors.rename("blk.0.attn_q.weight", "blk.0.query.weight")
        editor.commit(output)
        editor.discard()
    assert save(viewer) == output.read_bytes()
    for left in range(5, -1, -1):
        press(viewer, "Undo", ".changes")
        assert len(viewer.texts(".changes li")) == left
    assert not viewer.one(".changes").is_displayed()
    viewer.tab("metadata")
    with kaitai_gguf.open(small) as model:
        assert viewer.texts("#panel-metadata button.key") == list(model.metadata)
    assert viewer.texts(".changed") == []


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("llama.block_count", "-1", "range is 0 to 4294967295"),
        ("llama.block_count", "", "expected a whole number from 0 to 4294967295"),
        ("general.alignment", "33", "expected a power of two"),
    ],
)
def test_a_message_at_the_field(viewer: Viewer, key: str, text: str, message: str) -> None:
    data = Model([("llama.block_count", "uint32", 2), ("general.alignment", "uint32", 32)]).build()
    viewer.drop("model.gguf", data)
    viewer.tab("metadata")
    change(viewer, key, text)
    assert message in viewer.text(".detail form .problem")
    assert not viewer.one(".changes").is_displayed()


def test_names_are_checked(viewer: Viewer, small: Path) -> None:
    viewer.choose(small)
    viewer.show("metadata", "general.name")
    press(viewer, "Rename")
    fill(viewer, "New name", "general.license")
    press(viewer, "Rename", ".detail form")
    assert "already exists" in viewer.text(".detail form .problem")
    fill(viewer, "New name", "x" * 65_536)
    press(viewer, "Rename", ".detail form")
    assert "the name has 65,536 bytes, and may have 65,535" in viewer.text(".detail form .problem")
    viewer.show("tensors", "blk.0.attn_q.weight")
    press(viewer, "Rename", "#panel-tensors .detail")
    fill(viewer, "New name", "é" * 32)
    press(viewer, "Rename", "#panel-tensors .detail form")
    assert "the name has 64 bytes, and may have 63" in viewer.text("#panel-tensors .detail form .problem")


def test_a_new_key_with_the_old_name_of_another(viewer: Viewer, small: Path) -> None:
    viewer.choose(small)
    viewer.show("metadata", "general.name")
    press(viewer, "Rename")
    fill(viewer, "New name", "my.name")
    press(viewer, "Rename", ".detail form")
    press(viewer, "Add a key", "#panel-metadata .controls")
    fill(viewer, "Key", "general.name")
    fill(viewer, "Value", "new")
    press(viewer, "Add key")
    renamed, output = small.with_name("renamed.gguf"), small.with_name("expected.gguf")
    run("rename-key", small, "general.name", "my.name", "--output", renamed)
    run("set", renamed, "general.name=new", "--output", output)
    assert save(viewer) == output.read_bytes()


def test_warnings(viewer: Viewer, small: Path) -> None:
    viewer.choose(small, "metadata")
    for key, type, text in (
        ("tokenizer.ggml.eos_token_id", "uint32", "99999999"), ("general.type", "string", "x"), ("a.b", "string", "x"),
        ("llama.expert_count", "float32", "1"),
    ):  # fmt: skip
        if key in viewer.texts("#panel-metadata button.key"):
            change(viewer, key, text)
            continue
        press(viewer, "Add a key", "#panel-metadata .controls")
        fill(viewer, "Key", key)
        fill(viewer, "Type", type)
        fill(viewer, "Value", text)
        press(viewer, "Add key")
    text = " ".join(viewer.texts(".changes .warning"))
    for part in (
        "is beyond the vocabulary",
        "is not a documented value",
        "a.b is not a documented key",
        "documented type is uint32",
    ):
        assert part in text


def test_a_file_that_changed_is_not_saved(viewer: Viewer, small: Path) -> None:
    viewer.choose(small)
    change(viewer, "llama.block_count", "7")
    os.utime(small, (0, 0))
    viewer.run(PICKER, "new.gguf", True)
    press(viewer, "Save as…", ".changes")
    viewer.wait(lambda: "Nothing was saved" in viewer.text(".changes"))
    assert "it was changed, moved or deleted" in viewer.text(".changes .problem")
    assert viewer.run("return saved.state") == "open"


def test_20_gb_are_saved_without_holding_them(viewer: Viewer, tmp_path: Path) -> None:
    path = llama(tmp_path / "large.gguf", least_nbytes=20 << 30)
    viewer.choose(path)
    change(viewer, "llama.block_count", "7")
    before = viewer.heap()
    save(viewer, keeps=False)
    assert viewer.run("return saved.size") == path.stat().st_size
    assert viewer.heap() - before < 64 << 20
    path.unlink()


def test_a_download_where_there_is_no_picker(viewer: Viewer, small: Path) -> None:
    folder = small.parent / "downloads"
    folder.mkdir()
    viewer.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    viewer.choose(small)
    change(viewer, "llama.block_count", "7")
    viewer.run("delete Window.prototype.showSaveFilePicker; delete window.showSaveFilePicker")
    assert viewer.run("return 'showSaveFilePicker' in window") is False
    press(viewer, "Save as…", ".changes")
    path = folder / "small-edited.gguf"
    viewer.wait(path.exists)
    output = small.with_name("expected.gguf")
    run("set", small, "llama.block_count=7", "--output", output)
    assert path.read_bytes() == output.read_bytes()
