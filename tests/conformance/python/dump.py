"""Print GGUF files as canonical JSON, read with the generated parser only: python dump.py FILE...

The errors of files that cannot be read go to stderr.
"""

import base64
import json
import math
import struct
import sys
from pathlib import Path

GENERATED = Path(__file__).parents[3] / "generated"
sys.path.insert(0, str(GENERATED / "python"))

from kaitai_gguf_schema.gguf import Gguf  # noqa: E402

ValueType = Gguf.ValueType
FORMATS = dict(zip([each for each in ValueType if each.name not in ("string", "array")], "BbHhIif?Qqd", strict=True))


def document(gguf):
    tensor_types = {entry["id"]: entry for entry in json.loads((GENERATED / "types.json").read_text())}
    return {
        "version": gguf.version,
        "byte_order": "big" if gguf.is_be else "little",
        "alignment": gguf.body.alignment,
        "data_offset": gguf.body.ofs_tensor_data,
        "metadata": [key_value(entry, gguf.is_be) for entry in gguf.body.metadata],
        "tensors": [tensor(info, tensor_types) for info in gguf.body.tensors],
    }


def key_value(entry, is_be):
    described = {"key": text(entry.key), "type": entry.value_type.name}
    if entry.value_type == ValueType.array:
        return described | array(entry.value, is_be)
    if entry.value_type == ValueType.string:
        return described | {"value": text(entry.value)}
    return described | {"value": number(entry.value_type, entry.value.value)}


def array(parsed, is_be):
    kind, count = parsed.element_type, parsed.num_elements.value
    if kind == ValueType.string:
        elements = [text(string) for string in parsed.elements.items]
    elif kind == ValueType.array:
        elements = [array(nested, is_be) for nested in parsed.elements.items]
    else:
        layout = f"{'>' if is_be else '<'}{count}{FORMATS[kind]}"
        elements = [number(kind, value) for value in struct.unpack(layout, parsed.elements.data)]
    return {"element_type": kind.name, "count": count, "value": elements}


def tensor(info, tensor_types):
    dims = [dim.value for dim in info.dims]
    known = tensor_types.get(info.type_id)
    return {
        "name": text(info.name),
        "dims": dims,
        "type": known and known["name"],
        "type_id": info.type_id,
        "offset": info.ofs_data,
        "nbytes": known and math.prod(dims) // known["num_elements"] * known["size"],
    }


def text(string):
    try:
        return string.data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(string.data).decode()}


def number(value_type, value):
    if value_type == ValueType.bool:
        return bool(value)
    if isinstance(value, int) or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def main(paths):
    status = 0
    for path in paths:
        try:
            with Gguf.from_file(path) as gguf:
                print(json.dumps(document(gguf), allow_nan=False))
        except Exception as error:
            print(f"{path}: {error!r}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
