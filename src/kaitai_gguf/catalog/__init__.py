"""Catalogs: the headers of thousands of files as one Delta Lake table, for DuckDB, polars, pandas and Spark.

| module | contents |
|---|---|
| `tables` | the columns of all tables, and what they mean |
| `rows` | `read_rows`: one file as a row, a pure function |
| `columns` | what the row is made of |
| `sources` | the files that a scan is given |
| `runners` | threads and Dask workers, which read files |
| `lake` | the Delta Lake table: `table` |
| `scanning` | `scan`: many files into a catalog |

Needs pyarrow and deltalake, the extra `catalog` of this package; clusters need the extra `cluster`. See
docs/catalog.md.
"""

from kaitai_gguf.catalog.lake import table
from kaitai_gguf.catalog.rows import read_rows
from kaitai_gguf.catalog.runners import Summary
from kaitai_gguf.catalog.scanning import scan
from kaitai_gguf.catalog.sources import expanded
from kaitai_gguf.catalog.tables import SCHEMA_VERSION, TABLES, Column

__all__ = ["SCHEMA_VERSION", "TABLES", "Column", "Summary", "expanded", "read_rows", "scan", "table"]
