"""The viewer in Chromium: what it shows, how much of a file it reads, and that nothing leaves the browser."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.browser import TABS, Viewer, facts_of_info
from support.gguf_bytes import Array, Model, TensorSpec
from support.remote_models import vocabulary
from support.viewer_models import TEMPLATE, llama

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import counted, describe_type, describe_value, printable
from kaitai_gguf.text import human_bytes

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples" / "sample.gguf"
MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))


def test_a_file_of_20_gb(viewer: Viewer, tmp_path: Path) -> None:
    path = llama(tmp_path / "large.gguf", least_nbytes=20 << 30)
    before = viewer.heap()
    viewer.choose(path)
    for tab in TABS:
        viewer.tab(tab)
    viewer.wait(lambda: viewer.rows(".hex"))
    assert viewer.facts()["size"].startswith("20 GiB")
    assert viewer.num_bytes_read() <= 64 << 20
    assert viewer.heap() - before <= 150 << 20
    last = str(path.stat().st_size - 1)
    viewer.type(".bytes .controls input", f"{last}\n")
    viewer.wait(lambda: viewer.texts(".hex td.selected"))
    assert viewer.all(".hex td.selected")[0].get_attribute("data-position") == last
    path.unlink()


def test_only_the_header_is_read(viewer: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(vocabulary(50_000, 100_000, 40 << 20))
    header = kaitai_gguf.open(path).header_nbytes
    viewer.choose(path)
    assert header <= viewer.num_bytes_read() <= header + (5 << 20)


# Panels


@pytest.mark.parametrize("path", [SAMPLE, *MODELS], ids=lambda path: path.stem)
def test_facts_and_metadata_are_those_of_the_commands(viewer: Viewer, path: Path) -> None:
    viewer.choose(path)
    assert viewer.facts() == facts_of_info(path)
    viewer.tab("metadata")
    with kaitai_gguf.open(path, shards=False) as model:
        entries = [model.metadata.entry(key) for key in list(model.metadata)[:100]]
        expected = [
            [printable(entry.key), describe_type(entry), describe_value(model.metadata[entry.key], 120)]
            for entry in entries
        ]
    texts = viewer.texts(".keys tbody tr > *")
    assert [texts[start : start + 3] for start in range(0, len(texts), 3)] == expected


def test_the_memory_of_a_context_of_another_size(viewer: Viewer, model: Path) -> None:
    viewer.choose(model)
    viewer.type("#context-size", "32768")
    context = human_bytes(kaitai_gguf.memory(model, ctx_size=32768).context or 0)
    assert viewer.facts()["memory"].endswith(f", context {context}")
    assert viewer.one("label[for=context-size]").text.strip() == "for a context of"


def test_types_and_kinds(viewer: Viewer, model: Path) -> None:
    viewer.choose(model)
    assert viewer.facts() == facts_of_info(model)
    cards = [viewer.rows(f".shares .card:nth-child({number})") for number in (1, 2)]
    with kaitai_gguf.open(model) as opened:
        facts = opened.info()
    assert [row[0] for row in cards[0]] == list(facts.types) == ["Q4_K", "Q6_K", "F32"]
    assert [row[3] for row in cards[1]] == [counted(each.tensors, "tensor") for each in facts.kinds.values()]


def test_metadata_is_searched_and_shown_in_full(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "metadata")
    keys = [row[0] for row in viewer.rows(".keys")]
    with kaitai_gguf.open(model) as opened:
        assert keys == list(opened.metadata)
    viewer.type("#panel-metadata input[type=search]", "apache")
    assert viewer.rows(".keys") == [["general.license", "string", '"apache-2.0"']]
    viewer.type("#panel-metadata input[type=search]", "template")
    viewer.click("#panel-metadata button.key", "tokenizer.chat_template")
    assert viewer.texts("#panel-metadata pre") == [TEMPLATE]


def test_long_arrays_are_paged_and_searched(viewer: Viewer, model: Path) -> None:
    viewer.choose(model)
    viewer.show("metadata", "tokenizer.ggml.tokens")
    assert viewer.texts(".elements li")[:2] == ['0"<unk>"', '1"<|begin|>"']
    assert len(viewer.texts(".elements li")) == 100
    viewer.type(".detail .pager input", "320\n")
    assert viewer.texts(".elements li")[-1] == '31,999"token31996"'
    viewer.type(".detail input[type=search]", "token12345\n")
    assert viewer.wait(lambda: viewer.texts(".elements li.marked")) == ['12,348"token12345"']


def search(viewer: Viewer, words: str) -> dict[str, list[str]]:
    """Search the metadata to the end. Return the keys that are shown, with the elements that matched."""
    viewer.type("#panel-metadata input[type=search]", words)
    viewer.wait(lambda: viewer.texts("#panel-metadata .master [role=status]") == [""])
    script = """return Array.from(document.querySelectorAll(".keys tbody tr"), (row) =>
        [row.cells[0].textContent, Array.from(row.querySelectorAll(".match"), (each) => each.textContent)])"""
    return dict(viewer.run(script))


def test_the_search_finds_elements_of_arrays(viewer: Viewer) -> None:
    metadata = [
        ("tokens", "array", Array("string", ["<s>", "Café", "x" * 2000 + "needle"])),
        ("long", "string", "y" * 2000 + "Needle"),
        ("sizes", "array", Array("int32", [5, -123456, 7])),
        ("flags", "array", Array("bool", [True, False])),
        ("nested", "array", Array("array", [Array("string", ["a"]), Array("string", ["b", "deep"])])),
        ("length", "uint64", 2**60 + 1),
    ]
    viewer.drop("arrays.gguf", Model(metadata).build())
    viewer.tab("metadata")
    assert search(viewer, "needle").keys() == {"tokens", "long"}
    for words, expected in [
        ("CAFÉ", {"tokens": ['element 1: "Café"']}),
        ("-1234", {"sizes": ["element 1: -123456"]}),
        ("false", {"flags": ["element 1: false"]}),
        ("deep", {"nested": ['element 1: ["b", "deep"]']}),
        ("1152921504606846977", {"length": []}),
        ("absent", {"no key or value contains this": []}),
    ]:
        assert search(viewer, words) == expected
    search(viewer, "café")
    viewer.show("metadata", "tokens")
    assert viewer.texts(".elements li.marked") == ['1"Café"']
    assert viewer.one(".detail input[type=search]").get_attribute("value") == "café"


def test_a_large_vocabulary_is_searched_without_freezing_the_page(viewer: Viewer, tmp_path: Path) -> None:
    merges = [f"to ken{number}" for number in range(515_000)]
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(Model([("merges", "array", Array("string", merges))]).build())
    viewer.choose(path, "metadata")
    turns = viewer.driver.execute_async_script(TURNS, "ken514999")
    assert search(viewer, "ken514999") == {"merges": ['element 514,999: "to ken514999"']}
    assert turns >= 1


TURNS = """
const [words, done] = arguments;
const field = document.querySelector("#panel-metadata input[type=search]");
const state = document.querySelector("#panel-metadata .master [role=status]");
field.value = words;
field.dispatchEvent(new Event("input"));
let turns = 0; // of other work of the page
const tick = () => (state.textContent === "" ? done(turns) : setTimeout(tick, 0, (turns += 1)));
setTimeout(tick);
"""


def test_sizes_and_counts_are_in_words(viewer: Viewer) -> None:
    viewer.drop("one.gguf", Model([("key", "string", "naïve")]).build())
    viewer.show("metadata", "key")
    assert viewer.text("#panel-metadata .pager-words") == "1 key"
    assert viewer.text("#panel-metadata .detail p").startswith("string, 6 bytes; 29 bytes with its key at byte 24")
    viewer.drop("two.gguf", Model([("llama.block_count", "uint32", 2)]).build())
    viewer.show("metadata", "llama.block_count")
    assert viewer.text("#panel-metadata .detail .meaning") == kaitai_gguf.standard_key("llama.block_count").description


def test_names_of_types_are_not_cut(viewer: Viewer) -> None:
    names = [f"blk.{number}.attn_q.weight" for number in range(2)]
    tensors = [TensorSpec(names[0], (256,), 16, 0), TensorSpec(names[1], (256,), 18, 96)]
    viewer.drop("types.gguf", Model([], tensors, bytes(256)).build())
    viewer.tab("layers")
    assert viewer.texts(".heat td.filled") == ["IQ2_XXS", "IQ3_XXS"]
    script = "return Array.from(document.querySelectorAll('.heat td'), (each) => each.scrollWidth - each.clientWidth)"
    assert max(viewer.run(script)) <= 0


def test_tensors_are_sorted_filtered_and_grouped(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "tensors")
    with kaitai_gguf.open(model) as opened:
        names, tensors = list(opened.tensors), list(opened.tensors.values())
    assert [row[0] for row in viewer.rows(".tensors")] == names[:100]
    viewer.click(".sort", "size")
    viewer.click(".sort", "size")
    assert viewer.one("th[data-column=nbytes]").get_attribute("aria-sort") == "descending"
    largest = sorted(tensors, key=lambda tensor: -(tensor.nbytes or 0))
    assert [row[0] for row in viewer.rows(".tensors")][:5] == [tensor.name for tensor in largest[:5]]
    viewer.one("#panel-tensors input[type=search]").send_keys("BLK.7.ffn")
    assert {row[0] for row in viewer.rows(".tensors")} == {name for name in names if name.startswith("blk.7.ffn")}
    viewer.type("#panel-tensors input[type=search]", "blk")
    viewer.one("#panel-tensors input[type=checkbox]").click()
    assert [row[0] for row in viewer.rows(".tensors")] == [f"▸ block {number}" for number in range(32)]
    viewer.click("tr.group button", "▸ block 3")
    assert len(viewer.rows(".tensors")) == 32 + 9


def test_values_of_plain_tensors(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "tensors")
    before = viewer.num_bytes_read()
    viewer.click("#panel-tensors button.key", "blk.0.attn_norm.weight")
    shown = viewer.wait(lambda: viewer.texts(".grid-of-values .element"))
    assert 0 < viewer.num_bytes_read() - before <= 1024
    with kaitai_gguf.open(model) as opened:
        values = opened.tensors["blk.0.attn_norm.weight"].data[:256]
    assert [float(text) for text in shown] == pytest.approx(values.tolist(), rel=1e-6)


@pytest.mark.parametrize("name", ["tiny-allquants", "tiny-newquants", "tiny-be"])
def test_blocks_of_all_types(viewer: Viewer, name: str) -> None:
    """The first block or element of each type equals what Python reads."""
    path = ROOT / "tests" / "data" / "models" / f"{name}.gguf"
    viewer.choose(path, "tensors")
    types, dequantized = set(), set()
    with kaitai_gguf.open(path) as model:
        for tensor in model.tensors.values():
            if tensor.type_name in types or not tensor.nbytes:
                continue
            types.add(tensor.type_name)
            viewer.click("#panel-tensors button.key", tensor.name)
            expected = first_numbers(tensor)
            shown = viewer.wait(
                lambda: viewer.texts(".detail .block:first-child dd, .detail .grid-of-values li:first-child .element")
            )
            numbers = [float(word) for text in shown for word in text.split()]
            assert numbers == pytest.approx(expected, rel=1e-6, nan_ok=True), tensor.type_name
            values = [float(word) for text in viewer.texts(".detail .dequantized")[:1] for word in text.split()]
            if tensor.type_name in ("Q8_0", "Q4_0", "Q4_1"):
                assert values == pytest.approx(tensor.dequantize().reshape(-1)[:32].tolist(), rel=1e-6)
                dequantized.add(tensor.type_name)
    assert len(types) >= 2
    assert len(dequantized) == (3 if name == "tiny-allquants" else len(dequantized))


def first_numbers(tensor: Any) -> list[float]:
    block = tensor.blocks.reshape(-1)[0]
    if block.dtype.names is None:
        return [float(block)]
    return [float(value) for name in block.dtype.names for value in block[name].reshape(-1)]


def test_layers_by_role(viewer: Viewer, model: Path) -> None:
    viewer.choose(model, "layers")
    rows = viewer.rows(".heat")
    by_role = {row[0]: row[1:] for row in rows}
    with kaitai_gguf.open(model) as opened:
        expected = [opened.tensors[f"blk.{layer}.ffn_down.weight"].type_name for layer in range(32)]
    assert by_role["ffn_down"] == ["", *expected]
    assert by_role["output"] == ["Q6_K", *[""] * 32]
    viewer.all("#panel-layers input[type=radio]")[1].click()
    bits = {row[0]: row[1:] for row in viewer.rows(".heat")}["ffn_down"]
    assert set(bits[1:]) == {"4.50", "6.56"}
    cell = viewer.one(".heat tr:nth-child(3) td:nth-child(5)")
    cell.click()
    assert viewer.text("#panel-tensors .detail h2") == "blk.2.attn_q.weight"


EACH_BYTE = """
const input = document.querySelector(".bytes .controls input");
return Array.from({ length: arguments[0] }, (_, position) => {
  input.value = String(position);
  input.parentElement.nextElementSibling.click();
  return Array.from(document.querySelectorAll(".fields .field-name"), (each) => each.textContent);
});
"""


def test_each_byte_of_the_header_is_explained(viewer: Viewer) -> None:
    metadata = [("a.longer.key", "uint32", 7), ("tags", "array", Array("string", ["one", "two"]))]
    data = Model(metadata, [TensorSpec("t", (2,), 0, 0)], bytes(8)).build()
    viewer.drop("model.gguf", data)
    viewer.tab("file")
    viewer.wait(lambda: viewer.texts(".fields li"))
    end = kaitai_gguf.open(data).header_nbytes
    expected = [list(kaitai_gguf.explain(data, at=position))[-1].path.split("/")[1:] for position in range(end)]
    assert viewer.run(EACH_BYTE, end) == expected
    go(viewer, hex(end))
    assert viewer.texts(".fields .field-name") == ["padding"]
    go(viewer, str(len(data) - 1))
    assert viewer.texts(".fields .field-name") == ["t", "element 1", "value = 0"]


def go(viewer: Viewer, position: str) -> None:
    field = viewer.one(".bytes .controls input")
    viewer.run("arguments[0].value = arguments[1]", field, position)
    field.send_keys("\n")
    wanted = f"byte {int(position, 0):,} {int(position, 0):#x}"
    viewer.wait(lambda: viewer.texts(".fields .position") == [wanted])


def test_the_map_leads_to_the_bytes(viewer: Viewer, model: Path) -> None:
    from selenium.webdriver import ActionChains

    viewer.choose(model, "file")
    with kaitai_gguf.open(model) as opened:
        first = max(opened.tensors.values(), key=lambda tensor: tensor.nbytes or 0)
        position = opened.data_offset + first.offset
    assert viewer.rows(".parts")[0][0] == first.name
    viewer.click(".parts button", first.name)
    viewer.wait(lambda: viewer.texts(".fields .position") == [f"byte {position:,} {position:#x}"])
    assert viewer.texts(".fields .field-name")[:2] == [first.name, "block 0"]
    ActionChains(viewer.driver).move_to_element_with_offset(viewer.one("svg.map:not(.line)"), 0, 10).click().perform()
    viewer.wait(lambda: viewer.texts(".fields .position") != [f"byte {position:,} {position:#x}"])
    middle = int(re.sub(r"[^0-9].*", "", viewer.texts(".fields .position")[0].removeprefix("byte ").replace(",", "")))
    assert middle == pytest.approx(model.stat().st_size * 7 / 12, rel=0.01)  # the middle of the fourth line


def test_the_export_is_canonical_json(viewer: Viewer) -> None:
    folder = Path(viewer.driver.capabilities["chrome"]["userDataDir"]).parent
    viewer.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    viewer.choose(SAMPLE)
    viewer.one("#export").click()
    path = folder / "sample.json"
    viewer.wait(path.exists)
    with kaitai_gguf.open(SAMPLE) as model:
        assert json.loads(path.read_text()) == canonical.document(model, full=True)
    path.unlink()


# Files that can't be shown


def test_errors_name_the_byte_and_another_file_may_follow(viewer: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(SAMPLE.read_bytes()[:1000])
    with pytest.raises(kaitai_gguf.TruncatedError) as caught:
        kaitai_gguf.open(path)
    viewer.choose(path)
    assert "broken.gguf can't be shown" in viewer.error()
    assert f"({caught.value.offset:#x})" in viewer.error()
    assert caught.value.path in viewer.error()
    (index,) = re.findall(r"/metadata/(\d+)/", caught.value.path)
    with kaitai_gguf.open(SAMPLE) as model:
        expected = list(model.metadata)[: int(index)]
    assert f"Read before the error: {len(expected)} keys and 0 tensors." in viewer.error()
    viewer.wait(lambda: viewer.texts(".fields .position"))
    assert viewer.all(".hex td.selected")[0].get_attribute("data-position") == str(caught.value.offset)
    viewer.tab("metadata")
    assert viewer.texts("#panel-metadata button.key") == expected
    viewer.choose(SAMPLE)
    assert viewer.error() == ""
    assert viewer.text("#panel-summary h2") != ""


def test_items_before_a_broken_rule_are_shown(viewer: Viewer) -> None:
    """The second tensor overlaps the first, and the third has an offset that is not aligned, which is found first."""
    tensors = [TensorSpec("a", (32,), 0, 0), TensorSpec("b", (2,), 0, 32), TensorSpec("c", (2,), 0, 7)]
    viewer.drop("rules.gguf", Model([("key", "uint8", 1)], tensors, bytes(128)).build())
    assert "is not a multiple of the alignment" in viewer.error()
    assert "Read before the error: 1 key and 1 tensor." in viewer.error()
    viewer.tab("tensors")
    viewer.click("#panel-tensors button.key", "a")
    assert "the header is not valid" in viewer.text("#panel-tensors .detail")


@pytest.mark.parametrize(
    "data", [b"", b"GGUF", b"GGUFGGUFGGUF" * 100, b"PK\x03\x04" + bytes(100)], ids=["empty", "magic", "text", "zip"]
)
def test_what_is_not_gguf(viewer: Viewer, data: bytes) -> None:
    viewer.drop("x.gguf", data)
    assert "x.gguf can't be shown" in viewer.error()
    assert [each.is_displayed() for each in viewer.all(".hex")] == [True] * bool(data)


def test_a_file_that_is_cut_short_after_it_was_opened(viewer: Viewer, tmp_path: Path) -> None:
    path = llama(tmp_path / "model.gguf", 2)
    viewer.choose(path)
    with path.open("r+b") as file:
        file.truncate(8 << 20)
    viewer.tab("tensors")
    viewer.click("#panel-tensors button.key", "blk.1.ffn_down.weight")
    assert viewer.wait(lambda: viewer.texts("#panel-tensors .detail .problem"))
