// What llama.cpp says about memory, without allocating any. oracle.py builds it with llama.cpp's own sources.
//
//   oracle archs FOLDER [NAME=NUMBER...]    writes a header of each architecture, with other sizes than llama.cpp's test has
//   oracle shapes HEADER                    prints the name and dims of each tensor that a model with this metadata has
//   oracle figures SETTINGS... -- FILE...   prints a line for each file and setting: weights, context, compute in bytes
//
// A setting is ctx/ubatch/batch/parallel/type_k/type_v/flash_attn/swa_full/kv_unified.
#include "arch_test.inc"  // get_gguf_ctx, moe_mandatory and moe_implemented of tests/test-llama-archs.cpp

#include "llama-ext.h"
#include "llama-model.h"

#include <map>
#include <sstream>

static std::string log_text;

static void no_data(ggml_tensor *, void *) {}

static llama_model_params model_params() {
    llama_model_params params = llama_model_default_params();
    params.no_alloc = true;
    params.load_mode = LLAMA_LOAD_MODE_NONE;
    return params;
}

static std::map<std::string, std::vector<int64_t>> shapes_of(gguf_context * metadata) {
    std::map<std::string, std::vector<int64_t>> shapes;
    llama_model * model = llama_model_init_from_user(metadata, no_data, nullptr, model_params());
    if (model == nullptr) {
        throw std::runtime_error("not loaded");
    }
    for (const auto & [name, tensor] : model->tensors_by_name) {
        shapes[name].assign(tensor->ne, tensor->ne + ggml_n_dims(tensor));
    }
    llama_model_free(model);
    return shapes;
}

static int archs(const std::string & folder, int count, char ** sizes) {
    for (int i = 0; i < count; i++) {
        const std::string size = sizes[i];
        setenv(size.substr(0, size.find('=')).c_str(), size.substr(size.find('=') + 1).c_str(), 1);
    }
    const char * only = getenv("ARCH");
    for (const llm_arch & arch : llm_arch_all()) {
        const std::string name = llm_arch_name(arch);
        if (only != nullptr && name != only) {
            continue;
        }
        for (bool moe : {false, true}) {
            if (moe ? !moe_implemented(arch) : moe_mandatory(arch)) {
                continue;
            }
            gguf_context_ptr metadata = get_gguf_ctx(arch, moe);
            gguf_context_ptr header(gguf_init_empty());
            gguf_set_kv(header.get(), metadata.get());
            for (const char * key : {"tokenizer.ggml.tokens", "tokenizer.ggml.scores"}) {
                gguf_remove_key(header.get(), key);
            }
            gguf_set_val_str(header.get(), "tokenizer.ggml.model", "none");
            try {
                for (const auto & [tensor_name, shape] : shapes_of(metadata.get())) {
                    ggml_tensor tensor = {};
                    tensor.type = GGML_TYPE_F32;
                    for (size_t dim = 0; dim < GGML_MAX_DIMS; dim++) {
                        tensor.ne[dim] = dim < shape.size() ? shape[dim] : 1;
                        tensor.nb[dim] = dim == 0 ? 4 : tensor.nb[dim - 1] * tensor.ne[dim - 1];
                    }
                    ggml_set_name(&tensor, tensor_name.c_str());
                    gguf_add_tensor(header.get(), &tensor);
                }
            } catch (const std::exception &) {
                continue;  // these sizes are impossible for the architecture
            }
            gguf_write_to_file(header.get(), (folder + "/" + name + (moe ? "-moe" : "-dense") + ".gguf").c_str(), true);
        }
    }
    return 0;
}

static int shapes(const char * path) {
    gguf_context_ptr metadata(gguf_init_from_file(path, { true, nullptr }));
    for (const auto & [name, shape] : shapes_of(metadata.get())) {
        printf("%s", name.c_str());
        for (int64_t dim : shape) {
            printf("\t%lld", (long long) dim);
        }
        printf("\n");
    }
    return 0;
}

static ggml_type type_named(const std::string & name) {
    for (int type = 0; type < GGML_TYPE_COUNT; type++) {
        if (ggml_type_name((ggml_type) type) != nullptr && name == ggml_type_name((ggml_type) type)) {
            return (ggml_type) type;
        }
    }
    throw std::runtime_error("no type " + name);
}

static llama_context_params context_params(const std::string & setting) {
    std::istringstream text(setting);
    std::vector<std::string> parts;
    for (std::string part; std::getline(text, part, '/');) {
        parts.push_back(part);
    }
    llama_context_params params = llama_context_default_params();
    params.n_ctx = std::stoi(parts.at(0));
    params.n_ubatch = std::stoi(parts.at(1));
    params.n_batch = std::stoi(parts.at(2));
    params.n_seq_max = std::stoi(parts.at(3));
    params.type_k = type_named(parts.at(4));
    params.type_v = type_named(parts.at(5));
    params.flash_attn_type = parts.at(6) == "auto" ? LLAMA_FLASH_ATTN_TYPE_AUTO
        : parts.at(6) == "on" ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.swa_full = std::stoi(parts.at(7));
    params.kv_unified = std::stoi(parts.at(8));
    return params;
}

static int figures(int count, char ** arguments) {
    std::vector<std::string> settings;
    int i = 0;
    for (; i < count && std::string(arguments[i]) != "--"; i++) {
        settings.push_back(arguments[i]);
    }
    for (i++; i < count; i++) {
        llama_model * model = llama_model_load_from_file(arguments[i], model_params());
        if (model == nullptr) {
            fprintf(stderr, "%s", log_text.c_str());
        }
        for (const std::string & setting : settings) {
            printf("%s\t%s\t", arguments[i], setting.c_str());
            llama_context * context = model == nullptr ? nullptr : llama_init_from_model(model, context_params(setting));
            if (context == nullptr) {
                printf(model == nullptr ? "not loaded\n" : "refused\n");
                continue;
            }
            size_t weights = 0, memory = 0, compute = 0;
            for (const auto & [type, buffers] : llama_get_memory_breakdown(context)) {
                weights += buffers.model;
                memory += buffers.context;
                compute += buffers.compute;
            }
            printf("%zu\t%zu\t%zu\n", weights, memory, compute);
            fflush(stdout);
            llama_free(context);
        }
        llama_model_free(model);
    }
    return 0;
}

int main(int argc, char ** argv) {
    llama_log_set([](ggml_log_level, const char * text, void *) { log_text += text; }, nullptr);
    llama_backend_init();
    const std::string mode = argc > 2 ? argv[1] : "";
    try {
        return mode == "archs" ? archs(argv[2], argc - 3, argv + 3)
            : mode == "shapes" ? shapes(argv[2])
            : mode == "figures" ? figures(argc - 2, argv + 2) : 2;
    } catch (const std::exception & error) {
        fprintf(stderr, "%s\n%s", error.what(), log_text.c_str());
        return 1;
    }
}
