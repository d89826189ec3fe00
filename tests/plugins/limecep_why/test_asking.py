"""Matches of matches: those below one are gone into if that is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep_why import asking

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = (Path(__file__).parents[3] / "docs/levels.md").read_text()
RECALL = "391eee0c3d1d01d75abba969"


@pytest.fixture
def why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., list[dict[str, Any]]]:
    """Asks about the levels that the page has as its example."""
    [pipeline], [readings, _] = (
        re.findall(rf"^```{k}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) for k in ("yaml", "json")
    )
    (tmp_path / "cold-room.yaml").write_text(pipeline)
    (tmp_path / "room.jsonl").write_text(readings)
    monkeypatch.chdir(tmp_path)

    def asked(*arguments: str) -> list[dict[str, Any]]:
        given = ("why", RECALL, "--pipeline", "cold-room.yaml", "--format", "json", *arguments)
        assert cli.main(list(given)) == 0
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    return asked


def test_a_derived_event_names_the_match_that_it_is(why: Callable[..., list[dict[str, Any]]]) -> None:
    [recall] = why()
    spoiling, delivery = recall["events"]
    assert (spoiling["derived_by"], spoiling["of_match"]) == ("spoiling", spoiling["id"])
    assert "derived_by" not in delivery
    assert [a["did"] for a in recall["arrivals"]] == [
        "nothing yet",
        "completed it: revision 1",
        "was withdrawn, which took it back: revision 2",
    ]


def test_all_below_is_told_level_by_level(why: Callable[..., list[dict[str, Any]]]) -> None:
    told = why("--deep")
    assert [t["pattern"] for t in told] == ["recall", "spoiling", "warm", "warm"]
    assert [t["standing"] for t in told] == ["retracted", "retracted", "live", "retracted"]
    assert {t["match"] for t in told[1:]} == {
        e["of_match"] for t in told for e in t["events"] if "of_match" in e
    }
    # In the end it was a reading that came late.
    [cooled] = told[-1]["absences"][0]["events"]
    assert (cooled["id"], cooled["hits"]) == ("t5", True)
    assert [bool(t["notes"]) for t in told] == [True, False, False, False]


def test_of_very_many_below_it_says_that_some_are_left_out(
    why: Callable[..., list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_BELOW", 2)
    told = why("--deep")
    assert len(told) == 3
    assert told[0]["notes"][-1] == "only 2 of the matches below it are told"


def test_what_came_of_types_that_are_derived_is_not_said_of_absences(
    why: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    file = tmp_path / "cold-room.yaml"
    file.write_text(
        file.read_text().replace("SEQ(Spoiling s, Delivery d)", "SEQ(Spoiling s, !Warm x, Delivery d)")
    )
    cli.main(["why", "", "--pipeline", "cold-room.yaml"])
    [recall] = why()
    [absence] = recall["absences"]
    assert "events" not in absence


def test_records_of_all_patterns_go_down_as_well(
    why: Callable[..., list[dict[str, Any]]], tmp_path: Path
) -> None:
    sink = ["--set", "sinks.out.events=full", "--set", "sinks.out.patterns=[recall, spoiling, warm]"]
    file = ["--set", "sinks.out.type=file", "--set", "sinks.out.channel=out.jsonl"]
    assert cli.main(["run", "cold-room.yaml", *sink, *file]) == 0
    told = why("--records", "out.jsonl", "--deep")
    assert [t["pattern"] for t in told] == ["recall", "spoiling", "warm", "warm"]
