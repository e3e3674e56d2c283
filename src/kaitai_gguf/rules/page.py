"""The sections of docs/rules.md, written from the rules: `python -m kaitai_gguf.rules.page docs/rules.md`."""

import sys
from pathlib import Path

from kaitai_gguf.rules import RULES, Rule

HEADINGS = {
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
    "together": "Projectors and adapters",
    "deep": "Tensor data",
}
"""The headings of the sections, by family."""


def page(existing: str) -> str:
    """Return the page with its sections written again. What is before them, the introduction, is kept."""
    parts = [existing.partition("\n## ")[0]]
    for family, heading in HEADINGS.items():
        parts.append(f"\n## {heading}\n")
        parts += [_section(rule) for rule in RULES.values() if rule.family == family]
    return "".join(parts)


def _section(rule: Rule) -> str:
    refused_by = f", refused by {', '.join(rule.refused_by)}" if rule.refused_by else ""
    about = f"*{rule.severity}{refused_by}* · [source]({rule.source})"
    return f"\n### {rule.id}\n\n{about}\n\n{rule.title}\n\n{rule.text}\n"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")
