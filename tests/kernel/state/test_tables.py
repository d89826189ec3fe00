"""A state goes on with the rows that it was kept with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.errors import RunFailure
from limecep.state.tables import check_grown

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen

ROWS = "type,least\nA,0\nB,0\n"
TURNS = "type,since,least\nA,0,0\nB,0,0\nB,50,9\n"
LIMITS = {"from": "files", "channel": "limits.csv", "key": "type"}
TIMED = {**LIMITS, "from_time": {"field": "since", "format": "epoch_s"}}
QUERY = "PATTERN SEQ(A a, B b) WHERE limits[b.type].least = 0 WITHIN 10 s"


def run(kitchen: Kitchen, root: Path, rows: str, table: Any = LIMITS) -> dict[str, Any]:
    (root / "limits.csv").write_text(rows)
    return kitchen.run(query=QUERY, tables={"limits": table})


def test_a_run_goes_on_with_the_rows_that_there_were(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1")
    run(kitchen, tmp_path, ROWS)
    kitchen.write("b2")
    assert run(kitchen, tmp_path, "least,type\n0,B\n0,A\n")["state"]["resumed"]
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]


@pytest.mark.parametrize(
    ("rows", "table"),
    [
        (ROWS.replace("B,0", "B,1"), LIMITS),
        (ROWS + "C,0\n", LIMITS),
        (ROWS.replace("B,0\n", ""), LIMITS),
        (ROWS.replace("least", "least,key").replace(",0", ",0,1"), {**LIMITS, "key": "type"}),
    ],
)
def test_other_rows_are_refused(rows: str, table: Any, kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1")
    run(kitchen, tmp_path, ROWS)
    with pytest.raises(RunFailure, match="table 'limits' has other rows, or another key") as failure:
        run(kitchen, tmp_path, rows, table)
    assert f"limecep state reset {tmp_path}/state" in str(failure.value)
    assert run(kitchen, tmp_path, ROWS)["state"]["resumed"]


def test_a_table_that_no_pattern_looks_into_may_change(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1")
    for rows in (ROWS, ROWS + "C,0\n"):
        (tmp_path / "limits.csv").write_text(rows)
        report = kitchen.run(tables={"limits": LIMITS})
    assert report["state"]["resumed"]


def test_rows_that_hold_from_later_on_may_come(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 b2 a58")
    run(kitchen, tmp_path, TURNS, TIMED)
    grown = TURNS + "B,60,0\n"
    kitchen.write("b59 b61")
    assert run(kitchen, tmp_path, grown, TIMED)["state"]["resumed"]
    # Of b59 the row says 9 that was there before; of b61 the one that came.
    assert kitchen.told() == [("emit", ["ea1", "eb2"]), ("emit", ["ea58", "eb61"])]
    # What came belongs to the state now.
    with pytest.raises(RunFailure, match="table 'limits' has other rows"):
        run(kitchen, tmp_path, TURNS, TIMED)
    assert run(kitchen, tmp_path, grown, TIMED)["state"]["resumed"]


def test_rows_that_would_have_held_before_are_refused(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 b2 a58")
    run(kitchen, tmp_path, TURNS, TIMED)
    with pytest.raises(RunFailure, match=r"that holds from 1970-01-01T00:00:57Z on, and the state .*58Z"):
        run(kitchen, tmp_path, TURNS + "B,57,0\n", TIMED)
    with pytest.raises(RunFailure, match="table 'limits' has other rows"):
        run(kitchen, tmp_path, TURNS + "B,49,0\n", TIMED)
    with pytest.raises(RunFailure, match="table 'limits' has other rows"):
        run(kitchen, tmp_path, TURNS.replace("9", "8") + "B,60,0\n", TIMED)


def test_a_row_that_holds_from_the_latest_time_on_has_held_for_an_event() -> None:
    check_grown({"t": 6}, 5, "state")
    with pytest.raises(RunFailure, match="table 't' has a new row"):
        check_grown({"t": 5}, 5, "state")


HOT = """\
version: 1
tables:
  limits: {from: files, channel: limits.csv, key: machine, from_time: {field: since, format: epoch_s}}
sources:
  s: {type: file, channel: "r*.jsonl", as: R, id: id, time: {field: t, format: epoch_s}}
patterns:
  hot:
    query: PATTERN SEQ(R a, R b) WHERE a.v > limits[a.m].max AND b.v > limits[b.m].max WITHIN 10 s
    slack: none
sinks: {out: {type: file, path: out.jsonl, events: ids}}
state: {dir: state}
"""


def test_a_command_that_is_run_again_corrects_by_the_rows_that_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hot.yaml").write_text(HOT)

    def ran(name: str, *readings: tuple[int, int]) -> int:
        """Runs it after these readings, each a time and a value, have come."""
        lines = [json.dumps({"id": f"{name}{t}", "t": t, "m": "p", "v": v}) for t, v in readings]
        (tmp_path / f"r{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
        return cli.main(["run", "hot.yaml"])

    def told() -> list[tuple[str, list[str]]]:
        records = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
        return [(r["op"], [*r["events"]["a"], *r["events"]["b"]]) for r in records]

    (tmp_path / "limits.csv").write_text("machine,max,since\np,5,0\np,8,20\n")
    assert ran("a", (10, 6), (15, 6), (25, 7), (26, 9), (30, 9)) == 0
    assert told() == [("emit", ["a10", "a15"]), ("emit", ["a26", "a30"])]
    # Late: above the limit of then, and below that of now.
    assert ran("b", (12, 6), (27, 7)) == 0
    assert sorted(told()[2:]) == [
        ("emit", ["a10", "b12"]),
        ("emit", ["b12", "a15"]),
        ("retract", ["a10", "a15"]),
    ]
    (tmp_path / "limits.csv").write_text("machine,max,since\np,5,0\np,8,20\np,1,40\n")
    assert ran("c", (28, 7), (41, 2), (42, 2)) == 0
    assert told()[5:] == [("emit", ["c41", "c42"])]
    capfd.readouterr()
    (tmp_path / "limits.csv").write_text("machine,max,since\np,5,0\np,7,20\np,1,40\n")
    assert ran("d", (43, 2)) == Exit.FAILED
    assert "table 'limits' has other rows, or another key" in capfd.readouterr().err
    assert len(told()) == 6
