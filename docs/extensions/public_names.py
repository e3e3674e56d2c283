"""Shows classes by their public names, and leaves out what only the package itself uses."""

import re
from typing import Any

import numpy.typing
from sphinx.util.typing import stringify_annotation

import kaitai_gguf
from kaitai_gguf import catalog, gguf_py

HOMES = {name: module.__name__ for module in (gguf_py, catalog, kaitai_gguf) for name in module.__all__}
INTERNAL = re.compile(r" \| ~?kaitai_gguf\.[\w.]*\b(?P<name>\w+)")
ARRAY = re.compile(r"~numpy\.ndarray\[tuple\[~typing\.Any, \.\.\.\], ~numpy\.dtype\[([\w.~]+)\]\]")
MADE_BY_CALLERS = {"kaitai_gguf.Writer", "kaitai_gguf.Typed", "kaitai_gguf.gguf_py.GGUFReader"}


def resolve(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Link what a signature names by the module that defines it."""
    package, _, name = node.get("reftarget", "").rpartition(".")
    home = HOMES.get(name)
    if node.get("refdomain") != "py" or not package.startswith("kaitai_gguf") or home in (None, package):
        return None
    domain = env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], f"{home}.{name}", node, content)


def signature(_app: Any, what: str, name: str, *details: Any) -> tuple[str, str | None] | None:
    """Leave out the arguments of classes that a function of the package makes, and types that only it passes."""
    *_, arguments, result = details
    if not arguments:
        return None
    if what in ("class", "exception") and name not in MADE_BY_CALLERS:
        return "", None
    arguments = INTERNAL.sub(lambda match: match[0] if match["name"] in HOMES else "", arguments)
    return shortened(arguments), result and shortened(result)


def shortened(text: str) -> str:
    """Show aliases of numpy by their names, and defaults as code."""
    for alias in ("ArrayLike", "DTypeLike"):
        text = text.replace(stringify_annotation(getattr(numpy.typing, alias), "smart"), alias)
    text = re.sub(r"<object object at \w+>", "...", text)
    return re.sub(r"<class '([\w.]+)'>", r"\1", ARRAY.sub(r"NDArray[\1]", text))


def setup(app: Any) -> dict[str, bool]:
    app.connect("missing-reference", resolve)
    app.connect("autodoc-process-signature", signature)
    return {"parallel_read_safe": True}
