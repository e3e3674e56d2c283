"""Files found by the fuzzer or by tests that once exposed a fault in the reader."""

from collections.abc import Iterator

from support.gguf_bytes import Q4_0, file, tensor

from attacks.cases.case import Case


def cases() -> Iterator[Case]:
    yield Case(
        "found/nothing-times-2-to-the-61",
        "An empty tensor with 0 rows of 2^61 elements: dequantizing it raised numpy's own error, because the size of a "
        "row of floats exceeds 63 bits.",
        file(tensors=[tensor((2**61, 0), Q4_0)]),
    )
