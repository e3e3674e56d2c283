"""The rules that a valid GGUF file keeps, one function each: `check(source)`.

| module | what is in it |
|---|---|
| `finding` | `Finding`, `Severity`, and the readers that are spoken of |
| `rule` | `Rule`, and the decorator that makes one of a function |
| `facts` | what rules look at: one header as columns |
| `unreadable` | rules on headers that can't be read to their end |
| `header`, `keys`, `values` | rules on what any file has |
| `standard`, `hyperparameters`, `tokenizer` | rules on keys that have a meaning |
| `tensors`, `layout` | rules on tensor infos, and on where the data is |
| `shards` | rules on models in several files, and on the names of files |
| `deep` | rules on the tensor data |
| `run` | `check` itself |
| `page` | docs/rules.md, written from all these |

What `open()` refuses is found by some rule as well. Unlike `open()`, `check` goes on after it, as long as the header
can be walked over.
"""

from kaitai_gguf.rules.finding import Finding, Severity
from kaitai_gguf.rules.rule import RULES, Rule
from kaitai_gguf.rules.run import check

__all__ = ["RULES", "Finding", "Rule", "Severity", "check"]
