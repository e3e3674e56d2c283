"""The files on which the tests compare the two readers.

KAITAI_GGUF_MODELS can name a directory with more models.
"""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "sample.gguf"
MODELS = ROOT / "tests" / "data" / "models"
MORE = sorted(Path(os.environ["KAITAI_GGUF_MODELS"]).glob("*.gguf")) if "KAITAI_GGUF_MODELS" in os.environ else []

REFUSED_BY_GGUF_PY = {"v1", "tiny-newquants"}  # version 1; Q2_0
READABLE = [each for each in [*sorted(MODELS.glob("*.gguf")), EXAMPLE] if each.stem not in REFUSED_BY_GGUF_PY]
