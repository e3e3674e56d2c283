import pickle
import re

import pytest

from kaitai_gguf import errors


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    tree = (errors.__doc__ or "").split("\n\n")[1]
    drawn = {re.findall(r"\w+", line)[0] for line in tree.splitlines()}
    real = {name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)}
    assert drawn == real


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.GGUFError, ValueError),
        (errors.FileError, OSError),
        (errors.FileMissingError, FileNotFoundError),
        (errors.FileIsDirectoryError, IsADirectoryError),
        (errors.FileAccessError, PermissionError),
        (errors.KeyNotFound, KeyError),
        (errors.TensorNotFound, KeyError),
        (errors.MissingPackageError, ImportError),
    ],
)
def test_errors_are_what_python_raises_for_the_like(error: type[Exception], builtin: type[Exception]) -> None:
    assert issubclass(error, builtin)
    assert issubclass(error, errors.GGUFError)


def test_format_errors_survive_pickling() -> None:
    error = errors.TruncatedError("cut off", offset=0x1F40, path="/metadata/3")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.offset, again.path) == (type(error), str(error), 0x1F40, "/metadata/3")
    assert str(error) == "cut off (at byte 0x1f40)"


def test_messages_are_not_quoted() -> None:
    assert str(errors.KeyNotFound("no key 'x'")) == "no key 'x'"
