"""Brokers for tests: real ones, which the tests start themselves."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep import Pipeline
from limecep.clock import Stopwatch
from limecep.testing.broker import Unavailable
from limecep.testing.kafka import restart
from limecep.testing.proxy import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: How long a broker may take to start, with its jars to be fetched, in seconds.
PATIENCE_SECONDS = 300.0


@dataclass(frozen=True, kw_only=True)
class Kafka:
    """A broker that runs: its address, and the one through a proxy that can be cut."""

    folder: Path
    address: str
    proxied: str

    @contextmanager
    def cut(self) -> Iterator[None]:
        """While it lasts, the connections through the proxy are closed."""
        with cut(self.folder):
            yield

    def restart(self) -> None:
        """It crashes and starts again."""
        restart(self.folder)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that all workers of this test run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if hasattr(request.config, "workerinput") else folder


@pytest.fixture(scope="session")
def kafka(shared: Path, request: pytest.FixtureRequest) -> Kafka:
    """A Kafka broker, one for all workers of this test run. It ends with the run."""
    # The process that lives as long as all workers do.
    owner = os.getppid() if hasattr(request.config, "workerinput") else os.getpid()
    folder = shared / "kafka"
    said = folder / "broker.json"
    with (shared / "kafka.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            command = [sys.executable, "-m", "limecep.testing.kafka", str(folder), str(owner)]
            # It outlives this worker, and is no child of it.
            detached = ["sh", "-c", 'setsid "$@" > "$0" 2>&1 &', str(folder / "output"), *command]
            subprocess.run(detached, check=True)
        watch = Stopwatch()
        while not said.exists() and watch.seconds < PATIENCE_SECONDS:
            sleep(0.1)
    found = json.loads(said.read_text()) if said.exists() else {"unavailable": "it did not start"}
    if "unavailable" in found:
        raise Unavailable(found["unavailable"])
    return Kafka(folder=folder, **found)


class Rpm:
    """The example of remote patient monitoring over a transport.

    Attributes:
        pipeline: The file of the pipeline.
        publish: The module that publishes.
    """

    def __init__(self, name: str, folder: Path) -> None:
        example = Path(__file__).parents[2] / "examples" / name
        self.pipeline = example / f"{name}.yaml"
        self._folder = folder
        spec = importlib.util.spec_from_file_location(f"{name}_publish", example / "publish.py")
        assert spec is not None
        assert spec.loader is not None
        self.publish: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.publish)

    def from_files(self) -> Counter[str]:
        """The net results of the same pipeline with the same messages in files."""
        given = yaml.safe_load(self.pipeline.read_text())
        given["connectors"] = {"broker": {"type": "file"}}
        # It is the other run that goes on from the state.
        given.pop("state", None)
        for source in given["sources"].values():
            source["format"] = "json"
        given["sinks"]["alerts"]["channel"] = "alerts.jsonl"
        (self._folder / "files.yaml").write_text(json.dumps(given))
        for _, channel, content in self.publish.messages():
            with (self._folder / channel).open("a") as file:
                file.write(json.dumps(content) + "\n")
        command = [sys.executable, "-m", "limecep", "run", self._folder / "files.yaml"]
        subprocess.run(command, check=True, capture_output=True)
        return self.net([*map(json.loads, (self._folder / "alerts.jsonl").read_text().splitlines())])

    def net(self, records: Sequence[dict[str, Any]]) -> Counter[str]:
        """What is emitted and not taken back, each as it is now."""
        live: dict[str, str] = {}
        for r in records:
            if r["op"] == "retract":
                del live[r["match"]]
            else:
                times = {v: [e["time"] for e in events] for v, events in r["events"].items()}
                live[r["match"]] = json.dumps([r["pattern"], r["key"], times])
        return Counter(live.values())


@pytest.fixture
def rpm(request: pytest.FixtureRequest, tmp_path: Path) -> Rpm:
    """The example that a test module names as `EXAMPLE`."""
    return Rpm(request.module.EXAMPLE, tmp_path)


@dataclass(frozen=True, kw_only=True)
class Wire:
    """Two events, an A and a B, in a format.

    Attributes:
        format: The `format` of the source.
        messages: Each with its headers.
        source: Further keys of the source.
        attributes: Whether headers are attributes of CloudEvents, which transports name in their own ways.
    """

    format: Any
    messages: Sequence[tuple[bytes, Mapping[str, str]]]
    source: Mapping[str, Any]
    attributes: bool = False


FIELDS = {"as": {"field": "type"}, "id": "id", "time": {"field": "time", "format": "epoch_s"}}
CE = {"as": {"field": "ce.type"}, "id": ["ce.source", "ce.id"], "time": "ce.time"}
A = {"type": "A", "id": "1", "time": "1.50", "value": 7}
B = {"type": "B", "id": "2", "time": "2", "value": 8}


def attributes(event: Mapping[str, Any]) -> dict[str, str]:
    at = f"1970-01-01T00:00:0{float(event['time']):g}Z"
    return {"specversion": "1.0", "id": event["id"], "source": "s", "type": event["type"], "time": at}


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


WIRES = {
    "object": Wire(format="json", source=FIELDS, messages=[(as_json(A), {}), (as_json(B), {})]),
    "list": Wire(format="json", source=FIELDS, messages=[(as_json([A, B]), {})]),
    "nested": Wire(
        format={"type": "json", "path": "data.items"},
        source=FIELDS,
        messages=[(as_json({"device": "d", "data": {"items": [A, B]}}), {})],
    ),
    "csv": Wire(
        format={"type": "csv", "columns": [*A]},
        source=FIELDS,
        messages=[(",".join(map(str, event.values())).encode(), {}) for event in (A, B)],
    ),
    "structured": Wire(
        format="cloudevents",
        source=CE,
        messages=[
            (
                as_json({**attributes(e), "data": {"value": e["value"]}}),
                {"content-type": "application/cloudevents+json"},
            )
            for e in (A, B)
        ],
    ),
    "binary": Wire(
        format="cloudevents",
        source=CE,
        messages=[
            (as_json({"value": e["value"]}), {"content-type": "application/json", **attributes(e)})
            for e in (A, B)
        ],
        attributes=True,
    ),
}


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    """Messages in every format."""
    return WIRES[request.param]


@pytest.fixture
def match_of(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs a pipeline until it has read both events of a wire; gives the one match of them."""

    def run(wire: Wire, connector: dict[str, Any], channel: str) -> dict[str, Any]:
        pipeline = Pipeline.from_dict(
            {
                "version": 1,
                "name": "wire",
                "connectors": {"in": connector},
                "sources": {"s": {"from": "in", "channel": channel, "format": wire.format, **wire.source}},
                "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}},
                "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
            },
            root=tmp_path,
        )
        pipeline.run(lambda: pipeline.report()["events"]["read"] >= 2, 20)
        pipeline.close()
        [line] = (tmp_path / "out.jsonl").read_text().splitlines()
        found: dict[str, Any] = json.loads(line)
        return found

    return run
