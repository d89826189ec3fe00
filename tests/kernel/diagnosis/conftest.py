"""Events and samples of sources, and what is said of a pattern that finds nothing in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from limecep.model.event import Event
from limecep.runtime.pipeline import Pipeline
from limecep.testing import functions, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.registry import Registry

SECOND = 1_000_000
DAY = 1_767_225_600 * SECOND


class MakeEvent(Protocol):
    def __call__(self, type_: str, second: float, **payload: Any) -> Event: ...


class Why(Protocol):
    def __call__(self, events: Sequence[Event], query: str, **more: Any) -> list[tuple[str, str, str]]: ...


@pytest.fixture
def event() -> MakeEvent:
    """Makes an event of some second of a day."""

    def made(type_: str, second: float, **payload: Any) -> Event:
        at = DAY + int(second * SECOND)
        return Event(type_, f"{type_}{second}", at, at, "s", payload)

    return made


@pytest.fixture
def room(event: MakeEvent) -> list[Event]:
    """Gas twice in one room, and smoke in another."""
    return [
        event("Gas", 1, v=10, room="k"),
        event("Gas", 2, v=20, room="k"),
        event("Smoke", 3, v=30, room="h"),
    ]


@pytest.fixture
def why(installed: Registry) -> Why:
    """What is said of a pattern after these events: code, message, hint."""

    def said(events: Sequence[Event], query: str, **more: Any) -> list[tuple[str, str, str]]:
        pattern = {"query": f"PATTERN {query}", "slack": "none", **more}
        document = {"version": 1, "tables": tables.BLOCK, "patterns": {"p": pattern}}
        pipeline = Pipeline.from_dict(document, registry=installed, plugins=[functions, tables])
        for event in events:
            pipeline.feed([event])
        pipeline.finish()
        report = pipeline.report()["patterns"]["p"]
        return [(r["code"], r["message"], r["hint"]) for r in report.get("why_none", ())]

    return said


class IsReason(Protocol):
    def __call__(self, query: str, code: str, message: str, hint: str) -> None: ...


@pytest.fixture
def is_reason(why: Why, room: list[Event]) -> IsReason:
    """Wants one reason why a pattern finds nothing in the `room`, with what to do if there is anything."""

    def reason(query: str, code: str, message: str, hint: str) -> None:
        [(found, said, advice)] = why(room, query)
        assert found == code
        assert message in said
        assert hint in advice
        assert bool(hint) == bool(advice)

    return reason
