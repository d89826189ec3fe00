"""Gas leaks, it gets hot, there is smoke."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from limecep_demo.story import Chapter, Demo, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_demo.story import Record

_START = datetime(2026, 1, 5, 10, tzinfo=UTC)
_ROOMS = ("kitchen", "hall", "cellar")
_QUIET_SECONDS = 600


def _story() -> Iterator[Chapter | Record]:
    rng = random.Random(1)
    yield Chapter(text="Ten quiet minutes. Every room tells its temperature every 5 seconds.", shown=False)
    number = 0
    for second in range(0, _QUIET_SECONDS, 5):
        for after, room in enumerate(_ROOMS):
            number += 1
            celsius = round(20 + rng.random(), 1)
            yield record("Temperature", f"t{number}", _START, second + after, room=room, celsius=celsius)

    yield Chapter(text="In the kitchen gas is leaking. It gets hot there, and then there is smoke.")
    leak = record("GasLeak", "g1", _START, _QUIET_SECONDS + 3, room="kitchen", percentage=62)
    yield leak
    for second, room, celsius in (
        (5, "kitchen", 24.1),
        (6, "hall", 20.3),
        (10, "kitchen", 27.0),
        (15, "kitchen", 31.8),
    ):
        number += 1
        yield record("Temperature", f"t{number}", _START, _QUIET_SECONDS + second, room=room, celsius=celsius)
    yield record("Smoke", "s1", _START, _QUIET_SECONDS + 21.4, room="kitchen", density=0.21)

    yield Chapter(
        text="The gas sensor heard no answer, and sends what it sent before. The event has the id of one\n"
        "that is known, so nothing is found twice."
    )
    yield leak

    yield Chapter(
        text="A thermometer in the kitchen had to try twice: what it saw at 10:10:12 comes only now. It\n"
        "belongs among the temperatures that were found, so the match is corrected."
    )
    number += 1
    yield record("Temperature", f"t{number}", _START, _QUIET_SECONDS + 12, room="kitchen", celsius=29.4)

    yield Chapter(
        text="In the cellar it is the same, only slower: the smoke comes 32 seconds after the gas, and the\n"
        "window is 30 seconds."
    )
    yield record("GasLeak", "g2", _START, _QUIET_SECONDS + 60, room="cellar", percentage=48)
    for second, celsius in ((70, 21.9), (80, 23.5)):
        number += 1
        yield record(
            "Temperature", f"t{number}", _START, _QUIET_SECONDS + second, room="cellar", celsius=celsius
        )
    yield record("Smoke", "s2", _START, _QUIET_SECONDS + 92, room="cellar", density=0.3)

    yield Chapter(
        text="And now the gas tap of the kitchen is heard of: it was closed one second after the leak, and\n"
        "the message was held up on its way. So there was no gas to burn, and the match is taken back."
    )
    yield record("TapClosed", "c1", _START, _QUIET_SECONDS + 4, room="kitchen")


DEMO = Demo(
    name="gas_leak",
    title="a gas leak in a house of three rooms",
    meaning="Gas above the limit of 40 %, and nobody closes the tap; then temperatures that rise from each\n"
    "to the next; then smoke: all in one room, and within 30 seconds.",
    story=_story,
)
