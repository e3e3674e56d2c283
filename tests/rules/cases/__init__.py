"""`CASES`: for each rule, files that break it, with the position of the finding."""

from rules.cases import metadata, tensors  # noqa: F401  # each registers its cases
from rules.cases.registry import CASES, DEEP, NAMES, REFUSED_BY_OPEN, Case
from rules.cases.shards import shard, shards

__all__ = ["CASES", "DEEP", "NAMES", "REFUSED_BY_OPEN", "Case", "shard", "shards"]
