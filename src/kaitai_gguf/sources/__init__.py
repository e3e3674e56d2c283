"""Where the bytes of a file come from, who owns their memory, and whether the file has changed since.

| module | what it contains |
|---|---|
| `source` | `Source`: the bytes of one file, and iteration over them in chunks of bounded memory |
| `opening` | sources from paths, file objects and bytes; reading a file while other programs write it |
| `remote`, `ranges` | remote files: the start, and ranges of the rest |
| `http`, `client`, `foreign_files` | drivers that read ranges: web servers, fsspec, file objects |
| `local_ranges` | local files read by ranges instead of being mapped |
| `urls` | which paths are URLs, and which parts of them may be shown |
| `locks`, `windows_os` | who may read or write a file |
| `locked_map` | memory maps that belong to callers |
| `sidecar_names` | names of the hidden files beside a model that is being written |
| `identify` | recognizing files that are not GGUF |
| `journal_recovery` | files whose in-place edit was interrupted |
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
