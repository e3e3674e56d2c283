#include <cstdio>
#include <fstream>
#include <iostream>

#include "gguf.h"

int main(int, char **argv) {
    std::ifstream file(argv[1], std::ios::binary), types(argv[2]);
    kaitai::kstream stream(&file);
    gguf_t gguf(&stream);
    if (gguf.body()->tensors()->empty()) {
        std::cout << "no tensors" << std::endl;
        return 0;
    }
    const auto &tensor = gguf.body()->tensors()->at(0);
    std::string line, shape;
    unsigned id;
    char name[16];
    uint64_t size = 1;
    for (const auto &dim : *tensor->dims()) {
        shape = std::to_string(dim->value()) + (shape.empty() ? "" : ", ") + shape;
        size *= dim->value();
    }
    while (std::getline(types, line)) {  // one type per line
        unsigned elements, bytes;
        const char *format = " {\"id\": %u, \"name\": \"%15[^\"]\", \"num_elements\": %u, \"size\": %u}";
        if (std::sscanf(line.c_str(), format, &id, name, &elements, &bytes) == 4 && id == tensor->type_id()) {
            stream.seek(gguf.body()->ofs_tensor_data() + tensor->ofs_data());
            std::string data = stream.read_bytes(size / elements * bytes);
            std::cout << tensor->name()->value() << " " << name << " [" << shape << "] " << data.size() << " ";
            for (size_t i = 0; i < 8 && i < data.size(); i++) std::printf("%02x", (unsigned char)data[i]);
            std::cout << std::endl;
        }
    }
}
