"""Where the bytes of a file come from, who owns their memory, and whether they are still what they were.

| module | what is in it |
|---|---|
| `source` | `Source`: the bytes of one file, and chunks of them in as much memory as a chunk takes |
| `opening` | sources from paths, file objects and bytes; reading them while others write |
| `remote`, `ranges` | files that are not on this machine: their start, and ranges of the rest |
| `http`, `client`, `foreign_files` | what ranges are read with: web servers, fsspec, file objects |
| `urls` | which paths are URLs, and what of them may be shown |
| `locks`, `windows_os`, `signals` | who may read or write a file, and what an interrupt leaves |
| `locked_map` | memory maps that belong to callers |
| `sidecar_names` | the hidden files beside a model that is written |
| `identify` | what a file is that is not GGUF |
| `journal_recovery` | files whose change in place was interrupted |
| `set_manifest` | sets of files that replace another set all at once |
"""

from kaitai_gguf.sources.opening import MapMode, OneSource, Path, open_map, open_snapshot, opened
from kaitai_gguf.sources.ranges import Span
from kaitai_gguf.sources.source import Reopening, Source, State, state_of

__all__ = [
    "MapMode",
    "OneSource",
    "Path",
    "Reopening",
    "Source",
    "Span",
    "State",
    "open_map",
    "open_snapshot",
    "opened",
    "state_of",
]
