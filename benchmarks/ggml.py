"""ggml's base library, with llama.cpp's GGUF reader and dequantization, built from llama-cpp-python's sources.

    python -m benchmarks.ggml

downloads the sources with pip, and builds the library twice with release flags, `-O3 -DNDEBUG`: once for any processor,
like `GGML_NATIVE=OFF`, and once with `-march=native`.
"""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

LLAMA_CPP_PYTHON = "0.3.36"
BUILD = Path(__file__).parent / "build"
SOURCES = BUILD / f"llama_cpp_python-{LLAMA_CPP_PYTHON}" / "vendor" / "llama.cpp" / "ggml"
C_FILES = ["ggml.c", "ggml-alloc.c", "ggml-quants.c"]
CPP_FILES = [
    "ggml.cpp", "ggml-backend.cpp", "ggml-backend-meta.cpp", "ggml-opt.cpp", "ggml-threading.cpp", "gguf.cpp",
]  # fmt: skip
FLAGS = [
    "-O3", "-DNDEBUG", "-fPIC", "-D_GNU_SOURCE", "-DGGML_BUILD", "-DGGML_SHARED", "-DGGML_SCHED_MAX_COPIES=4",
]  # fmt: skip
LIBRARIES = {"portable": [], "native": ["-march=native"]}


def library(name: str) -> Path | None:
    """Return the path of the library `portable` or `native`, or None if it was not built."""
    path = BUILD / f"libggml-base-{name}.so"
    return path if path.exists() else None


def main() -> None:
    BUILD.mkdir(exist_ok=True)
    if not SOURCES.exists():
        download()
    for name, flags in LIBRARIES.items():
        if not library(name):
            build(name, flags)


def download() -> None:
    command = ["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(BUILD)]
    subprocess.run([sys.executable, "-m", "pip", *command, f"llama-cpp-python=={LLAMA_CPP_PYTHON}"], check=True)
    archive = BUILD / f"llama_cpp_python-{LLAMA_CPP_PYTHON}.tar.gz"
    with tarfile.open(archive) as tar:
        inside = [member for member in tar if "/vendor/llama.cpp/ggml/" in member.name]
        # Python before 3.11.4 has no extraction filters.
        tar.extractall(BUILD, inside, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    archive.unlink()


def build(name: str, flags: list[str]) -> None:
    folder = BUILD / name
    folder.mkdir(exist_ok=True)
    (folder / "ggml-version.h").write_text('#define GGML_VERSION "0"\n#define GGML_COMMIT "unknown"\n')
    include = [f"-I{SOURCES / 'include'}", f"-I{SOURCES / 'src'}", f"-I{folder}"]
    objects = []
    for compiler, standard, files in (("cc", "-std=gnu11", C_FILES), ("c++", "-std=gnu++17", CPP_FILES)):
        for file in files:
            objects.append(str(folder / f"{file}.o"))
            source = str(SOURCES / "src" / file)
            subprocess.run([compiler, standard, *FLAGS, *flags, *include, "-c", source, "-o", objects[-1]], check=True)
    built = folder / "libggml-base.so"
    subprocess.run(["c++", "-shared", *objects, "-o", str(built), "-lpthread", "-lm"], check=True)
    built.rename(BUILD / f"libggml-base-{name}.so")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
