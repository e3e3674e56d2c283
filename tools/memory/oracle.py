"""Write tests/data/memory: headers of models, and what llama.cpp says about the memory that they need.

python tools/memory/oracle.py [--sources FOLDER]

llama.cpp's library is built from the sdist of llama-cpp-python, unless FOLDER holds an unpacked one that is built
already (ten minutes on two cores; needs cmake, ninja and a C++ compiler). Nothing is allocated: the models are sparse
files. Three sets:

arch        a small model of each architecture, as llama.cpp's own test of architectures writes them
size-1 to -3  the same architectures with other numbers of layers, heads and windows; where
              llama.cpp aborts, the architecture does not allow them
real        models of real sizes, in F16, Q8_0 and Q4_K_M: see real_models.py (needs the package transformers)
"""

import argparse
import io
import lzma
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

import kaitai_gguf
from kaitai_gguf.llama_cpp import facts

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent)]
from llama_cpp_facts import download  # noqa: E402 - beside this folder
from real_models import real_models  # noqa: E402

DATA = HERE.parents[1] / "tests" / "data" / "memory"

COLUMNS = (
    "model ctx_size ubatch_size batch_size parallel cache_type_k cache_type_v flash_attn swa_full kv_unified "
    "use weights context compute"
)
SETTINGS = {
    "4096/512/2048/1/f16/f16/auto/0/0": True,
    "32768/512/2048/1/f16/f16/auto/0/0": True,
    "8192/512/2048/1/q8_0/q8_0/auto/0/0": True,
    "16384/512/2048/4/f16/f16/auto/0/1": True,
    "8192/512/2048/1/q4_0/f16/auto/0/0": True,
    "8192/512/2048/1/f16/f16/off/0/0": True,
    "8192/512/2048/2/f16/f16/auto/1/0": True,
    "8192/256/2048/4/f16/f16/auto/0/0": False,
    "131072/2048/2048/1/f16/f16/auto/0/0": False,
}
"""The settings: ctx/ubatch/batch/parallel/type_k/type_v/flash_attn/swa_full/kv_unified. False: not for calibration."""

SIZES = {
    "size-1": "N_VOCAB=8000 N_EMBD=1024 N_HEAD=16 N_HEAD_KV=4 N_FF=2816 N_LAYER=12 N_CTX=3000"
    " N_EXPERT=16 N_USED=4 N_FF_EXP=704",
    "size-2": "N_VOCAB=32000 N_EMBD=768 N_HEAD=6 N_HEAD_KV=6 N_FF=2048 N_LAYER=7 N_CTX=9999"
    " N_EXPERT=8 N_USED=2 N_FF_EXP=512",
    "size-3": "N_VOCAB=5000 N_FF=1536 N_LAYER=9 N_CTX=5555 N_EXPERT=8 N_USED=3 N_FF_EXP=320",
}
OVERRIDES = [
    (
        "    const uint32_t n_embd_head = n_embd / n_head;\n",
        """    auto over = [](const char * name, uint32_t & value) { if (getenv(name)) value = atoi(getenv(name)); };
    over("N_VOCAB", n_vocab); over("N_EMBD", n_embd); over("N_HEAD", n_head);
    over("N_FF", n_ff); over("N_LAYER", n_layer);
    n_layer = arch == LLM_ARCH_HRM_TEXT ? 6 : n_layer;
    n_head_kv = getenv("N_HEAD") ? n_head : n_head_kv; over("N_HEAD_KV", n_head_kv);
    uint32_t n_ff_exp = n_ff, n_expert = 2, n_used = 2;
    over("N_FF_EXP", n_ff_exp); over("N_EXPERT", n_expert); over("N_USED", n_used);
    const uint32_t n_embd_head = n_embd / n_head;
""",
    ),
    ("const uint32_t n_ctx = 256;", 'const uint32_t n_ctx = getenv("N_CTX") ? atoi(getenv("N_CTX")) : 256;'),
    ("LLM_KV_EXPERT_FEED_FORWARD_LENGTH, n_ff)", "LLM_KV_EXPERT_FEED_FORWARD_LENGTH, n_ff_exp)"),
    ("LLM_KV_EXPERT_COUNT,               uint32_t(2)", "LLM_KV_EXPERT_COUNT, n_expert"),
    ("LLM_KV_EXPERT_USED_COUNT,          uint32_t(2)", "LLM_KV_EXPERT_USED_COUNT, n_used"),
]
"""Changes to llama.cpp's test of architectures: sizes come from the environment."""

BUILD = (
    "-DGGML_NATIVE=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=ON -DLLAMA_BUILD_TOOLS=OFF "
    "-DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_EXAMPLES=OFF"
)
Shapes = dict[str, tuple[int, ...]]


def built(sources: Path, scratch: Path) -> Path:
    """Return the oracle, compiled with llama.cpp's library, which is built first unless it is there."""
    root = sources / "vendor" / "llama.cpp"
    if not list((root / "build" / "bin").glob("test-llama-archs")):
        subprocess.run(["cmake", "-B", "build", "-G", "Ninja", *BUILD.split()], cwd=root, check=True)
        subprocess.run(["ninja", "-C", "build", "test-llama-archs", "llama"], cwd=root, check=True)
    text = (root / "tests" / "test-llama-archs.cpp").read_text("utf-8")
    code = text[: text.index("static bool arch_matches")].replace("../src/", "")
    for name in ("get_gguf_ctx", "moe_mandatory", "moe_implemented"):
        code += "\n\n".join(re.findall(rf"^static [^\n]*\b{name}\(.*?^}}$", text, re.M | re.S)) + "\n"
    for before, after in OVERRIDES:
        if code.count(before) != 1:
            raise ValueError(f"llama.cpp's test of architectures has changed: {before!r}")
        code = code.replace(before, after)
    (scratch / "arch_test.inc").write_text(code)
    folders = [f"-I{root / each}" for each in ("include", "ggml/include", "src", "common")]
    library = root / "build" / "bin"
    libraries = [f"-L{library}", "-lllama", "-lggml", "-lggml-base", "-lggml-cpu", f"-Wl,-rpath,{library}"]
    command = ["g++", "-std=c++17", "-O1", f"-I{scratch}", *folders, str(HERE / "oracle.cpp"), *libraries]
    subprocess.run([*command, "-o", str(scratch / "oracle")], check=True)
    return scratch / "oracle"


def run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GGML_NO_BACKTRACE": "1"}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)


def header(rows: dict[str, Any], shapes: Shapes, types: dict[str, gguf.GGMLQuantizationType]) -> bytes:
    """Return the header of a model, written by gguf-py."""
    writer = gguf.GGUFWriter(None, rows["general.architecture"])
    for key, value in rows.items():
        if key == "general.architecture":
            continue
        elif isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_array(key, value)
    for name, shape in shapes.items():
        elements, size = gguf.GGML_QUANT_SIZES[types[name]]
        nbytes = int(np.prod(shape)) // elements * size
        row = shape[0] // elements * size
        writer.add_tensor_info(name, (*reversed(shape[1:]), row), np.dtype("u1"), nbytes, types[name])
    with tempfile.TemporaryDirectory() as folder:
        writer.path = Path(folder) / "model.gguf"
        writer.open_output_file(writer.path)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        return writer.path.read_bytes()


def tensor_types(shapes: Shapes, kind: str) -> dict[str, gguf.GGMLQuantizationType]:
    """Return the type of each tensor: norms, biases, routers and convolutions stay F32."""
    kept = re.compile(
        r"norm|bias|ffn_gate_inp|ssm_(conv1d|a|d|dt)|shortconv\.conv|position_embd|token_types|altup_correct|rope_"
    )
    types = gguf.GGMLQuantizationType
    n_layer = 1 + max((int(match[1]) for name in shapes if (match := re.match(r"blk\.(\d+)\.", name))), default=0)

    def of(name: str, shape: tuple[int, ...]) -> gguf.GGMLQuantizationType:
        if len(shape) < 2 or not name.endswith(".weight") or kept.search(name):
            return types.F32
        if kind != "Q4_K_M":
            type = types[kind]
        else:
            match = re.match(r"blk\.(\d+)\.(attn_v|ffn_down)", name)
            layer = int(match[1]) if match else -1
            more = layer < n_layer // 8 or layer >= 7 * n_layer // 8 or (layer - n_layer // 8) % 3 == 2
            is_large = (match is not None and more) or name == "output.weight"
            type = types.Q6_K if is_large else types.Q4_K
            if shape[0] % 256:
                type = types.Q8_0 if is_large else types.Q5_0
        return types.F16 if shape[0] % gguf.GGML_QUANT_SIZES[type][0] else type

    return {name: of(name, shape) for name, shape in shapes.items()}


def shapes_of(oracle: Path, scratch: Path, rows: dict[str, Any], has_output: bool) -> Shapes:
    """Return the tensors of a model: those that llama.cpp needs, of all that it knows; none if it doesn't load."""
    probe = scratch / "probe.gguf"
    probe.write_bytes(header(rows, {}, {}))
    result = run([oracle, "shapes", probe])
    known: Shapes = {}
    for line in result.stdout.splitlines():
        name, *dims = line.split("\t")
        shape = tuple(map(int, dims))
        if "ffn_gate_up_exps" in name:  # files have two tensors
            halves = (shape[0], shape[1] // 2, *shape[2:])
            known |= {name.replace("gate_up", each): halves for each in ("gate", "up")}
        else:
            known[name] = shape
    optional = re.compile(r"\.(bias|scale|input_scale)$|^rope_freqs" + ("" if has_output else "|^output.weight$"))
    shapes = {name: shape for name, shape in known.items() if not optional.search(name)}
    while known:
        write_sparse(probe, header(rows, shapes, tensor_types(shapes, "F16")))
        result = run([oracle, "figures", next(iter(SETTINGS)), "--", probe])
        missing = re.search(r"tensor '(?:blk\.\d+)?([^']+)' not found", result.stderr)
        if not missing:
            break
        added = {name: shape for name, shape in known.items() if name.endswith(missing[1])}
        if added.keys() <= shapes.keys():
            break
        shapes |= added
    if "not loaded" in result.stdout or not known:
        print(f"{rows['general.name']}: llama.cpp does not load this: {result.stderr[-400:]}")
        return {}
    return shapes


def write_sparse(path: Path, raw: bytes) -> None:
    """Write a header, and make the file as long as if it had the data."""
    path.write_bytes(raw)
    with kaitai_gguf.open(path) as model:
        end = model.data_offset + model.tensors.data_nbytes
    os.truncate(path, end)


def headers(oracle: Path, scratch: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the header of each model."""
    sources = []
    for name, source, rows, has_output in real_models():
        shapes = shapes_of(oracle, scratch, rows, has_output)
        if not shapes:
            continue
        sources.append(f"{name}\t{source}\n")
        for kind in ("F16", "Q8_0", "Q4_K_M"):
            yield f"real/{name}-{kind}.gguf", header(rows, shapes, tensor_types(shapes, kind))
    (DATA / "sources.tsv").write_text("model\tsource\n" + "".join(sources))
    names = [name for name, known in facts()["architectures"].items() if known and name != "*"]
    for variant, sizes in {"arch": "", **SIZES}.items():
        folder = scratch / variant
        folder.mkdir()
        for name in names:  # some sizes make llama.cpp abort
            run([oracle, "archs", folder, f"ARCH={name}", *sizes.split()])
        for path in sorted(folder.iterdir()):
            yield f"{variant}/{path.name}", path.read_bytes()


def figures(oracle: Path, name: str, raw: bytes, scratch: Path) -> Iterator[list[str]]:
    """Yield what llama.cpp says about a model: a line for each setting."""
    path = scratch / "model.gguf"
    write_sparse(path, raw)
    for setting, may_calibrate in SETTINGS.items():
        line = run([oracle, "figures", setting, "--", path]).stdout.strip()
        numbers = line.split("\t")[2:]
        use = "calibration" if may_calibrate else "held out"
        if len(numbers) == 3 or numbers == ["refused"]:  # else it is not loaded, or llama.cpp aborts
            yield [name, *setting.split("/"), use, *(numbers if len(numbers) == 3 else ["", "refused", ""])]
    path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, help="an unpacked sdist of llama-cpp-python")
    arguments = parser.parse_args()
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sources = arguments.sources
        if sources is None:
            sources = download(scratch)
        oracle = built(sources, scratch)
        lines, models = [COLUMNS.split()], {}
        for name, raw in headers(oracle, scratch):
            lines_of_model = list(figures(oracle, name, raw, scratch))
            if any(line[-1] for line in lines_of_model):
                models[name] = raw
                lines += lines_of_model
            else:
                print(f"{name}: llama.cpp does not load it, or aborts")
        with (
            lzma.open(DATA / "headers.tar.xz", "wb", preset=9) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            for name, raw in models.items():
                member = tarfile.TarInfo(name)
                member.size = len(raw)
                archive.addfile(member, io.BytesIO(raw))
        (DATA / "figures.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
        print(f"{len(lines) - 1} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
