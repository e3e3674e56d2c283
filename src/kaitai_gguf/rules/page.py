"""docs/rules.md, written from the rules themselves: `python -m kaitai_gguf.rules.page docs/rules.md`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from kaitai_gguf.rules import RULES, Rule, Severity
from kaitai_gguf.rules.finding import READERS
from kaitai_gguf.rules.rule import LISTED

FAMILIES = {
    "unreadable": "Headers that can't be read",
    "header": "Version, byte order, alignment",
    "keys": "Keys",
    "values": "Values",
    "standard": "Standard keys",
    "hyperparameters": "Hyperparameters",
    "tokenizer": "Vocabulary",
    "tensors": "Tensors",
    "layout": "Where the tensor data is",
    "shards": "Shards and names of files",
    "deep": "Tensor data",
}
"""The modules that have rules, and the headings of their parts."""

INTRODUCTION = f"""\
# Rules

<!-- Written by `make rules` from the code in src/kaitai_gguf/rules/. -->

What `kaitai-gguf check` and `kaitai_gguf.check()` look at: {{number}} rules. A finding has the id of its rule, the byte
where the offending field starts, and the path of that field: `/metadata/12/value/elements/3` is the fourth element of
the array that is the value of the thirteenth key-value, `/tensors/0/data` the data of the first tensor, `/padding` what
is between header and data, `/` the file itself. Of a key that is missing, the place is where the key-values start.

| severity | says |
|---|---|
| error | the file is not valid |
| warning | some reader refuses it, or can't use it as it is |
| note | it is against a convention |

A rule that is not kept in more than {LISTED} places has one finding, with the first place and their number; in an
array that is so from 2 on.

Which tensors an architecture needs is not looked at. Who refuses a file is said of the readers below: what is said of
ggml and gguf-py is held against both by the tests, what is said of llama.cpp beyond ggml follows its source.

| reader | is |
|---|---|
"""


def page() -> str:
    lines = [INTRODUCTION.format(number=len(RULES)), *(f"| {name} | {says} |\n" for name, says in READERS.items())]
    for family, heading in FAMILIES.items():
        lines.append(f"\n## {heading}\n")
        for rule in RULES.values():
            if rule.places.__module__.endswith(f".{family}"):
                lines += _section(rule)
    return "".join(lines)


def _section(rule: Rule) -> Iterator[str]:
    yield f"\n### {rule.id}\n\n"
    refused_by = f", refused by {', '.join(rule.refused_by)}" if rule.refused_by else ""
    yield f"*{Severity(rule.severity).value}{refused_by}* · [source]({rule.source})\n\n"
    yield f"{rule.title}\n\n{rule.text}\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
