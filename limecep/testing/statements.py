"""Statements for random tests: what sources say of events, say anew, and take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from limecep.model.event import Event, Statement
from limecep.testing.oracle import identity
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from limecep.model.update import Update


def statements(events: Sequence[Event], chosen: Random) -> list[Statement]:
    """What sources say of some events: of some, something else before; some are none in the end."""
    share = chosen.choice([0.1, 0.4, 0.7])
    said: list[Statement] = []
    for event in events:
        final = Statement(
            event.type, event.id, event.t_gen, event.t_arr, event.source, event.payload, event.seq
        )
        versions = 1
        if chosen.random() < share:
            versions += chosen.choice([1, 1, 2])
        for version in range(1, versions):
            before = replace(final, version=version)
            if chosen.random() < 0.6:
                before.t_gen = max(0, event.t_gen + chosen.randrange(-4, 5) * SECOND)
            if chosen.random() < 0.6:
                before.payload = {**event.payload, "v": chosen.randrange(5), "k": chosen.choice([1, 2])}
            if chosen.random() < 0.15:
                before = replace(before, withdrawn=True, payload={})
            said.append(before)
        last = replace(final, version=versions)
        if versions > 1 and chosen.random() < 0.5:
            last = replace(last, withdrawn=True, payload={}, t_gen=chosen.choice([event.t_gen, 0]))
        said.append(last)
    return said


def arrivals(said: Sequence[Statement], chosen: Random) -> list[Statement]:
    """Some order of arrival, with copies."""
    said = list(said)
    if chosen.random() < 0.4:
        chosen.shuffle(said)
    else:
        reach = chosen.randrange(1, 10)
        said.sort(key=lambda s: s.t_gen + (s.version - 1 + chosen.randrange(reach)) * SECOND)
    for statement in list(said):
        if chosen.random() < 0.15:
            said.insert(chosen.randrange(len(said) + 1), statement)
    return [replace(s, t_arr=n * SECOND) for n, s in enumerate(said)]


def carried(updates: list[Update], name: str, taken: dict[Any, Event], told: str) -> None:
    """What stands in the end carries its events as they were said last."""
    live: dict[Any, list[Event]] = {}
    for update in updates:
        if update.pattern != name:
            continue
        match = (update.generation, *[identity(e) for g in update.first.groups for e in g], repr(update.key))
        live.pop(match, None)
        if update.op != "retract":
            live[match] = [e for g in update.match.groups for e in g]
    for events in live.values():
        for event in events:
            known = taken[identity(event)]
            assert (event.t_gen, event.payload) == (known.t_gen, known.payload), f"{told}\n{event} {known}"


def listed(arriving: Iterable[Event]) -> str:
    """Events, and statements, in words."""
    return "\n".join(
        f"{e.t_arr // SECOND:3} {e.type} {e.id} at {e.t_gen / SECOND:g} "
        f"{f'v{e.version} ' if isinstance(e, Statement) else ''}"
        f"{'withdrawn' if isinstance(e, Statement) and e.withdrawn else e.payload} {e.seq or ''}"
        for e in arriving
    )
