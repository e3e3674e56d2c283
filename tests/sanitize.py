"""Build the C code with AddressSanitizer and UBSan, with warnings as errors, and run its tests.

    python tests/sanitize.py [pytest arguments]

A missing C compiler is reported, and is an error if CI is true.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g", "-O1"]
EXTENSIONS = ["_scanner", "_kernels"]
TESTS = [
    "tests/schema/test_compiled_scanner.py",
    "tests/schema/test_reader.py",
    "tests/reading/test_arrays.py",
    "tests/reading/test_models.py",
]
TESTS += ["tests/attacks", "tests/dequantize"]
# It measures memory, and the sanitizers use far more than any file.
TESTS += ["--ignore=tests/attacks/test_bounds.py"]
# The builds for compilers without vector types, and for processors without AVX2.
VARIANTS = ["-DWITHOUT_VECTORS", "-DFOR_ANY_PROCESSOR"]


def main() -> int:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("skipped: neither gcc nor clang is installed")
        return 1 if os.environ.get("CI") == "true" else 0
    wanted = [([], sys.argv[1:] or TESTS)]
    if not sys.argv[1:]:
        wanted += [([flag], ["tests/dequantize"]) for flag in VARIANTS]
    return max(_run(compiler, flags, arguments) for flags, arguments in wanted)


def _run(compiler: str, flags: list[str], arguments: list[str]) -> int:
    """Build the extensions, run the tests, and return the exit code of pytest."""
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / "kaitai_gguf"
        shutil.copytree(ROOT / "src" / "kaitai_gguf", package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        for name in EXTENSIONS:
            subprocess.run(
                [
                    compiler, *WARNINGS, *SANITIZERS, *flags, "-DPy_LIMITED_API=0x030B0000", "-shared", "-fPIC",
                    f"-I{sysconfig.get_path('include')}", str(ROOT / "src" / "kaitai_gguf" / f"{name}.c"),
                    "-o", str(package / f"{name}.abi3.so"),
                ],
                check=True,
            )  # fmt: skip
        runtime = [_runtime(compiler, name) for name in ("libasan.so", "libubsan.so")]
        environment = os.environ | {
            "PYTHONPATH": f"{scratch}{os.pathsep}{ROOT / 'generated' / 'python'}",
            "KAITAI_GGUF_SCANNER": "compiled",
            "LD_PRELOAD": " ".join(path for path in runtime if path),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python itself does not free all memory at exit
            "PYTHONMALLOC": "malloc",
        }
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def _runtime(compiler: str, name: str) -> str | None:
    """Return the path of the compiler's sanitizer runtime, if it has one. Python must preload it."""
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout
    return found.strip() if os.path.isabs(found.strip()) else None


if __name__ == "__main__":
    sys.exit(main())
