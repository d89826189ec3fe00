"""A pipeline over a recording, asked by the command."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.model.instants import rfc3339
from limecep.testing.streams import written

if TYPE_CHECKING:
    from pathlib import Path

TEN_O_CLOCK = 1_767_607_200_000_000  # on 2026-01-05
PIPELINE = """\
version: 1
name: asked
params: {{limit: 10}}
sources:
  s:
    type: file
    channel: s.jsonl
    as: {{field: type}}
    time: time
    arrival: came
    id: id
    payload: {{v: any, k: any}}
patterns:
  p:
    query: |
      PATTERN {query}
    {more}
sinks: {{out: {{type: file, channel: out.jsonl}}}}
"""


@dataclass
class Asked:
    """The folder of a pipeline, and what was found in it."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    query: str = ""
    records: list[dict[str, Any]] = field(default_factory=list)

    @property
    def pipeline(self) -> Path:
        return self.folder / "p.yaml"

    def run(self, query: str, events: str, *arguments: str, more: str = "", state: bool = False) -> list[str]:
        """Runs a query over events, each a second after the other, and gives the ids of the matches, in order
        of their emission."""
        self.pipeline.write_text(PIPELINE.format(query=query, more=more))
        self.write(self.folder / "s.jsonl", events)
        folder = ("--set", f"state.dir={self.folder / 'state'}") if state else ()
        out = self.folder / "out.jsonl"
        out.unlink(missing_ok=True)
        assert cli.main(["run", str(self.pipeline), *folder, *arguments]) == 0
        self.capsys.readouterr()
        self.records = [json.loads(line) for line in out.read_text().splitlines()]
        return list(dict.fromkeys(r["match"] for r in self.records))

    def write(self, file: Path, events: str) -> None:
        """Writes events as a recording: `a1=7` is an A of one second after ten, with a `v` of 7. They arrive
        from twenty past ten on, a second from each other."""
        lines = [
            {
                "type": e.type,
                "id": e.id,
                "time": rfc3339(TEN_O_CLOCK + e.t_gen),
                "came": rfc3339(TEN_O_CLOCK + 1_200_000_000 + n * 1_000_000),
                **({"v": e.payload["v"]} if "v" in e.payload else {}),
            }
            for n, e in enumerate(written(events))
        ]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def why(self, *arguments: str, code: int = 0) -> str:
        """What the command prints about a match."""
        assert cli.main(["why", *arguments, "--pipeline", str(self.pipeline)]) == code
        captured = self.capsys.readouterr()
        return captured.out if code == 0 else captured.err

    def told(self, *arguments: str) -> dict[str, Any]:
        """The same as JSON."""
        told: dict[str, Any] = json.loads(self.why(*arguments, "--format", "json"))
        return told


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Asked:
    return Asked(tmp_path, capsys)
