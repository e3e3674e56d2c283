"""`check`: arguments, results, and summaries."""

import io
from pathlib import Path

import pytest
from support.gguf_bytes import Array, Model, TensorSpec

from kaitai_gguf import RULES, ClosedError, FileError, check, open as open_model
from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules.page import page
from kaitai_gguf.rules.rule import LISTED
from rules.build import METADATA, good, with_key

MODELS = Path(__file__).parents[1] / "data" / "models"
PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def rules(data: bytes) -> list[str]:
    return [finding.rule for finding in check(data)]


def test_sources_and_names_of_files(tmp_path: Path) -> None:
    data = with_key("A", "uint8", 1).build()
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    expected = check(path, deep=True)
    assert [finding.rule for finding in expected] == ["key-charset"]
    for source in (str(path), path, data, bytearray(data), memoryview(data), io.BytesIO(data)):
        assert check(source, deep=True) == expected
        with open_model(source) as model:
            assert check(model, deep=True) == expected
    with path.open("rb") as file, open_model(file) as model:
        assert check(model) == check(file) == expected
        assert [each.rule for each in check(model, pedantic=True)] == ["file-name", "key-charset"]
    assert check(data, pedantic=True) == expected
    with pytest.raises(FileError):
        check(tmp_path / "missing.gguf")
    with pytest.raises(TypeError):
        check(3)  # type: ignore[arg-type]


def test_five_are_listed_and_more_are_summed_up() -> None:
    model = good()
    model.metadata += [(f"A{i}", "uint8", 1) for i in range(5)]
    assert [finding.count for finding in check(model.build())] == [1] * 5
    model.metadata += [(f"A{i}", "uint8", 1) for i in range(5, 1000)]
    (finding,) = check(model.build())
    assert (finding.rule, finding.path, finding.count) == ("key-charset", f"/metadata/{len(METADATA)}/key", 1000)
    assert finding.message.endswith("(and 999 more like it)")


@pytest.mark.parametrize("count", [2, 200_000])
def test_elements_are_summed_up(count: int) -> None:
    model = with_key("x", "array", Array("string", ["a", *[b"\xff"] * count]))
    (finding,) = check(model.build())
    assert (finding.rule, finding.count) == ("string-utf8", count)
    assert finding.path == f"/metadata/{len(METADATA)}/value/elements/1"
    assert finding.message == f"{count:,} elements, the first is 1, of 'x': not UTF-8"


def test_elements_of_nested_arrays() -> None:
    texts: list[list[str | bytes]] = [["a", b"\xff"], [b"\xff"], [], ["é", "b"], [b"\xfe", "c", b"\xfd"]]
    strings = Array("array", [Array("string", list(each)) for each in texts])
    bools = Array("array", [Array("array", []), Array("array", [Array("bool", [1, 2, 3])] * 9), Array("bool", [4])])
    found = check(Model([("s", "array", strings), ("b", "array", bools)]).build())
    place = "/metadata/0/value/elements"
    assert [(each.path, each.count) for each in found if each.rule == "string-utf8"] == [
        (f"{place}/0/elements/1", 1),
        (f"{place}/1/elements/0", 1),
        (f"{place}/4/elements/0", 2),
    ]
    (finding,) = (each for each in found if each.rule == "bool-value")
    assert (finding.path, finding.count) == ("/metadata/1/value/elements/1/elements/0/elements/1", 19)


def test_missing_data_is_one_finding() -> None:
    tensors = [TensorSpec(f"t{i}", (8,), 0, 32 * i) for i in range(100)]
    (finding,) = check(Model([("general.architecture", "string", "clip")], tensors, bytes(64)).build())
    assert (finding.rule, finding.path, finding.count) == ("missing-data", "/tensors/2/data", 98)
    assert "3,136 bytes are missing" in finding.message


def test_findings_are_in_the_order_of_the_file() -> None:
    model = with_key("x", "bool", 2, with_key("", "uint8", 1))
    model.tensors[1].offset = 33
    assert rules(model.build()) == ["empty-key", "bool-value", "offset-alignment"]
    assert rules(model.header()[:-1]) == ["truncated"]  # only this if the header can't be read


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "a\nb", "\u202e", b"\xff", "a\0", "\ud800".encode("utf-8", "surrogatepass"), "A" * 10_000]
)
def test_messages_are_short_and_printable(text: str | bytes) -> None:
    id = f"tokenizer.ggml.{text if isinstance(text, str) else ''}_token_id"
    model = with_key(text, "bool", 2, with_key("general.architecture", "string", text))
    model = with_key(id, "uint32", 99, model)
    model = with_key("tokenizer.ggml.tokens", "array", Array("string", [text] * 4), model)
    model = with_key("tokenizer.ggml.merges", "array", Array("string", [text]), model)
    model.tensors[0].name, model.tensors[0].offset = text, 3
    findings = check(model.build())
    assert len(findings) > 5
    assert "token-id" in {finding.rule for finding in findings}
    assert all(finding.message.isprintable() and len(finding.message) < 400 for finding in findings)


def test_progress() -> None:
    seen: list[int] = []
    check(good().build(), deep=True, progress=seen.append)
    assert sum(seen) == 7 * 4 + 4 * 34
    check(good().build(), progress=seen.append)
    assert sum(seen) == 7 * 4 + 4 * 34


NO_MODEL = {"missing-hyperparameter", "documented-key", "missing-tokenizer", "missing-tensor"}


def test_files_by_others() -> None:
    """Other programs wrote these files; names of files are not checked."""
    assert {path.stem: {finding.rule for finding in check(path, deep=True)} for path in MODELS.glob("*.gguf")} == {
        "empty-arrays": {*NO_MODEL, "empty-array"},
        "many-tensors": NO_MODEL,
        "nested-arrays": {*NO_MODEL, "nested-array", "empty-array"},
        "split-source": {"file-type", "embedding-shape"},
        "split5-00001-of-00003": {"embedding-shape"},
        "split5-00002-of-00003": set(),
        "split5-00003-of-00003": set(),
        "tiny-allquants": {"file-type", "missing-tensor"},
        "tiny-be": {"file-type", "missing-tensor", "big-endian"},
        "tiny-newquants": {*NO_MODEL, "missing-quantization-version", "new-type"},
        "v1": {*NO_MODEL, "version-1", "missing-quantization-version", "empty-array"},
        "v2": {"file-type", "missing-tensor"},
    }


def test_the_page_is_that_of_the_rules() -> None:
    assert page(PAGE) == PAGE, "run `make rules`"
    assert f"check these {len(RULES)} rules" in PAGE
    assert f"broken in more than {LISTED} places" in PAGE
    for reader in {reader for rule in RULES.values() for reader in rule.refused_by}:
        assert f"| {reader} | " in PAGE
    sections = page("").split("\n### ")[1:]
    assert sorted(section.split("\n")[0] for section in sections) == sorted(RULES)
    assert all("\nFix: " in section and "https://github.com/ggml-org/" in section for section in sections)


def test_of_several_files_the_first_is_checked() -> None:
    paths = sorted(MODELS.glob("split5-*.gguf"))
    with open_model(paths[1]) as model:
        assert len(model.shards) == len(paths) > 2
        for path, shard in zip(paths, model.shards, strict=True):
            assert check(shard) == check(path)
        assert check(model) == check(paths[0])
        model.close()
        with pytest.raises(ClosedError):
            check(model)


def test_of_many_places_only_those_shown_are_located(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locating a field takes as long as reading a hundred keys."""
    model = good()
    model.metadata += [(f"general.dataset.{number}.name", "uint8", 1) for number in range(300)]
    model.metadata += [(f"tokenizer.ggml.k{number}_token_id", "int32", -1) for number in range(200)]
    model.metadata.append(("tokenizer.ggml.big_token_id", "uint64", 1 << 63))
    located: list[str] = []
    position = Header.position
    monkeypatch.setattr(Header, "position", lambda self, path: located.append(path) or position(self, path))
    counts = {finding.rule: finding.count for finding in check(model.build())}
    assert (counts["key-type"], counts["token-id"]) == (300, 201)
    assert 0 < len(located) < 40


@pytest.mark.parametrize(("count", "is_found"), [(0, True), (1, True), (2, False)])
def test_one_of_one_is_not_a_shard(count: int, is_found: bool) -> None:
    model = with_key("split.no", "uint16", 0, with_key("general.file_type", "uint32", 2))
    model = with_key("split.tensors.count", "int32", 2, with_key("split.count", "uint16", count, model))
    assert ("file-type" in rules(model.build())) is is_found


def test_tokens_that_are_not_strings_are_not_a_vocabulary() -> None:
    assert rules(with_key("tokenizer.ggml.tokens", "array", Array("int32", [1] * 9)).build()) == ["key-type"]
