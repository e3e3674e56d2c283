"""URLs: which paths are URLs, what messages show of them, and addresses on the Hub."""

from pathlib import Path

import pytest

from kaitai_gguf.errors import FileError
from kaitai_gguf.sources.urls import HubFile, hub_token, is_url, scheme_of, without_secrets


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        ("https://host/model.gguf", "https"),
        ("HF://owner/repository/model.gguf", "hf"),
        ("s3://bucket/key", "s3"),
        ("zip://model.gguf::s3://bucket/models.zip", "zip"),
        ("file:///model.gguf", "file"),
        ("model.gguf", None),
        ("C:\\model.gguf", None),
        ("C://model.gguf", None),
        ("a::b.gguf", None),
        ("folder/https://x", None),
        ("", None),
    ],
)
def test_schemes(path: str, scheme: str | None) -> None:
    assert scheme_of(path) == scheme
    assert is_url(path) == (scheme not in (None, "file"))
    assert not is_url(Path(path))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://host/model.gguf", "https://host/model.gguf"),
        ("https://user:secret@host:8080/a/model.gguf?X-Amz-Signature=secret#secret", "https://host:8080/a/model.gguf"),
        ("https://us@er:sec@ret@host/m.gguf", "https://host/m.gguf"),
        ("https://user:secret@[bad/m.gguf?secret", "https://[bad/m.gguf"),
        ("hf://owner/repository@revision/m.gguf", "hf://owner/repository@revision/m.gguf"),
        ("s3://secret:secret@bucket/m.gguf", "s3://bucket/m.gguf"),
        ("zip://m.gguf::https://u:secret@host/m.zip?secret", "zip://m.gguf::https://host/m.zip"),
        ("hf://user:secret@owner/repository/m.gguf", "hf://owner/repository/m.gguf"),
        ("hf://user:123/secret@owner/repository/m.gguf", "hf://owner/repository/m.gguf"),
        ("http://u:pa?ssecret@host/x?secret", "http://host/x"),
        ("sftp://u:pa#ssecret@host:22/x", "sftp://host:22/x"),
        ("http://host:8000/a@b.gguf", "http://host:8000/a@b.gguf"),
        ("http://[::1]:80/m.gguf", "http://[::1]:80/m.gguf"),
        ("model.gguf", "model.gguf"),
    ],
)
def test_what_is_shown(url: str, shown: str) -> None:
    assert without_secrets(url) == shown


def test_addresses_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    start = "https://huggingface.co/owner/repo/resolve"
    cases = {
        "hf://owner/repo/m.gguf": f"{start}/main/m.gguf",
        "hf://owner/repo/a b/m.gguf": f"{start}/main/a%20b/m.gguf",
        "hf://owner/repo/m.gguf@v1": f"{start}/v1/m.gguf",
        "hf://owner/repo@v1/m.gguf": f"{start}/v1/m.gguf",
        "hf://owner/repo/m.gguf@refs/pr/1": f"{start}/refs%2Fpr%2F1/m.gguf",
        "hf://owner/repo@refs%2Fpr%2F1/m.gguf": f"{start}/refs%2Fpr%2F1/m.gguf",
        "hf://owner/repo/m?.gguf": f"{start}/main/m%3F.gguf",
        "HF://owner/repo/m.gguf": f"{start}/main/m.gguf",
    }
    for url, address in cases.items():
        file = HubFile.parse(url)
        assert file.address == address
        assert HubFile.parse(file.url) == file
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror/")
    assert HubFile.parse("hf://owner/repo/m.gguf").address == "https://mirror/owner/repo/resolve/main/m.gguf"


INCOMPLETE = ["hf://", "hf://owner", "hf://owner/repo", "hf://owner/repo/", "hf:///repo/m", "hf://o//m"]
OUTSIDE = [
    "hf://o/r/../../../../api/whoami", "hf://o/r/a/./m.gguf", "hf://o/r/..", "hf://../r/m", "hf://o/./m",
    "hf://o/r/%2e%2E/m", "hf://o/r/%252e./m", "hf://o/r/a%2F..%2Fm", "hf://o/r/..\\m", "hf://o/r/a%5c..%5cm",
    "hf://o/r@../m", "hf://o/r/m@refs/../../x", "hf://o/r@%2e%2e/m", "hf://o/r%2f..%2fx/m", "hf://o\\../r/m",
]  # fmt: skip


@pytest.mark.parametrize("url", INCOMPLETE + OUTSIDE)
def test_a_hub_url_that_is_not_valid(url: str) -> None:
    words = "expected hf://owner/repository/path" if url in INCOMPLETE else r"(it contains \.|expected)"
    with pytest.raises(FileError, match=f"the URL is not valid: {words}"):
        HubFile.parse(url)


def test_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_TOKEN", "HF_TOKEN_PATH", "HF_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert hub_token() is None
    (tmp_path / "huggingface").mkdir()
    (tmp_path / "huggingface" / "token").write_text("by login\n")
    assert hub_token() == "by login"
    (tmp_path / "other").write_text(" \n")
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "other"))
    assert hub_token() is None
    monkeypatch.setenv("HF_TOKEN", "from the environment ")
    assert hub_token() == "from the environment"
