"""A pipeline with tests beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import structlog

from limecep.host import Host
from limecep_test.cases import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from limecep_test.cases import Prepared, Result

REGISTRY = Host.load().registry
PIPELINE = """\
version: 1
name: house
params: {limit: 40}
sources:
  gas: {type: file, channel: gas.jsonl, as: Gas, time: ts, id: id}
  rest: {type: file, channel: rest.jsonl, as: {field: kind}, time: ts}
patterns:
  fire:
    query: |
      PATTERN SEQ(Gas g, Heat+ h[], Smoke s)
      WHERE g.percent > $limit
      WITHIN 30 seconds
      RETURN g.percent AS percent
sinks: {out: {type: stdout}}
"""
#: The same, live: a broker that nobody runs.
LIVE = PIPELINE.replace(
    "type: file, channel: gas.jsonl", "type: mqtt, url: 'mqtt://localhost', client_id: c, channel: gas"
)


@dataclass(frozen=True)
class House:
    """The folder of the pipeline."""

    folder: Path

    @property
    def file(self) -> Path:
        """The test file."""
        return self.folder / "house.test.yaml"

    def write(self, tests: str, head: str = "", pipeline: str = PIPELINE) -> None:
        """Writes the pipeline, and a test file with these tests."""
        (self.folder / "house.yaml").write_text(pipeline)
        self.file.write_text(f"pipeline: house.yaml\n{head}tests:\n{tests}")

    def prepared(self, tests: str, head: str = "", pipeline: str = PIPELINE) -> Prepared:
        """The tests made ready."""
        self.write(tests, head, pipeline)
        return prepare(self.file, REGISTRY, structlog.get_logger())

    def results(self, tests: str, head: str = "", pipeline: str = PIPELINE) -> list[Result]:
        """What the tests give."""
        prepared = self.prepared(tests, head, pipeline)
        assert prepared.problems == []
        return [ready.run() for ready in prepared.tests]

    def said(self, tests: str, head: str = "", pipeline: str = PIPELINE) -> list[str]:
        """What is wrong with the file: the code and the place of each, and what is marked there."""
        prepared = self.prepared(tests, head, pipeline)
        assert prepared.tests == ()
        return [
            f"{p.code} {p.place.line} {p.place.text[p.place.column - 1 :][: p.place.width]}"
            for p in prepared.problems
            if p.place is not None
        ]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def case(events: str, expect: str = "", more: str = "", name: str = "it") -> str:
    """A test."""
    lines = [f"  - name: {name}", f"    events: {events}"]
    lines += ["    expect:", *(f"      {line}" for line in expect.splitlines())] if expect else []
    lines += [f"    {line}" for line in more.splitlines()]
    return "\n".join([*lines, ""])
