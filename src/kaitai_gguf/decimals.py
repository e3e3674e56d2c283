"""The shortest decimals of float32: the fewest digits that read back as the same number, and of these the nearest."""

from typing import Any

import numpy as np


def shortest(value: Any) -> float:
    """Return the float whose repr is the shortest decimal that reads back as the same float32."""
    return float(str(np.float32(value)))
