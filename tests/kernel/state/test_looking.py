"""A state looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import structlog

from limecep import cli
from limecep.clock import ManualClock
from limecep.config.loader import load
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.model.time import FOREVER
from limecep.runtime.assembly import Assembly
from limecep.state.looking import look

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.state import StateStore

REGISTRY = Host.load().registry
PIPELINE = """\
version: 1
name: p
sources: {s: {type: file, channel: s.jsonl, as: {field: type}, id: id, time: t}}
patterns: {p: {query: PATTERN SEQ(A a) WITHIN 1 hour PARTITION BY k}}
sinks: {none: {type: none}}
state: {dir: state}
"""


def store(folder: Path, events: list[tuple[str, int]], *arguments: str) -> StateStore:
    """The store of a pipeline after a run over As of these ids and seconds."""
    (folder / "p.yaml").write_text(PIPELINE)
    lines = [
        json.dumps({"type": "A", "id": name, "k": n % 2, "t": f"2026-01-01T00:00:{second:02}Z"})
        for n, (name, second) in enumerate(events)
    ]
    (folder / "s.jsonl").write_text("".join(f"{line}\n" for line in lines))
    if events:
        assert cli.main(["run", str(folder / "p.yaml"), *arguments]) == 0
    config = load(folder / "p.yaml", REGISTRY).checked()
    found = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger()).state()
    assert found is not None
    return found


@pytest.mark.parametrize("arguments", [(), ("--runner", "local", "--workers", "2")])
def test_events_are_in_the_order_in_which_they_entered(arguments: tuple[str, ...], tmp_path: Path) -> None:
    found = look(store(tmp_path, [("a", 1), ("b", 9), ("c", 5), ("d", 10), ("c", 5)], *arguments))
    assert [e.id for e in found.events] == ["a", "b", "c", "d"]
    assert found.head["pipeline"] == "p"
    assert found.begins == -FOREVER
    assert found.lta == max(e.t_gen for e in found.events)
    assert found.counted["p"]["emitted"] == 4
    assert found.until >= max(e.t_arr for e in found.events)


def test_withdrawals_that_count_are_told(tmp_path: Path) -> None:
    revising = PIPELINE.replace(
        "time: t}", "time: t, revise: {version: v, withdrawn: {field: gone, is: true}}}"
    )
    (tmp_path / "p.yaml").write_text(revising)
    said = [("a", 1, False), ("b", 1, False), ("a", 2, True), ("b", 2, True), ("b", 3, False)]
    lines = [
        json.dumps({"type": "A", "id": name, "v": v, "gone": gone, "k": 1, "t": "2026-01-01T00:00:01Z"})
        for name, v, gone in said
    ]
    (tmp_path / "s.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert cli.main(["run", str(tmp_path / "p.yaml")]) == 0
    config = load(tmp_path / "p.yaml", REGISTRY).checked()
    kept = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger()).state()
    assert kept is not None
    found = look(kept)
    assert [(w.id, w.version, w.withdrawn) for w in found.withdrawn] == [("a", 2, True)]
    assert found.withdrawn[0].t_gen == found.events[0].t_gen


def test_it_may_be_looked_at_while_it_is_open(tmp_path: Path) -> None:
    first = store(tmp_path, [("a", 1)])
    first.open()
    try:
        assert [e.id for e in look(store(tmp_path, [])).events] == ["a"]
    finally:
        first.close()


def test_where_there_is_none_or_nothing_that_is_said(tmp_path: Path) -> None:
    nothing = store(tmp_path, [])
    with pytest.raises(RunFailure, match="there is no state in"):
        look(nothing)
    nothing.open()
    nothing.close()
    with pytest.raises(RunFailure, match="has nothing yet"):
        look(nothing)
