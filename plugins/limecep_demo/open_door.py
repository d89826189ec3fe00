"""Something that does not happen: a door that nobody closes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from limecep_demo.story import Chapter, Demo, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_demo.story import Record

_START = datetime(2026, 1, 5, 22, tzinfo=UTC)


def _story() -> Iterator[Chapter | Record]:
    yield Chapter(text="The front door opens, and closes after a minute.")
    yield record("DoorOpened", "d1", _START, 0, door="front")
    yield record("DoorClosed", "d2", _START, 70, door="front")

    yield Chapter(text="The back door opens. Whether it stays open, nobody can know yet.")
    opened = record("DoorOpened", "d3", _START, 120, door="back")
    yield opened

    yield Chapter(text="Its sensor sends that again: a duplicate.")
    yield opened

    yield Chapter(
        text="Time passes. The thermostat is of no interest here, but its events tell what time it is: when\n"
        "five minutes have passed, it is certain that the door stayed open."
    )
    for minute in range(3, 8):
        yield record("Temperature", f"t{minute}", _START, minute * 60 + 30, celsius=19.5)

    yield Chapter(text="Somebody closes it at last.")
    yield record("DoorClosed", "d4", _START, 540, door="back")


DEMO = Demo(
    name="open_door",
    title="a door that nobody closes",
    meaning="A door is opened, and it is not closed within 5 minutes.",
    story=_story,
)
