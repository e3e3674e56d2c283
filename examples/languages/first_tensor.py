import json
import math
import sys

from kaitai_gguf_schema.gguf import Gguf

path, types = sys.argv[1:]
with Gguf.from_file(path) as gguf, open(types) as file:
    types = {type["id"]: type for type in json.load(file)}
    if not gguf.body.tensors:
        print("no tensors")
        sys.exit()
    tensor = gguf.body.tensors[0]
    type = types[tensor.type_id]
    dims = [dim.value for dim in tensor.dims]
    gguf._io.seek(gguf.body.ofs_tensor_data + tensor.ofs_data)
    data = gguf._io.read_bytes(math.prod(dims) // type["num_elements"] * type["size"])
    print(tensor.name.value, type["name"], dims[::-1], len(data), data[:8].hex())
