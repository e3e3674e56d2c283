"""Load a model with a package that reads GGUF. This program imports gguf and the package, but not this project.

    python load.py transformers|diffusers FOLDER FILE

Prints as JSON what the package makes of it, with the hash of each tensor, and the class that read the file.
"""

import hashlib
import json
import sys
from pathlib import Path

import gguf
import torch


def digest(tensor):
    tensor = tensor.detach().as_subclass(torch.Tensor).contiguous()
    data = tensor.reshape(-1).view(torch.uint8).numpy()
    return [str(tensor.dtype), list(tensor.shape), hashlib.sha256(data).hexdigest()]


def with_transformers(folder, name):
    import transformers
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    config = transformers.AutoConfig.from_pretrained(folder, gguf_file=name)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=name)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=name)
    checkpoint = load_gguf_checkpoint(str(Path(folder, name)), return_tensors=True, model_to_load=model)
    ids = tokenizer("the quick ant in 7 é")["input_ids"]
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits
    return {
        "config": json.loads(config.to_json_string()),
        "parameters": {key: checkpoint[key] for key in ("config", "tokenizer", "tokenizer_config")},
        "vocabulary": sorted(tokenizer.get_vocab().items()),
        "ids": ids,
        "checkpoint": {key: digest(tensor) for key, tensor in sorted(checkpoint["tensors"].items())},
        "weights": {key: digest(tensor) for key, tensor in sorted(model.state_dict().items())},
        "logits": digest(logits),
    }


def with_diffusers(folder, name):
    from diffusers.models.model_loading_utils import load_gguf_checkpoint

    tensors = load_gguf_checkpoint(str(Path(folder, name)))
    kinds = {key: str(getattr(tensor, "quant_type", None)) for key, tensor in tensors.items()}
    return {"kinds": kinds, "tensors": {key: digest(each) for key, each in tensors.items()}}


package, folder, name = sys.argv[1:]
loaded = {"transformers": with_transformers, "diffusers": with_diffusers}[package](folder, name)
json.dump({"reader": gguf.GGUFReader.__module__} | loaded, sys.stdout, default=str)
