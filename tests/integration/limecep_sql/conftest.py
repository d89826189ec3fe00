"""A PostgreSQL server, of the system's packages."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import BrokerProcess, Unavailable, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Where packages of Debian put its programs, which are on nobody's path.
_PLACES = "/usr/lib/postgresql/*/bin"


def _program(name: str) -> str:
    found = shutil.which(name) or next(iter(sorted(glob(f"{_PLACES}/{name}"), reverse=True)), None)
    if found is None:
        raise Unavailable("there is no PostgreSQL: install it, such as with apt-get install postgresql")
    return found


class PostgreSQL(BrokerProcess):
    """A server with one user, limecep, who needs no password. It does not run as root.

    Attributes:
        url: Its address; through the proxy, whose connections `cut` closes, `proxied`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, free_port())
        as_root = os.geteuid() == 0
        who = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if as_root else []
        data = folder / "data"
        if as_root:
            shutil.chown(folder, "postgres")
        made = [
            *who,
            _program("initdb"),
            "-D",
            str(data),
            "-A",
            "trust",
            "-U",
            "limecep",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        subprocess.run(made, check=True, capture_output=True, cwd=folder)
        self._command = [
            *who, _program("postgres"), "-D", str(data), "-p", str(self.port), "-k", str(folder),
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
        ]  # fmt: skip
        self.url = f"postgresql://limecep@127.0.0.1:{self.port}/postgres"
        self.proxied = f"postgresql://limecep@127.0.0.1:{self._proxy.port}/postgres"

    def start(self) -> None:
        """Starts it, and returns when it answers."""
        super().start()
        watch = Stopwatch()
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if watch.seconds > self.start_seconds:
                    raise
                pause(0.02)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it, by default without waiting for its clients."""
        super().stop(how)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A server for all tests of this process."""
    # Folders of pytest are closed to the user who runs it.
    folder = Path(tempfile.mkdtemp(prefix="limecep-postgresql-"))
    try:
        with PostgreSQL(folder) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)
