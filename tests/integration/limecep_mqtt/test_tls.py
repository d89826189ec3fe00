"""Brokers that are reached over TLS."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep_mqtt.config import MqttOptions
from limecep_mqtt.source import MqttSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.mqtt,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl"),
]


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def authority(folder: Path, name: str) -> None:
    more = ["-nodes", "-days", "2", "-newkey", "rsa:2048", "-subj", f"/CN={name}"]
    openssl(folder, "req", "-x509", "-keyout", f"{name}.key", "-out", f"{name}.pem", *more)


def certificate(folder: Path, name: str) -> None:
    """A certificate for this machine, signed by the authority `ca`."""
    openssl(
        folder, "req", "-nodes", "-newkey", "rsa:2048", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
        "-out", f"{name}.csr",
    )  # fmt: skip
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1")
    openssl(
        folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-days", "2", "-extfile", "names", "-out", f"{name}.pem",
    )  # fmt: skip


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    authority(folder, "ca")
    authority(folder, "stranger")
    certificate(folder, "broker")
    certificate(folder, "client")
    locked = ["-in", "client.key", "-aes256", "-passout", "pass:geheim", "-out", "locked.key"]
    openssl(folder, "pkey", *locked)
    # The broker may not be who made them.
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder


class Recording:
    """Keeps what is logged."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def warning(self, event: str, **more: Any) -> None:
        self.reasons.append(str(more.get("reason")))

    def info(self, event: str, **more: Any) -> None:
        pass


@pytest.fixture
def opened() -> Iterator[list[MqttSource]]:
    sources: list[MqttSource] = []
    yield sources
    for source in sources:
        source.close()


def make(opened: list[MqttSource], folder: Path, **options: Any) -> tuple[MqttSource, Recording]:
    logger = Recording()
    context = Context(label="sources.s", clock=SystemClock(), counters=Counter(), logger=logger, root=folder)
    opened.append(MqttSource("a/#", None, MqttOptions(**options), context))
    return opened[-1], logger


def guarded(brokers: Any, certificates: Path, **more: Any) -> int:
    return int(
        brokers(
            cafile=certificates / "ca.pem",
            certfile=certificates / "broker.pem",
            keyfile=certificates / "broker.key",
            **more,
        ).port
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_of_a_known_authority_is_trusted(
    host: str, brokers: Any, certificates: Path, opened: list[MqttSource]
) -> None:
    port = guarded(brokers, certificates)
    source, _ = make(opened, certificates, url=f"mqtts://{host}:{port}", tls_ca="ca.pem")
    source.open()
    watch = Stopwatch()
    while not source.connected:
        assert watch.seconds < 10
        source.poll(1, 0.1)


# The client leaves it to the garbage collector to close a connection whose certificate it does not trust.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("authority", ["stranger.pem", ""])
def test_a_certificate_of_nobody_known_is_not(
    authority: str, brokers: Any, certificates: Path, opened: list[MqttSource]
) -> None:
    port = guarded(brokers, certificates)
    source, logger = make(opened, certificates, url=f"mqtts://localhost:{port}", tls_ca=authority)
    source.open()
    watch = Stopwatch()
    while not logger.reasons:
        assert watch.seconds < 10
        source.poll(1, 0.1)
    assert logger.reasons[0].startswith("its certificate is not trusted by 'tls_ca': ")
    assert not source.connected


def test_the_broker_may_want_a_certificate_too(
    brokers: Any, certificates: Path, opened: list[MqttSource]
) -> None:
    port = guarded(brokers, certificates, require_certificate="true")
    own = {"tls_certificate": "client.pem", "tls_key": "locked.key", "tls_key_password": "geheim"}
    source, _ = make(opened, certificates, url=f"mqtts://localhost:{port}", tls_ca="ca.pem", **own)
    source.open()
    watch = Stopwatch()
    while not source.connected:
        assert watch.seconds < 10
        source.poll(1, 0.1)
    without, logger = make(opened, certificates, url=f"mqtts://localhost:{port}", tls_ca="ca.pem")
    without.open()
    watch = Stopwatch()
    while not logger.reasons:
        assert watch.seconds < 10
        without.poll(1, 0.1)
    assert not without.connected
    assert "it may want a certificate ('tls_certificate')" in logger.reasons[0]
