"""The viewer in Chromium, driven by selenium, and a record of requests and console messages."""

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kaitai_gguf
from kaitai_gguf.cli.commands import info
from kaitai_gguf.text import human_bytes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "kaitai_gguf" / "cli" / "viewer.html"
TABS = ["summary", "metadata", "tensors", "layers", "file"]
PATIENCE = 30.0  # seconds

DROP = """
const [name, text] = arguments;
const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], name));
for (const type of ["dragenter", "dragover", "drop"]) {
  document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}
"""


class Viewer:
    """The page, open in its own window."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, url: str = PAGE.as_uri()) -> None:
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(url)

    def choose(self, path: Path, tab: str = "") -> None:
        """Choose a file with the button's input, wait until it is shown or refused, and select a tab."""
        self.clear()
        self.driver.find_element("id", "file").send_keys(str(path))
        self.wait_for_file()
        if tab:
            self.tab(tab)

    def drop(self, name: str, data: bytes) -> None:
        self.clear()
        self.run(DROP, name, base64.b64encode(data).decode())
        self.wait_for_file()

    def clear(self) -> None:
        self.run("for (const id of ['model', 'error']) document.getElementById(id).replaceChildren();")

    def wait_for_file(self) -> None:
        self.wait(lambda: self.all("#model [role=tab], #error .failure") and not self.all("body.busy"))

    def wait(self, condition: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if result := condition():
                return result
            time.sleep(0.01)
        raise AssertionError(f"the page did not reach this state: {self.text('body')[:2000]}")

    def all(self, selector: str) -> list[Any]:
        elements: list[Any] = self.driver.find_elements("css selector", selector)
        return elements

    def one(self, selector: str) -> Any:
        (element,) = self.all(selector)
        return element

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def texts(self, selector: str) -> Any:
        script = "return Array.from(document.querySelectorAll(arguments[0]), (each) => each.textContent)"
        return self.run(script, selector)

    def rows(self, selector: str) -> Any:
        """Return the cells of each row of a table."""
        script = """return Array.from(document.querySelectorAll(arguments[0] + " tbody tr"),
            (row) => Array.from(row.cells, (cell) => cell.innerText))"""
        return self.run(script, selector)

    def type(self, selector: str, words: str) -> None:
        """Replace the text of an input."""
        self.one(selector).clear()
        self.one(selector).send_keys(words)

    @property
    def focused(self) -> Any:
        return self.driver.switch_to.active_element

    def press(self, key: str) -> Any:
        """Press a key, such as "ARROW_DOWN", and return the element that has the focus then."""
        from selenium.webdriver.common.keys import Keys

        self.focused.send_keys(getattr(Keys, key))
        return self.focused

    def show(self, tab: str, name: str) -> None:
        """Show the details of a key or a tensor."""
        self.tab(tab)
        self.click(f"#panel-{tab} button.key", name)

    def tab(self, name: str) -> None:
        self.one(f"#tab-{name}").click()

    def click(self, selector: str, text: str) -> None:
        script = """return Array.from(document.querySelectorAll(arguments[0])).find(
            (each) => each.textContent === arguments[1])"""
        self.run(script, selector, text).click()

    def error(self) -> str:
        return self.text("#error")

    def num_bytes_read(self) -> int:
        title = str(self.one("#read").get_attribute("title"))
        return int(title.partition(" of ")[0].replace(",", ""))

    def facts(self) -> dict[str, str]:
        script = """return Array.from(document.querySelectorAll("#panel-summary .fact"),
            (each) => [each.querySelector("dt").textContent, each.querySelector("dd").firstChild.textContent])"""
        return dict(self.run(script))

    # Requests and console messages

    def urls(self) -> list[str]:
        """Return the URLs of requests that the policy allowed since the page was opened or since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        refused = {
            each["params"]["requestId"]
            for each in messages
            if each["method"] == "Network.loadingFailed" and each["params"].get("blockedReason") == "csp"
        }
        sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [each["request"]["url"] for each in sent if each["requestId"] not in refused]

    def complaints(self) -> list[str]:
        """Return the console messages: script errors, and violations of the Content-Security-Policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def heap(self, collect: bool = True) -> int:
        """Return the bytes of objects and of array buffers, by default after garbage collection."""
        if collect:
            self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        usage = self.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})
        return int(usage["usedSize"] + usage.get("embedderHeapUsedSize", 0) + usage.get("backingStorageSize", 0))

    # Appearance

    def resize(self, width: int, height: int = 900) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: str) -> None:
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def facts_of_info(path: Path) -> dict[str, str]:
    """Return the facts that `kaitai-gguf info` prints about a file, without the shares of types and kinds."""
    with kaitai_gguf.open(path, shards=False) as model:
        rows = dict(info.rows(info.document(model)))
        if "memory" in rows:
            context = kaitai_gguf.memory(model, ctx_size=4096).context or 0
            weights = sum(tensor.nbytes or 0 for tensor in model.tensors.values())
            parts = f"weights {human_bytes(weights)}, context {human_bytes(context)}"
            rows["memory"] = f"{human_bytes(weights + context)}: {parts}"
    return {name: words for name, words in rows.items() if name not in ("quantization", "kinds", "")}
