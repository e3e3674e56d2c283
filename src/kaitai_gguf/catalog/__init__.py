"""Catalogs: the headers of thousands of files as tables, which DuckDB, pandas or Spark can query.

| module | what is in it |
|---|---|
| `tables` | the columns of all tables, and what they mean |
| `rows` | `read_rows`: one file as rows, a pure function |
| `header_columns`, `file_facts`, `text_columns` | what the rows are made of |
| `sources` | the files that a scan is given |
| `scanning` | `scan`: many files into a catalog |
| `parts` | some files, read and encoded by one task |
| `runners` | threads and Dask workers, which run tasks |
| `generations` | a catalog on disk: `table` |
| `reuse` | rows of files that have not changed |
| `packages` | pyarrow and Dask, imported on use |

Needs pyarrow, and Dask for clusters: the extra `catalog` of this package. See docs/catalog.md.
"""

from kaitai_gguf.catalog.generations import table
from kaitai_gguf.catalog.rows import read_rows
from kaitai_gguf.catalog.scanning import Summary, scan
from kaitai_gguf.catalog.sources import expanded
from kaitai_gguf.catalog.tables import SCHEMA_VERSION, TABLES, Column

__all__ = ["SCHEMA_VERSION", "TABLES", "Column", "Summary", "expanded", "read_rows", "scan", "table"]
