"""The exception tree, and errors of the system."""

import builtins
import pickle
import re

import pytest

from kaitai_gguf import errors


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    tree = (errors.__doc__ or "").split("\n\n")[1]
    drawn = {re.findall(r"\w+", line)[0] for line in tree.splitlines()}
    real = {
        name
        for name, item in vars(errors).items()
        if isinstance(item, type) and issubclass(item, Exception) and name[0] != "_"
    }
    assert drawn == real
    builtin = {match[1]: match[2] for match in re.finditer(r"(\w+) \((\w+)\)", tree)}
    assert len(builtin) > 8
    for name, base in builtin.items():
        assert {getattr(builtins, base), errors.GGUFError} <= set(getattr(errors, name).__mro__)


def test_format_errors_survive_pickling() -> None:
    error = errors.TruncatedError("cut off", offset=0x1F40, path="/metadata/3")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.offset, again.path) == (type(error), str(error), 0x1F40, "/metadata/3")
    assert str(error) == "cut off (at byte 0x1f40)"


def test_messages_are_not_quoted() -> None:
    assert str(errors.KeyNotFound("no key 'x'")) == "no key 'x'"


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (FileNotFoundError(2, "No such file or directory"), errors.FileMissingError, "no such file"),
        (PermissionError(13, "Permission denied"), errors.FileAccessError, "denied"),
        (OSError(28, "No space left on device"), errors.FileError, "No space left on device"),
        (OSError("odd"), errors.FileError, "odd"),
        (ValueError("embedded null byte"), errors.FileError, "embedded null byte"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_errors_of_the_system_name_the_file(error: Exception, kind: type[errors.FileError], message: str) -> None:
    with pytest.raises(errors.FileError) as caught, errors.reported("x.gguf", "denied", also=ValueError):
        raise error
    assert (type(caught.value), str(caught.value)) == (kind, f"x.gguf: {message}")
    again = errors.reported("y.gguf")
    with pytest.raises(errors.FileError, match=r"^x\.gguf"), again:
        raise caught.value
    with pytest.raises(ValueError, match="other") as other, again:
        raise ValueError("other")
    assert type(other.value) is ValueError
