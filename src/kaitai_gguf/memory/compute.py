"""The memory of a computation: an interval around the largest stage of the graph.

llama.cpp reuses the memory of intermediate results, so that a graph takes about as much as the stage of it that needs
most at once. The formulas are ours. The factors of the intervals are calibrated on what llama.cpp reserves on a CPU for
the architectures of its own tests in five sizes and eight settings (tools/memory).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from kaitai_gguf.memory.caches import CELLS, Settings, padded
from kaitai_gguf.memory.hparams import Hparams
from kaitai_gguf.reading.tensor import Tensor

F32, F16 = 4, 2  # bytes
INDEXED = 5  # floats per token of the cache that an indexer with a fused kernel needs: scores, their order, a mask

FACTORS = {
    "logits": (0.97, 1.15),
    "attention": (0.8, 1.15),
    "feed-forward": (0.7, 1.12),
    "experts": (0.65, 1.15),
    "states": (0.55, 1.4),
    "indexer": (0.5, 2.2),
}
"""The least and the most, as multiples of the estimate, by the stage that needs most."""

_USED = re.compile(
    r"output\.weight|token_embd\.weight|blk\.\d+\.(ffn_(?!norm)|ssm_|attn_qkv|time_mix|shortconv).*\.weight"
)
_UP = re.compile(r"(blk\.\d+\.ffn_)(up|gate_up)(_(?:ch)?exps|_shexp)?\.weight")
_MIXER = re.compile(r"blk\.\d+\.(ssm_in|ssm_x|attn_qkv|time_mix\w*|shortconv\.in_proj)\.weight")


def compute_range(h: Hparams, settings: Settings, tensors: Mapping[str, Tensor]) -> tuple[int, int]:
    """Return the least and the most bytes that the graph of a micro-batch takes on a CPU."""
    stages = _stages(h, settings, {name: tensors[name].dims for name in tensors if _is_used(name)})
    largest = max(stages, key=lambda name: stages[name])
    low, high = (int(factor * stages[largest]) for factor in FACTORS[largest])
    return low, high


@lru_cache(1 << 14)  # most models have the same names
def _is_used(name: str) -> bool:
    return _USED.fullmatch(name) is not None


def _stages(h: Hparams, settings: Settings, dims: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Return how many bytes each stage of a layer needs at once, and the output."""
    n_tokens = min(padded(settings.ctx_size, CELLS), settings.ubatch_size)
    layers = [il for il in range(h.n_layer) if not h.is_recurrent[il] or h.facts.get("recurrent") == "all"]
    cells = _cells(h, settings, layers, n_tokens)
    with_flash = settings.flash_attn and not h.facts.get("bias")
    mask = sum(cells) * (F16 if with_flash else F32)
    base = mask + 4 * F32 * h.n_embd * max(1, h.number("hyper_connection.count"))  # per token, as all that follows
    q, k, v = (
        max((heads[il] * sizes[il] for il in layers), default=0)
        for heads, sizes in (
            (h.n_head, h.n_embd_head_k),
            (h.n_head_kv, h.n_embd_head_k),
            (h.n_head_kv, h.n_embd_head_v),
        )
    )
    dense, experts = _feed_forward(h, dims)
    stages = {
        "attention": mask + F32 * (2 * h.n_embd + 3 * q + k + v),
        "feed-forward": base + F32 * dense,
        "experts": base + F32 * experts,
    }
    if not with_flash and cells:
        scores = max(h.n_head) * max(cells) * {"decoder": 3, "encoder": 2}.get(h.facts.get("bias", ""), 1)
        stages["attention"] = base + F32 * (scores + q + k + v)
    if not h.facts.get("embeddings"):
        output = dims.get("output.weight") or dims.get("token_embd.weight") or (0, 0)
        stages["logits"] = F32 * (output[1] + 2 * h.n_embd)
    if any(h.is_recurrent):
        widest = max((shape[1] for name, shape in dims.items() if _MIXER.fullmatch(name) and len(shape) > 1), default=0)
        inner = h.number("ssm.inner_size") or h.n_embd
        stages["states"] = base + F32 * (2 * widest + 4 * inner) * (3 if h.number("wkv.head_size") else 2) // 2
    if any(h.indexers()) or h.facts.get("cache") == "compressed":
        heads = h.number("attention.indexer.head_count") if h.facts.get("indexer_heads") else 0
        stages["indexer"] = base + F32 * max(cells) * (heads or INDEXED)
    return {name: nbytes * n_tokens for name, nbytes in stages.items()}


def _cells(h: Hparams, settings: Settings, layers: list[int], n_tokens: int) -> list[int]:
    """Return the lengths of the masks: the cells that the layers with and without a window attend to."""
    if h.facts.get("cache") == "none" or h.facts.get("embeddings"):
        return [n_tokens]
    has_windows = {h.is_swa[il] for il in layers}
    return [
        settings.n_swa_cells(h.n_swa, settings.kv_unified) if has_window else settings.n_ctx_seq
        for has_window in sorted(has_windows)
    ]


def _feed_forward(h: Hparams, dims: Mapping[str, tuple[int, ...]]) -> tuple[int, int]:
    """Return how many values a token has at once in the feed-forward network of a layer, and in its experts."""
    dense = experts = 0
    for name, shape in dims.items():
        if match := _UP.fullmatch(name):
            start, _, suffix = match.groups(default="")
            width = shape[1]
            down = dims.get(f"{start}down{suffix}.weight", (width,))[0]
            width = 3 * width if f"{start}gate{suffix}.weight" in dims else width + down
            if suffix.endswith("exps"):
                experts = max(experts, width * h.number("expert_used_count"))
            else:
                dense = max(dense, width)
    return dense, experts
