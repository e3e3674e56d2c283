"""Builds what is written in C, which an installation can do without. Everything else is in pyproject.toml."""

import re
import runpy
import sys
import sysconfig
import tomllib
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

OLDEST = 11  # the minor version of the oldest Python that is supported
# A free-threaded Python has no stable ABI that it shares with others: it gets a wheel of its own.
IS_ABI3 = not sysconfig.get_config_var("Py_GIL_DISABLED")

# A product that is fused with a sum has other bits than the two in numpy.
# Debug information would name the folder of the build.
FAST = {
    "unix": ["-O3", "-g0", "-ffp-contract=off"],
    "mingw32": ["-O3", "-ffp-contract=off"],
    "msvc": ["/O2", "/fp:strict"],
}

# auditwheel tells glibc from musl by what is linked, and the linker would leave out what no function is used of.
LINKING = ["-Wl,--no-as-needed"] if sys.platform == "linux" else []


def extension(name: str, depends: list[str]) -> Extension:
    return Extension(
        f"kaitai_gguf.{name}",
        [f"src/kaitai_gguf/{name}.c"],
        depends=depends,
        define_macros=[("Py_LIMITED_API", f"0x03{OLDEST:02X}0000")] if IS_ABI3 else [],
        extra_link_args=LINKING,
        py_limited_api=IS_ABI3,
        optional=True,
    )


class BuildExtensions(build_ext):
    """Without a C compiler nothing is built, and a wheel is for every machine."""

    def build_extensions(self) -> None:
        for one in self.extensions:
            one.extra_compile_args = FAST.get(self.compiler.compiler_type, [])
        super().build_extensions()

    def run(self) -> None:
        super().run()
        is_built = {one.name: Path(self.get_ext_fullpath(one.name)).exists() for one in self.extensions}
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None and not any(is_built.values()):
            self.distribution.ext_modules = []  # or what is left would be installed as what is for one machine
            wheel.root_is_pure = True


def readme() -> str:
    """Return README.md with absolute links to this version in the repository, for package indexes."""
    here = Path(__file__).parent
    text = (here / "README.md").read_text("utf-8")
    repository = tomllib.loads((here / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    version = runpy.run_path(str(here / "src/kaitai_gguf/version.py"))["__version__"]

    def link(match: re.Match[str]) -> str:
        start, is_picture, target = match[1], match[1].startswith("!"), match[2]
        return f"{start}({repository}/{'raw' if is_picture else 'blob'}/v{version}/{target})"

    return re.sub(r"(!?\[[^\]]*\])\((?!https:)([^)]*)\)", link, text)


setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    ext_modules=[
        extension("_scanner", depends=["generated/c/gguf_index.h"]),
        extension("_kernels", depends=[f"src/kaitai_gguf/_{name}.h" for name in ("blocks", "fields", "vectors")]),
    ],
    cmdclass={"build_ext": BuildExtensions},
    options={"bdist_wheel": {"py_limited_api": f"cp3{OLDEST}"}} if IS_ABI3 else {},
)
