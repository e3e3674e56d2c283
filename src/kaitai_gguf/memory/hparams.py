"""The hyperparameters of a model, per layer and with the defaults of llama.cpp (src/llama-model.cpp, load_hparams)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.llama_cpp import facts

MOST_LAYERS = 512  # LLAMA_MAX_LAYERS
GLM_INDEXER_CONTEXT = 1 << 20  # GLM models for shorter contexts have an indexer in every layer


class Hparams:
    """The hyperparameters that decide how much memory a context takes. Lists have an element per layer.

    Only keys that llama.cpp reads for the architecture count. Raises ValueError if one that it needs is missing, or has
    a value that it refuses.
    """

    def __init__(self, architecture: str, metadata: Mapping[str, Any]) -> None:
        known = facts()["architectures"]
        self.architecture = architecture
        self.facts: Mapping[str, Any] = facts()["memory"].get(architecture, {})
        self._metadata = metadata
        self._keys = {*known["*"]["keys"], *known.get(architecture, {}).get("keys", ())}
        self._required = {*known["*"]["required"], *known.get(architecture, {}).get("required", ())}
        self.n_ctx_train = self.number("context_length")
        self.n_embd = self.number("embedding_length")
        n_layer = self.number("block_count")
        loops = self.number("num_loops", 1) if self.facts.get("loops") else 1
        nextn = self.number("nextn_predict_layers")
        if not 0 < n_layer * loops <= MOST_LAYERS or nextn > n_layer:
            raise ValueError(f"{self._named('block_count')} is {n_layer}, which llama.cpp refuses")
        self.n_layer_all = n_layer * loops + (1 if self.facts.get("router") else 0)
        """All layers, with those that predict further tokens (nextn)."""
        self.n_layer = self.n_layer_all - nextn
        heads = self.per_layer("attention.head_count", n_layer)
        kv_heads = self.per_layer("attention.head_count_kv", n_layer, heads)
        router = [1] if self.facts.get("router") else []
        self.n_head = heads * loops + router
        self.n_head_kv = kv_heads * loops + router
        self.n_ff = self.per_layer("feed_forward_length", n_layer) * loops + router
        head = self.n_embd // self.n_head[0] if self.n_head[0] else 0
        k, v = (self.number(f"attention.{each}_length", head) if self.n_head[0] else 0 for each in ("key", "value"))
        self.n_swa, self.is_swa = self._windows()
        k_swa, v_swa = self.number("attention.key_length_swa", k), self.number("attention.value_length_swa", v)
        self.n_embd_head_k = [k_swa if swa else k for swa in self.is_swa]
        self.n_embd_head_v = [v_swa if swa else v for swa in self.is_swa]
        self.n_embd_head_k_full = k
        self.is_mla = bool(self.number("attention.key_length_mla") and self.number("attention.value_length_mla"))
        self.is_recurrent = self._recurrent()
        self.is_causal = metadata.get(self._named("attention.causal")) is not False

    def number(self, key: str, default: int = 0) -> int:
        """Return a hyperparameter; the default if it is missing, or llama.cpp does not read it for the architecture."""
        value = self._metadata.get(self._named(key)) if key in self._keys else None
        if value is None:
            if key in self._required:
                raise ValueError(f"{self._named(key)} is missing, without which llama.cpp loads no such model")
            return default
        if not is_integer(value) or value < 0:
            raise ValueError(f"{self._named(key)} is {value!r:.60}, expected a number of at least 0")
        return int(value)

    def per_layer(self, key: str, n_layer: int, default: list[int] | None = None) -> list[int]:
        """Return a hyperparameter of each layer; one number stands for all layers."""
        value = self._metadata.get(self._named(key))
        if not isinstance(value, np.ndarray):
            return default if value is None and default is not None else [self.number(key)] * n_layer
        numbers = value[:n_layer]
        if value.dtype.kind not in "iub" or len(numbers) < n_layer or numbers.min(initial=0) < 0:
            raise ValueError(f"{self._named(key)} is not a list of numbers, one for each of {n_layer} layers")
        return [int(number) for number in numbers.tolist()]

    def listed(self, key: str) -> list[int]:
        """Return a hyperparameter that is a list of numbers; an empty list if it is missing."""
        value = self._metadata.get(self._named(key))
        return value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind in "iu" else []

    def indexers(self) -> list[bool]:
        """Return which layers have an indexer."""
        rule, layers = self.facts.get("indexer"), range(self.n_layer_all)
        if rule is None or not self.number("attention.indexer.key_length"):
            return [False] * self.n_layer_all
        if rule == "moe":
            return [il >= self.number("leading_dense_block_count") for il in layers]
        chosen = [1] * self.n_layer
        if rule == "glm" and self.n_ctx_train >= GLM_INDEXER_CONTEXT:
            chosen = [int(il < 2 or il % 4 == 2) for il in range(self.n_layer)]
        if rule in ("glm", "listed"):
            chosen = self.per_layer("attention.indexer.types", self.n_layer, chosen)
        return [il < self.n_layer and bool(chosen[il]) for il in layers]

    def _named(self, key: str) -> str:
        return f"{self.architecture}.{key}"

    def _windows(self) -> tuple[int, list[bool]]:
        """Return the sliding window in tokens, 0 if there is none, and which layers have it."""
        none, rule = [False] * self.n_layer_all, self.facts.get("swa")
        if self.facts.get("cache") == "compressed":
            return self.number("attention.sliding_window"), [True] * self.n_layer_all
        if rule is None or self.facts.get("swa_layers", self.n_layer) != self.n_layer:
            return 0, none
        window = self.number("attention.sliding_window", self.facts.get("window", 0))
        if not window:
            return 0, none
        window = self.facts.get("fixed_window", window)
        if rule == "attention":
            return window, [il < self.n_layer and heads > 0 for il, heads in enumerate(self.n_head_kv)]
        pattern = self._metadata.get(self._named("attention.sliding_window_pattern"))
        if isinstance(pattern, np.ndarray) or rule == "listed":
            listed = [] if pattern is None else np.atleast_1d(pattern)[: self.n_layer_all].tolist()
            if not listed:
                raise ValueError(f"{self._named('attention.sliding_window_pattern')} is missing or empty")
            return window, [bool(each) for each in listed] + none[len(listed) :]
        period = int(pattern) if is_integer(pattern) else rule
        dense = 0 if self.facts.get("dense_first") else period - 1
        return window, [il < self.n_layer and (not period or il % period != dense) for il in range(self.n_layer_all)]

    def _recurrent(self) -> list[bool]:
        """Return which layers have a state."""
        rule, layers = self.facts.get("recurrent"), range(self.n_layer_all)
        if self.facts.get("cache") == "recurrent" or rule == "all":
            return [il < self.n_layer for il in layers]
        if rule in ("no_kv_heads", "mixers"):
            return [
                il < self.n_layer and not self.n_head_kv[il] and (rule == "no_kv_heads" or not self.n_ff[il])
                for il in layers
            ]
        if rule is None:
            return [False] * self.n_layer_all
        interval = self.number("full_attention_interval", rule) or 1
        default = [int((il + 1) % interval != 0) for il in layers]
        listed = self.per_layer("attention.recurrent_layers", self.n_layer_all, default)
        return [il < self.n_layer and bool(listed[il]) for il in layers]
