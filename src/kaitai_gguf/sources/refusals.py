"""Why a web server refused a request."""

import errno
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kaitai_gguf.errors import FileAccessError, FileError, FileMissingError
from kaitai_gguf.sources.urls import SHORTEST_SECRET

if TYPE_CHECKING:
    import httpx

__all__ = ["answer_of", "refusal"]

_HUB_ERRORS = {
    "EntryNotFound": "no such file",
    "GatedRepo": "the model is gated: accept its terms on the hub",
    "RepoNotFound": "no such repository, or it is private",
    "RevisionNotFound": "no such revision",
}
"""What the codes in the hub's header X-Error-Code mean."""

_NOT_ACCEPTED = {
    "Basic": "the user and the password were not accepted",
    "Bearer": "the token that was sent was not accepted",
}
_LONGEST = 200  # characters of the hub's own words


def answer_of(response: "httpx.Response") -> str:
    """Return the status of a response in words."""
    return f"the server answered {response.status_code} {response.reason_phrase}".rstrip()


def refusal(response: "httpx.Response", name: str, headers: Mapping[str, str], *, is_hub: bool) -> FileError:
    """Return the error for a response. `headers` are those of the caller that were sent; they may be secret."""
    answer, problem = answer_of(response), None
    if is_hub:
        problem = _HUB_ERRORS.get(response.headers.get("X-Error-Code", ""))
        words = response.headers.get("X-Error-Message", "")
        for secret in " ".join(headers.values()).split():
            words = words.replace(secret, "…") if len(secret) >= SHORTEST_SECRET else words
        answer += f": {words[:_LONGEST]}" if words else ""
    if response.status_code in (401, 403):
        problem = _access(response, problem, headers.get("authorization", ""), is_hub)
        return FileAccessError(errno.EACCES, f"{problem} ({answer})", name)
    if response.status_code in (404, 410):
        return FileMissingError(errno.ENOENT, f"{problem or 'no such file'} ({answer})", name)
    return FileError(errno.EIO, answer, name)


def _access(response: "httpx.Response", problem: str | None, sent: str, is_hub: bool) -> str:
    """Return why access was denied. `sent` is the Authorization header."""
    if is_hub:
        hint = "the token that was sent has no access" if sent else "set HF_TOKEN, or log in with `hf auth login`"
        return f"{problem or 'the model may be private or gated, or missing'}; {hint}"
    if sent:
        return _NOT_ACCEPTED.get(sent.partition(" ")[0], "the credentials that were sent were not accepted")
    return ("the URL has expired, or " if response.url.query else "") + "a token or a password is needed"
