"""The memory of a context, in each layer (llama.cpp: create_memory in src/llama-model.cpp)."""

from collections.abc import Iterable
from dataclasses import dataclass

from kaitai_gguf.memory.hparams import Hparams
from kaitai_gguf.types import GGMLType, block_size, type_size

ALIGNMENT = 32  # bytes: tensors in a buffer of the CPU
CELLS = 256  # numbers of cells are multiples of it
CSA_RATIO, HCA_RATIO = 4, 128  # tokens for one compressed key of DeepSeek-V4
CACHE_TYPES = [GGMLType[name] for name in ("F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0", "IQ4_NL")]


@dataclass(frozen=True)
class Settings:
    """The parameters of a context, as llama.cpp's `llama_context_params` names them."""

    ctx_size: int
    ubatch_size: int
    parallel: int
    type_k: GGMLType
    type_v: GGMLType
    flash_attn: bool
    swa_full: bool
    kv_unified: bool

    @property
    def n_stream(self) -> int:
        """How many sequences have cells of their own."""
        return 1 if self.kv_unified else self.parallel

    @property
    def n_ctx_seq(self) -> int:
        """The cells of a stream."""
        return padded(padded(self.ctx_size, CELLS) // self.n_stream, CELLS)

    def n_swa_cells(self, n_swa: int, is_unified: bool) -> int:
        """Return the cells of a stream in layers with a sliding window of n_swa tokens."""
        window = n_swa * (self.parallel if is_unified else 1) + self.ubatch_size
        return self.n_ctx_seq if self.swa_full else padded(min(self.n_ctx_seq, window), CELLS)


def padded(number: int, multiple: int) -> int:
    """Return the number rounded up to a multiple."""
    return (number + multiple - 1) // multiple * multiple


def tensor_nbytes(type: GGMLType, width: int, rows: int) -> int:
    """Return the size of a tensor in a buffer. Raises ValueError if its rows are not whole blocks."""
    if width % block_size(type):
        raise ValueError(f"a cache of {type.name} is impossible: rows of {width} values are not whole blocks")
    return padded(width // block_size(type) * type_size(type) * rows, ALIGNMENT)


def context_layers(h: Hparams, settings: Settings) -> list[int]:
    """Return how many bytes the cache or state of each layer takes.

    Raises ValueError if llama.cpp refuses the settings for the model.
    """
    cache = h.facts.get("cache")
    if cache == "none":
        return [0] * h.n_layer_all
    _check(h, settings)
    if cache == "compressed":
        return _compressed(h, settings)
    sizes = _states(h, settings.parallel)
    if cache != "recurrent":
        for each in (_attention(h, settings), _indexers(h, settings)):
            sizes = [one + other for one, other in zip(sizes, each, strict=True)]
    return sizes


def widest_layers(h: Hparams, settings: Settings) -> list[int]:
    """Return the most that each layer may keep: all heads of K and V for all tokens."""
    rows = settings.n_ctx_seq * settings.n_stream
    return [
        tensor_nbytes(settings.type_k, k * heads, rows) + tensor_nbytes(settings.type_v, v * heads, rows)
        for k, v, heads in zip(h.n_embd_head_k, h.n_embd_head_v, h.n_head, strict=True)
    ]


def _check(h: Hparams, settings: Settings) -> None:
    if (h.is_mla or h.facts.get("cache") == "compressed") and settings.type_k != settings.type_v:
        raise ValueError("llama.cpp keeps no V for this model: the types of the K and V caches must be the same")
    if block_size(settings.type_v) > 1 and not settings.flash_attn:
        raise ValueError(f"llama.cpp refuses a V cache of {settings.type_v.name} without flash attention")
    if settings.flash_attn:
        for name, type, widths in (("K", settings.type_k, h.n_embd_head_k), ("V", settings.type_v, h.n_embd_head_v)):
            odd = next((width for width in widths[: h.n_layer] if width % block_size(type)), None)
            if odd is not None:
                reason = f"heads of {odd} values are not whole blocks of {block_size(type)}"
                raise ValueError(f"llama.cpp refuses a {name} cache of {type.name}: {reason}")


def _kv(settings: Settings, layers: Iterable[int], cells: int, k: list[int], v: list[int] | None) -> list[int]:
    """Return the size of keys and values in each layer. `k` and `v` are the values per token; None if there is no V."""
    sizes = [0] * len(k)
    for il in layers:
        sizes[il] = tensor_nbytes(settings.type_k, k[il], cells * settings.n_stream)
        if v is not None:  # without flash attention, V is transposed and has the same size in all layers
            width = v[il] if settings.flash_attn else max(v)
            sizes[il] += tensor_nbytes(settings.type_v, width, cells * settings.n_stream)
    return sizes


def _attention(h: Hparams, settings: Settings) -> list[int]:
    layers = set(range(h.n_layer_all))
    rule = h.facts.get("recurrent")
    if rule == "mixers":
        layers = {il for il in layers if not h.is_recurrent[il] and not h.n_ff[il]}
    elif rule not in (None, "all"):
        layers = {il for il in layers if not h.is_recurrent[il]}
    if (rule is None or h.facts.get("trunk")) and h.n_layer > 0:
        layers = {il for il in layers if il < h.n_layer}
    kept = h.facts.get("kv_layers", h.n_layer_all)
    if kept == "shared":
        kept = h.n_layer_all - h.number("attention.shared_kv_layers")
    layers = {il for il in layers if il < kept}
    k = [width * heads for width, heads in zip(h.n_embd_head_k, h.n_head_kv, strict=True)]
    v = [width * heads for width, heads in zip(h.n_embd_head_v, h.n_head_kv, strict=True)]
    values = None if h.is_mla else v
    windows = {il for il in layers if h.is_swa[il]}
    full = _kv(settings, layers - windows, settings.n_ctx_seq, k, values)
    slid = _kv(settings, windows, settings.n_swa_cells(h.n_swa, settings.kv_unified), k, values)
    return [one + other for one, other in zip(full, slid, strict=True)]


def _indexers(h: Hparams, settings: Settings) -> list[int]:
    """Return the size of the keys of indexers in each layer: a single head."""
    is_hybrid = "recurrent" in h.facts
    layers = {il for il, has in enumerate(h.indexers()) if has and not (is_hybrid and h.is_recurrent[il])}
    width = h.number("attention.indexer.key_length")
    if is_hybrid and h.number("attention.indexer.kpool"):
        width *= 3  # keys, gates and pooled keys
    values = None if h.is_mla or is_hybrid else h.n_embd_head_v
    return _kv(settings, layers, settings.n_ctx_seq, [width] * h.n_layer_all, values)


def _states(h: Hparams, n_seq: int) -> list[int]:
    """Return the size of the convolution and recurrent states in each layer (F32, whatever the types of the caches)."""
    d_conv, d_inner, d_state, n_group = (
        h.number(f"ssm.{key}") for key in ("conv_kernel", "inner_size", "state_size", "group_count")
    )
    wkv, kda, shortconv = h.number("wkv.head_size"), h.number("kda.head_dim"), h.number("shortconv.l_cache")
    conv, state = max(0, d_conv - 1) * (d_inner + 2 * n_group * d_state), d_state * d_inner
    if wkv:
        conv, state = h.number("token_shift_count", 2) * h.n_embd, h.n_embd * wkv
    elif shortconv:
        conv = h.n_embd * (shortconv - 1)
    elif kda:
        conv = 3 * (d_conv - 1 if d_conv else 3) * h.n_head[0] * kda
        state = kda * kda * h.n_head[0]
    elif h.facts.get("linear"):
        state = h.n_embd_head_k_full**2 * h.n_head[0]
    nbytes = sum(tensor_nbytes(GGMLType.F32, width, n_seq) for width in (conv, state))
    history = max(0, h.number("ple.conv_kernel") - 1) * h.number("ple.ngram_size")
    history *= h.number("hyper_connection.count") * h.n_embd
    with_history = set(h.listed("ple.layers")) if history else set()
    return [
        (nbytes + (tensor_nbytes(GGMLType.F32, history, n_seq) if il in with_history else 0)) * is_recurrent
        for il, is_recurrent in enumerate(h.is_recurrent)
    ]


def _compressed(h: Hparams, settings: Settings) -> list[int]:
    """Return the size of DeepSeek-V4's caches: a window, compressed keys, and what is not yet compressed."""
    ratios = h.per_layer("attention.compress_ratios", h.n_layer_all)
    index = h.number("attention.indexer.key_length")
    sizes = []
    for il, (head, heads) in enumerate(zip(h.n_embd_head_k, h.n_head_kv, strict=True)):
        rows = [(head * heads, settings.n_swa_cells(h.n_swa, is_unified=False))]
        states: list[tuple[int, int]] = []
        if ratios[il] in (CSA_RATIO, HCA_RATIO):
            cells = padded(max(1, -(-settings.n_ctx_seq // ratios[il])), CELLS)
            rows.append((h.n_embd_head_k_full * heads, cells))
            states.append((2 * head, 2 * CSA_RATIO) if ratios[il] == CSA_RATIO else (head, HCA_RATIO))
        if ratios[il] == CSA_RATIO:
            rows.append((index, cells))
            states.append((2 * index, 2 * CSA_RATIO))
        sizes.append(sum(tensor_nbytes(settings.type_k, width, each * settings.parallel) for width, each in rows))
        if il < h.n_layer:
            sizes[-1] += sum(2 * tensor_nbytes(GGMLType.F32, width, each * settings.parallel) for width, each in states)
    return sizes
