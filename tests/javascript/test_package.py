"""The npm package: its own tests and types, what is published, and that it asks a server for what Python asks for."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from support.fault_server import FaultServer, serving
from support.node import Worker
from support.remote_models import vocabulary

import kaitai_gguf

ROOT = Path(__file__).parents[2]


def passes(package: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_own_tests(package: Path) -> None:
    files = sorted(str(path) for path in (package / "test").glob("*.test.js"))
    says = passes(package, "node", "--test", "--test-reporter=tap", *files)
    assert int(re.findall(r"^# pass (\d+)$", says, re.MULTILINE)[0]) > 100
    assert "\n# skipped 0\n" in says


def test_types(package: Path) -> None:
    passes(package, "npm", "run", "--silent", "types")


def test_what_is_published(package: Path) -> None:
    (packed,) = json.loads(passes(package, "npm", "pack", "--dry-run", "--json", "--ignore-scripts"))
    names = {file["path"] for file in packed["files"]}
    own = {str(path.relative_to(package)) for path in (package / "src").glob("*.js")}
    assert names >= own | {"index.js", "gguf_index.js", "types.js", "package.json", "README.md", "LICENSE"}
    assert not any(name.startswith(("test/", "viewer/", "node_modules/")) for name in names)


def test_it_has_the_version_of_the_python_package(package: Path) -> None:
    assert json.loads((package / "package.json").read_text())["version"] == kaitai_gguf.__version__


def test_it_depends_on_nothing(package: Path) -> None:
    assert "dependencies" not in json.loads((package / "package.json").read_text())
    imported = {
        name
        for path in [*package.glob("*.js"), *(package / "src").glob("*.js")]
        for name in re.findall(r"""^(?:import|export)\b[^;]*? from "([^"]+)";$""", path.read_text(), re.MULTILINE)
    }
    assert imported
    assert {name for name in imported if not name.startswith(".")} == {"node:fs/promises"}  # in files.js


def test_the_lock_file_names_no_registry(package: Path) -> None:
    lock = (package / "package-lock.json").read_text()
    assert "://" not in lock.replace("https://opencollective.com", "").replace("https://github.com", "")
    assert "resolved" not in lock


def test_the_licence_is_that_of_the_project(package: Path) -> None:
    assert (package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize(("tokens", "merges"), [(1000, 0), (100_000, 0), (60_000, 80_000), (150_000, 300_000)])
def test_as_much_of_a_remote_file_is_read_as_in_python(tokens: int, merges: int, worker: Worker) -> None:
    with serving() as server:
        url = server.put(vocabulary(tokens, merges, 40 << 20))
        kaitai_gguf.open(url).close()
        expected = spans(server)
        server.requests.clear()
        answer = worker.ask("remote", url.encode())
        assert spans(server) == expected
        assert answer.result == expected[-1][1]


def spans(server: FaultServer) -> list[tuple[int, int]]:
    return [request.span for request in server.requests if request.span is not None]
