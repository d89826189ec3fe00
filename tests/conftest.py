"""What tests may need: servers only where they are asked for, a terminal, logging as it was, Spark."""

from __future__ import annotations

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
import structlog
from hypothesis import settings

from limecep.compiled import is_compiled
from limecep.testing.broker import Unavailable, free_port

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping


# How long an example takes says more of the machine than of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

#: What the tests with these marks start.
SERVERS = {
    "kafka": "a Kafka broker",
    "mqtt": "an MQTT broker",
    "postgresql": "a PostgreSQL server",
    "spark": "Spark",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Servers are started only for who asks for them. Compiled code has no frames to watch, lets no method be
    replaced, and takes no stand-in for one of its classes."""
    if is_compiled():
        compiled = pytest.mark.skip(reason="needs the Python sources: this installation is compiled")
        for item in items:
            if item.get_closest_marker("interpreted"):
                item.add_marker(compiled)
    for mark, server in SERVERS.items():
        if mark not in config.option.markexpr:
            unasked = pytest.mark.skip(reason=f"starts {server}: ask for it with -m {mark}")
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(unasked)


def _skipping() -> Generator[None, object, object]:
    """A test whose server is not available skips here, and fails in CI."""
    try:
        return (yield)
    except Unavailable as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    return (yield from _skipping())


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """A command that ran in the process logs to streams that are gone with the test."""
    yield
    structlog.reset_defaults()


class Terminal(Protocol):
    def __call__(
        self,
        *arguments: object,
        cwd: Path | None = None,
        columns: int = 120,
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, str]: ...


@pytest.fixture
def terminal() -> Terminal:
    """Runs the command at a terminal; gives its exit code and what it wrote there."""

    def run(
        *arguments: object,
        cwd: Path | None = None,
        columns: int = 120,
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, str]:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
        process = subprocess.Popen(
            [sys.executable, "-m", "limecep", *map(str, arguments)],
            stdin=its,
            stdout=its,
            stderr=its,
            cwd=cwd,
            env={**inherited, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **(environment or {})},
        )
        os.close(its)
        written = b""
        try:
            while data := os.read(ours, 65_536):
                written += data
        except OSError:
            pass  # How Linux says that nobody is at the other end any more.
        finally:
            os.close(ours)
        return process.wait(), written.decode().replace("\r\n", "\n")

    return run


# -- Spark: one for all tests of a process, as its start takes long ------------------------------------------

#: What of the machine the tests may have, and a Java that is at work soon rather than fast later. The frames
#: of such code are larger: its threads have the stack that Spark's own tests give them.
CONF = {
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m",
}
#: The environment of a cluster's master and workers.
DAEMONS = {"SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1"}


def need_spark() -> None:
    if find_spec("pyspark") is None:
        raise Unavailable("there is no Spark: pip install 'limecep[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise Unavailable("there is no Java: install a JRE, version 17 or newer")


@pytest.fixture
def java() -> dict[str, str]:
    """Settings of Spark for a process of its own."""
    need_spark()
    return CONF


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """The session that runs in this process use."""
    need_spark()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    from limecep_spark.session import kafka_package

    builder = SparkSession.builder.master("local[2]").appName("tests")
    builder = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    # For those who read topics; the others do not mind.
    builder = builder.config("spark.jars.packages", kafka_package())
    for key, value in CONF.items():
        builder = builder.config(key, value)
    # Ivy does not bear that two processes fetch one package at a time.
    with Path(tempfile.gettempdir(), "limecep-tests-ivy.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def cluster(java: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of a master that has two workers, of one core each."""
    import pyspark

    workers = 2
    start = [str(Path(pyspark.__file__).parent / "bin/spark-class")]
    port, *pages = (free_port() for _ in range(workers + 2))
    place = ["--host", "127.0.0.1"]
    url = f"spark://127.0.0.1:{port}"
    master = [*place, "--port", str(port), "--webui-port", str(pages[0])]
    commands = [[*start, "org.apache.spark.deploy.master.Master", *master]]
    size = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / "work")]
    for page in pages[1:]:
        worker = [*place, *size, "--webui-port", str(page), url]
        commands.append([*start, "org.apache.spark.deploy.worker.Worker", *worker])
    log = tmp_path / "cluster.log"
    with log.open("wb") as out:
        started = [
            subprocess.Popen(c, stdout=out, stderr=out, env={**os.environ, **DAEMONS}) for c in commands
        ]
        try:
            deadline = time.monotonic() + 120
            while log.read_text().count("Registering worker") < workers:
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.2)
            yield url
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait()
