"""`fits`: whether a projector or an adapter belongs to a model."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.info import kind_of, projector_widths
from kaitai_gguf.reading.opening import ModelOrSource, model_of
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.text import quoted

PARTS = (".lora_a", ".lora_b")


@dataclass(frozen=True)
class Fit:
    """Whether a file fits a model. It is true if nothing speaks against it."""

    kind: Literal["projector", "adapter"]
    """What the file is."""
    reasons: tuple[str, ...]
    """Sentences that say why llama.cpp would refuse the file together with the model."""

    def __bool__(self) -> bool:
        return not self.reasons


def fits(model: ModelOrSource, other: ModelOrSource) -> Fit:
    """Return whether a projector for images or audio (mmproj), or a LoRA adapter, fits a model.

    model, other  open models, or what `open` takes.

    A projector fits if its output is as wide as the model's embeddings (llama.cpp: tools/mtmd). An adapter fits if its
    architecture is the model's, and the shapes of each pair of its tensors fit the tensor that they change (llama.cpp:
    src/llama-adapter.cpp). No tensor data is read. A projector of an unknown type, or without the tensor that tells its
    width, is not refused. Raises ValueError if `other` is neither, or `model` is not a model; `GGUFError` if a file
    can't be read.
    """
    with model_of(model) as base, model_of(other) as part:
        kind = kind_of(part.metadata)
        if kind == "model":
            raise ValueError(f"{part!r} is neither a projector nor an adapter")
        if kind_of(base.metadata) != "model":
            raise ValueError(f"{base!r} is not a model, its kind is {kind_of(base.metadata)}")
        return Fit(kind, tuple(_wrong_widths(base, part) if kind == "projector" else _wrong_pairs(base, part)))


def _wrong_widths(model: GGUFFile, projector: GGUFFile) -> Iterator[str]:
    architecture = model.metadata.get("general.architecture")
    width, layers = (model.metadata.get(f"{architecture}.{key}") for key in ("embedding_length", "n_deepstack_layers"))
    if not is_integer(width) or f"{architecture}.deepstack_mapping" in model.metadata:
        return
    expected = width * (1 + (layers if is_integer(layers) else 0))
    for type, actual in projector_widths(projector.metadata, projector.tensors):
        if actual not in (None, expected):
            yield f"the output of its projector {quoted(type)} has {actual} values, the model's embeddings {expected}"


def _wrong_pairs(model: GGUFFile, adapter: GGUFFile) -> Iterator[str]:
    one, other = (each.metadata.get("general.architecture") for each in (adapter, model))
    if one != other:
        yield f"it is for the architecture {_shown(one)}, and the model's is {_shown(other)}"
    type = adapter.metadata.get("adapter.type")
    if type != "lora":
        yield f"adapter.type is {_shown(type)}, expected 'lora'"
    pairs: dict[str, dict[str, Tensor]] = {}
    for name, tensor in adapter.tensors.items():
        if name.endswith(PARTS):
            base, dot, part = name.rpartition(".")
            pairs.setdefault(base, {})[dot + part] = tensor
        elif not name.endswith("_norm.weight"):  # which llama.cpp ignores
            yield f"tensor {quoted(name)} is neither {' nor '.join(PARTS)} of a tensor"
    for name, pair in pairs.items():
        reason = _wrong_pair(name, pair, model.tensors)
        if reason:
            yield f"tensor {quoted(name)} {reason}"


def _wrong_pair(name: str, pair: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> str | None:
    """Return what is wrong with the tensors `lora_a` and `lora_b` that change a tensor of the model."""
    if len(pair) < len(PARTS):
        return f"has {next(iter(pair))}, but not the other of {' and '.join(PARTS)}"
    if name not in tensors:
        return "is not in the model"
    (a, b), base = ((*pair[part].dims, 1, 1)[:2] for part in PARTS), (*tensors[name].dims, 1, 1)[:2]
    if name.endswith("token_embd.weight"):  # its pair is swapped
        is_fitting, rank = base == (b[1], a[1]), None
    else:
        is_fitting, rank = base == (a[0], b[1]), (a[1], b[0])
    if not is_fitting:
        return f"has dims {base} in the model, which its pair of {a} and {b} does not fit"
    return f"has a pair whose ranks {rank[0]} and {rank[1]} differ" if rank and rank[0] != rank[1] else None


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else "missing" if value is None else "not text"
