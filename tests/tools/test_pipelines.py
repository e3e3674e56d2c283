"""What runs in pipelines of other projects: the action and the hook of pre-commit."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.pages import blocks
from support.tools import require

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples" / "sample.gguf"
HIDDEN: dict[str, Any] = {"capture_output": True, "text": True}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    (tmp_path / "good models").mkdir()
    (tmp_path / "bad" / "deep").mkdir(parents=True)
    shutil.copy(SAMPLE, tmp_path / "good models" / "a.gguf")
    (tmp_path / "bad" / "deep" / "b.gguf").write_bytes(SAMPLE.read_bytes()[:100])
    return tmp_path


@pytest.mark.parametrize(
    ("files", "options", "status", "rules"),
    [
        ("good models/*.gguf\n", "", 0, ["file-type"]),
        ("**/*.gguf", "--select truncated --strict", 1, ["truncated"]),
        ("good models/a.gguf\nbad/**/*.gguf\n", "", 1, ["file-type", "truncated"]),
        ("none.gguf", "", 2, []),
    ],
)
def test_the_action_writes_sarif_and_fails(
    models: Path, files: str, options: str, status: int, rules: list[str]
) -> None:
    require("bash")
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "check"]
    variables = {"PYTHON": sys.executable, "FILES": files, "OPTIONS": options}
    assert variables.keys() < step["env"].keys()
    places = {"RUNNER_TEMP": str(models), "GITHUB_OUTPUT": str(models / "output")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(command, cwd=models, env=os.environ | variables | places, check=False, **HIDDEN)
    assert done.returncode == status, done.stderr
    name, _, path = (models / "output").read_text().strip().partition("=")
    assert action["outputs"]["sarif"]["value"] == f"${{{{ steps.check.outputs.{name} }}}}"
    (run,) = json.loads(Path(path).read_text("utf-8"))["runs"]
    assert sorted(result["ruleId"] for result in run["results"]) == rules
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert place == ("bad/deep/b.gguf" if result["ruleId"] == "truncated" else "good%20models/a.gguf")


def test_the_hook_checks_gguf_files(models: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    names = [path.relative_to(models).as_posix() for path in models.rglob("*") if path.is_file()]
    chosen = sorted(name for name in [*names, "a.gguf.txt"] if re.search(hook["files"], name))
    assert chosen == ["bad/deep/b.gguf", "good models/a.gguf"]
    command = [sys.executable, "-m", *shlex.split(hook["entry"].replace("kaitai-gguf", "kaitai_gguf"))]
    statuses = [subprocess.run([*command, name], cwd=models, check=False, **HIDDEN).returncode for name in chosen]
    assert statuses == [1, 0]


def test_the_page_uses_what_exists() -> None:
    workflow, config = [yaml.safe_load(block.code) for block in blocks(ROOT / "docs" / "pipelines.md")]
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (step,) = [step for step in workflow["jobs"]["gguf"]["steps"] if "kaitai-gguf@" in step["uses"]]
    assert step["with"].keys() <= action["inputs"].keys()
    assert [each["id"] for each in config["repos"][0]["hooks"]] == [hook["id"]]
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "pipelines.md").read_text("utf-8"), re.MULTILINE)
    assert rows == list(action["inputs"])


def test_actions_are_pinned_once() -> None:
    """zizmor checks that each has a hash. It needs a network to check the version in the comment."""
    pins: dict[str, set[str]] = {}
    for path in [ROOT / "action.yml", *(ROOT / ".github" / "workflows").glob("*.yml")]:
        for name, pin in re.findall(r"uses: ([\w./-]+)@(.*)$", path.read_text("utf-8"), re.MULTILINE):
            pins.setdefault(name, set()).add(pin)
    assert len(pins) > 8
    assert {name: pin for name, pin in pins.items() if len(pin) > 1} == {}
    assert [pin for (pin,) in pins.values() if not re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", pin)] == []
