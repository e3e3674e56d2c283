"""Run the official Kaitai Struct compiler, version 0.11, from PATH or as fetched by Maven."""

import shutil
import subprocess
from pathlib import Path

VERSION = "0.11"
TOOLS = Path(__file__).parent
JARS = TOOLS.parents[1] / "build" / f"kaitai-struct-compiler-{VERSION}"
SHORT_RUN = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # the compiler ends before the JVM's optimizations pay off


class ToolMissing(Exception):
    """A tool that generating code needs is not installed."""


def command() -> list[str]:
    """Return the command line of the compiler, fetching it if necessary."""
    own = shutil.which("kaitai-struct-compiler")
    if (
        own
        and VERSION in subprocess.run([own, "--version"], capture_output=True, text=True, check=False).stdout.split()
    ):
        return [own]
    java = _tool("java")
    if not any(JARS.glob("kaitai-struct-compiler_*.jar")):
        maven = [_tool("mvn"), "-q", "-B", "-f", str(TOOLS / "pom.xml"), "dependency:copy-dependencies"]
        subprocess.run([*maven, f"-DoutputDirectory={JARS}"], check=True)
    return [java, *SHORT_RUN, "-cp", str(JARS / "*"), "io.kaitai.struct.JavaMain"]


def compile_schema(schemas: list[Path], outdir: Path, targets: list[str], *options: str) -> None:
    """Compile schemas. Warnings are errors. Each of several targets gets a directory with its name in `outdir`."""
    outdir.mkdir(parents=True, exist_ok=True)
    chosen = [word for target in targets for word in ("--target", target)]
    arguments = [*chosen, *options, "--outdir", str(outdir), *map(str, schemas)]
    result = subprocess.run([*command(), *arguments], capture_output=True, text=True, check=False)
    if result.returncode or result.stderr.strip() or result.stdout.strip():
        raise SystemExit(f"kaitai-struct-compiler, target {', '.join(targets)}:\n{result.stdout}{result.stderr}")


def render_diagram(dot: Path, svg: Path) -> None:
    """Draw a .dot file with the version of Graphviz that package-lock.json pins."""
    _tool("node")
    npm = [_tool("npm"), "ci", "--silent", "--prefix", str(TOOLS)]
    if not (TOOLS / "node_modules").exists() and subprocess.run(npm, check=False).returncode:
        raise SystemExit("npm ci failed: it could not fetch the packages that draw the diagram")
    script = TOOLS / "diagram.mjs"
    svg.write_text(subprocess.run(["node", str(script), str(dot)], check=True, capture_output=True, text=True).stdout)


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise ToolMissing(name)
    return path
