"""`dequantize`: shapes, rows, dtypes, threads, memory, and refusals."""

import mmap
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from dequantize.oracles import PLAIN, assert_same, golden, random_blocks
from kaitai_gguf.dequantize import dequantize, run
from kaitai_gguf.dequantize.formulas import FORMULAS
from kaitai_gguf.errors import GGUFError, UnknownTypeError
from kaitai_gguf.types import GGMLType, block_dtype, block_size, plain_dtype, type_size

Q4_0, Q4_K, Q6_K, F16 = GGMLType.Q4_0, GGMLType.Q4_K, GGMLType.Q6_K, GGMLType.F16


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use chunks so small that the arrays of the tests take several."""
    for name in "_CHUNK", "_COPIED_CHUNK", "_SMALL_CHUNK":
        monkeypatch.setattr(run, name, 1024)


class TestShapes:
    @pytest.mark.usefixtures("small_chunks")
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        shape=st.lists(st.integers(0, 9), min_size=1, max_size=4),
        type=st.sampled_from(list(GGMLType)),
        threads=st.integers(1, 5) | st.none(),
    )
    def test_each_row_of_blocks_is_a_row_of_elements(self, shape: list[int], type: GGMLType, threads: Any) -> None:
        *outer, per_row = shape
        raw = random_blocks(type, int(np.prod(outer)), per_row).reshape(*outer, per_row * type_size(type))
        result = dequantize(raw, type, threads=threads)
        assert result.shape == (*outer, per_row * block_size(type))
        assert result.dtype == np.float32
        if raw.size:
            with np.errstate(all="ignore"):
                expected = FORMULAS[type](raw.reshape(-1).view(block_dtype(type))).astype(np.float32)
            assert_same(result.reshape(-1), expected.reshape(-1))

    @pytest.mark.usefixtures("kernels")
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        data=st.data(),
        type=st.sampled_from([F16, GGMLType.BF16]) | st.sampled_from(list(GGMLType)),
        order=st.sampled_from(["little", "big"]),
    )
    def test_memory_of_any_layout(self, data: st.DataObject, type: GGMLType, order: Any) -> None:
        """The results equal those of a contiguous copy."""
        shape = [*data.draw(st.lists(st.integers(2, 5), max_size=2)), data.draw(st.integers(1, 4))]
        raw = random_blocks(type, int(np.prod(shape[:-1])), shape[-1]).reshape(*shape[:-1], -1)
        shifted = np.empty(raw.size + 1, np.uint8)[data.draw(st.integers(0, 1)) :][: raw.size].reshape(raw.shape)
        shifted[...] = raw
        dtypes = [np.dtype(np.uint8), block_dtype(type, order), *([plain_dtype(type, order)] if type in PLAIN else [])]
        view = shifted.view(data.draw(st.sampled_from(dtypes)))
        is_bytes = view.dtype == np.uint8 and block_size(type) * type_size(type) > 1
        steps = st.sampled_from([slice(None), slice(0, 1), slice(1, None, 2), slice(None, None, -1)]) | st.slices(5)
        chosen = [data.draw(steps) for _ in shape[: -1 if is_bytes else None]]
        view = view[tuple(chosen)]
        if data.draw(st.booleans()):
            view = np.swapaxes(view, 0, data.draw(st.integers(0, max(view.ndim - 1 - is_bytes, 0))))
        if data.draw(st.booleans()):
            view = np.broadcast_to(view[None], (3, *view.shape))
        if is_bytes and data.draw(st.booleans()):
            view = np.repeat(view, 2, axis=-1)[..., ::-2][..., ::-1]
        expected = dequantize(view.copy(order="C"), type, byte_order=order)
        assert_same(dequantize(view, type, byte_order=order), expected)
        if type in PLAIN and view.dtype == plain_dtype(type, order):
            with np.errstate(over="ignore"):
                assert_same(dequantize(view, type), view.astype(np.float32))

    @pytest.mark.parametrize("lend", [bytes, bytearray, memoryview], ids=lambda lend: lend.__name__)
    def test_bytes_are_a_row(self, lend: Any) -> None:
        raw, expected = golden(Q4_K)
        assert_same(dequantize(lend(raw.tobytes()), Q4_K), expected.reshape(-1))
        assert dequantize(lend(b""), Q4_K).shape == (0,)
        assert_same(dequantize(memoryview(raw), Q4_K), expected)


class TestPlain:
    @pytest.mark.parametrize("order", ["little", "big"])
    @pytest.mark.parametrize("type", PLAIN, ids=lambda type: type.name)
    def test_typed_arrays_and_bytes(self, type: GGMLType, order: Any) -> None:
        numbers = np.array([[0, 1, -2], [100, -128, 127]])
        typed = numbers.astype(plain_dtype(type))
        words = typed.view(f"u{typed.itemsize}")
        stored = (words if order == "little" else words.byteswap()).view(plain_dtype(type, order))
        expected = numbers.astype(np.float32)
        assert_same(dequantize(stored, type), expected)
        assert_same(dequantize(stored.view(np.uint8), type, byte_order=order), expected)
        assert_same(dequantize(stored.view(block_dtype(type, order)), type), expected)
        assert_same(dequantize(stored[:, 0], type), expected[:, 0])
        assert_same(dequantize(stored[1, 0, ...], type), expected[1, 0, ...])

    @pytest.mark.usefixtures("kernels")
    @pytest.mark.parametrize("type", [F16, GGMLType.BF16])
    def test_every_number_of_16_bits(self, type: GGMLType) -> None:
        numbers = np.arange(1 << 16, dtype=np.uint16).view(plain_dtype(type))
        assert_same(dequantize(numbers, type), numbers.astype(np.float32))

    def test_wide_types_keep_what_float64_holds(self) -> None:
        numbers = np.array([1 / 3, 2**53 + 2, 1e300])
        assert_same(dequantize(numbers, GGMLType.F64, dtype=np.float64), numbers)
        with np.errstate(over="ignore"):
            assert_same(dequantize(numbers, GGMLType.F64), numbers.astype(np.float32))
        integers = np.array([2**53 - 1, -(2**40) - 1])
        assert_same(dequantize(integers, GGMLType.I64, dtype=np.float64), integers.astype(np.float64))


class TestRows:
    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize(
        "rows",
        [
            slice(2, 5), slice(None, None, -3), slice(5, 2), slice(-2, None), [3], [7, 0, 0, -1], [],
            np.array([1, 2], np.uint8), range(3),
        ],
        ids=str,
    )  # fmt: skip
    def test_only_those(self, rows: Any) -> None:
        raw, expected = golden(Q6_K)
        chosen = expected[rows if isinstance(rows, slice) else np.asarray(rows, np.intp)]
        out = np.zeros(chosen.shape, np.float32)
        for options in ({"threads": 1}, {"threads": 2}, {"out": out}):
            assert_same(dequantize(raw, Q6_K, rows=rows, **options), chosen)
        assert_same(out, chosen)

    @pytest.mark.skipif(os.name == "nt", reason="Windows does not truncate mapped files")
    def test_nothing_else_is_read(self, tmp_path: Path) -> None:
        """The file is truncated within the fourth of ten rows. Reading the map beyond that kills the process."""
        row = np.lcm(mmap.PAGESIZE, type_size(Q6_K)).item()
        code = f"""if 1:
            import mmap, os, numpy as np
            from kaitai_gguf import GGMLType, dequantize

            with open("raw", "w+b") as file:
                file.truncate(10 * {row})
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                file.truncate(3 * {row} + 1)
            raw = np.frombuffer(mapped, np.uint8).reshape(10, {row})
            for rows in (slice(0, 3), slice(2, None, -1), [2, -10], []):
                dequantize(raw, GGMLType.Q6_K, rows=rows, threads=2)
            os.write(1, b"still here")
            dequantize(raw, GGMLType.Q6_K, rows=[7])
            os.write(1, b", wrongly")
        """
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, check=False)
        assert done.stdout == b"still here"


class TestDtype:
    @pytest.mark.filterwarnings("error")  # overflow is silent
    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, ml_dtypes.bfloat16])
    def test_is_converted_from_float32(self, dtype: Any) -> None:
        for type in (Q6_K, F16):
            raw, expected = golden(type)
            with np.errstate(over="ignore"):
                converted = expected.astype(dtype)
            assert_same(dequantize(raw, type, dtype=dtype, threads=2), converted)
            out = np.zeros(expected.shape, dtype)
            assert dequantize(raw, type, out=out) is out
            assert_same(out, converted)


class TestOut:
    @pytest.mark.usefixtures("small_chunks")
    @pytest.mark.parametrize("threads", [1, 2])
    def test_may_have_gaps_and_need_not_be_aligned(self, threads: int) -> None:
        raw, expected = golden(Q6_K)
        wide = np.zeros((16, 2048), np.float32)
        unaligned = np.zeros(expected.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(expected.shape)
        assert_same(dequantize(raw, Q6_K, out=unaligned, threads=threads).copy(), expected)
        for out in (wide[::2, :1024], wide[8:, 1024:], wide[:8, ::2], wide[7::-1, 2047:1023:-1]):
            wide[...] = -7
            dequantize(raw, Q6_K, out=out, threads=threads)
            assert_same(np.ascontiguousarray(out), expected)
            assert (wide == -7).sum() == wide.size - out.size

    @pytest.mark.usefixtures("small_chunks")
    def test_an_error_in_one_reaches_the_caller(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object) -> None:
            raise RuntimeError("in a formula")

        monkeypatch.setattr(run.compiled, "KERNELS", None)
        monkeypatch.setitem(FORMULAS, Q4_K, fail)
        with pytest.raises(RuntimeError, match="in a formula"):
            dequantize(golden(Q4_K)[0], Q4_K, threads=2)


class TestMemory:
    @pytest.mark.usefixtures("kernels")
    @pytest.mark.parametrize(
        "options", [{}, {"dtype": np.float16}, {"byte_order": "big"}, {"rows": range(1023, -1, -1)}], ids=str
    )
    @pytest.mark.parametrize("type", [GGMLType.Q8_0, GGMLType.IQ2_XXS, F16])
    def test_beyond_input_and_output_is_bounded(self, type: GGMLType, options: dict[str, Any]) -> None:
        rows, columns = 1024, 16384
        raw = np.zeros((rows, columns // block_size(type) * type_size(type)), np.uint8)
        out = np.empty((rows, columns), options.get("dtype", np.float32))
        tracemalloc.start()
        dequantize(raw, type, out=out, threads=2, **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2 * 5e6

    @pytest.mark.skipif(sys.platform != "linux", reason="numpy asks for huge pages on Linux only")
    @pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
    def test_large_arrays_start_with_a_huge_page(self, dtype: Any) -> None:
        raw = random_blocks(Q4_0, 64, 2048)
        result = dequantize(raw, Q4_0, dtype=dtype)
        assert (result.ctypes.data % (2 << 20), result.shape, result.dtype) == (0, (64, 1 << 16), dtype)
        assert_same(result[-1], dequantize(raw[-1], Q4_0, dtype=dtype))


RAW = np.zeros((8, 4 * 210), np.uint8)  # of Q6_K
OUT = np.zeros((8, 1024), np.float32)
UNEVEN = np.zeros((4, 2, 1024), np.float32).swapaxes(0, 1)
REFUSED: list[tuple[type[Exception], str, dict[str, Any]]] = [
    (GGUFError, "rows of 209 bytes: not a multiple of the 210 bytes of a block of Q6_K", {"raw": RAW[:, :209]}),
    (GGUFError, "a single byte: not a multiple", {"raw": np.array(1, np.uint8)}),
    (GGUFError, "int8 can't be Q6_K: expected uint8 or the type's blocks", {"raw": RAW.view(np.int8)}),
    (GGUFError, "float64 can't be F32: expected uint8 or float32", {"raw": np.zeros(4), "type": "F32"}),
    (GGUFError, "can't be Q6_K", {"raw": np.zeros(1, block_dtype(Q4_0))}),
    (TypeError, "raw must be a numpy array or bytes, not list", {"raw": [0] * 210}),
    (TypeError, "raw is a masked array: array.filled", {"raw": np.ma.array(RAW)}),
    (UnknownTypeError, "type 99 is unknown to this version", {"type": 99}),
    (UnknownTypeError, "unknown type 'Q4_Z'; the types are F32, F16, Q4_0", {"type": "Q4_Z"}),
    *[(TypeError, "expected a GGMLType, or the name or", {"type": type}) for type in (None, 12.0, True, b"Q4_K")],
    (ValueError, "byte_order must be 'little' or 'big', not 'middle'", {"byte_order": "middle"}),
    *[(GGUFError, f"row {row} is out of range: there are 8 rows", {"rows": [0, row]}) for row in (8, -9, 2**40)],
    *[
        (TypeError, "rows must be a slice or a 1-D array of integers", {"rows": rows})
        for rows in (3, [1.5], [[1]], [True, False], "all")
    ],
    *[
        (TypeError, "dtype must be float16, float32, float64 or bfloat16, not", {"dtype": dtype})
        for dtype in (np.int32, np.complex64, ">f4", None, "O", ml_dtypes.float8_e4m3fn)
    ],
    (TypeError, "dtype must be .* not int32", {"out": OUT.view(np.int32)}),
    (TypeError, "out must be a numpy array, not list", {"out": []}),
    (TypeError, "out is a masked array", {"out": np.ma.array(OUT)}),
    (GGUFError, r"out has shape \(8, 1023\), but the result has \(8, 1024\)", {"out": OUT[:, 1:]}),
    (GGUFError, "out is read-only", {"out": np.broadcast_to(np.float32(0), (8, 1024))}),
    (GGUFError, "not made of rows that are evenly spaced", {"raw": RAW.reshape(2, 4, -1), "out": UNEVEN}),
    (GGUFError, "out shares memory with raw", {"raw": OUT.view(np.uint8)[:, :840], "out": OUT}),
    (GGUFError, "threads must be at least 1, not 0", {"threads": 0}),
    *[(TypeError, "threads must be an integer or None", {"threads": threads}) for threads in (1.5, "2", True)],
]


@pytest.mark.parametrize(("error", "message", "arguments"), REFUSED)
def test_refused_arguments(error: type[Exception], message: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(error, match=message):
        dequantize(**{"raw": RAW, "type": Q6_K} | arguments)
    assert not OUT.any()
