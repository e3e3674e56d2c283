"""Mistakes that type checkers must find: they reject each line that ends with `# ?`, and no other."""

from typing import assert_type

import kaitai_gguf
from kaitai_gguf import GGMLType, GGUFFile, ValueType


def mistakes(model: GGUFFile) -> None:
    print(GGMLType.Q4_X)  # ?
    print(ValueType.UINT128)  # ?
    kaitai_gguf.opne("model.gguf")  # ?
    kaitai_gguf.open(5)  # ?
    kaitai_gguf.open("model.gguf", map=True)  # ?
    model.metadata["general.name"] = "A name"  # ?
    model.metadata[3]  # ?
    model.tensor["output.weight"]  # ?
    model.tensors["output.weight"].dequantise()  # ?
    model.tensors["output.weight"].dims.append(3)  # ?
    assert_type(model.tensors["output.weight"].nbytes, str)  # ?
    model.metadata.entry("general.name").value_type = ValueType.STRING  # ?
    kaitai_gguf.write("model.gguf", {}, {}, byte_order="middle")  # ?
    kaitai_gguf.Writer("model.gguf").add_tensor("output.weight", 5, GGMLType.F32)  # ?
    kaitai_gguf.edit("model.gguf").commit(output=None, overwrite="yes")  # ?
    kaitai_gguf.convert(3.5, "converted.gguf")  # ?
    kaitai_gguf.check("model.gguf")[0].severity.upper().lowered()  # ?
    len(kaitai_gguf.explain("model.gguf"))  # ?
    kaitai_gguf.quantize([1.0, 2.0], GGMLType.Q8_0).dequantize()  # ?
