"""Test an installed wheel: open a model with the package, whose scanner must be compiled.

python tests/installed.py model.gguf
"""

import sys

import kaitai_gguf
from kaitai_gguf.cli.viewer_server import served_page


def main() -> int:
    with kaitai_gguf.open(sys.argv[1]) as model:
        assert model.metadata["general.architecture"]
        assert all(tensor.data.size for tensor in model.tensors.values())
        kaitai_gguf.quantize(next(iter(model.tensors.values())).dequantize(), kaitai_gguf.GGMLType.F16)
    assert served_page(sys.argv[1]).content
    print(f"kaitai_gguf {kaitai_gguf.__version__}, {kaitai_gguf.scanner}, opens {sys.argv[1]}")
    return 0 if kaitai_gguf.scanner == "compiled" else 1


if __name__ == "__main__":
    sys.exit(main())
