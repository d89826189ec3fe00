"""A real Kafka broker for tests: one process, KRaft, on free ports of loopback. Imports no client.

Its jars come by Maven, once, into a cache; what is needed is Java 17 or newer and Maven. By hand it is run
with `limecep dev brokers`. As a module it runs one for a test session of several processes:

    python -m limecep.testing.kafka FOLDER [PROCESS]

writes where it is into FOLDER/broker.json, and ends with the process.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import uuid
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from limecep.clock import Stopwatch, pause
from limecep.testing.broker import BrokerProcess, Unavailable, free_port

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The version of the broker.
VERSION = "4.3.1"
#: Who may enter where passwords are asked for, with one password: `USER` may do anything, `GUEST` only what
#: access control lists allow.
USER = "kitchen"
GUEST = "guest"
PASSWORD = "secret"
_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel"
_POM = f"""\
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>limecep</groupId>
  <artifactId>broker</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>{VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
"""


def jars() -> Path:
    """The folder with the broker's jars, filled if it is not there: below `LIMECEP_CACHE`, by default
    `~/.cache/limecep`.

    Raises:
        Unavailable: There is no Java, no Maven, or the jars cannot be had.
    """
    if shutil.which("java") is None:
        raise Unavailable("there is no Java: install a JRE, version 17 or newer")
    root = Path(os.environ.get("LIMECEP_CACHE") or Path.home() / ".cache" / "limecep")
    # What is fetched is known by what was asked for.
    folder = root / f"kafka-{VERSION}-{zlib.crc32(_POM.encode()):08x}"
    root.mkdir(parents=True, exist_ok=True)
    with (root / "kafka.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _fetch(folder)
    return folder


def _fetch(folder: Path) -> None:
    if shutil.which("mvn") is None:
        raise Unavailable("there is no Maven to fetch the broker with: install maven")
    work = folder.with_suffix(".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "pom.xml").write_text(_POM)
    done = subprocess.run(
        ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libs"],
        cwd=work,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Unavailable(f"Maven cannot fetch kafka_2.13:{VERSION}: {done.stdout[-500:]}")
    (work / "libs").rename(folder)
    shutil.rmtree(work)


class KafkaBroker(BrokerProcess):
    """A broker with three partitions a topic, until told otherwise.

    Args:
        folder: Where it keeps its data and its log.
        guarded: Whether it has an entrance with TLS and passwords, too.
        port: The port it is to listen at; default: a free one.

    Attributes:
        address: Where clients find it, `127.0.0.1:PORT`.
        proxied: Where clients find it through a proxy, whose connections `cut` closes.
        guarded: Where those find it who trust `certificate` and log in as `USER` or `GUEST` with `PASSWORD`
            (PLAIN); "" where there is no such entrance.
        certificate: The file of its certificate.

    Raises:
        Unavailable: There can be none here.
    """

    PORT: ClassVar[int] = 9092
    NEEDS: ClassVar[str] = "Java and, the first time, Maven"
    start_seconds: ClassVar[float] = 60.0

    def __init__(self, folder: Path, *, guarded: bool = False, port: int | None = None) -> None:
        self._jars = jars()
        inner, controller = free_port(), free_port()
        super().__init__(folder, port or free_port(), inner)
        self.certificate = folder / "broker.pem"
        self.address = f"127.0.0.1:{self.port}"
        self.proxied = f"127.0.0.1:{self._proxy.port}"
        self.guarded = f"localhost:{free_port()}" if guarded else ""
        settings: dict[str, object] = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"PLAIN://{self.address},PROXIED://127.0.0.1:{inner},"
            f"CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": f"PLAIN://{self.address},PROXIED://{self.proxied}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAIN",
            "listener.security.protocol.map": "PLAIN:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": folder / "data",
            "num.partitions": 3,
            # What is replayed has old times, and is not to be deleted because of them.
            "log.retention.ms": -1,
            "group.initial.rebalance.delay.ms": 0,
            "broker.session.timeout.ms": 3000,
            "broker.heartbeat.interval.ms": 1000,
            "offsets.topic.replication.factor": 1,
            "offsets.topic.num.partitions": 3,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "transaction.state.log.num.partitions": 3,
            "share.coordinator.state.topic.replication.factor": 1,
            "share.coordinator.state.topic.min.isr": 1,
        }
        if guarded:
            settings |= self._entrance(settings)
        written = folder / "server.properties"
        written.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        # An id may begin with a dash. Data that is there already is kept, with the id that it has.
        format = ("format", f"--cluster-id={cluster}", "--config", written, "--ignore-formatted")
        if self._launch(self._java("kafka.tools.StorageTool", *format)).wait():
            raise Unavailable(f"the broker's storage cannot be made: {self._log_end()}")
        self._command = self._java("kafka.Kafka", written)

    def _entrance(self, settings: Mapping[str, object]) -> dict[str, object]:
        """The settings of the entrance with TLS and passwords."""
        store = self._folder / "broker.p12"
        common = ["keytool", "-keystore", str(store), "-storepass", PASSWORD, "-alias", "broker"]
        made = ["-genkeypair", "-keyalg", "EC", "-validity", "30", "-dname", "CN=localhost"]
        said = ["-ext", "SAN=DNS:localhost,IP:127.0.0.1", "-storetype", "PKCS12", "-keypass", PASSWORD]
        subprocess.run([*common, *made, *said], check=True, capture_output=True)
        subprocess.run(
            [*common, "-exportcert", "-rfc", "-file", str(self.certificate)], check=True, capture_output=True
        )
        protocols = settings["listener.security.protocol.map"]
        module = "org.apache.kafka.common.security.plain.PlainLoginModule"
        users = " ".join(f'user_{name}="{PASSWORD}"' for name in (USER, GUEST))
        return {
            "listeners": f"{settings['listeners']},GUARDED://{self.guarded}",
            "advertised.listeners": f"{settings['advertised.listeners']},GUARDED://{self.guarded}",
            "listener.security.protocol.map": f"{protocols},GUARDED:SASL_SSL",
            "sasl.enabled.mechanisms": "PLAIN",
            "listener.name.guarded.plain.sasl.jaas.config": f"{module} required {users};",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            # The other entrances ask for no name.
            "super.users": f"User:{USER};User:ANONYMOUS",
            "ssl.keystore.location": store,
            "ssl.keystore.password": PASSWORD,
            "ssl.key.password": PASSWORD,
            "ssl.keystore.type": "PKCS12",
        }

    def _java(self, program: str, *arguments: object) -> list[str]:
        options = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-D{_LEVEL}=warn")
        return ["java", *options, "-cp", f"{self._jars}/*", program, *map(str, arguments)]


def restart(folder: Path) -> None:
    """Has the broker in that folder crash and start again; returns when it accepts connections.

    Raises:
        Unavailable: It does not start again.
    """
    (folder / "restart").touch()
    watch = Stopwatch()
    while (folder / "restart").exists():
        if watch.seconds > KafkaBroker.start_seconds:
            raise Unavailable(f"the broker does not start again: see {folder / 'log'}")
        pause(0.05)


def _main(folder: Path, owner: int = 0) -> None:
    """Runs a broker until it is interrupted, or the process `owner` has ended."""
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    said = folder / "broker.json"
    try:
        broker = KafkaBroker(folder)
    except Unavailable as error:
        folder.mkdir(parents=True, exist_ok=True)
        said.write_text(json.dumps({"unavailable": str(error)}))
        sys.exit(str(error))
    try:
        broker.start()
        found = {"address": broker.address, "proxied": broker.proxied}
        said.with_suffix(".part").write_text(json.dumps(found))
        said.with_suffix(".part").rename(said)
        print(f"{broker.address}, and through a proxy {broker.proxied}", flush=True)
        while not owner or _runs(owner):
            if (folder / "restart").exists():
                broker.stop(signal.SIGKILL)
                broker.start()
                (folder / "restart").unlink()
            pause(0.1)
    except KeyboardInterrupt:
        pass
    except Unavailable as error:
        said.write_text(json.dumps({"unavailable": str(error)}))
        sys.exit(str(error))
    finally:
        broker.close()


def _runs(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


if __name__ == "__main__":
    _main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
