import std/[algorithm, json, os, sequtils, strutils]
import gguf, kaitai_struct_nim_runtime

let
  model = Gguf.fromFile(paramStr(1))
  types = parseFile(paramStr(2))
if model.body.tensors.len == 0:
  echo "no tensors"
  quit()
let
  tensor = model.body.tensors[0]
  kind = types.elems.filterIt(it["id"].getInt == int(tensor.typeId))[0]
  dims = tensor.dims.mapIt(int(it.value))
model.io.seek(int(model.body.ofsTensorData) + int(tensor.ofsData))
let
  data = model.io.readBytes(dims.foldl(a * b, 1) div kind["num_elements"].getInt * kind["size"].getInt)
  start = data[0 .. 7].mapIt(it.toHex.toLowerAscii).join
echo tensor.name.value, " ", kind["name"].getStr, " [", dims.reversed.join(", "), "] ", data.len, " ", start
