"""Compiles the modules where late events take their time; where that cannot be done, the wheel is pure."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What is compiled, from the root: modules, and all of a folder.
COMPILED = (
    "limecep/detection",
    "limecep/patterns",
    "limecep/store",
    "limecep/statistics.py",
    "engines/limecep_maximal",
)

#: What of it is not. Plugins may subclass an engine, which replaces its own methods when it is made.
#: Footprints ask for the identity of numbers. `skipping` has a struct with class keywords. Others declare.
INTERPRETED = (
    "engines/limecep_maximal/config.py",
    "engines/limecep_maximal/engine.py",
    "engines/limecep_maximal/explanation.py",
    "engines/limecep_maximal/plugin.py",
    "limecep/detection/footprint.py",
    "limecep/patterns/detector.py",
    "limecep/patterns/policies.py",
    "limecep/patterns/skipping.py",
)

#: Where packages are looked for.
FOLDERS = (".", "engines", "transports", "policies", "plugins")

#: mypyc, what it builds with, and libraries whose types the compiled modules use.
NEEDED = ["mypy>=2.4,<2.5", "setuptools>=77,<83", "msgspec>=0.19,<1", "sortedcontainers-stubs>=2.4,<3"]

#: More takes up to twice as long to build.
OPTIMISATION = "1"

_TRIAL = "#include <Python.h>\nPyMODINIT_FUNC PyInit_trial(void) { return NULL; }\n"


class CompiledModules(BuildHookInterface):  # type: ignore[type-arg]
    """Puts extension modules beside the sources of a wheel.

    `LIMECEP_PURE` in the environment, an editable installation, and a machine without a working C compiler or
    without the headers of Python get the sources alone. So does a compilation that fails: it is told to who
    asks the front end for details.
    """

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return NEEDED if _can_compile() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or not _can_compile():
            return
        self._folder = Path(tempfile.mkdtemp(prefix="limecep-build-"))
        try:
            made = _compile(Path(self.root), self._folder)
        # mypyc exits the process.
        except (Exception, SystemExit) as error:
            self.app.display_warning(f"not compiled, so this wheel is pure: {error!r}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(f): str(f.relative_to(self._folder / "made")) for f in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)


def modules(root: Path) -> list[str]:
    """The files of the modules that are compiled, from the root."""
    parts = [root / part for part in COMPILED]
    found = [f for part in parts for f in (sorted(part.rglob("*.py")) if part.is_dir() else [part])]
    names = [f.relative_to(root).as_posix() for f in found if f.name != "__init__.py"]
    return [n for n in names if n not in INTERPRETED]


def _can_compile() -> bool:
    """Whether a module of C can be built for this Python."""
    if os.environ.get("LIMECEP_PURE") or sys.implementation.name != "cpython" or os.name != "posix":
        return False
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    flags = shlex.split(sysconfig.get_config_var("CCSHARED") or "")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text(_TRIAL)
        include = "-I" + sysconfig.get_path("include")
        command = [*compiler, *flags, include, "-c", str(source), "-o", str(source.with_suffix(".o"))]
        try:
            return subprocess.run(command, capture_output=True).returncode == 0
        except OSError:
            return False


def _compile(root: Path, folder: Path) -> list[Path]:
    """Builds the extension modules in a folder; gives their files, below `made` in it."""
    os.environ["MYPYPATH"] = os.pathsep.join(str(root / f) for f in FOLDERS)
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    # Whether the types are right is not asked here: only what the modules themselves need is.
    how = ["--config-file=", "--explicit-package-bases", "--follow-imports=silent"]
    how.append("--ignore-missing-imports")
    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = mypycify(
            [*how, *modules(root)],
            opt_level=OPTIMISATION,
            debug_level="0",
            multi_file=True,
            target_dir=str(folder / "c"),
            group_name="limecep",
        )
    finally:
        os.chdir(before)
    for extension in extensions:
        extension.extra_compile_args.append("-Wno-error")

    class SideBySide(build_ext):
        def build_extensions(self) -> None:
            compile_one = self.compiler.compile

            def compile_all(sources: list[str], *args: Any, **kwargs: Any) -> list[str]:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    made = pool.map(lambda source: compile_one([source], *args, **kwargs), sources)
                    return [name for names in made for name in names]

            self.compiler.compile = compile_all
            super().build_extensions()

    command = SideBySide(Distribution({"name": "limecep", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(folder / "made"), str(folder / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    return [f for f in (folder / "made").rglob("*") if f.is_file()]
