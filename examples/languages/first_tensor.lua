require("gguf")

local path, types = arg[1], arg[2]
local gguf = Gguf:from_file(path)
local tensor = gguf.body.tensors[1]
if tensor == nil then
  print("no tensors")
  os.exit()
end
local kind, size, shape = nil, nil, {}
for line in io.lines(types) do -- one type per line
  local id, name, elements, bytes = line:match('"id": (%d+), "name": "(.-)", "num_elements": (%d+), "size": (%d+)')
  if tonumber(id) == tensor.type_id then kind, size = name, bytes / elements end
end
for _, dim in ipairs(tensor.dims) do
  size = size * dim.value
  table.insert(shape, 1, dim.value)
end
gguf._io:seek(gguf.body.ofs_tensor_data + tensor.ofs_data)
local data = gguf._io:read_bytes(math.tointeger(size))
local hex = data:sub(1, 8):gsub(".", function(char) return ("%02x"):format(char:byte()) end)
print(("%s %s [%s] %d %s"):format(tensor.name.value, kind, table.concat(shape, ", "), #data, hex))
