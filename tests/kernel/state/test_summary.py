"""What a state says to people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.cli import main
from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.model.time import FOREVER
from limecep.state.fingerprint import FORMAT
from limecep.state.json_values import encode
from limecep.state.summary import shown

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen, Memory


TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"


def test_show_and_reset(tmp_path: Path, capsys: pytest.CaptureFixture[str], kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    kitchen.run(query=TRAILING)
    assert main(["state", "show", str(tmp_path / "state")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["pipeline"] == "kitchen"
    assert shown["sources"] == {"s": {"of": ["file", "*.jsonl"], "positions": ["e.jsonl:2"]}}
    assert (shown["events"], shown["event_time"]) == (2, "1970-01-01T00:00:02Z")
    assert shown["patterns"]["p"]["pending"] == 1
    assert main(["state", "reset", str(tmp_path / "state")]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"]["path"] == str(tmp_path / "state")
    assert not (tmp_path / "state").exists()
    for command in ("show", "reset"):
        assert main(["state", command, str(tmp_path / "state")]) == 3
        assert "there is no state in" in capsys.readouterr().err


FIGURES = {
    "statistics": {"lta": 5_000_000},
    "store": {"arrivals": 9, "departures": 2},
    "retention": {"whole_from": -FOREVER},
    "journal": 3_000_000,
    "managers": {
        "p": {"results": {"counters": {"emitted": 5, "retracted": 1}}},
        "q": {"results": {"counters": {}}, "stopped": "the engine failed"},
    },
}
CELLS = {"head": {"format": FORMAT, "version": "1.2", "pipeline": "kitchen"}, "batch": 4, "figures": FIGURES}


def told(memory: Any, *rows: tuple[str, Any]) -> dict[str, Any]:
    """What a state with such rows says."""
    memory.figures = lambda: {"path": "x"}
    memory.put(Row(n, name, encode(value)) for n, (name, value) in enumerate(rows, 1))
    return shown(memory)


def test_a_state_says_how_far_it_is_and_what_waits(memory: Memory) -> None:
    parts = ("deadlines", "deadlines", "pending.ends", "live", "withdrawn", "old_live", "old_withdrawn", "x")
    found = told(
        memory,
        *CELLS.items(),
        ("source/s", {"of": ["file", "*"], "logs": {"b": "b:2", "a": "a:1"}}),
        ("source/t", {"of": ["mqtt", "t"], "logs": None}),
        ("waiting/s/0", {}),
        ("outbox/out", [1, 2]),
        ("outbox/out", [3]),
        ("outbox/x/y", [4]),
        ("repeat/out/m1", [{}, 5, 0]),
        ("repeat/out/m2", [{}, 6, 1]),
        *((f"part/p/{part}", 0) for part in parts),
    )
    assert found == {
        "path": "x",
        "pipeline": "kitchen",
        "format": FORMAT,
        "version": "1.2",
        "batches": 4,
        "event_time": "1970-01-01T00:00:05Z",
        "events": 7,
        "memory_from": None,
        "workers": 1,
        "journal_from": "1970-01-01T00:00:03Z",
        "sources": {
            "s": {"of": ["file", "*"], "positions": ["a:1", "b:2"]},
            "t": {"of": ["mqtt", "t"], "positions": []},
        },
        "outbox": {"out": 3, "x/y": 1},
        "repeated": {"out": 2},
        "patterns": {
            "p": {"live": 4, "pending": 2, "waiting_for_slack": 1, "ledger": 4},
            "q": {
                "disabled": "the engine failed",
                "live": 0,
                "pending": 0,
                "waiting_for_slack": 0,
                "ledger": 0,
            },
        },
    }


def test_a_state_of_which_nothing_was_written_is_that_of_no_pipeline(memory: Memory) -> None:
    assert told(memory) == {"path": "x", "pipeline": None}


@pytest.mark.parametrize("missing", [*CELLS])
@pytest.mark.parametrize("more", [("source/s", {"of": [], "logs": {}}), ("outbox/o", []), ("part/p/live", 0)])
def test_a_state_without_one_of_its_cells_is_damaged(
    missing: str, more: tuple[str, Any], memory: Memory
) -> None:
    rest = [(name, value) for name, value in CELLS.items() if name != missing]
    with pytest.raises(RunFailure, match=f"the state is damaged: '{missing}' is missing"):
        told(memory, *rest)
    if missing == "head":
        memory.known.clear()
        with pytest.raises(RunFailure, match="'head' is missing"):
            told(memory, more)


def test_another_format_is_not_read(memory: Memory) -> None:
    head = {"format": 99, "version": "9.9"}
    with pytest.raises(RunFailure, match=r"the state x was written by limecep 9\.9 in format 99"):
        told(memory, ("head", head), ("batch", 1), ("figures", {}))
