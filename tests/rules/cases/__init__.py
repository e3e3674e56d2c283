"""For each rule, files that break it, and where: `CASES`."""

from rules.cases import metadata, tensors  # noqa: F401  # each registers its cases
from rules.cases.registry import CASES, DEEP, NAMES, Case
from rules.cases.shards import shard, shards

__all__ = ["CASES", "DEEP", "NAMES", "Case", "shard", "shards"]
