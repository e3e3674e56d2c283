"""Files for the CVEs of GGUF parsers, each built from the published description.

None of them is the original file of a report. If little was published, the description says what was built instead.
"""

from collections.abc import Iterator

from support.gguf_bytes import (
    ARRAY,
    F16,
    F32,
    I8,
    Q4_K,
    STRING,
    UINT32,
    UINT64,
    V1,
    array,
    file,
    header,
    key_value,
    string,
    tensor,
    u4,
    u8,
)

from attacks.cases.case import Case, Refusal

FORMAT, TRUNCATED = "FormatError", "TruncatedError"
ARCHITECTURE = key_value(STRING, string(b"llama"), b"general.architecture")
AFTER = 24 + len(ARCHITECTURE)  # where the second key-value starts
HALF = 2**63 - 64
HALVES = [tensor((HALF,), I8, 0, b"a"), tensor((HALF,), I8, HALF, b"b")]

# Number; description; the file; the refusal, or the tensors without data.
CVES: list[tuple[str, str, bytes, Refusal | tuple[str, ...]]] = [
    ("CVE-2024-21802", "A tensor has 16 dims, but llama.cpp has room for 4.",
     header(tensors=[string(b"t") + u4(16) + u8(1) * 16 + u4(F32) + u8(0)]),
     Refusal(FORMAT, 33, "/tensors/0/num_dims")),
    ("CVE-2024-21825", "The count of an array of strings, times the 16 bytes of each in memory, is 2^64 + 16.",
     file([ARCHITECTURE, key_value(ARRAY, array(STRING, 2**60 + 1, string(b"x") * 4))]),
     Refusal(FORMAT, AFTER + 17, "/metadata/1/value/num_elements")),
    ("CVE-2024-21836", "The number of tensors, times the 88 bytes of each in memory, is a little over 2^64.",
     header([ARCHITECTURE], num_tensors=2**64 // 88 + 1) + bytes(256), Refusal(FORMAT, 8, "/num_tensors")),
    ("CVE-2024-23496", "The length of a string is 2^64 - 1; with a terminating NUL it wraps around to 0.",
     file([ARCHITECTURE, key_value(STRING, string(b"x" * 64, 2**64 - 1))]),
     Refusal(FORMAT, AFTER + 13, "/metadata/1/value/len_data")),
    ("CVE-2024-23605", "The number of key-values, times the 48 bytes of each in memory, is a little over 2^64.",
     header([ARCHITECTURE], num_metadata=2**64 // 48 + 1) + bytes(256), Refusal(FORMAT, 16, "/num_metadata")),
    ("CVE-2024-39720", "The file has only the 4 bytes of the magic.", b"GGUF", Refusal(TRUNCATED, 4, "/version")),
    ("CVE-2024-12055",
     "An out-of-bounds read in Ollama's `gguf.go`; no more was published. In this file, the length of a string is -16 "
     "as a signed number, and so less than the size of any buffer.",
     file([ARCHITECTURE, key_value(STRING, string(b"x" * 64, 2**64 - 16))]),
     Refusal(FORMAT, AFTER + 13, "/metadata/1/value/len_data")),
    ("CVE-2024-8063", "`block_count` is a string: a reader that treats it as a number gets 0, and divides by it.",
     file([ARCHITECTURE, key_value(STRING, string(b"32"), b"llama.block_count")], [tensor((4,))], bytes(16)),
     ()),
    ("CVE-2025-0315", "An array claims a billion strings, and Ollama allocated memory for them before reading.",
     file([ARCHITECTURE, key_value(ARRAY, array(STRING, 2**30))]),
     Refusal(TRUNCATED, AFTER + 25, "/metadata/1/value/elements")),
    ("CVE-2025-0317", "The alignment is 0, and Ollama's `ggufPadding` divides by it.",
     file([ARCHITECTURE, key_value(UINT32, u4(0), b"general.alignment")], [tensor()], bytes(4)),
     Refusal(FORMAT, AFTER + 29, "/metadata/1/value")),
    ("CVE-2025-53630", "The sizes of three tensors, padded and added up, are 2^64 + 96.",
     header(tensors=[*HALVES, tensor((224,), I8, 2 * HALF, b"c")]) + bytes(96),
     Refusal(FORMAT, 49, "/tensors/0/ofs_data")),
    ("CVE-2025-62609", "MLX did not check the offset of a tensor: here it is far beyond the end of the file.",
     file([ARCHITECTURE], [tensor((4,), offset=2**40)], bytes(16)), ("t",)),
    ("CVE-2025-66959",
     "A denial of service in Ollama's decoder; no more was published. In this file, the length of a string is the "
     "largest positive signed number, which is more than any memory.",
     file([ARCHITECTURE, key_value(STRING, string(b"x" * 64, 2**63 - 1))]),
     Refusal(FORMAT, AFTER + 13, "/metadata/1/value/len_data")),
    ("CVE-2025-66960",
     "Ollama's `readGGUFV1String` did not check the length of a string: here it is the largest possible number.",
     V1.header([V1.key_value(STRING, V1.string(b"x" * 32, 2**32 - 1))]),
     Refusal(FORMAT, 25, "/metadata/0/value/len_data")),
    ("CVE-2026-7482", "A tensor is larger than the file: Ollama read the memory after it, and disclosed its content.",
     file([ARCHITECTURE], [tensor((4096, 4096), F16)], bytes(64)), ("t",)),
    ("CVE-2026-27940", "Two tensors have 2^63 - 64 bytes each; the sum of their sizes in memory is small.",
     header(tensors=HALVES) + bytes(64),
     Refusal(FORMAT, 49, "/tensors/0/ofs_data")),
    ("CVE-2026-33298", "A tensor has 2^64 bytes and 4 MiB, which wraps around to 4 MiB.",
     header(tensors=[tensor((1024, 1024, 2**42 + 1))]) + bytes(64), Refusal(FORMAT, 37, "/tensors/0/dims")),
    ("CVE-2026-53923", "A row has 2^32 + 256 elements, which vLLM's kernel, with 32 bits, takes for 256.",
     file([ARCHITECTURE], [tensor((2**32 + 256,), Q4_K)], bytes(144)), ("t",)),
    ("no-number-v1-empty-string", "An empty string in version 1: Ollama removed a NUL that did not exist.",
     V1.file([V1.key_value(STRING, V1.string(b""))]), ()),
    ("no-number-array-hang", "An array of 2^63 numbers in 65 bytes, on which gguf-py 0.19 never finished.",
     file([key_value(ARRAY, array(UINT64, 2**63, bytes(8)))]), Refusal(FORMAT, 41, "/metadata/0/value/num_elements")),
    ("no-number-512-layers", "The model has more layers than llama.cpp has room for (512).",
     file([ARCHITECTURE, key_value(UINT32, u4(2**20), b"llama.block_count")]), ()),
]  # fmt: skip


def cases() -> Iterator[Case]:
    for name, about, data, outcome in CVES:
        if isinstance(outcome, Refusal):
            yield Case(f"cve/{name}", about, data, outcome)
        else:
            yield Case(f"cve/{name}", about, data, no_data=outcome)
