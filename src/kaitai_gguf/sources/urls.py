"""URLs of models: which are ours to read, what of them may be shown, and where the hub keeps its files."""

import os
import re
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

__all__ = ["hub_token", "hub_url", "is_url", "scheme_of", "shown", "without_secrets"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)(?:://|::)")  # `zip::s3://…` is a chain that fsspec knows
_HUB = "https://huggingface.co"


def scheme_of(path: str) -> str | None:
    """Return the scheme of a URL in lower case; None for a path, also for one that starts with a drive."""
    match = _SCHEME.match(path)
    return match[1].lower() if match else None


def is_url(path: object) -> bool:
    """Whether something is the URL of a file that is not on this machine."""
    return isinstance(path, str) and scheme_of(path) not in (None, "file")


def without_secrets(url: str) -> str:
    """Return a URL without user, password, query and fragment, any of which may hold credentials."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0].rpartition("@")[2]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def shown(path: str) -> str:
    """Return a path as it is, and a URL without what may hold credentials."""
    return without_secrets(path) if is_url(path) else path


def hub_url(url: str) -> str:
    """Return the address of `hf://owner/repository/path`, of `main` or of the revision that follows an `@`.

    The revision may follow the repository, as huggingface_hub has it, or the path. HF_ENDPOINT names another hub.
    Raises ValueError for a URL without owner, repository or path.
    """
    owner, _, rest = url.removeprefix("hf://").partition("/")
    repository, _, path = rest.partition("/")
    repository, _, revision = repository.partition("@")
    if not revision:
        path, _, revision = path.partition("@")
    if not (owner and repository and path):
        raise ValueError(f"expected hf://owner/repository/path or hf://owner/repository/path@revision, not {url!r}")
    endpoint = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
    return f"{endpoint}/{quote(owner)}/{quote(repository)}/resolve/{quote(revision or 'main', safe='')}/{quote(path)}"


def hub_token() -> str | None:
    """Return the token that HF_TOKEN has, or the one that a login on this machine left; None without one."""
    if os.environ.get("HF_TOKEN"):
        return os.environ["HF_TOKEN"].strip()
    home = os.environ.get("HF_HOME") or os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    path = Path(os.environ.get("HF_TOKEN_PATH") or os.path.join(home, "token")).expanduser()
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None
