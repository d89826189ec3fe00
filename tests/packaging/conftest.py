"""What the packaging tests share: the wheel, and an environment with nothing but it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Environment:
    """A virtual environment outside the checkout."""

    folder: Path

    @property
    def packages(self) -> Path:
        """Its site-packages."""
        return next(self.folder.glob("lib/python*/site-packages"))

    def run(self, command: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Runs one of its commands, in its own folder and without what could lead back to the checkout."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LIMECEP"))}
        return subprocess.run(
            [self.folder / "bin" / command, *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )


@dataclass(frozen=True, kw_only=True)
class Site:
    """A folder with a distribution of the examples installed in it, to be used beside limecep."""

    folder: Path

    def run(self, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Runs a module of this Python that sees the folder too."""
        path = [str(self.folder), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="session")
def site_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Site]:
    """Installs the distribution of a folder."""

    def install(example: Path) -> Site:
        folder = tmp_path_factory.mktemp("site")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*pip, "--target", folder, example], check=True, capture_output=True)
        return Site(folder=folder)

    return install


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that all workers of this test run share."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    return folder


@pytest.fixture(scope="session")
def wheel(shared: Path) -> Path:
    """The pure wheel, built once a test run."""
    folder = shared / "wheel"
    with (shared / "wheel.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
            environment = {**os.environ, "LIMECEP_PURE": "1"}
            subprocess.run(command, check=True, capture_output=True, env=environment)
    return next(folder.glob("limecep-*.whl"))


@pytest.fixture(scope="session")
def installed(shared: Path, wheel: Path) -> Environment:
    """An environment with nothing but the wheel and what it asks for, made once a test run."""
    environment = Environment(folder=shared / "installed")
    with (shared / "installed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not environment.folder.exists():
            venv.create(environment.folder, with_pip=True)
            done = environment.run("python", "-m", "pip", "install", "--quiet", wheel)
            assert done.returncode == 0, done.stderr
    return environment


@pytest.fixture(scope="session")
def furnished(shared: Path, wheel: Path) -> Environment:
    """An environment with the wheel and what the tests of a plugin need, made once a test run."""
    environment = Environment(folder=shared / "furnished")
    with (shared / "furnished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not environment.folder.exists():
            venv.create(environment.folder, with_pip=True)
            needed = [f"{wheel}[testing]", "hatchling>=1.27,<2"]
            done = environment.run("python", "-m", "pip", "install", "--quiet", *needed)
            assert done.returncode == 0, done.stderr
    return environment
