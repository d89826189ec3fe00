"""The runner of this process, by the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PIPELINE = """\
version: 1
runner: local
sources:
  all: {type: file, channel: events.jsonl, as: {field: type}, id: id, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 seconds"}
sinks:
  out: {type: file, path: out.jsonl}
"""


def test_a_pipeline_runs_where_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "events.jsonl").write_text('{"type":"A","id":"1","t":1}\n{"type":"B","id":"2","t":2}\n')
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet"]) == Exit.FINE
    (record,) = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert record["op"] == "emit"


REVISED = [
    {"type": "BA"[n % 3 > 0], "id": f"x{n % 7}", "t": n, "k": n % 2, "rev": n * 5 % 11, "gone": n % 9 == 4}
    for n in range(80)
]


def test_workers_follow_what_a_source_takes_back(tmp_path: Path) -> None:
    text = PIPELINE.replace("10 seconds", "10 seconds PARTITION BY k").replace(
        "id: id,", "id: id, revise: {version: rev, withdrawn: {field: gone}},"
    )
    (tmp_path / "events.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in REVISED))
    told = []
    for runner in ("local", "{type: local, workers: 2}"):
        (tmp_path / "p.yaml").write_text(text.replace("runner: local", f"runner: {runner}"))
        assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet"]) == Exit.FINE
        told.append((tmp_path / "out.jsonl").read_text().splitlines())
        (tmp_path / "out.jsonl").unlink()
    assert {json.loads(line)["op"] for line in told[0]} >= {"emit", "retract"}
    assert sorted(told[0]) == sorted(told[1])


LOCAL = """\
from dataclasses import dataclass
from limecep import component, option
from limecep.contracts.slack import SlackPolicy

@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    wait: int = option(0, help="How long.")

@component("slack", options=Options)
class Mine(SlackPolicy):
    "Waits."
    def __init__(self, plan, options, context):
        self._wait = options.wait
    def wait(self, statistics):
        return self._wait
"""


def test_workers_and_the_state_know_what_a_pipeline_brings_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(LOCAL)
    text = PIPELINE.replace(
        "runner: local", "plugins: [./mine.py]\nrunner: {type: local, workers: 2}\nstate: {dir: s}"
    )
    text = text.replace('10 seconds"', '10 seconds PARTITION BY k", slack: {type: mine, wait: 3}')
    (tmp_path / "p.yaml").write_text(text)
    (tmp_path / "events.jsonl").write_text(
        '{"type":"A","id":"1","t":1,"k":1}\n{"type":"B","id":"2","t":2,"k":1}\n'
    )
    for _ in range(2):
        assert cli.main(["run", str(tmp_path / "p.yaml")]) == Exit.FINE
        (tmp_path / "mine.py").write_text(LOCAL + "# changed\n")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 1
    assert "a local plugin has changed since this state was written" in capsys.readouterr().err
