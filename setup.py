"""Compiles the rules with mypyc where a C compiler is there; everything else is in pyproject.toml.

ARENA_COMPILE=0 never compiles; ARENA_COMPILE=1 demands it; otherwise an install without a working compiler is
interpreted and says so. A set of modules is built whole or not at all.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CCompilerError, ExecError, PlatformError

ENGINE = Path("engine")
WISH = os.environ.get("ARENA_COMPILE", "")
BUILDS = {"build", "build_ext", "bdist_wheel", "editable_wheel", "develop", "install"}


def load_build_stamp() -> ModuleType:
    """engine/build_stamp.py without the engine, which would refuse the very binaries we are to replace."""
    spec = importlib.util.spec_from_file_location("build_stamp", ENGINE / "build_stamp.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build_stamp = load_build_stamp()


def notice(reason: str) -> None:
    print(f"conquest-arena: the engine will run interpreted, several times slower: {reason}", file=sys.stderr)


def why_not() -> str | None:
    """Why no extension can be built here, or None if a trial file compiles."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder, "trial.c")
        trial.write_text("#include <Python.h>\n")
        arguments = ["-I", sysconfig.get_path("include"), "-c", trial, "-o", trial.with_suffix(".o")]
        try:
            subprocess.run([*command, *arguments], check=True, capture_output=True)
        except OSError:
            return f"no C compiler ({command[0]}) was found"
        except subprocess.CalledProcessError:
            return f"{command[0]} cannot compile against this Python (are its headers installed?)"
    return None


def extensions() -> list[Extension]:
    """The modules to build, made by mypyc, or none."""
    if not BUILDS & set(sys.argv):
        return []  # metadata and source distributions need no C
    reason = "ARENA_COMPILE=0" if WISH == "0" else why_not()
    if reason is None:
        from mypyc.build import mypycify

        names = [str(ENGINE / name) for name in build_stamp.sources(ENGINE)]
        return mypycify(names, opt_level="3", debug_level="0", separate=False, group_name=build_stamp.GROUP)
    if WISH == "1":
        sys.exit(f"conquest-arena: ARENA_COMPILE=1, but {reason}")
    notice(reason)
    return []


class BuildSources(build_py):
    """Starts from an empty folder: setuptools would also pack what was deleted since the last build."""

    def run(self) -> None:
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildEngine(build_ext):
    """Builds all modules of the group or leaves none of them, and then writes the hash of their sources."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or True  # the many small shims compile while the one large file does

    def run(self) -> None:
        in_place = bool(self.inplace)  # setuptools changes it while it builds
        built = Path(self.build_lib, ENGINE)
        target = ENGINE if in_place else built
        for tree in (target, built):
            build_stamp.clear(tree)
        if not self.extensions:
            return
        try:
            super().run()
        except (CCompilerError, ExecError, PlatformError):
            for tree in (target, built):
                build_stamp.clear(tree)
            if in_place or WISH == "1":
                raise
            self.extensions = []
            notice("the C compiler failed, see above")
        else:
            (target / build_stamp.STAMP).write_text(DIGEST + "\n")


# Taken before mypyc reads the sources: one that is edited during the build must look stale afterwards.
DIGEST = build_stamp.digest(ENGINE)
setup(ext_modules=extensions(), cmdclass={"build_ext": BuildEngine, "build_py": BuildSources})
