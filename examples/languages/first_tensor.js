const fs = require("node:fs");
const KaitaiStream = require("kaitai-struct/KaitaiStream");
const { Gguf } = require("./Gguf");

const [path, types] = process.argv.slice(2);
const stream = new KaitaiStream(fs.readFileSync(path));
const { body } = new Gguf(stream);
const tensor = body.tensors[0];
if (tensor === undefined) {
  console.log("no tensors");
  process.exit();
}
const type = JSON.parse(fs.readFileSync(types)).find(({ id }) => id === tensor.typeId);
const dims = tensor.dims.map((dim) => dim.value);
stream.seek(body.ofsTensorData + tensor.ofsData);
const data = stream.readBytes((dims.reduce((a, b) => a * b, 1) / type.num_elements) * type.size);
const shape = `[${dims.reverse().join(", ")}]`;
console.log(tensor.name.value, type.name, shape, data.length, Buffer.from(data.subarray(0, 8)).toString("hex"));
