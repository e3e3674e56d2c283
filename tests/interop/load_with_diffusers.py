"""Load the tensors of a file with diffusers. This program imports gguf and diffusers, but not this project.

    python load_with_diffusers.py FOLDER FILE

Prints as JSON the type, shape and hash of each tensor, and the class that read the file.
"""

import hashlib
import json
import sys
from pathlib import Path

import gguf
import torch
from diffusers.models.model_loading_utils import load_gguf_checkpoint


def described(tensor):
    raw = tensor.detach().as_subclass(torch.Tensor).contiguous()
    kind = getattr(tensor, "quant_type", None)
    return [str(raw.dtype), str(kind), list(raw.shape), hashlib.sha256(raw.view(torch.uint8).numpy()).hexdigest()]


tensors = load_gguf_checkpoint(str(Path(*sys.argv[1:])))
found = {name: described(tensor) for name, tensor in tensors.items()}
json.dump({"reader": gguf.GGUFReader.__module__, "tensors": found}, sys.stdout)
