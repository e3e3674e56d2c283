"""URLs of models: recognizing them, hiding the secrets in them, and addresses on the Hugging Face hub."""

import errno
import os
import re
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import quote, unquote, urlsplit

from kaitai_gguf.errors import FileError, FileMissingError

SHORTEST_SECRET = 4  # characters: shorter ones would make the messages that they are removed from unreadable
NO_FOLDER = "is relative to the current folder, which no longer exists"

_SCHEME = r"([A-Za-z][A-Za-z0-9+.-]+)(?:://|::.*://)"  # `zip::s3://…`: a chain, as in fsspec
_HUB = "https://huggingface.co"
_HUB_NAME = r"[A-Za-z0-9._-]+"


def scheme_of(path: str) -> str | None:
    """Return the scheme of a URL in lower case; None for a path, even if it starts with a drive letter."""
    match = re.match(_SCHEME, path, re.DOTALL) if "://" in path else None
    return match[1].lower() if match else None


def is_url(path: object) -> bool:
    """Return whether this is the URL of a remote file. `file:` URLs are local."""
    return isinstance(path, str) and scheme_of(path) not in (None, "file")


def local_path(url: str) -> str:
    """Return the path that a `file:///…` URL names; anything else unchanged."""
    if scheme_of(url) != "file":
        return url
    from urllib.request import url2pathname  # imports all of http

    return url2pathname(urlsplit(url).path)


def absolute_path(path: str) -> str:
    """Return the absolute form of a path. Raises `FileMissingError` if the current folder no longer exists."""
    try:
        return os.path.abspath(path)
    except OSError as error:
        raise FileMissingError(error.errno, NO_FOLDER, path) from None


def without_secrets(url: str) -> str:
    """Return a URL without user, password, query and fragment, any of which may hold credentials.

    They are removed from each URL of a chain, such as `zip://model.gguf::https://user:password@host/models.zip`.
    """
    return "::".join(map(_without_secrets, chain(url)))


def chain(url: str) -> list[str]:
    """Return the URLs of a chain, such as `zip://model.gguf::https://host/models.zip`."""
    return re.split(r"::(?=(?:[A-Za-z][A-Za-z0-9+.-]*::)*[A-Za-z][A-Za-z0-9+.-]*://)", url)


def _without_secrets(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return re.split(r"[?#]", url, maxsplit=1)[0] or url
    authority = authority_of(rest)
    user, _, _ = (authority if _is_authority(scheme, authority) else rest).rpartition("@")
    return scheme.lower() + separator + re.split(r"[?#]", rest[len(user) :].removeprefix("@"), maxsplit=1)[0]


def check_url(url: str) -> None:
    """Raise `FileError` if a user and a password in a URL can't be told from the rest of it.

    A password with a slash that is not escaped looks like a host with an invalid port.
    """
    for each in chain(url):
        scheme, separator, rest = each.partition("://")
        if separator and not _is_authority(scheme, authority_of(rest)):
            message = "the URL is not valid: it has an invalid port, or a password in which / ? # are not %2F %3F %23"
            raise FileError(errno.EINVAL, message, without_secrets(url))


def authority_of(rest: str) -> str:
    """Return the user, host and port at the start of what follows the `://` of a URL."""
    return re.split(r"[/?#]", rest, maxsplit=1)[0]


def _is_authority(scheme: str, authority: str) -> bool:
    """Return whether the text after `://` may be a user and a host, with an optional port."""
    if scheme.lower() == "hf":  # has no ports
        return ":" not in authority.rpartition("@")[2]
    return "@" in authority or re.fullmatch(r"(\[.*|[^:]*)(:\d*)?", authority) is not None


def shown(path: str) -> str:
    """Return a path unchanged, and a URL `without_secrets`."""
    return without_secrets(path) if is_url(path) else path


class HubFile(NamedTuple):
    """A file on the Hugging Face hub."""

    owner: str
    repository: str
    revision: str
    path: str

    @classmethod
    def parse(cls, url: str) -> Self:
        """Parse `hf://owner/repository/path`. The revision follows an `@`; without one it is `main`.

        The `@` may follow the repository, as in huggingface_hub, or the path. Raises `FileError` for a URL without
        owner, repository or path, and for one that leads outside the repository.
        """
        owner, _, rest = url[len("hf://") :].partition("/")
        repository, _, path = rest.partition("/")
        repository, _, revision = repository.partition("@")
        if not revision:
            path, _, revision = path.partition("@")
        problem = None
        if not (re.fullmatch(_HUB_NAME, owner) and re.fullmatch(_HUB_NAME, repository) and path):
            problem = "expected hf://owner/repository/path"
        elif any(_has_dots(part) for part in (owner, repository, revision, path)):
            problem = "it contains . or .. as the name of a folder"
        if problem:  # requests have the token: what they ask for must be in the repository
            raise FileError(errno.EINVAL, f"the URL is not valid: {problem}", without_secrets(url))
        return cls(owner, repository, unquote(revision) or "main", path)

    @property
    def address(self) -> str:
        """The URL to download the file from. The environment variable HF_ENDPOINT replaces https://huggingface.co."""
        endpoint = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
        revision, path = quote(self.revision, safe=""), quote(self.path)
        return f"{endpoint}/{quote(self.owner)}/{quote(self.repository)}/resolve/{revision}/{path}"

    @property
    def url(self) -> str:
        """The `hf://` URL with its revision."""
        return f"hf://{self.owner}/{self.repository}@{quote(self.revision, safe='')}/{self.path}"


def _has_dots(path: str) -> bool:
    """Return whether a segment of a path is `.` or `..`, for a server that decodes it any number of times."""
    while (plain := unquote(path)) != path:
        path = plain
    return not {".", ".."}.isdisjoint(re.split(r"[/\\]", path))


def hub_token() -> str | None:
    """Return the token in HF_TOKEN, or the one that a login on this machine stored; None if there is neither."""
    token = os.environ.get("HF_TOKEN", "").strip()
    if token:
        return token
    home = os.environ.get("HF_HOME") or os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface")
    path = Path(os.environ.get("HF_TOKEN_PATH") or os.path.join(home, "token")).expanduser()
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None
