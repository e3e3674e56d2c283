"""The values that some standard keys may have, from the format's documentation and llama.cpp as of gguf 0.19."""

from collections.abc import Mapping

__all__ = [
    "FILE_TYPE",
    "FILE_TYPES",
    "REMOVED_FILE_TYPES",
    "contradicting_type",
    "file_type_name",
    "standard_values",
]

FILE_TYPE = "general.file_type"

FILE_TYPES: dict[int, tuple[str, str]] = {
    0: ("ALL_F32", "F32"), 1: ("MOSTLY_F16", "F16"), 2: ("MOSTLY_Q4_0", "Q4_0"), 3: ("MOSTLY_Q4_1", "Q4_1"),
    7: ("MOSTLY_Q8_0", "Q8_0"), 8: ("MOSTLY_Q5_0", "Q5_0"), 9: ("MOSTLY_Q5_1", "Q5_1"), 10: ("MOSTLY_Q2_K", "Q2_K"),
    11: ("MOSTLY_Q3_K_S", "Q3_K"), 12: ("MOSTLY_Q3_K_M", "Q3_K"), 13: ("MOSTLY_Q3_K_L", "Q3_K"),
    14: ("MOSTLY_Q4_K_S", "Q4_K"), 15: ("MOSTLY_Q4_K_M", "Q4_K"), 16: ("MOSTLY_Q5_K_S", "Q5_K"),
    17: ("MOSTLY_Q5_K_M", "Q5_K"), 18: ("MOSTLY_Q6_K", "Q6_K"), 19: ("MOSTLY_IQ2_XXS", "IQ2_XXS"),
    20: ("MOSTLY_IQ2_XS", "IQ2_XS"), 21: ("MOSTLY_Q2_K_S", "Q2_K"), 22: ("MOSTLY_IQ3_XS", "IQ3_S"),
    23: ("MOSTLY_IQ3_XXS", "IQ3_XXS"), 24: ("MOSTLY_IQ1_S", "IQ1_S"), 25: ("MOSTLY_IQ4_NL", "IQ4_NL"),
    26: ("MOSTLY_IQ3_S", "IQ3_S"), 27: ("MOSTLY_IQ3_M", "IQ3_S"), 28: ("MOSTLY_IQ2_S", "IQ2_XS"),
    29: ("MOSTLY_IQ2_M", "IQ2_S"), 30: ("MOSTLY_IQ4_XS", "IQ4_XS"), 31: ("MOSTLY_IQ1_M", "IQ1_M"),
    32: ("MOSTLY_BF16", "BF16"), 36: ("MOSTLY_TQ1_0", "TQ1_0"), 37: ("MOSTLY_TQ2_0", "TQ2_0"),
    38: ("MOSTLY_MXFP4_MOE", "MXFP4"), 39: ("MOSTLY_NVFP4", "NVFP4"), 40: ("MOSTLY_Q1_0", "Q1_0"),
    41: ("MOSTLY_Q2_0", "Q2_0"),
}  # fmt: skip
"""The values of `general.file_type` (llama.h: llama_ftype): the name, and the tensor type of most weights."""
REMOVED_FILE_TYPES = {
    4: "MOSTLY_Q4_1_SOME_F16", 5: "MOSTLY_Q4_2", 6: "MOSTLY_Q4_3",
    33: "MOSTLY_Q4_0_4_4", 34: "MOSTLY_Q4_0_4_8", 35: "MOSTLY_Q4_0_8_8",
}  # fmt: skip

# The values that llama.cpp or the documentation lists for a key. A key that begins with "." follows the architecture.
_VALUES: dict[str, tuple[str | int, ...]] = {
    "general.type": ("model", "adapter", "mmproj", "imatrix"),
    FILE_TYPE: tuple(FILE_TYPES),
    "tokenizer.ggml.model": (
        "llama", "gpt2", "bert", "t5", "rwkv", "replit", "plamo2", "gemma4", "hybriddna", "whitespace",
        "no_vocab", "none",
    ),
    "adapter.type": ("lora",),
    ".rope.scaling.type": ("none", "linear", "yarn", "longrope"),
    ".tensor_data_layout": ("reference", "Meta AI original pth"),
    ".pooling_type": (0, 1, 2, 3, 4),
    ".expert_gating_func": (0, 1, 2, 3, 4),
}  # fmt: skip


def standard_values(key: str, architecture: str | None = None) -> tuple[str | int, ...]:
    """Return the listed values of a standard key; an empty tuple if any value will do or the key is not standard.

    `architecture` is the value of `general.architecture`, the prefix of keys such as `llama.rope.scaling.type`.
    """
    if architecture and key.startswith(f"{architecture}."):
        return _VALUES.get(key.removeprefix(architecture), ())
    return () if key.startswith(".") else _VALUES.get(key, ())


def file_type_name(number: int) -> str | None:
    """Return the name of a `general.file_type` as it appears in file names: `Q4_K_M`, `F16`; None if unknown."""
    name = FILE_TYPES[number][0] if number in FILE_TYPES else REMOVED_FILE_TYPES.get(number)
    return name and name.removeprefix("MOSTLY_").removeprefix("ALL_")


def contradicting_type(number: int, weights: Mapping[str, int]) -> str | None:
    """Return the tensor type of most weights if the file type names another one; None if they agree.

    `number` is the value of `general.file_type`. `weights` counts elements per type, in tensors with two or more dims:
    biases and norms stay F32 whatever the file type.
    """
    if number not in FILE_TYPES or not weights:
        return None
    most = max(weights, key=lambda type: weights[type])
    return most if weights.get(FILE_TYPES[number][1], 0) < weights[most] else None
