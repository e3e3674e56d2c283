"""Where the bytes of a file come from, who owns their memory, and whether the file has changed since.

| module | what it contains |
|---|---|
| `source` | `Source`: the bytes of one file, and iteration over them in chunks of bounded memory |
| `opening` | sources from paths, file objects and bytes; reading a file while other programs write it |
| `remote`, `ranges` | files read by ranges: the start until the header is complete, and many ranges at once |
| `http`, `client` | web servers: ranges, versions, redirects and retries; the HTTP client of the process |
| `foreign_files`, `file_ranges` | file systems of fsspec; file objects, and local files that are not mapped |
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
