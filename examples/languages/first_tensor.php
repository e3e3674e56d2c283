<?php
spl_autoload_register(function ($class) {
    require "kaitai_struct_php_runtime/lib/" . str_replace("\\", "/", $class) . ".php";
});
require "Gguf.php";

[, $path, $types] = $argv;
$gguf = Gguf::fromFile($path);
$tensor = $gguf->body()->tensors()[0] ?? null;
if ($tensor === null) {
    exit("no tensors\n");
}
$type = array_column(json_decode(file_get_contents($types), true), null, "id")[$tensor->typeId()];
$dims = array_map(fn($dim) => $dim->value(), $tensor->dims());
$gguf->_io()->seek($gguf->body()->ofsTensorData() + $tensor->ofsData());
$data = $gguf->_io()->readBytes(intdiv(array_product($dims), $type["num_elements"]) * $type["size"]);
$shape = implode(", ", array_reverse($dims));
printf("%s %s [%s] %d %s\n", $tensor->name()->value(), $type["name"], $shape, strlen($data), bin2hex(substr($data, 0, 8)));
