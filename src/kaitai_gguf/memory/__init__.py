"""What a model needs before it is loaded: `memory(source, ctx_size=…)`, from its header alone.

| module | contents |
|---|---|
| `hparams` | the hyperparameters per layer, with llama.cpp's defaults |
| `caches` | the memory of a context, exact: KV caches and states |
| `compute` | the memory of a computation, an interval |
| `estimate` | the implementation of `memory`, and its result |

Which architecture has which caches is in llama_cpp.json, from tools/llama_cpp_memory.txt.
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # importing the package imports none of its modules
    from kaitai_gguf.memory.estimate import Memory
    from kaitai_gguf.reading.opening import ModelOrSource
    from kaitai_gguf.types import GGMLType

__all__ = ["memory"]


def memory(
    source: "ModelOrSource",
    *,
    ctx_size: int | None = None,
    ubatch_size: int = 512,
    batch_size: int = 2048,
    parallel: int = 1,
    cache_type_k: "GGMLType | str" = "f16",
    cache_type_v: "GGMLType | str" = "f16",
    flash_attn: Literal["auto", "on", "off"] = "auto",
    swa_full: bool = False,
    kv_unified: bool = False,
) -> "Memory":
    """Return how much memory llama.cpp needs to run a model, from its header alone: no tensor data is read.

    source          an open model, or what `open` takes; of a URL, only the header is fetched.
    ctx_size        the context in tokens, for all sequences together. None: the one that the model was trained for.
    ubatch_size     the most tokens that are computed at once.
    batch_size      the most tokens that a call of llama.cpp takes; no micro-batch is larger.
    parallel        the number of sequences, at most 256.
    cache_type_k    the type of the K cache: F32, F16, BF16, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0 or IQ4_NL.
    cache_type_v    the type of the V cache.
    flash_attn      "auto" and "on" count as on, which is what "auto" becomes on a CPU.
    swa_full        whether layers with a sliding window keep the whole context.
    kv_unified      whether the sequences share one cache.

    The names and defaults are those of llama.cpp's options. Weights and context are what llama.cpp itself says it would
    allocate on a CPU, to the byte. Compute is an interval, measured on CPUs. See `Memory` and docs/memory.md.

    Raises ValueError if the file is not a model that can be loaded alone (a projector, an adapter, a vocabulary
    without tensors), lacks a hyperparameter that llama.cpp needs, or if llama.cpp refuses an argument for it;
    TypeError for an argument of another type; `GGUFError` if the file can't be read.
    """
    from kaitai_gguf.memory import estimate  # most programs don't need it

    return estimate.memory(
        source,
        ctx_size=ctx_size,
        ubatch_size=ubatch_size,
        batch_size=batch_size,
        parallel=parallel,
        cache_type_k=cache_type_k,
        cache_type_v=cache_type_v,
        flash_attn=flash_attn,
        swa_full=swa_full,
        kv_unified=kv_unified,
    )
