"""Write what llama.cpp knows into src/kaitai_gguf/llama_cpp.json, or say what differs from the newest release.

python tools/llama_cpp_facts.py [--check] [--sources FOLDER]

The sources are those of the sdist of llama-cpp-python, which pip downloads and nothing builds or runs: they are read as
text. Only facts are taken: names, types and numbers. What the sources don't say is in four files beside this one:
llama_cpp_keys.txt (types and descriptions of keys), llama_cpp_roles.txt (the roles of tensors in words),
llama_cpp_forks.txt (tensor types of programs that are forked from llama.cpp) and llama_cpp_memory.txt (which caches an
architecture has).
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FACTS = HERE.parent / "src" / "kaitai_gguf" / "llama_cpp.json"
SDIST = "llama-cpp-python"

# pip prepares the metadata of an sdist before it keeps it. This stands in for the build system, and builds nothing.
BACKEND = """
import os, shutil

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    name = "llama_cpp_python.dist-info"
    os.makedirs(os.path.join(folder, name))
    shutil.copy("PKG-INFO", os.path.join(folder, name, "METADATA"))
    return name
"""

# The values that the documentation (ggml's docs/gguf.md) and gguf-py's enums list for a key.
VALUES: dict[str, list[str | int]] = {
    "general.type": ["model", "adapter", "mmproj", "imatrix"],
    "adapter.type": ["lora"],
    "[arch].rope.scaling.type": ["none", "linear", "yarn", "longrope"],
    "[arch].tensor_data_layout": ["reference", "Meta AI original pth"],
    "[arch].pooling_type": [0, 1, 2, 3, 4],
    "[arch].expert_gating_func": [0, 1, 2, 3, 4],
}

ARRAYS = {"int": "int32[]", "float": "float32[]", "str": "string[]", "bool": "bool[]"}
Facts = dict[str, Any]


def download(folder: Path) -> Path:
    """Download the newest sdist and return the folder that it was unpacked to. Raises `CalledProcessError`."""
    backend = folder / "backend" / "scikit_build_core"
    backend.mkdir(parents=True)
    (backend / "__init__.py").write_text("")
    (backend / "build.py").write_text(BACKEND)
    options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, SDIST]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(backend.parent)})
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder / "sources", filter="data")
    (unpacked,) = (folder / "sources").iterdir()
    return unpacked


class Sources:
    """The sources of llama.cpp in an unpacked sdist."""

    def __init__(self, sdist: Path) -> None:
        self.sdist, self.root = sdist, sdist / "vendor" / "llama.cpp"
        self.arch = self.text("src/llama-arch.cpp")
        self.keys = dict(re.findall(r'{ (LLM_KV_\w+), *"([^"]+)" *}', self.arch))
        self.models = {path.name: _code(path.read_text("utf-8")) for path in (self.root / "src/models").glob("*.cpp")}
        self.loader = _code(self.text("src/llama-model.cpp"))
        headers = self.text("src/models/models.h")
        self.bases = dict(re.findall(r"struct (llama_model_\w+) *: *public (llama_model_\w+)", headers))

    def text(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def key(self, kv: str) -> str:
        name: str = self.keys[kv]
        return name.replace("%s", "{arch}")

    def version(self) -> Facts:
        changes = (self.sdist / "CHANGELOG.md").read_text("utf-8")
        commit = re.search(r"llama\.cpp@([0-9a-f]+)", changes)
        cmake = self.text("CMakeLists.txt")
        numbers = [re.search(rf"LLAMA_VERSION_{part} (\d+)", cmake) for part in ("MAJOR", "MINOR")]
        about = re.search(r"^Version: (.+)$", (self.sdist / "PKG-INFO").read_text("utf-8"), re.M)
        return {
            "commit": commit[1] if commit else None,
            "release": ".".join(number[1] for number in numbers if number),
            "sdist": f"{SDIST} {about[1] if about else ''}",
        }

    def architectures(self) -> Facts:
        """Return what each architecture needs to load, and which keys it uses."""
        classes: dict[str, str] = {}
        creation = re.compile(r"((?:case LLM_ARCH_\w+:\s*)+)return new (llama_model_\w+)")
        for cases, name in creation.findall(self.loader):
            classes |= dict.fromkeys(re.findall(r"LLM_ARCH_\w+", cases), name)
        common = _body(self.loader, "llama_model_base::load_hparams")
        special = re.compile(r"if \((?:arch|ml\.get_arch\(\)) == (LLM_ARCH_\w+)\) {(.*?)\n    }", re.S)
        only = {arch: self._used(body) for arch, body in special.findall(common)}
        common = special.sub("", common)
        result: Facts = {"*": {"required": self._needed(common), "keys": self._used(common)}}
        for arch, name in sorted(re.findall(r'{ (LLM_ARCH_\w+), *"([^"(]+)" *}', self.arch), key=lambda pair: pair[1]):
            loading, tensors = (self._method(classes.get(arch), f"load_arch_{part}") for part in ("hparams", "tensors"))
            if arch == "LLM_ARCH_CLIP" or arch not in classes:
                result[name] = {}  # it is only a name, or loaded next to a model
                continue
            result[name] = {
                "required": self._needed(loading),
                "keys": sorted({*self._used(loading), *only.get(arch, ())} - {*result["*"]["keys"]}),
                "tensors": _needed_tensors(tensors),
            }
        return result

    def _method(self, name: str | None, method: str) -> str:
        """Return the body of a method of a class, or of the class that it inherits it from."""
        while name is not None:
            for text in self.models.values():
                body = _body(text, f"{name}::{method}")
                if body:
                    return body
            name = self.bases.get(name)
        return ""

    def _used(self, body: str) -> list[str]:
        names = dict.fromkeys(re.findall(r"get_(?:key|arr)\w*\(\s*(LLM_KV_\w+)", body))
        return [self.key(name).removeprefix("{arch}.") for name in names if self.keys[name].startswith("%s.")]

    def _needed(self, body: str) -> list[str]:
        """Return the keys that a function reads in any case, and that may not be missing."""
        result = []
        for statement in _statements(body):
            match = re.match(r"ml\.get_(?:key|arr)\w*\(\s*(LLM_KV_\w+)\s*,(.*)\)$", statement, re.S)
            if match and "||" not in statement and not re.search(r"\b(false|required)\s*$", match[2]):
                result.append(self.key(match[1]).removeprefix("{arch}."))
        return result

    def file_types(self) -> tuple[Facts, Facts]:
        """Return names and most weights' types of the file types, and the names of those that were removed."""
        types = dict(re.findall(r"case LLAMA_FTYPE_(\w+): *return GGML_TYPE_(\w+)", self.text("src/llama-quant.cpp")))
        current, removed = {}, {}
        header = self.text("include/llama.h")
        for comment, name, number in re.findall(r"^ *(//)? *LLAMA_FTYPE_(\w+) *= (\d+),", header, re.M):
            if comment:
                removed[number] = name
            elif name.startswith(("ALL_", "MOSTLY_")):
                current[number] = [name, types.get(name) or _family(name, types)]
        return current, removed

    def projectors(self) -> dict[str, list[Any]]:
        """Return, by the type of a projector: the tensor that has its output width, and which of its dims that is."""
        header, code = self.text("tools/mtmd/clip-impl.h"), self.text("tools/mtmd/clip.cpp")
        names = dict(re.findall(r'\{ *PROJECTOR_TYPE_(\w+), *"([^"]+)" *\}', header))
        defines = dict(re.findall(r'#define +(TN_\w+) +"([^"]*)"', header))
        loaded: dict[tuple[str, str], str] = {}  # by type and field of the model
        current: list[str] = []
        is_over = True
        for line in code[code.index("get_tensor = [&]") :].splitlines():
            if case := re.match(r" +case PROJECTOR_TYPE_(\w+):", line):
                current = [case[1]] if is_over else [*current, case[1]]
                is_over = False
            elif tensor := re.match(r" +model\.(\w+) += get_tensor\((.*)\);", line):
                is_over = True
                if "TN_" in tensor[2] and (name := formatted(tensor[2], defines)):
                    loaded |= {(type, tensor[1]): name for type in current}
            elif "{" not in line:
                is_over = True
        widths = code[code.index("int clip_n_mmproj_embd(const") :]
        widths = widths[: widths.index("\n}\n")]
        result = {}
        for cases, field, dim in re.findall(
            r"((?: +case PROJECTOR_TYPE_\w+:\n)+)(?: +//.*\n)? +return ctx->model\.(\w+)->ne\[(\d)\]", widths
        ):
            for type in re.findall(r"PROJECTOR_TYPE_(\w+)", cases):
                if type in names and (type, field) in loaded:
                    result[names[type]] = [loaded[type, field], int(dim)]
        return dict(sorted(result.items()))

    def tokenizers(self) -> tuple[list[str], list[str]]:
        vocabulary = _code(self.text("src/llama-vocab.cpp"))
        models, pre = (set(re.findall(rf'tokenizer_{each} *== *"([^"]+)"', vocabulary)) for each in ("model", "pre"))
        return sorted(models), sorted(pre)

    def python_keys(self) -> dict[str, str]:
        """Return the keys of gguf-py by the name of their constant: `LLM.BLOCK_COUNT`."""
        tree = ast.parse(self.text("gguf-py/gguf/constants.py"))
        (keys,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Keys")
        return {name: re.sub(r"\{name\}", "{id}", key) for name, key in _constants(keys, "")}

    def written_types(self) -> dict[str, str]:
        """Return the types that gguf-py's writer gives to keys, by the name of the constant."""
        types: dict[str, list[str]] = {}
        for method in ast.walk(ast.parse(self.text("gguf-py/gguf/gguf_writer.py"))):
            if isinstance(method, ast.FunctionDef) and method.name.startswith("add_"):
                hints = " ".join(ast.unparse(each.annotation) for each in method.args.args if each.annotation)
                element = next((ARRAYS[name] for name in re.findall(r"\w+", hints) if name in ARRAYS), None)
                for call in (node for node in ast.walk(method) if isinstance(node, ast.Call)):
                    match = re.match(r"self\.add_(\w+)\(Keys\.([\w.]+?)(?:\.format\(.*?\))?[,)]", ast.unparse(call))
                    if match:
                        type = element if match[1] == "array" else match[1]
                        types.setdefault(match[2], []).append(type or "")
        return {name: "|".join(dict.fromkeys(filter(None, each))) for name, each in types.items()}

    def tensors(self) -> list[str]:
        tree = ast.parse(self.text("gguf-py/gguf/constants.py"))
        (table,) = (
            node.value
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "TENSOR_NAMES"
        )
        assert isinstance(table, ast.Dict)
        names = [ast.literal_eval(value).replace("{bid}", "N").replace("{xid}", "N") for value in table.values]
        (table_text,) = re.findall(r"LLM_TENSOR_NAMES = {(.*?)\n};", self.arch, re.S)
        names += [name.replace("%d", "N") for name in re.findall(r'"([^"]+)"', table_text)]
        return list(dict.fromkeys(names))


def _code(text: str) -> str:
    """Return C++ without comments, preprocessor lines and the texts of messages."""
    tokens = r'//[^\n]*|/\*.*?\*/|^ *#[^\n]*|"(?:[^"\\\n]|\\.)*"'
    return re.sub(
        tokens, lambda token: token[0] if re.fullmatch(r'"[^(){} ]*"', token[0]) else "", text, flags=re.S | re.M
    )


def _body(text: str, function: str) -> str:
    """Return the body of a function that is defined in the text; empty if it is not."""
    start = re.search(rf"\b{re.escape(function)}\([^)]*\) *(?:const *)?{{", text)
    if start is None:
        return ""
    depth, position = 1, start.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
    return text[start.end() : position - 1]


def _statements(body: str) -> Iterator[str]:
    """Yield the statements of a body that run in any case: those in no block."""
    statement, parentheses, blocks = "", 0, 0
    for character in body:
        parentheses += {"(": 1, ")": -1}.get(character, 0)
        if not parentheses and character in "{}":
            blocks += 1 if character == "{" else -1
            statement = ""
        elif not blocks and not parentheses and character == ";":
            if statement.strip().startswith("return"):
                return
            yield statement.strip()
            statement = ""
        elif not blocks:
            statement += character


def _needed_tensors(body: str) -> list[str]:
    """Return which of the two tensors that are the same for most architectures loading creates in any case."""
    shapes = {"TOKEN_EMBD": r"{ *n_embd, *n_vocab *}", "OUTPUT_NORM": r"{ *n_embd *}"}
    needed = []
    for name, shape in shapes.items():
        call = rf'create_tensor\(tn\(LLM_TENSOR_{name}, *"weight"\), *{shape}, *0\)'
        if any(re.search(call, statement) for statement in _statements(body)):
            needed.append(f"{name.lower()}.weight")
    return needed


def _family(name: str, types: dict[str, str]) -> str:
    """Return the type of a mix that the quantizer has no line of its own for: as another size of it, or as its name."""
    stem = re.sub(r"_[SML]$", "", name)
    return next((type for other, type in types.items() if other.startswith(stem)), stem.removeprefix("MOSTLY_"))


def _constants(node: ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    for each in node.body:
        if isinstance(each, ast.ClassDef):
            yield from _constants(each, f"{prefix}{each.name}.")
        elif isinstance(each, ast.Assign):
            yield f"{prefix}{ast.unparse(each.targets[0])}", str(ast.literal_eval(each.value))


def own_keys() -> tuple[dict[str, str], dict[str, str]]:
    """Return types and descriptions of keys by hand."""
    types: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    current = ""
    for line in (HERE / "llama_cpp_keys.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith(" "):
            types |= dict.fromkeys(line.split(), current)
        elif ": " in line:
            key, _, words = line.partition(": ")
            descriptions[key] = words
        else:
            current = line
    return types, descriptions


def own_roles() -> Iterator[tuple[str, list[str]]]:
    """Yield each name of a tensor with its kind and its role in words."""
    kind = "other"
    for line in (HERE / "llama_cpp_roles.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind = line.removeprefix("## ")
        elif ": " in line and not line.startswith("#"):
            names, _, words = line.partition(": ")
            yield from ((name, [kind, words]) for name in names.split())


def formatted(expression: str, defines: dict[str, str]) -> str | None:
    """Return the name in `get_tensor(string_format(TN_LLAVA_PROJ, 2, "weight"))`; None if it is not constant."""
    name, *values = re.findall(r'TN_\w+|"[^"]*"|\b\d+\b|\bprefix\b', expression)
    if "prefix" in values:
        return None
    result = defines[name]
    for value in values:
        result = re.sub("%[ds]", value.strip('"'), result, count=1)
    return None if "%" in result else result


def own_forks() -> Facts:
    """Return the types of forks by id: for each the fork, the name, and the elements and bytes of a block, or zeros."""
    forks: Facts = {}
    for line in (HERE / "llama_cpp_forks.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            type_id, fork, name, *sizes = line.split()
            forks.setdefault(type_id, []).append([fork, name, *(map(int, sizes) if sizes else (0, 0))])
    return forks


def own_memory() -> Facts:
    """Return the facts about the memory of a context, by architecture. A fact without a value is True."""
    memory: Facts = {}
    for line in (HERE / "llama_cpp_memory.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            names, _, words = line.partition(":")
            pairs = (word.partition("=") for word in words.split())
            known = {name: int(value) if value.isdecimal() else value or True for name, _, value in pairs}
            memory |= dict.fromkeys(names.split(), known)
    return memory


def keys_of(sources: Sources) -> Facts:
    """Return types, source and description of each key."""
    types, descriptions = own_keys()
    python, written = sources.python_keys(), sources.written_types()
    derived = {python[name]: type for name, type in written.items() if name in python}
    origins = dict.fromkeys(types, "ggml/docs/gguf.md")
    origins |= {key: "llama.cpp/gguf-py/gguf/constants.py" for key in python.values() if "{dense}" not in key}
    origins |= {sources.key(kv): "llama.cpp/src/llama-arch.cpp" for kv in sources.keys}
    result = {}
    for key in sorted(origins):
        type = types.get(key) or derived.get(key, "")
        if key not in types and key.startswith("{arch}.") and type == "uint32":
            type = "uint32|uint64"  # the documentation asks readers for both
        words = next((words for pattern, words in descriptions.items() if fnmatchcase(key, pattern)), "")
        result[key.replace("{arch}", "[arch]")] = [type, origins[key], words]
    return result


def facts(sdist: Path) -> Facts:
    """Return all facts. Raises `ValueError` if a key has no type or a tensor no role: then a file by hand needs it."""
    sources = Sources(sdist)
    keys, roles = keys_of(sources), dict(own_roles())
    unknown = [key for key, (types, _, words) in keys.items() if not types or not words]
    unnamed = [name for name in sources.tensors() if name not in roles]
    architectures, memory = sources.architectures(), own_memory()
    unread = [name for name, known in architectures.items() if known and name != "*" and name not in memory]
    if unknown or unnamed or unread:
        raise ValueError("\n".join(["these need a line in tools/*.txt:", *unknown, *unnamed, *unread]))
    file_types, removed = sources.file_types()
    tokenizers, pre_tokenizers = sources.tokenizers()
    return {
        "source": sources.version(),
        "file_types": file_types,
        "removed_file_types": removed,
        "values": VALUES | {"tokenizer.ggml.model": [*(each for each in tokenizers if each != "test"), "replit"]},
        "tokenizers": tokenizers,
        "pre_tokenizers": pre_tokenizers,
        "architectures": architectures,
        "keys": keys,
        "tensors": roles,
        "projectors": sources.projectors(),
        "forks": own_forks(),
        "memory": memory,
    }


def as_text(facts: Facts) -> str:
    """Return JSON with one fact in a line."""
    sections = []
    for name, table in facts.items():
        is_list = isinstance(table, list)
        lines = [json.dumps(item) if is_list else f"{json.dumps(item)}: {json.dumps(table[item])}" for item in table]
        start, end = "[]" if is_list else "{}"
        sections.append(f"{json.dumps(name)}: {start}\n" + ",\n".join(lines) + f"\n{end}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def differences(current: Facts, newest: Facts) -> Iterator[str]:
    """Yield a line for each fact that differs, except the release itself."""
    for name, table in newest.items():
        before = current[name]
        for item in sorted({*before, *table}):
            if name == "source" or (
                (item in before, item in table) == (True, True)
                and (isinstance(table, list) or before[item] == table[item])
            ):
                continue
            change = "changed" if item in before and item in table else "new" if item in table else "gone"
            yield f"{name}: {item} is {change}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs")
    parser.add_argument("--sources", type=Path, help="the unpacked sdist (default: the newest is downloaded)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            newest = facts(arguments.sources or download(Path(scratch)))
        except subprocess.CalledProcessError:
            print(f"{SDIST} could not be downloaded")
            return 1
        except ValueError as error:
            print(error)
            return 1
    if not arguments.check:
        FACTS.write_text(as_text(newest), "utf-8")
        return 0
    lines = list(differences(json.loads(FACTS.read_text("utf-8")), newest))
    print("\n".join(lines) or f"{FACTS.name} is up to date with {newest['source']['sdist']}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
