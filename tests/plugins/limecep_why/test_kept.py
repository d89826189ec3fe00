"""A state looked at: also that of a pipeline that runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

RISING = "SEQ(A a, !X x, B+ b[], C c) WHERE a.v > $limit AND b[i+1].v > b[i].v WITHIN 30 s"
EVENTS = "a1=12 b3=1 b7=3 c9 b5=2 b5=2 x2"


def contents(folder: Path) -> dict[str, bytes]:
    # SQLite puts an index of the log of changes beside it for those who read.
    return {name: (folder / name).read_bytes() for name in ("state.db", "lock")}


def test_it_tells_what_a_recording_tells(asked: Asked) -> None:
    [match] = asked.run(RISING, EVENTS, more="slack: none", state=True)
    of_state = asked.told(match, "--state", str(asked.folder / "state"))
    of_recording = asked.told(match)
    for part in ("standing", "revision", "conditions", "absences", "revisions", "waited"):
        assert of_state[part] == of_recording[part]
    assert [a["did"] for a in of_state["arrivals"]] == [a["did"] for a in of_recording["arrivals"]]
    assert [e["id"] for e in of_state["events"]] == [e["id"] for e in of_recording["events"]]
    # Copies are in no journal.
    assert [a["arrival"] for a in of_state["arrivals"]] == [1, 2, 3, 4, 5, 6]
    assert [n[:23] for n in of_state["notes"]] == ["arrivals are numbered a"]


def test_a_pipeline_with_state_is_asked_there_by_itself(asked: Asked) -> None:
    [match] = asked.run(RISING, EVENTS, state=True)
    text = asked.pipeline.read_text()
    asked.pipeline.write_text(f"{text}state: {{dir: state}}\n")
    assert asked.told(match)["notes"][0].startswith(
        "arrivals are numbered among the events that the state has"
    )
    # A recording takes the place of both.
    assert asked.told(match, "--data", str(asked.folder / "s.jsonl"))["notes"] == []


def test_nothing_is_written(asked: Asked) -> None:
    [match] = asked.run(RISING, EVENTS, state=True)
    before = contents(asked.folder / "state")
    asked.why(match, "--state", str(asked.folder / "state"))
    assert contents(asked.folder / "state") == before


def test_what_has_left_the_state_is_said_plainly(asked: Asked) -> None:
    more = "lateness: {type: bound, within: 2s}"
    matches = asked.run("SEQ(A a, B b) WITHIN 5 s", "a1 b2 a7201 b7202 a14401 b14402", more=more, state=True)
    state = ("--state", str(asked.folder / "state"))
    said = asked.told(matches[-1], *state)["notes"][1]
    assert said.startswith("the events before 2026-01-05T1")
    assert "what they did is not told: keep the file of a sink, and ask with --records FILE" in said
    said = asked.why("x", *state, code=Exit.FAILED)
    assert (
        "It knows no matches of events that have left it; a sink's file may have them: --records FILE" in said
    )


def test_a_state_of_another_pipeline_none_and_one_without_anything_are_refused(asked: Asked) -> None:
    [match] = asked.run(RISING, EVENTS, state=True)
    state = ("--state", str(asked.folder / "state"))
    said = asked.why(match, *state, "--set", "params.limit=11", code=Exit.FAILED)
    assert "is that of another pipeline: pattern 'p' has another query" in said
    assert "there is no state in" in asked.why(match, "--state", "nowhere", code=Exit.FAILED)


def test_a_state_of_several_processes_is_read(asked: Asked) -> None:
    query = "SEQ(A a, B b) WITHIN 30 s PARTITION BY v"
    matches = asked.run(query, "a1=1 a2=2 b3=1 b4=2", "--runner", "local", "--workers", "2", state=True)
    for match in matches:
        told = asked.told(match, "--state", str(asked.folder / "state"))
        assert told["standing"] == "live"
        assert len(told["notes"]) == 1


def test_time_that_only_events_of_other_types_moved_has_passed(asked: Asked) -> None:
    [match] = asked.run("SEQ(A a, !X x) WITHIN 5 s", "a1 z30", state=True)
    told = asked.told(match, "--state", str(asked.folder / "state"))
    assert told["arrivals"][-1]["did"] == "completed it, by events of types that no pattern names: revision 1"
    assert len(told["notes"]) == 1


def test_what_was_withdrawn_is_retracted_and_when_is_not_known(asked: Asked) -> None:
    """As a late withdrawal it is judged last, so that the match stands as in the run."""
    pipeline = str(Path(__file__).parents[3] / "examples/shipments/shipments.yaml")
    state = str(asked.folder / "state")
    assert cli.main(["run", pipeline, "--set", f"state.dir={state}"]) == 0
    asked.capsys.readouterr()
    assert cli.main(["why", "7f7c11", "--pipeline", pipeline, "--state", state, "--format", "json"]) == 0
    told = json.loads(asked.capsys.readouterr().out)
    assert told["standing"] == "retracted"
    assert told["arrivals"][-1]["did"] == "was withdrawn, which took it back: revision 2"
    assert (
        "a state does not say when events were withdrawn: here that comes after all others" in told["notes"]
    )
    assert told["notes"][-1].startswith("the run has emitted 24 of 'not_sent' where its events give ")


def test_matches_of_matches_are_told_too(asked: Asked) -> None:
    above = "PATTERN SEQ(Pair x, C c) WITHIN 9 s"
    query = f"SEQ(A a, B b) WITHIN 9 s\n    derive: {{as: Pair}}\n  q:\n    query: {above}"
    asked.run(query, "a1 b2 c5", state=True)
    [match] = {r["match"] for r in asked.records if r["pattern"] == "q"}
    state = ("--state", str(asked.folder / "state"))
    lines = asked.why(match, *state, "--deep", "--format", "json").splitlines()
    assert [json.loads(line)["pattern"] for line in lines] == ["q", "p"]


def test_a_pipeline_is_asked_while_it_runs(asked: Asked) -> None:
    """Its source follows a file, so that it never ends."""
    [match] = asked.run(RISING, "a1=12 b3=1 b7=3 c9", more="slack: none")
    text = asked.pipeline.read_text().replace("channel: s.jsonl", "channel: s.jsonl\n    follow: true")
    asked.pipeline.write_text(f"{text}state: {{dir: state}}\n")
    running = subprocess.Popen(
        [sys.executable, "-m", "limecep", "run", str(asked.pipeline)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert until(asked, match, 1)
        with (asked.folder / "s.jsonl").open("a") as file:
            late = {"type": "B", "id": "b5", "v": 2, "time": "2026-01-05T10:00:05Z"}
            file.write(json.dumps({**late, "came": "2026-01-05T10:20:30Z"}) + "\n")
        assert until(asked, match, 2)
        assert running.poll() is None
        assert [e["id"] for e in asked.told(match)["events"]] == ["a1", "b3", "b5", "b7", "c9"]
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0


def until(asked: Asked, match: str, revision: int) -> bool:
    """Whether the state knows a revision of a match before long."""
    for _ in range(200):
        code = cli.main(["why", match, "--pipeline", str(asked.pipeline), "--format", "json"])
        out = asked.capsys.readouterr().out
        if code == 0 and json.loads(out)["revision"] == revision:
            return True
        time.sleep(0.05)
    return False
