"""The implementation of `memory`, and its result."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kaitai_gguf.arguments import integer
from kaitai_gguf.llama_cpp import architecture_of, facts
from kaitai_gguf.memory.caches import ALIGNMENT, CACHE_TYPES, Settings, context_layers, padded, widest_layers
from kaitai_gguf.memory.compute import compute_range
from kaitai_gguf.memory.hparams import Hparams
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.info import kind_of
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.schema import BLOCKS
from kaitai_gguf.text import human_bytes, quoted
from kaitai_gguf.types import GGMLType, ggml_type

REPACKED = {GGMLType.Q4_0, GGMLType.Q4_K, GGMLType.IQ4_NL, GGMLType.MXFP4}
DIGITS = 5  # the most digits of a layer's number
MOST_SEQUENCES = 256  # LLAMA_MAX_SEQ

Range = tuple[int, int]
"""The least and the most bytes."""


@dataclass(frozen=True)
class LayerMemory:
    """The memory of a layer, in bytes."""

    weights: int
    context: int | None
    """The cache or state of the layer; None if it is not known."""


@dataclass(frozen=True, repr=False)
class Memory:
    """How much memory a model needs, in bytes."""

    architecture: str
    ctx_size: int
    """The context in tokens, as llama.cpp rounds it."""
    weights: int
    """The tensors, as llama.cpp's buffers for the CPU hold them."""
    context: int | None
    """The KV cache and the states of recurrent layers; None if what the architecture keeps is not known."""
    context_range: Range
    """The least and the most that the context takes; twice `context` if that is known."""
    compute: Range
    """The least and the most for intermediate results. Calibrated on CPUs; nothing was measured on GPUs."""
    layers: tuple[LayerMemory, ...]
    """The share of each layer. What is in no layer, such as the token embeddings, is in none of them."""
    assumptions: tuple[str, ...]
    """What the figures rest on, and what they leave out, in sentences."""

    @property
    def total(self) -> Range:
        """The least and the most of everything together."""
        low, high = (self.weights + each + other for each, other in zip(self.context_range, self.compute, strict=True))
        return low, high

    def __repr__(self) -> str:
        rows = [
            (name, *map(human_bytes, each), f"{low:,}" if low == high else f"{low:,} to {high:,}")
            for name, each in self._rows().items()
            for low, high in [each]
        ]
        text = [
            f"  {name:<8} {low if low == high else f'{low} to {high}':>24}   {exact} bytes"
            for name, low, high, exact in rows
        ]
        return "\n".join([f"<Memory of {self.architecture} for {self.ctx_size:,} tokens>", *text])

    def _rows(self) -> dict[str, Range]:
        weights = (self.weights, self.weights)
        return {"weights": weights, "context": self.context_range, "compute": self.compute, "total": self.total}


def memory(source: ModelOrSource, **arguments: Any) -> Memory:
    """Return how much memory llama.cpp needs to run a model; `kaitai_gguf.memory` says more."""
    for name in ("ubatch_size", "batch_size", "parallel"):
        arguments[name] = integer(arguments[name], name)
        if arguments[name] < 1:
            raise ValueError(f"{name} must be at least 1, not {arguments[name]}")
    if arguments["parallel"] > MOST_SEQUENCES:
        raise ValueError(f"parallel must be at most {MOST_SEQUENCES}, not {arguments['parallel']}")
    if arguments["flash_attn"] not in ("auto", "on", "off"):
        raise ValueError(f"flash_attn must be 'auto', 'on' or 'off', not {arguments['flash_attn']!r:.60}")
    types = [_cache_type(arguments[name], name) for name in ("cache_type_k", "cache_type_v")]
    with model_of(source) as model:
        architecture = _architecture(model)
        h = Hparams(architecture, model.metadata)
        settings = _settings(h, types, **arguments)
        return _memory(model, h, settings)


def _cache_type(type: Any, name: str) -> GGMLType:
    result = ggml_type(type.upper() if isinstance(type, str) else type)
    if result not in CACHE_TYPES:
        known = ", ".join(each.name for each in CACHE_TYPES)
        raise ValueError(f"{name}: llama.cpp has no cache of {result.name}; the types are {known}")
    return result


def _architecture(model: GGUFFile) -> str:
    """Return the architecture of a model. Raises ValueError for a file that llama.cpp does not load as one."""
    kind, architecture = kind_of(model.metadata), architecture_of(model.metadata)
    if kind != "model":
        raise ValueError(f"the file is not a model, but runs beside one: its kind is {kind}")
    if architecture is None:
        raise ValueError("the file has no general.architecture")
    if not model.tensors:
        raise ValueError("the file has no tensors: it is only a vocabulary, or a shard without its model")
    return architecture


def _settings(
    h: Hparams,
    types: list[GGMLType],
    *,
    ctx_size: int | None,
    ubatch_size: int,
    batch_size: int,
    parallel: int,
    flash_attn: str,
    swa_full: bool,
    kv_unified: bool,
    **_types: object,
) -> Settings:
    if ctx_size is None:
        ctx_size = h.n_ctx_train
    if integer(ctx_size, "ctx_size") < 1:
        raise ValueError(f"ctx_size must be at least 1, not {ctx_size}")
    batch_size = min(ctx_size, batch_size) if h.is_causal else batch_size
    return Settings(
        ctx_size=int(ctx_size),
        ubatch_size=min(batch_size, ubatch_size),
        parallel=parallel,
        type_k=types[0],
        type_v=types[1],
        flash_attn=flash_attn != "off" and h.facts.get("fa") != "off",
        swa_full=swa_full,
        kv_unified=kv_unified,
    )


def _memory(model: GGUFFile, h: Hparams, settings: Settings) -> Memory:
    weights, by_layer = _weights(model, h)
    cache = h.facts.get("cache")
    is_known = h.architecture in facts()["memory"] and cache != "borrowed"
    sizes = context_layers(h, settings) if is_known else widest_layers(h, settings)
    high = sum(sizes)
    return Memory(
        architecture=h.architecture,
        ctx_size=settings.n_ctx_seq * settings.n_stream,
        weights=weights,
        context=high if is_known else None,
        context_range=(high if is_known else 0, high),
        compute=compute_range(h, settings, model.tensors),
        layers=tuple(
            LayerMemory(size, context if is_known else None) for size, context in zip(by_layer, sizes, strict=True)
        ),
        assumptions=tuple(_assumptions(h, settings, is_known)),
    )


def _weights(model: GGUFFile, h: Hparams) -> tuple[int, list[int]]:
    """Return the size of all tensors that llama.cpp loads, and that of the tensors of each layer."""
    total, layers = 0, [0] * h.n_layer_all
    loaded = h.n_layer_all if h.facts.get("router") or h.n_layer == 0 else h.n_layer
    for header in (file.header for file in model.shards):
        infos = header.tensor_infos
        unknown = [row for row, type_id in enumerate(infos.type_id.tolist()) if type_id not in BLOCKS]
        if unknown:
            name, type_id = header.names[unknown[0]], infos.type_id[unknown[0]]
            raise ValueError(f"tensor {quoted(name)} has the unknown type {type_id}")
        for layer, size in zip(map(_layer_of, header.names), header.sizes.tolist(), strict=True):
            if layer < loaded:
                nbytes = padded(size, ALIGNMENT)
                total += nbytes
                if layer >= 0:
                    layers[layer] += nbytes
    return total + _second_embeddings(model, h), layers


@lru_cache(1 << 14)  # most models have the same names
def _layer_of(name: str) -> int:
    """Return the number of the layer that a tensor belongs to; -1 for a tensor of the whole model."""
    match = re.match(rf"blk\.(\d{{1,{DIGITS}}})\.", name)
    return int(match[1]) if match else -1


def _second_embeddings(model: GGUFFile, h: Hparams) -> int:
    """Return the size of the copy that llama.cpp makes of token embeddings that are the output as well.

    For matrix products on x86-64 with AVX2, it repacks these types eight rows at a time (ggml: ggml-cpu/repack.cpp);
    rows are looked up in the original.
    """
    tensor = model.tensors.get("token_embd.weight")
    if tensor is None or "output.weight" in model.tensors or h.facts.get("embeddings"):
        return 0
    is_repacked = tensor.type in REPACKED and tensor.dims[-1] % 8 == 0
    return padded(tensor.nbytes or 0, ALIGNMENT) if is_repacked or h.facts.get("two_embeddings") else 0


def _assumptions(h: Hparams, settings: Settings, is_known: bool) -> list[str]:
    source = facts()["source"]
    sentences = [
        f"llama.cpp {source['release']} ({source['commit']}) runs the whole model on an x86-64 CPU with AVX2.",
        "Compute is calibrated on CPUs and was not measured on GPUs, where drivers take memory as well.",
        f"Flash attention is {'on' if settings.flash_attn else 'off'}.",
    ]
    if settings.ctx_size > h.n_ctx_train:
        sentences.append(f"The context is longer than the {h.n_ctx_train:,} tokens that the model was trained for.")
    if not is_known:
        reason = "the model drafts for another, and uses its cache" if h.facts else "the architecture is unknown"
        sentences.append(f"The size of the context is not known: {reason}. Layers may keep all heads of all tokens.")
    if h.n_layer < h.n_layer_all and not h.facts.get("router"):
        sentences.append("The layers that predict further tokens (nextn) are not loaded.")
    return sentences
