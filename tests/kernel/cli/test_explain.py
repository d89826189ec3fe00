"""`limecep explain`: what it says, and how it fails. What is true of plans is tested there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
name: kitchen
params: {limit: 40}
connectors: {log: {type: file}}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     time: ts, id: id, every: 5s}
  temp: {from: log, channel: temp.csv, as: Temperature, time: ts, id: id}
  tap:  {from: log, channel: tap.csv,  as: TapClosed,   time: ts, id: id, every: 1m}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, !TapClosed x, Temperature+ b[])
      WHERE a.percentage > $limit
        AND round(a.percentage, 1) != 50
        AND b[i+1].celsius
          > b[i].celsius
      WITHIN 30 seconds
      PARTITION BY room
    lateness: {type: bound, within: 10s}
"""
SAID = """\
fire
  within      30 seconds
  partition   room
  select      stnm: skip-till-next-match
  engine      maximal: enumeration 10000
  params      $limit = 40
  functions   round(x: float, digits: int = ...) -> float  of limecep
  pattern     SEQ(GasLeak a, !TapClosed x, Temperature+ b[])
  steps       a    GasLeak      one
              b[]  Temperature  one or more  can be the last
  absent      x  TapClosed  between a and b
  conditions  a.percentage > $limit          on each event alone, by the filter of a
              round(a.percentage, 1) != 50   on each event alone, by the filter of a
              b[i+1].celsius > b[i].celsius  with each event of b but the first, on it and the one before
  evaluated   as it is
  matches     those contained in no other; at most in proportion to n for n events in a window
  lateness    bound: within 10s
  slack       adaptive: trigger 10%
  recompute   exact
  results     corrected: as it is
  kept        100 seconds behind the latest event time: 10 seconds that an event may be late, and 3 windows
  buffered    GasLeak    7 in a window, 35 kept  a device: one every 5 seconds from gas
              TapClosed  1 in a window, 4 kept   a device: one every 1 minute from tap
              Temperature: not known, as not every source of them says 'every'
  warning     pattern 'fire' ends with b, which may take several events: a match goes out with the first of
              them, and again with every one that joins [growing-match]
              to have it once, when its window has passed, write results: {type: corrected, emit: complete}

Events are kept once, for the pattern that needs them longest; at most 1,000,000 events, 128MB.
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.yaml"
    path.write_text(PIPELINE)
    return path


def explained(capsys: pytest.CaptureFixture[str], file: Path, *arguments: str) -> Any:
    assert cli.main(["explain", str(file), "--json", *arguments]) == Exit.FINE
    return json.loads(capsys.readouterr().out)


def test_it_says_everything_about_a_pattern(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", str(file)]) == Exit.FINE
    said = capsys.readouterr()
    assert said.err == ""
    # What components say of themselves is their business.
    settled = re.sub(
        r"(?m)^(  (?:evaluated   |results     corrected: )).*\n(?:   .*\n)*", r"\1as it is\n", said.out
    )
    assert settled == SAID


@pytest.mark.parametrize(
    ("every", "said"),
    [
        ("", "which may be as often as events come: about 7kB each time"),
        (
            ", every: 1s",
            "at most 86,400 times a day, each time the disk is waited for: about 605MB a day, and 75",
        ),
        (
            ", every: 10s",
            "at most 8,640 times a day, each time the disk is waited for: about 60MB a day, and 75",
        ),
    ],
)
def test_it_says_what_a_state_writes_in_a_day(
    every: str, said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(f"{PIPELINE}state: {{dir: st{every}}}\n")
    assert cli.main(["explain", str(file)]) == Exit.FINE
    assert said in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
def test_an_engine_says_how_it_goes_about_every_alternative(
    engine: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "PATTERN OR(SEQ(GasLeak a, Temperature+ b[]), AND(GasLeak a, Temperature c)) WITHIN 1 s"
    data = explained(capsys, file, "--set", f"patterns.fire={{query: '{query}', engine: {engine}}}")
    alternatives = data["patterns"]["fire"]["alternatives"]
    assert len(alternatives) == 3
    assert all(a["evaluation"] for a in alternatives)


def test_values_set_on_the_command_line_count(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = explained(capsys, file, "--set", "params.limit=7", "--set", "patterns.fire.select=stam")
    assert data["patterns"]["fire"]["params"] == {"limit": 7}
    assert data["patterns"]["fire"]["select"] == "stam"
    assert "exponential-matches" in [w["code"] for w in data["patterns"]["fire"]["warnings"]]


def test_what_is_picked_is_said(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for query, how in (
        ("SEQ(GasLeak+ a[], Temperature b) WITHIN 1 s", "found without the others"),
        ("SEQ(GasLeak a, Temperature b) WHERE a.v > b.v WITHIN 1 s", "the others are looked at, too"),
    ):
        changed = f"patterns.fire={{query: 'PATTERN {query}', select: stam, results: {{pick: shortest}}}}"
        assert cli.main(["explain", str(file), "--set", changed]) == Exit.FINE
        said = " ".join(capsys.readouterr().out.split())
        assert f"; of these of each end event the one with the fewest events, {how}" in said
        assert "max_per_end 1000000, pick shortest" in said


@pytest.mark.parametrize(
    ("query", "select", "says"),
    [
        (
            "AND(GasLeak a, Temperature b, GasLeak c, GasLeak d) WITHIN 1 s",
            "stnm",
            "and 21 more: --json has them",
        ),
        ("SEQ(GasLeak a) WHERE 1 = 2 WITHIN 1 s", "stnm", "1: some condition is never true there"),
        (
            "SEQ(GasLeak a) WHERE 1 = 2 WITHIN 1 s",
            "stnm",
            "none: there is nothing that all conditions are true of",
        ),
        ("SEQ(GasLeak a, Temperature b) WITHIN 1 s", "sc", "and events of all other types"),
        ("SEQ(GasLeak a, GasLeak b, GasLeak c) WITHIN 1 s", "stam", "in proportion to n^3 for n events"),
        ("SEQ(GasLeak a, Temperature+ b[]) WHERE avg(b.v) > 1 WITHIN 1 s", "stam", "exponentially many"),
    ],
)
def test_what_is_special_is_said(
    query: str, select: str, says: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = f"patterns.fire={{query: 'PATTERN {query}', select: {select}}}"
    assert cli.main(["explain", str(file), "--set", changed]) == Exit.FINE
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lateness", "kept"),
    [
        (
            "accept",
            "every event that there is room for: one may come however late and still change something",
        ),
        ("score", "at least 2 minutes behind the latest event time"),
        ("{type: bound, within: 0s}", "90 seconds behind the latest event time: no lateness, and 3 windows"),
    ],
)
def test_how_long_events_are_kept_is_a_matter_of_how_late_they_may_be(
    lateness: str, kept: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain", str(file), "--set", f"patterns.fire.lateness={lateness}"]) == Exit.FINE
    assert f"  kept        {kept}" in capsys.readouterr().out


def test_bounds_on_what_is_kept_are_said(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(PIPELINE + "retention: {time: 1h, events: 500, bytes: 2kB}\n")
    assert cli.main(["explain", str(file)]) == Exit.FINE
    assert capsys.readouterr().out.endswith("at most 500 events, 2kB, 1 hour.\n")


def test_a_wrong_file_is_refused_with_the_words_of_check(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(PIPELINE.replace("$limit", "$limt"))
    assert cli.main(["explain", str(file)]) == Exit.REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    cli.main(["check", str(file)])
    assert "error: there is no parameter 'limt' [unknown-parameter]" in said.err
    assert said.err.strip().splitlines()[0] in capsys.readouterr().out
