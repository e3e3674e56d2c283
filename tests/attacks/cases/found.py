"""What the fuzzers and other tests have found: files on which the reader once did what it should not."""

from collections.abc import Iterator

from support.gguf_bytes import Q4_0, file, tensor

from attacks.cases.case import Case


def cases() -> Iterator[Case]:
    yield Case(
        "found/nothing-times-2-to-the-61",
        "A tensor of nothing, in rows of 2^61 elements of which there are 0: dequantizing it gave numpy's own error, "
        "since as many floats have more than 63 bits of bytes.",
        file(tensors=[tensor((2**61, 0), Q4_0)]),
    )
