"""The rules of the format, one function each: `check(source)`.

| module | what is in it |
|---|---|
| `finding` | `Finding`, `Severity`, and the readers that findings name |
| `rule` | `Rule`, and the decorator that makes a rule of a function |
| `facts` | what rules look at: a header as columns |
| `unreadable` | rules on headers that can't be read to their end |
| `header`, `keys`, `values` | rules on the parts that every file has |
| `standard`, `hyperparameters`, `tokenizer` | rules on keys that have a meaning |
| `tensors`, `layout` | rules on tensor infos, and on where the data is |
| `loading` | rules on what llama.cpp needs to load a model |
| `shards`, `shard_set` | rules on the names of files, on a shard, and on all shards of a model |
| `deep` | rules on the tensor data |
| `run` | `check` itself |
| `page` | writes docs/rules.md from all these |

Some rule finds everything that `open()` refuses. Unlike `open()`, `check` continues after it, as long as the header
can be read to its end.
"""

from kaitai_gguf.rules.finding import Finding, Severity
from kaitai_gguf.rules.rule import RULES, Rule
from kaitai_gguf.rules.run import check

__all__ = ["RULES", "Finding", "Rule", "Severity", "check"]
