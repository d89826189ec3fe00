"""The events of a state."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = (Path(__file__).parents[3] / "docs/why-not.md").read_text()
ALL = "patterns.gas_fire.lateness=accept"
REVISE = "sources.log.revise={withdrawn: {field: op, is: [d]}}"


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., None]:
    """Runs the pipeline of the page with a state, and other records, if there are any."""
    monkeypatch.chdir(tmp_path)

    def run(*more: str, records: str = "") -> None:
        for kind, name in (("yaml", "house.yaml"), ("json", "house.jsonl")):
            found = re.search(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
            assert found is not None
            Path(name).write_text(found[1] + (records if kind == "json" else ""))
        overrides = [word for value in ("state.dir=kept", *more) for word in ("--set", value)]
        assert cli.main(["run", "house.yaml", "--quiet", *overrides]) == 0
        # It is the state that is asked.
        Path("house.jsonl").unlink()
        capsys.readouterr()

    return run


def ask(
    capsys: pytest.CaptureFixture[str], *words: str, code: int = Exit.FINE, near: str = "10:05:20"
) -> str:
    """What is said of the hall."""
    given = ["why-not", "gas_fire", "--pipeline", "house.yaml", "--near", near, "--state", "kept", *words]
    assert cli.main(given) == code
    said = capsys.readouterr()
    return said.out + said.err


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = Exit.FINE) -> Any:
    return json.loads(ask(capsys, "--key", "hall", "--format", "json", *words, code=code))


def test_a_state_is_asked_as_a_recording_is(
    run: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    answer = told(capsys)
    [change] = answer["misses"][0]["changes"]
    assert (change["remove"], change["negated"]) == ("x1", "x")
    assert answer["left_out"] == [
        "events that no pattern took, such as those refused as too late: a state has none",
        "events before 2026-01-05T09:30:12Z: they have left the state, if there were any",
    ]


def test_what_waits_for_time_is_not_told_as_emitted(
    run: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    query = "SEQ(Smoke c, !TapClosed x) WITHIN 10 minutes PARTITION BY room"
    override = f"patterns.gas_fire.query=PATTERN {query}"
    run(override)
    said = ask(capsys, "--key", "garage", "--set", override, near="10:25:09")
    assert "is there" in said
    assert "emitted as" not in said
    assert "what may still come: 4 matches that wait for time" in said
    assert "emitted as" in ask(capsys, "--key", "cellar", "--set", override, near="10:10:15")


def test_what_was_withdrawn_is_not_there(
    run: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    gone = {"event": "TapClosed", "id": "x1", "time": "2026-01-05T10:05:02Z", "op": "d"}
    run(REVISE, ALL, records=f"{json.dumps(gone)}\n")
    assert told(capsys, "--set", REVISE, "--set", ALL)["standing"]


def test_the_state_of_another_pipeline_and_none_are_refused(
    run: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    said = ask(capsys, "--set", "params.limit=11", code=Exit.FAILED)
    assert "is that of another pipeline: pattern 'gas_fire' has another query; ask a recording" in said
    assert "there is no state in" in ask(capsys, "--state", "nowhere", code=Exit.FAILED)
    assert "give one of --data and --state" in ask(capsys, "--data", "house.jsonl", code=Exit.REFUSED)
