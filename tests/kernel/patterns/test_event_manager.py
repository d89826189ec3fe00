"""The event manager: which end events are looked at again when something comes late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep import Event, Pipeline
from limecep.testing.changelog import net
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from limecep.registry import Registry
    from limecep.testing.oracle import Assignment


def events(*words: str) -> list[Event]:
    """Events such as `b5x`, a B at 5 s; each arrives a millisecond after the one before."""
    return [
        Event(word[0].upper(), word, int(word[1]) * SECOND, 1000 * number)
        for number, word in enumerate(words)
    ]


def found(installed: Registry, query: str, *words: str) -> set[Assignment]:
    """The matches that are live at the end, where late events are waited for."""
    pattern = {"query": f"PATTERN {query} WITHIN 10 s", "select": "stam", "lateness": "accept"}
    pattern |= {"slack": {"type": "fixed", "wait": "1s"}}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": {"p": pattern}}, registry=installed)
    updates = pipeline.feed(events(*words)) + pipeline.finish()
    return net(updates, "p")


def test_an_end_event_that_comes_at_the_latest_time_while_others_wait_is_looked_at_too(
    installed: Registry,
) -> None:
    query = "SEQ(A+ a[], B b)"
    in_order = found(installed, query, "a1", "a2", "a3", "b5", "b5x")
    assert found(installed, query, "a1", "b5", "a3", "b5x", "a2") == in_order
