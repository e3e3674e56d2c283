"""docs/rules.md, written from the rules themselves: `python -m kaitai_gguf.rules.page docs/rules.md`."""

import sys
from pathlib import Path

from kaitai_gguf.rules import RULES, Rule
from kaitai_gguf.rules.finding import READERS
from kaitai_gguf.rules.rule import LISTED

FAMILIES = {
    "unreadable": "Headers that can't be read",
    "header": "Magic, version, byte order, alignment",
    "keys": "Keys",
    "values": "Values",
    "standard": "Standard keys",
    "hyperparameters": "Hyperparameters",
    "tokenizer": "Vocabulary",
    "tensors": "Tensors",
    "loading": "What llama.cpp needs",
    "placement": "Where the tensor data is",
    "shards": "Shards and names of files",
    "whole_set": "Shards together",
    "deep": "Tensor data",
}
"""The modules with rules, and the headings of their sections."""

INTRODUCTION = f"""\
# Rules

<!-- Written by `make rules` from the code in src/kaitai_gguf/rules/. -->

`kaitai-gguf check` and `kaitai_gguf.check()` check these {{number}} rules. A finding has the id of its rule, the byte
where the offending field starts, and the path of that field: `/metadata/12/value/elements/3` is the fourth element of
the array that is the value of the thirteenth key-value, `/tensors/0/data` is the data of the first tensor, `/padding`
is between header and data, `/` is the file itself. For a missing key, it is the start of the key-values.

| severity | meaning |
|---|---|
| error | the file is not valid |
| warning | some reader refuses the file, or can't use it unchanged |
| note | the file breaks a convention |

`file-name` is checked only with `--pedantic` or `--select file-name`, and with `check(path, pedantic=True)`.

If a rule is broken in more than {LISTED} places, there is one finding, with the first place and the number of places.
In an array, this applies from 2 places on.

A model without findings may still fail to load, because the tensors of the blocks, and the shapes of most tensors, are
not checked. Each rule lists the readers that refuse the file for it. For ggml and gguf-py, the tests compare this list
with the readers themselves. For llama.cpp, the rules follow its source, and the tests compare the rules on loading with
llama.cpp itself.

| reader | meaning |
|---|---|
"""

FIXES = """
In the fixes, FILE is the file that was checked, and FIXED is a new file. To change FILE itself, use `--in-place`
instead of `--output FIXED`. KEY and TENSOR are the key and the tensor that the finding names. VALUE, TYPE, NAME,
NEW_KEY and PATTERN are yours to choose. JSON is a file with an array; `kaitai-gguf metadata FILE KEY --json` prints the
existing array as its `value`. If there are several blocks, choose one; the lines of a block belong together.
`KEY=VALUE` can be repeated.
"""


def page() -> str:
    readers = "".join(f"| {name} | {meaning} |\n" for name, meaning in READERS.items())
    parts = [INTRODUCTION.format(number=len(RULES)), readers, FIXES]
    for family, heading in FAMILIES.items():
        parts.append(f"\n## {heading}\n")
        parts += [_section(rule) for rule in RULES.values() if rule.family == family]
    return "".join(parts)


def _section(rule: Rule) -> str:
    refused_by = f", refused by {', '.join(rule.refused_by)}" if rule.refused_by else ""
    about = f"*{rule.severity}{refused_by}* · [source]({rule.source})"
    return f"\n### {rule.id}\n\n{about}\n\n{rule.title}\n\n{rule.text}\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
