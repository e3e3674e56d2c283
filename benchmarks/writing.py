"""Creating files, compared with gguf-py and `cp` in the same folder, and changing the header of a file of 10 GB."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path

import gguf
import numpy as np

import kaitai_gguf
from benchmarks.harness import Contender, Ratio, Table, clean_output, clock, contest, digest, timed, yardstick
from kaitai_gguf import GGMLType, Writer

LARGE = (200, (625, 4096))  # tensors of F16: 1.02 GB
SMALL = (5000, (1, 64))  # tensors: 128 bytes each
HUGE = 10 << 30
ROUNDS = 25

MEMORY = """
import re, sys
import numpy as np
import kaitai_gguf
from kaitai_gguf import GGMLType, Writer
def peak():  # of this program; getrusage() knows that of the one that started it, if it was more
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])

array = np.ones((625, 4096), np.float16)  # 5 MB
before = peak()
exec(sys.argv[1])
print((peak() - before) / 1024)
"""

ACTIONS = {
    "create 1 GB": """
with Writer("out.gguf") as writer:
    for number in range(200):
        writer.add_tensor(f"blk.{number}.weight", array.shape, GGMLType.F16)
    for number in range(200):
        writer.write_tensor(f"blk.{number}.weight", array)
""",
    "write 1 GB from another file": """
with kaitai_gguf.open("model.gguf") as model:
    kaitai_gguf.write("out.gguf", model.metadata, model.tensors)
""",
    "change a header of 10 GB": """
with kaitai_gguf.edit("huge.gguf") as editor:
    editor.metadata["x"] = "two"
    editor.commit()
""",
    "replace a file of 1 GB": """
with kaitai_gguf.edit("model.gguf") as editor:
    editor.metadata["x"] = "long" * 100
    editor.commit()
""",
}


def run(_: Path | None) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        tables = [creating(), header()]
        write_ours("model.gguf", *LARGE)
        return [*tables, peaks()]


def creating() -> Table:
    rows = {}
    for name, shape in (("1.02 GB in 200 tensors", LARGE), ("5,000 tensors of 128 bytes", SMALL)):
        write_ours("model.gguf", *shape)
        contenders: dict[str, Callable[[], object]] = {
            "Writer": lambda shape=shape: write_unsynced(*shape),
            "gguf-py": lambda shape=shape: write_theirs(*shape),
            "cp": copy,
        }
        synced: dict[str, Callable[[], object]] = {
            "Writer": lambda shape=shape: write_ours("out.gguf", *shape),
            "gguf-py": lambda shape=shape: (write_theirs(*shape), sync()),
            "cp": lambda: (copy(), sync()),
        }
        for suffix, actions in (("", contenders), (", synced", synced)):
            print(f"  {name}{suffix}", flush=True)
            timings = {each: timed(action, of=lambda _: content("out.gguf")) for each, action in actions.items()}
            rows[name + suffix] = contest(timings, ROUNDS, before=clean_output)
    return Table(
        "Creating files",
        """
        First, all were checked to write the same file byte for byte. `Writer` syncs a file to the disk before it gives
        the file its name; gguf-py and `cp --reflink=never` leave that to the system. Each is therefore measured both
        ways: `Writer` with a file object, which it does not sync, and the others followed by `fsync`. `sync` runs
        before each measurement and is not timed.""",
        rows,
        [Ratio("gguf-py ÷ Writer", "gguf-py", "Writer"), Ratio("Writer ÷ cp", "Writer", "cp")],
        first="file",
    )


def content(path: str) -> str:
    with Path(path).open("rb") as file:
        return digest(*iter(lambda: file.read(1 << 20), b""))


ARRAYS = {shape: np.random.default_rng(0).standard_normal(shape).astype(np.float16) for shape in (LARGE[1], SMALL[1])}


def fill(writer: Writer, tensors: int, shape: tuple[int, int]) -> None:
    writer.metadata["general.architecture"] = "llama"
    for number in range(tensors):
        writer.add_tensor(f"blk.{number}.weight", shape, GGMLType.F16)
    for number in range(tensors):
        writer.write_tensor(f"blk.{number}.weight", ARRAYS[shape])


def write_ours(path: str, tensors: int, shape: tuple[int, int]) -> None:
    with Writer(path) as writer:
        fill(writer, tensors, shape)


def write_unsynced(tensors: int, shape: tuple[int, int]) -> None:
    with Path("out.gguf").open("wb") as file, Writer(file) as writer:
        fill(writer, tensors, shape)


def write_theirs(tensors: int, shape: tuple[int, int]) -> None:
    writer = gguf.GGUFWriter("out.gguf", "llama")
    for number in range(tensors):
        writer.add_tensor(f"blk.{number}.weight", ARRAYS[shape])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def copy() -> None:
    subprocess.run(["cp", "--reflink=never", "model.gguf", "out.gguf"], check=True)


def sync() -> None:
    with Path("out.gguf").open("rb") as file:
        os.fsync(file.fileno())


def header() -> Table:
    """Measure opening a sparse file, and changing its header in place."""
    with Path("huge.gguf").open("wb") as file:
        writer = Writer(file)
        writer.metadata["x"] = "one"
        writer.add_tensor("t", (HUGE,), GGMLType.I8)
        with suppress(kaitai_gguf.WriteError):  # all of the data is a hole
            writer.write_tensor("t", [])
        file.truncate(file.tell() + HUGE)

    def change() -> None:
        with kaitai_gguf.edit("huge.gguf") as editor:
            editor.metadata["x"] = "two" if editor.metadata["x"] == "one" else "one"
            assert editor.fits
            editor.commit()

    def changed() -> dict[str, str]:
        change()
        new = gguf.GGUFReader("huge.gguf").fields["x"].contents()
        assert new == "two", new
        return {"x": new}

    contenders = {
        "opening": yardstick(lambda: kaitai_gguf.open("huge.gguf").close()),
        "changing": Contender(lambda: clock(change), changed),
    }
    return Table(
        "Changing the header of a sparse file of 10 GB in place",
        "The change goes through a journal and is synced to the disk.",
        {"time": contest(contenders, 2 * ROUNDS)},
    )


def peaks() -> Table:
    rows = {}
    for name, action in ACTIONS.items():
        done = subprocess.run([sys.executable, "-c", MEMORY, action], capture_output=True, check=True)
        rows[name] = {"MB": float(done.stdout)}
    text = "Peak memory of a process beyond what importing the package took, including pages of mapped files."
    return Table("Memory that writing takes", text, rows)
