"""Records of the late output."""

from __future__ import annotations

from limecep.model.event import UNVERSIONED, Event, Statement
from limecep.output.late_records import late_record
from limecep.output.render import event_record

A = Event("A", "a1", 1_000_000, source="s", payload={"v": 1})


def test_late_records_carry_what_there_is() -> None:
    assert late_record("invalid", source="s", position="f:3", raw="{", error="not JSON") == {
        "reason": "invalid", "raw": "{", "error": "not JSON", "source": "s", "position": "f:3",
    }  # fmt: skip
    late = late_record(
        "extremely_late", source="s", position="f:4", event=A, patterns=("p",), score=0.0, threshold=2.5
    )
    assert late == {
        "reason": "extremely_late", "event": event_record(A), "patterns": ["p"], "score": 0.0,
        "threshold": 2.5, "source": "s", "position": "f:4",
    }  # fmt: skip


def test_what_is_said_of_an_event_says_whether_it_withdraws_it() -> None:
    def told(statement: Statement) -> object:
        return late_record("extremely_late", source="s", position="f:5", event=statement)["event"]

    said = Statement("A", "a1", 1_000_000, source="s", payload={"v": 1}, version=3)
    assert told(said) == {**event_record(A), "version": 3}
    gone = Statement("A", "a1", 1_000_000, source="s", payload={}, version=UNVERSIONED, withdrawn=True)
    assert told(gone) == {**event_record(A), "payload": {}, "withdrawn": True}
