"""llama.cpp's rules for which tensor of a model gets which type: those of `llama_model_quantize`, as of 0.3.36.

The rules of mixes are here for the mixes without IQ types. llama.cpp walks through the tensors by block and name, and
some rules depend on how many tensors of a kind came before.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from kaitai_gguf.errors import WriteError
from kaitai_gguf.llama_cpp import architecture_of, facts, file_types
from kaitai_gguf.quantize.run import unsupported
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.types import GGMLType, block_size

_KEPT = re.compile(
    r"_norm\.weight|ffn_gate_inp\.weight|ffn_gate_tid2eid\.weight|altup|laurel|per_layer_model_proj|ssm_conv1d"
    r"|^(position_embd|token_types)\.weight$|shortconv\.conv\.weight|indexer\.[kq]_proj\.weight"
    r"|time_mix_(first|w[012]|v[012]|a[012]|g[12]|decay_w[12]|lerp_fused)\.weight|attn_rel_b\.weight"
    r"|\.position_embd|sam\.(pos_embd|neck\.|net_)|\.rel_pos|\.patch_embd|\.patch_merger|a\.rvq\.codebook|mm\.a\.code_embd"
)
_KEPT_IN_GLM5_NEXT = re.compile(
    r"hc_|indexer\.(attn_q_b|attn_k|proj)|indexer_compressor_(gate|ape)|ssm_(f_a|f_b|g_a|g_b|beta)\.weight"
    r"|attn_(kv_a_mqa|k_b|v_b)\.weight"
)
_Q8_0_IN_GLM5_NEXT = re.compile(r"attn_q_[ab]|nextn\.eh_proj")

_KINDS = {
    "attn_qkv.weight": "attn_v",
    "attn_kv_b.weight": "attn_v",
    "attn_v.weight": "attn_v",
    "attn_k.weight": "attn_k",
    "attn_q.weight": "attn_q",
    "attn_output.weight": "attn_output",
    "ffn_up": "ffn_up",
    "ffn_gate": "ffn_gate",
    "ffn_down": "ffn_down",
}
_FALLBACKS = {
    GGMLType.Q2_0: GGMLType.Q4_0,
    GGMLType.Q2_K: GGMLType.Q4_0,
    GGMLType.Q3_K: GGMLType.Q4_0,
    GGMLType.TQ1_0: GGMLType.Q4_0,
    GGMLType.TQ2_0: GGMLType.Q4_0,
    GGMLType.Q4_K: GGMLType.Q5_0,
    GGMLType.Q5_K: GGMLType.Q5_1,
    GGMLType.Q6_K: GGMLType.Q8_0,
}
_LAYERS_OF_70B = {"llama": 80, "deci": 80, "jais2": 68, "olmo": 80, "qwen2": 80}

MIXES = ("Q2_K_S", "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "MXFP4_MOE")
"""The mixes whose rules are known here."""

MIX_OF_TYPE = {"Q3_K": "Q3_K_M", "Q4_K": "Q4_K_M", "Q5_K": "Q5_K_M", "MXFP4": "MXFP4_MOE"}
"""What llama.cpp means by the name of a type, also in `general.file_type`."""


@dataclass(frozen=True)
class Target:
    """What to quantize a model to."""

    type: GGMLType
    """The type of most weights."""
    mix: str | None
    """The name of the mix; None: all weights get the type."""
    file_type: int
    """The number for `general.file_type`."""


def target(name: str | GGMLType | int) -> Target:
    """Return the type or mix of a name. Raises `WriteError` for what can't be quantized to, TypeError for no name."""
    if isinstance(name, int):
        name = GGMLType(name).name
    if not isinstance(name, str):
        raise TypeError(f"type must be the name of a tensor type or a mix, not {name!r}")
    name = name.upper()
    numbers = _numbers()
    if name in GGMLType.__members__:
        message = unsupported(GGMLType[name])
        if message:
            raise WriteError(message)
        return Target(GGMLType[name], None, numbers[MIX_OF_TYPE.get(name, name)])
    if name in MIXES:
        type = file_types()[numbers[name]][1]
        assert type is not None
        return Target(GGMLType[type], name, numbers[name])
    if name in numbers:
        raise WriteError(f"{name} is a mix with IQ types: llama.cpp's llama-quantize supports it")
    raise WriteError(f"unknown type {name!r}; the mixes are {', '.join(MIXES)}; all other names are those of types")


def weight_type(name: Any) -> GGMLType:
    """Return the type of a name for single tensors. Raises `WriteError` for a mix, too."""
    found = target(name)
    if found.mix is not None:
        raise WriteError(f"{found.mix} is a mix, not a tensor type: specify {found.type} or another tensor type")
    return found.type


@cache
def _numbers() -> dict[str, int]:
    """Return the values of `general.file_type` by their names."""
    named = ((name.removeprefix("MOSTLY_").removeprefix("ALL_"), number) for number, (name, _) in file_types().items())
    return dict(named)


def is_quantizable(tensor: Tensor, architecture: str | None) -> bool:
    """Return whether llama.cpp quantizes a tensor: weights with at least two axes, except for those that are small."""
    if not tensor.name.endswith("weight") or all(dim == 1 for dim in tensor.dims[1:]) or _KEPT.search(tensor.name):
        return False
    return architecture != "glm5-next" or not _KEPT_IN_GLM5_NEXT.search(tensor.name)


def fallback(tensor: Tensor, type: GGMLType) -> GGMLType:
    """Return the type that llama.cpp takes instead if rows are not made of whole blocks. Raises `WriteError`."""
    columns = tensor.dims[0]
    if columns % block_size(type) == 0:
        return type
    if block_size(type) > 32 and type not in _FALLBACKS:
        raise WriteError(
            f"tensor {tensor.name!r}: row length {columns} is not a multiple of the {type} block size "
            f"{block_size(type)}, and llama.cpp has no other type for this case"
        )
    other = _FALLBACKS.get(type, type)
    return other if columns % block_size(other) == 0 else GGMLType.F16


def mixed_types(model: GGUFFile, mix: Target, chosen: Iterable[str]) -> dict[str, GGMLType]:
    """Return the types of a mix for the quantizable tensors, before `fallback`, except those that the caller chose.

    Raises `WriteError` for a model of an architecture that llama.cpp does not load, and for names or hyperparameters
    that the rules can't be applied to.
    """
    facts_of_model, chosen = _Model(model), frozenset(chosen)
    names = sorted(model.tensors, key=lambda name: (_block_of(name), name.encode("utf-8", "surrogateescape")))
    weights = [each for name in names if is_quantizable(each := model.tensors[name], facts_of_model.architecture)]
    rules = _Rules(facts_of_model, mix, sum(_kind(name) == "attn_v" for name in names))
    return {each.name: rules.type_of(each) for each in weights if each.name not in chosen}


class _Model:
    """The hyperparameters that the rules depend on."""

    def __init__(self, model: GGUFFile) -> None:
        self.architecture = architecture_of(model.metadata)
        if self.architecture not in facts()["architectures"] or self.architecture == "*":
            raise WriteError(
                f"llama.cpp has no mixes for the architecture {self.architecture!r}: specify a tensor type"
            )
        self.has_output = "output.weight" in model.tensors
        self._metadata = model.metadata
        self.layers = self._first("block_count")
        self.experts = self._first("expert_count", 0)
        heads = self._first("attention.head_count", 0)
        kv_heads = self._first("attention.head_count_kv", heads)
        self.heads_per_kv_head = heads // kv_heads if kv_heads else 0
        self.is_70b = _LAYERS_OF_70B.get(self.architecture or "") == self.layers and (
            self.architecture != "llama" or heads != kv_heads
        )

    def _first(self, name: str, default: int | None = None) -> int:
        """Return a hyperparameter, for the first layer if it has one for each."""
        key = f"{self.architecture}.{name}"
        value: Any = self._metadata.get(key, default)
        if hasattr(value, "__len__") and not isinstance(value, str) and len(value):
            value = int(value[0])
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise WriteError(f"mixes depend on key {key!r}, which must be an integer, not {value!r:.60}")
        return value


class _Rules:
    """The rules of a mix, applied to one tensor after the other."""

    def __init__(self, model: _Model, mix: Target, attn_v: int) -> None:
        self.model, self.mix, self.type = model, mix.mix, mix.type
        self._attn_v = attn_v  # the number of tensors of this kind
        self._counts = dict.fromkeys(_KINDS.values(), 0)  # how many of each kind came before

    def type_of(self, tensor: Tensor) -> GGMLType:
        kind, model = _kind(tensor.name), self.model
        if model.architecture == "glm5-next" and _Q8_0_IN_GLM5_NEXT.search(tensor.name):
            return GGMLType.Q8_0
        if kind == "output" or (kind == "embedding" and not model.has_output):
            is_narrow = tensor.dims[0] % block_size(self.type) != 0
            is_q8_0 = self.mix == "MXFP4_MOE" or model.architecture == "falcon" or is_narrow
            return GGMLType.Q8_0 if is_q8_0 else GGMLType.Q6_K
        if self.mix == "MXFP4_MOE":
            is_expert = model.architecture != "bailingmoe3" or kind in ("ffn_up", "ffn_gate", "ffn_down")
            has_matrices = len(tensor.dims) > 2 and tensor.dims[2] > 1
            return GGMLType.MXFP4 if has_matrices and is_expert else GGMLType.Q8_0
        number = self._counts.get(kind, 0)
        if kind in self._counts:
            self._counts[kind] += 1
        if kind.startswith("ffn_") and model.experts > 1:  # experts may come in any order
            number = _block_of(tensor.name)
            if not 0 <= number < model.layers:
                raise WriteError(
                    f"tensor {tensor.name!r}: mixes of models with experts need a block below {model.layers}"
                )
        rule = {"attn_v": self._attn_v_type, "ffn_down": self._ffn_down_type, "attn_output": self._attn_output_type}
        if kind == "attn_k" and model.experts == 8:
            return GGMLType.Q8_0
        return rule[kind](number) if kind in rule else self.type

    def _attn_v_type(self, number: int) -> GGMLType:
        model, mix, type = self.model, self.mix, self.type
        if model.experts == 8:
            return GGMLType.Q8_0
        if mix == "Q2_K_S" and model.heads_per_kv_head >= 4:
            type = GGMLType.Q4_K
        elif mix == "Q3_K_M":
            type = GGMLType.Q5_K if number < 2 else GGMLType.Q4_K
        elif mix == "Q3_K_L" or (mix == "Q4_K_S" and number < 4):
            type = GGMLType.Q5_K
        elif mix in ("Q4_K_M", "Q5_K_M") and _gets_more_bits(number, self._attn_v):
            type = GGMLType.Q6_K
        return GGMLType.Q5_K if model.is_70b and type in (GGMLType.Q3_K, GGMLType.Q4_K) else type

    def _ffn_down_type(self, number: int) -> GGMLType:
        layers, mix, type = self.model.layers, self.mix, self.type
        is_falcon, more = self.model.architecture == "falcon", _gets_more_bits(number, layers)
        if mix == "Q2_K_S" and number < layers // 8:
            type = GGMLType.Q4_K
        elif mix == "Q3_K_M" and number < layers // 16:
            type = GGMLType.Q5_K
        elif mix == "Q3_K_M" and (more or not is_falcon):
            type = GGMLType.Q4_K
        elif mix == "Q3_K_L":
            type = GGMLType.Q4_K if is_falcon else GGMLType.Q5_K
        elif mix == "Q4_K_M" and is_falcon and number >= layers // 16:
            type = GGMLType.Q5_K if more else GGMLType.Q4_K
        elif (mix == "Q4_K_M" and (more or is_falcon)) or (mix == "Q5_K_M" and more):
            type = GGMLType.Q6_K
        elif mix == "Q4_K_S" and not is_falcon and number < layers // 8:
            type = GGMLType.Q5_K
        return type

    def _attn_output_type(self, _: int) -> GGMLType:
        mix = self.mix
        if self.model.architecture == "falcon":
            return GGMLType.Q4_K if mix == "Q3_K_L" else self.type
        if self.model.experts == 8:
            return GGMLType.Q5_K if mix in ("Q3_K_S", "Q3_K_M", "Q4_K_S", "Q4_K_M") else self.type
        return {"Q3_K_M": GGMLType.Q4_K, "Q3_K_L": GGMLType.Q5_K}.get(mix or "", self.type)


def _kind(name: str) -> str:
    if name == "output.weight":
        return "output"
    if name in ("token_embd.weight", "per_layer_token_embd.weight"):
        return "embedding"
    return next((kind for part, kind in _KINDS.items() if part in name), "other")


def _gets_more_bits(number: int, count: int) -> bool:
    """Return whether the tensor is among the first or last eighth, or every third of the others."""
    return number < count // 8 or number >= 7 * count // 8 or (number - count // 8) % 3 == 2


def _block_of(name: str) -> int:
    match = re.match(r"blk\.(-?\d{1,9})\.", name)
    return int(match[1]) if match else -1
