"""What somebody gets wrong who writes a first pipeline: each is told in a line that leads to the mend, by
`limecep run` when it ends and by `limecep check --sample` beforehand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
version: 1
sources:
  s:
    type: file
    channel: log.csv
    as: {field: kind}
    time: {field: t, format: epoch_s}
    id: id
    payload: [celsius, machine]
patterns:
  hot:
    query: |
      PATTERN SEQ(Reading a, Alarm b) WHERE a.celsius > 85
      WITHIN 10 seconds
      PARTITION BY machine
sinks:
  out: {type: file, path: out.jsonl}
"""
LOG = """\
id,t,kind,machine,celsius
1,1767225600,Reading,m1,80
2,1767225601,Reading,m1,90
3,1767225605,Alarm,m1,
4,1767225606,Reading,m2,91
5,1767225609,Alarm,m2,
"""


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A wrong guess.

    Attributes:
        old, new, also: What is changed in the pipeline.
        log: The file, where it is another one; None for none.
        run: What a run says at its end, and how it ends.
        check: What `check --sample` says beforehand, and how it ends; "" where only the end can tell.
    """

    old: str = ""
    new: str = ""
    also: tuple[str, str] = ("", "")
    log: str | None = LOG
    run: str
    ends: Exit = Exit.FINE
    check: str
    checks: Exit = Exit.FINE


UNIT = "look at the unit of 'time': format is epoch_ms"
GUESSES = {
    "an attribute in another case": Guess(
        old="a.celsius", new="a.Celsius",
        run="a.Celsius was missing in all 3 Reading: they have 'celsius', 'machine'; did you mean 'celsius'?",
        check="p.yaml:13:47: warning: a.Celsius was missing in all 3 Reading: they have 'celsius', 'machine'",
    ),
    "a type that is spelt otherwise": Guess(
        old="SEQ(Reading a", new="SEQ(Readng a",
        run="no Readng came; there came 'Reading' (3); did you mean 'Reading'?",
        check="p.yaml:13:19: warning: no Readng came; there came 'Reading' (3) [absent-type]",
    ),
    "the time in another unit, too large": Guess(
        log=LOG.replace("17672256", "17672256000"),
        run="is out of range: not in the years 1 to 9999; is 'format' the unit of its numbers?",
        ends=Exit.FAILED,
        check="is out of range: not in the years 1 to 9999; is 'format' the unit of its numbers?",
        checks=Exit.FOUND_PROBLEMS,
    ),
    "the time in another unit, too small": Guess(
        old="epoch_s", new="epoch_ms", also=("SEQ(Reading a, Alarm b)", "SEQ(Alarm b, !Alarm x, Reading a)"),
        run=f"the times of source 's' are from 1970-01-21T10:53:45.6Z to 1970-01-21T10:53:45.609Z; {UNIT}",
        check="the times of source 's' are from 1970-01-21T10:53:45.6Z to 1970-01-21T10:53:45.609Z "
        "[odd-time]",
    ),
    "another delimiter": Guess(
        log=LOG.replace(",", ";"),
        run="all 5 records of source 's' are invalid; the first at log.csv:2: no type: 'kind' is "
        "missing; it has one "
        "field, 'id;t;kind;machine;celsius': is the delimiter \";\"?",
        ends=Exit.FAILED,
        check="it has one field, 'id;t;kind;machine;celsius': is the delimiter \";\"?",
        checks=Exit.FOUND_PROBLEMS,
    ),
    "text against a number": Guess(
        log=LOG.replace(",80", ",80C").replace(",90", ",90C").replace(",91", ",91C"),
        run="a.celsius > 85 compared text with a number in all 3 Reading; celsius was '80C', '90C', '91C'",
        check="p.yaml:13:45: warning: a.celsius > 85 compared text with a number in all 3 Reading "
        "[kinds-differ]",
    ),
    "the key in another case": Guess(
        old="BY machine", new="BY Machine",
        run="Machine, of PARTITION BY, was missing in all 5 Alarm and Reading: they have 'celsius', "
        "'machine'; did "
        "you mean 'machine'?",
        check="p.yaml:15:20: warning: Machine, of PARTITION BY, was missing in all 5 Alarm and Reading",
    ),
    "a key that differs from step to step": Guess(
        log=LOG.replace("Alarm,m", "Alarm,M"),
        run="no machine, of PARTITION BY, had events for every step: Reading had 'm1', 'm2'; Alarm had "
        "'M1', 'M2'",
        check="p.yaml:15:20: warning: no machine, of PARTITION BY, had events for every step",
    ),
    "the window in another unit": Guess(
        old="10 seconds", new="10 ms",
        run="WITHIN 10 ms is too short: a to b took 3 seconds at least with one machine; look at the "
        "unit of WITHIN",
        check="",
    ),
    "a source whose records are all invalid": Guess(
        old="field: t,", new="field: time,",
        run="all 5 records of source 's' are invalid; the first at log.csv:2: no time: 'time' is "
        "missing; it has 'id', "
        "'t', 'kind', 'machine', 'celsius'",
        ends=Exit.FAILED,
        check="p.yaml:3:3: error: all 5 records of source 's' are invalid; the first at log.csv:2: no "
        "time: 'time' is "
        "missing; it has 'id', 't', 'kind', 'machine', 'celsius' [all-invalid]",
        checks=Exit.FOUND_PROBLEMS,
    ),
    "an empty file": Guess(
        log="", run="nothing   was read from source s (log.csv)",
        check="p.yaml:3:3: warning: nothing is to be read from source 's' (log.csv) [empty-source]",
    ),
    "a file that is not there": Guess(
        log=None, run="limecep: there is no file log.csv (looked for ", ends=Exit.FAILED,
        check="p.yaml:3:3: error: source 's' cannot be read: there is no file log.csv (looked for ",
        checks=Exit.FOUND_PROBLEMS,
    ),
    "a glob that matches nothing": Guess(
        old="channel: log.csv", new="channel: log-*.csv",
        run="limecep: no file matches log-*.csv (looked in ", ends=Exit.FAILED,
        check="p.yaml:3:3: error: source 's' cannot be read: no file matches log-*.csv (looked in ",
        checks=Exit.FOUND_PROBLEMS,
    ),
    "a limit in another unit": Guess(
        old="> 85", new="> 358", run="a.celsius > 358 held for none of 3 Reading; celsius was 80 to 91",
        check="",
    ),
    "a value in another case": Guess(
        old="a.celsius > 85", new="a.machine = 'M1'",
        run="a.machine = 'M1' held for none of 3 Reading; did you mean 'm1'?", check="",
    ),
    "the steps in another order": Guess(
        old="SEQ(Reading a, Alarm b)", new="SEQ(Alarm b, Reading a)",
        run="no a came after b with one machine; look at the order of the steps", check="",
    ),
    "a payload of another type": Guess(
        old="[celsius, machine]", new="{machine: float, celsius: float}",
        run="machine, of PARTITION BY, was missing in all 5 Alarm and Reading",
        check="'machine' of source 's' is not of the type in 'payload' in 5 of 5 records [unconverted]",
    ),
}  # fmt: skip


def write(folder: Path, guess: Guess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text = GOOD
    for old, new in ((guess.old, guess.new), guess.also):
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "p.yaml").write_text(text)
    if guess.log is not None:
        (folder / "log.csv").write_text(guess.log)


@pytest.mark.parametrize("name", GUESSES)
def test_a_run_says_at_its_end_what_may_be_wrong(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guess = GUESSES[name]
    write(tmp_path, guess, monkeypatch)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert cli.main(["run", "p.yaml", "--report", "r.json"]) == guess.ends
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if guess.run in line], lines
    assert (tmp_path / "out.jsonl").read_text() == ""
    report: dict[str, Any] = json.loads((tmp_path / "r.json").read_text())
    why = report["patterns"]["hot"].get("why_none", [])
    assert bool(why) == bool(report["events"]["read"])
    if guess.ends is Exit.FAILED:
        assert report["failure"]


@pytest.mark.parametrize("name", GUESSES)
def test_a_sample_says_so_before(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guess = GUESSES[name]
    write(tmp_path, guess, monkeypatch)
    assert cli.main(["check", "p.yaml", "--sample", "100"]) == guess.checks
    said = capsys.readouterr().out
    assert guess.check in said
    assert bool(guess.check) == (said != "p.yaml: ok\n")
    assert not (tmp_path / "out.jsonl").exists()


def test_nobody_is_bothered_where_all_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, Guess(run="", check=""), monkeypatch)
    assert cli.main(["check", "p.yaml", "--sample", "100"]) == Exit.FINE
    assert capsys.readouterr().out == "p.yaml: ok\n"
    assert cli.main(["run", "p.yaml", "--report", "r.json"]) == Exit.FINE
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["patterns"]["hot"]["live"] == 2
    assert "why_none" not in report["patterns"]["hot"]
    assert report["late"] == []
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "run finished"


def test_away_from_a_terminal_reasons_are_a_record_a_pattern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, GUESSES["an attribute in another case"], monkeypatch)
    assert cli.main(["run", "p.yaml"]) == Exit.FINE
    first, finished = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["event"], first["level"], first["pattern"]) == ("pattern found nothing", "warning", "hot")
    assert first["why"] == [GUESSES["an attribute in another case"].run]
    assert finished["event"] == "run finished"
    # What only the data decides is no cause for alarm.
    write(tmp_path, GUESSES["a limit in another unit"], monkeypatch)
    cli.main(["run", "p.yaml"])
    assert json.loads(capsys.readouterr().err.splitlines()[0])["level"] == "info"


def test_away_from_a_terminal_suspicious_conditions_are_a_record_a_pattern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"t": n, "k": "AB"[n % 2], "v": n} for n in range(50)]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    query = "PATTERN SEQ(A a, !B b, A c) WHERE b.typo = 1 WITHIN 1 min"
    source = "{type: file, channel: s.jsonl, as: {field: k}, time: {field: t, format: epoch_s}}"
    (tmp_path / "p.yaml").write_text(
        f"version: 1\nsources: {{s: {source}}}\npatterns: {{p: {{query: '{query}'}}}}\n"
        "sinks: {o: {type: none}}\n"
    )
    assert cli.main(["run", "p.yaml", "--report", "r.json"]) == Exit.FINE
    first, finished = map(json.loads, capsys.readouterr().err.splitlines())
    why = "b.typo was missing in all 25 B: they have 'k', 't', 'v'"
    assert (first["level"], first["pattern"], first["why"]) == ("warning", "p", [why])
    assert finished["patterns"]["p"]["suspicions"] == [
        {"code": "absent-attribute", "message": why, "hint": ""}
    ]
    assert finished["patterns"]["p"]["emitted"] == 24
