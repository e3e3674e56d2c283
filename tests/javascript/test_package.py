"""The npm package: its own tests and types, its published contents, and that it sends the same requests as Python."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.fault_server import serving
from support.node import ROOT, Worker
from support.remote_models import vocabulary

import kaitai_gguf

pytestmark = pytest.mark.xdist_group("javascript")


def passes(package: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests(package: Path) -> None:
    files = sorted(str(path) for path in (package / "test").glob("*.test.js"))
    says = passes(package, "node", "--test", "--test-reporter=tap", *files)
    assert int(re.findall(r"^# pass (\d+)$", says, re.MULTILINE)[0]) > 100
    assert "\n# skipped 0\n" in says


@pytest.mark.parametrize("name", ["package", "viewer"])
def test_types(request: pytest.FixtureRequest, name: str) -> None:
    passes(request.getfixturevalue(name), "npm", "run", "--silent", "types")


@pytest.fixture(scope="module")
def project(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new project in which the packed package is installed."""
    directory = tmp_path_factory.mktemp("project")
    says = passes(package, "npm", "pack", "--json", "--pack-destination", str(directory))
    (packed,) = json.loads(says[says.index("[\n") :])
    (directory / "package.json").write_text(json.dumps({"name": "project", "private": True, "type": "module"}))
    passes(directory, "npm", "install", "--offline", "--no-audit", packed["filename"])
    shutil.copy(ROOT / "examples" / "sample.gguf", directory / "model.gguf")
    return directory


def test_what_is_published(package: Path, project: Path) -> None:
    installed = project / "node_modules" / "kaitai-gguf"
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    own = {str(path.relative_to(package)) for path in (package / "src").glob("*.js")}
    assert names >= own | {"index.js", "gguf_index.js", "types.js", "types/index.d.ts", "README.md", "LICENSE"}
    assert not any(name.startswith(("test/", "viewer/", "node_modules/")) for name in names)
    assert [path.name for path in (project / "node_modules").iterdir() if path.name[0] != "."] == ["kaitai-gguf"]


def test_the_examples_of_its_readme(project: Path) -> None:
    readme = (ROOT / "javascript" / "README.md").read_text()
    outputs = []
    for code in (examples := re.findall(r"^```js\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)):
        (project / "example.js").write_text(code)
        outputs.append(passes(project, "node", "example.js").splitlines())
    with kaitai_gguf.open(project / "model.gguf") as model:
        expected = [model.metadata["general.architecture"], *model.tensors]
    assert [line.split()[0] for line in outputs[0][1:]] == expected
    assert outputs[1:] == [re.findall(r"// (.*)", example) for example in examples[1:]]


CONSUMER = """
import { edited, open, standardKey, FormatError, StringArray, type Metadata, type Tensor } from "kaitai-gguf";

const model = await open(new Blob([]), { signal: new AbortController().signal, onProgress: (bytes: number) => {} });
const metadata: Metadata = model.metadata;
const map: ReadonlyMap<string, Tensor> = model.tensors;
const value = metadata.get("tokenizer.ggml.tokens");
if (value instanceof StringArray) value.at(0)?.toUpperCase();
for (const tensor of map.values()) tensor.nbytes?.toFixed((await tensor.data()).length);
await open({ byteLength: 24, slice: async (start, end) => new Uint8Array(end - start) }, { headers: { a: "b" } });
const position: number | undefined = new FormatError("", { offset: 0, path: "" }).offset;
const copy: Blob = edited(model, { set: { "a.b": 5n, c: { type: "uint8[]", value: [1] } }, remove: ["d"] });
edited(model, { set: new Map([["a", [[1], ["b"]]]]), renameKeys: { a: "b" }, renameTensors: new Map([["t", "u"]]) });
for await (const chunk of edited(model, {})) chunk.byteLength.toFixed(copy.size);
const types: string[] | undefined = standardKey("general.name")?.types;
// @ts-expect-error
edited(model, { set: { a: null } });
// @ts-expect-error
await open(7);
// @ts-expect-error
metadata.set("a", 1);
"""


@pytest.mark.parametrize("lib", ["es2024,dom,dom.iterable", "es2020,dom", "es2020"])
def test_users_of_typescript_have_its_types(package: Path, project: Path, lib: str) -> None:
    (project / "consumer.ts").write_text(CONSUMER)
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", lib]
    if "dom" not in lib:
        options += ["--typeRoots", str(package / "node_modules" / "@types"), "--types", "node"]
    passes(project, str(package / "node_modules" / ".bin" / "tsc"), *options, "consumer.ts")


def test_its_own_files(package: Path) -> None:
    settings = json.loads((package / "package.json").read_text())
    assert settings["version"] == kaitai_gguf.__version__
    assert "dependencies" not in settings
    lock = (package / "package-lock.json").read_text()
    assert "://" not in lock.replace("https://opencollective.com", "").replace("https://github.com", "")
    assert "resolved" not in lock
    assert (package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    sources = "".join(path.read_text() for path in [*package.glob("*.js"), *(package / "src").glob("*.js")])
    imported = re.findall(r"""^(?:import|export)\b[^;]*? from "([^"]+)";$""", sources, re.MULTILINE)
    assert {name for name in imported if not name.startswith(".")} == {"node:fs", "node:util"}  # files.js imports these


@pytest.mark.parametrize(("tokens", "merges"), [(1000, 0), (100_000, 0), (150_000, 300_000)])
def test_as_much_of_a_remote_file_is_read_as_in_python(tokens: int, merges: int, worker: Worker) -> None:
    def spans() -> list[tuple[int, int]]:
        return [request.span for request in server.requests if request.span is not None]

    with serving() as server:
        url = server.put(vocabulary(tokens, merges, 40 << 20))
        kaitai_gguf.open(url).close()
        expected = spans()
        server.requests.clear()
        answer = worker.ask("remote", url.encode())
        assert spans() == expected
        assert answer.result == expected[-1][1]
