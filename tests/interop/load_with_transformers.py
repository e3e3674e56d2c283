"""Load a model with transformers. This program imports gguf and transformers, but not this project.

    python load_with_transformers.py FOLDER FILE

Prints as JSON the configuration, the tokenizer, the hash of each weight, and the class that read the file.
"""

import hashlib
import json
import sys
from pathlib import Path

import gguf
import torch
import transformers
from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint


def digest(tensor):
    tensor = tensor.detach().to(torch.float32).contiguous()
    return [list(tensor.shape), hashlib.sha256(tensor.numpy().tobytes()).hexdigest()]


folder, name = sys.argv[1:]
config = transformers.AutoConfig.from_pretrained(folder, gguf_file=name)
tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=name)
model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=name)
checkpoint = load_gguf_checkpoint(str(Path(folder, name)), return_tensors=True, model_to_load=model)
ids = tokenizer("the quick ant in 7 é")["input_ids"]
with torch.no_grad():
    logits = model(torch.tensor([ids])).logits
json.dump(
    {
        "reader": gguf.GGUFReader.__module__,
        "config": json.loads(config.to_json_string()),
        "parameters": {key: checkpoint[key] for key in ("config", "tokenizer", "tokenizer_config")},
        "vocabulary": sorted(tokenizer.get_vocab().items()),
        "ids": ids,
        "checkpoint": {key: digest(tensor) for key, tensor in sorted(checkpoint["tensors"].items())},
        "weights": {key: digest(tensor) for key, tensor in sorted(model.state_dict().items())},
        "logits": digest(logits),
    },
    sys.stdout,
    default=str,
)
