"""The page that `kaitai-gguf view` serves, in Chromium."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from integration.test_viewer_editing import change, is_saved, save, start_saving
from support.browser import TABS, Viewer, facts_of_info
from support.commands import run
from support.fault_server import serving
from support.viewer_models import llama

from kaitai_gguf.cli.served_file import ServedFile
from kaitai_gguf.cli.viewer_server import ViewerServer

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"


@contextmanager
def served(browser: Viewer, source: object) -> Iterator[ViewerServer]:
    """Serve a file, and open its page."""
    with ViewerServer(ServedFile(str(source))) as server:
        browser.open(server.url)
        browser.wait_for_file()
        yield server
        browser.open("about:blank")


def test_the_served_page_shows_its_file(browser: Viewer, tmp_path: Path) -> None:
    model = llama(tmp_path / "model.gguf", 2)
    with served(browser, model) as server:
        assert browser.facts() == facts_of_info(model)
        for tab in TABS:
            browser.tab(tab)
        browser.wait(lambda: browser.rows(".hex"))
        assert browser.text(".file-name") == model.name
        assert 0 < browser.num_bytes_read() <= 64 << 20
        requested, page = set(browser.urls()), server.url.replace(server.token, server.folder)
        icon = f"http://127.0.0.1:{server.server_port}/favicon.ico"
        assert requested - {icon} == {server.url, page, f"{page}file"}
        assert browser.driver.current_url == page
        assert browser.run("return document.cookie") == ""
        browser.open(server.url)
        assert "works only once" in browser.text("body")


def test_the_served_page_shows_a_url(browser: Viewer) -> None:
    with serving() as far, served(browser, far.put(SAMPLE.read_bytes())):
        assert browser.facts() == facts_of_info(SAMPLE)


def test_the_served_page_says_what_is_wrong(browser: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(SAMPLE.read_bytes()[:1000])
    with served(browser, path):
        browser.wait(lambda: browser.texts(".hex td.selected"))
        assert "can't be shown in full" in browser.error()
        browser.tab("metadata")
        assert browser.texts("#panel-metadata button.key")
        path.write_bytes(b"something else")
        browser.driver.refresh()
        browser.wait_for_file()
        assert "model.gguf can't be shown" in browser.error()


def test_a_served_file_that_is_replaced_while_it_is_shown(browser: Viewer, tmp_path: Path) -> None:
    path = llama(tmp_path / "model.gguf", 2)
    with served(browser, path):
        llama(tmp_path / "other.gguf", 3).replace(path)
        browser.show("tensors", "blk.1.ffn_up.weight")
        problem = browser.wait(lambda: browser.text("#panel-tensors .detail .problem"))
        assert problem == "the file was replaced by another one while it was read"


def test_a_served_file_is_saved_with_changes(browser: Viewer, tmp_path: Path) -> None:
    output = tmp_path / "expected.gguf"
    run("set", SAMPLE, "llama.block_count=7", "--output", output)
    with served(browser, SAMPLE):
        browser.resize(500)  # the details open over the list, and close after the change
        change(browser, "llama.block_count", "7")
        assert save(browser) == output.read_bytes()


def test_a_large_served_file_is_saved_in_little_memory(browser: Viewer, tmp_path: Path) -> None:
    """Garbage counts: the browser frees the memory of arrays late."""
    path = llama(tmp_path / "model.gguf", 4)
    with served(browser, path):
        change(browser, "llama.block_count", "7")
        before = most = browser.heap()
        start_saving(browser, keeps=False)
        while not is_saved(browser):
            most = max(most, browser.heap(collect=False))
        assert browser.run("return saved.size") == path.stat().st_size > 500 << 20
        assert most - before < 48 << 20
    path.unlink()
