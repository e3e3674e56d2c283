require "json"
require_relative "gguf"

path, types = ARGV
gguf = Gguf.from_file(path)
tensor = gguf.body.tensors[0]
if tensor.nil?
  puts "no tensors"
  exit
end
type = JSON.parse(File.read(types)).find { |each| each["id"] == tensor.type_id }
dims = tensor.dims.map(&:value)
gguf._io.seek(gguf.body.ofs_tensor_data + tensor.ofs_data)
data = gguf._io.read_bytes(dims.reduce(1, :*) / type["num_elements"] * type["size"])
puts "#{tensor.name.value} #{type["name"]} #{dims.reverse} #{data.bytesize} #{data.unpack1("H16")}"
