"""Event streams from a seed, and what disorder does to them. The same arguments give the same stream."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.model.event import Event, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SECOND = 1_000_000

_WORD = re.compile(r"(?P<id>(?P<type>[A-Za-z])(?P<whole>\d+)(?:\.(?P<part>\d{1,6}))?)(?:=(?P<v>.*))?")


def written(text: str) -> list[Event]:
    """The stream a text stands for: `a1 b2.5=7` is an `A` of id `a1` at 1 s and a `B` of id `b2.5` at 2.5 s
    with the attribute `v` of 7 (numbers, `true`, `false` and `null` as in JSON, anything else text).

    Events keep the order of the text and arrive in that order, one a microsecond.

    Raises:
        ValueError: A word is none of these.
    """
    events = []
    for t_arr, word in enumerate(text.split()):
        found = _WORD.fullmatch(word)
        if found is None:
            raise ValueError(f"{word!r} is no event: write a1, b2.5 or c3=7")
        t_gen = int(found["whole"]) * SECOND + int((found["part"] or "").ljust(6, "0"))
        payload = {} if found["v"] is None else {"v": _value(found["v"])}
        events.append(Event(found["type"].upper(), found["id"], t_gen, t_arr, payload=payload))
    return events


def stream(
    seed: int,
    n: int,
    types: Sequence[str] | Mapping[str, float] = ("A", "B", "C"),
    *,
    gap: int = SECOND,
    ties: float = 0.0,
    duplicates: float = 0.0,
    sources: Sequence[str] = ("",),
    attributes: Mapping[str, Callable[[Random], Any]] | None = None,
) -> list[Event]:
    """`n` events in the order of the sort key, each arriving when it happens.

    Args:
        seed: Decides everything.
        n: How many events, duplicates not counted.
        types: The event types, or their weights by name.
        gap: The greatest time between neighbours, in microseconds; at least 1 passes.
        ties: The probability that an event has the time of the one before it.
        duplicates: The probability that an event is followed by a copy of it, whose payload may differ.
        sources: The sources to choose from.
        attributes: For each attribute, what draws its value.
    """
    random = Random(seed)
    weights = dict(types.items()) if isinstance(types, Mapping) else dict.fromkeys(types, 1.0)
    events: list[Event] = []
    now = 0
    for number in range(n):
        if not (events and random.random() < ties):
            now += random.randint(1, gap)
        name = random.choices(list(weights), list(weights.values()))[0]
        payload = {a: draw(random) for a, draw in (attributes or {}).items()}
        events.append(
            Event(name, f"{name.lower()}{number}", now, now, random.choice(list(sources)), payload)
        )  # fmt: skip
    events.sort(key=sort_key)
    return with_duplicates(events, seed, duplicates)


def with_duplicates(events: Iterable[Event], seed: int, probability: float) -> list[Event]:
    """The events, each followed with a probability by a copy: the same type, source and id."""
    random = Random(seed)
    copies = []
    for event in events:
        copies.append(event)
        if random.random() < probability:
            copies.append(msgspec.structs.replace(event))
    return copies


def disorder(events: Iterable[Event], seed: int, probability: float, max_delay: int) -> list[Event]:
    """The events in the order of their arrival, where each is late with a probability.

    Times of arrival are set anew: `t_gen`, and for late ones up to `max_delay` microseconds more.
    """
    random = Random(seed)
    arrived = []
    for event in events:
        delay = random.randint(1, max_delay) if random.random() < probability else 0
        arrived.append(msgspec.structs.replace(event, t_arr=event.t_gen + delay))
    return sorted(arrived, key=lambda e: e.t_arr)


def shuffled(events: Iterable[Event], seed: int) -> list[Event]:
    """The events in any order, arriving one a microsecond."""
    mixed = list(events)
    Random(seed).shuffle(mixed)
    return [msgspec.structs.replace(e, t_arr=place) for place, e in enumerate(mixed)]


def shown(events: Iterable[Event]) -> str:
    """A stream as text for people: a line an event, with its time in microseconds."""
    lines = []
    for e in events:
        more = "".join(
            f" {name}={value!r}"
            for name, value in (("seq", e.seq), ("source", e.source), ("payload", e.payload))
            if value
        )
        lines.append(f"{e.t_gen} {e.type} {e.id}{more}")
    return "\n".join(lines)


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
