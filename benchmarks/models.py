"""Generated files with the shape of real models, for use when the real files are not available."""

import struct
from pathlib import Path

# name: (tokens, merges, tensors)
SHAPES = {
    "gemma-4-like": (262_144, 514_906, 0),
    "llama-bpe-like": (128_256, 280_147, 0),
    "llama-spm-like": (32_000, 0, 0),
    "tensors-2000": (0, 0, 2_000),
    "tensors-10000": (0, 0, 10_000),
}


def collect(scratch: Path, given: Path | None) -> list[Path]:
    """Return the files to open, the largest vocabulary first: those in a folder, and generated ones in `scratch`."""
    real = sorted(given.glob("*vocab*.gguf"), key=lambda path: -path.stat().st_size) if given else []
    made = []
    for name, shape in SHAPES.items():
        if shape[2] or not real:
            made.append(scratch / f"{name}.gguf")
            write(made[-1], *shape)
    return [*real, *made]


def write(path: Path, tokens: int, merges: int, tensors: int) -> None:
    """Write a version 3 file with strings about as long as those of vocabularies, and tensors of zeros."""
    arrays = [("tokenizer.ggml.tokens", 8, tokens), ("tokenizer.ggml.merges", 8, merges)]
    arrays += [("tokenizer.ggml.scores", 6, tokens), ("tokenizer.ggml.token_type", 5, tokens)]
    arrays = [row for row in arrays if row[2]]
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, tensors, len(arrays) + 1))
        file.write(string("general.architecture") + struct.pack("<I", 8) + string("llama"))
        for key, type, count in arrays:
            file.write(string(key) + struct.pack("<IIQ", 9, type, count))
            if type == 8:
                file.writelines(string(f"t{i * 7919 % 10 ** (1 + i % 9)}") for i in range(count))
            else:
                file.write(bytes(4 * count))
        for i in range(tensors):
            info = struct.pack("<IQQIQ", 2, 32, 4, 2, i * 96)
            file.write(string(f"blk.{i // 10}.ffn_{i % 10}.weight") + info)
        file.write(bytes(-file.tell() % 32 + 96 * tensors))


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data
