"""`type_mix`: the shares of tensor types, and facts derived from them."""

from kaitai_gguf.type_mix import TypeShare, bits_per_weight, contradiction, type_mix

F32, Q4_K, Q6_K, UNKNOWN = 0, 12, 14, 77


def test_most_bytes_come_first_and_then_the_order_of_the_file() -> None:
    found = type_mix([(Q6_K, 2, 256, 210), (UNKNOWN, 2, 8, 0), (F32, 1, 64, 256), (Q6_K, 2, 256, 210), (4, 2, 9, 0)])
    assert found == [
        TypeShare("Q6_K", 2, 512, 420, 512, True),
        TypeShare("F32", 1, 64, 256, 0, True),
        TypeShare("type 77", 1, 8, 0, 8, False),
        TypeShare("Q4_2", 1, 9, 0, 9, False),
    ]


def test_sums_that_do_not_fit_in_64_bits_are_exact() -> None:
    (share,) = type_mix([(F32, 2, (1 << 62) + 1, 3)] * 5)
    assert (share.n_elements, share.nbytes) == (5 * ((1 << 62) + 1), 15)


def test_bits_per_weight() -> None:
    assert bits_per_weight(type_mix([(Q6_K, 2, 256, 210), (F32, 1, 256, 1024)])) == 8 * 1234 / 512
    assert bits_per_weight(type_mix([(Q6_K, 2, 256, 210), (UNKNOWN, 1, 1, 0)])) is None
    assert bits_per_weight(type_mix([])) is None


def test_only_weights_contradict_a_file_type() -> None:
    norms = [(F32, 1, 10_000, 40_000)]
    assert contradiction(15, type_mix([*norms, (Q4_K, 2, 256, 144)])) is None
    assert contradiction(15, type_mix([*norms, (Q6_K, 2, 256, 210)])) == "Q6_K"
    assert contradiction(15, type_mix(norms)) is None
    assert contradiction(15, type_mix([(Q4_K, 2, 256, 144), (Q6_K, 2, 256, 210)])) is None, "as many"
    assert contradiction(1000, type_mix([(Q4_K, 2, 256, 144)])) is contradiction(15, []) is None
