"""Other orders of arrival, which must come to the same net results; one that does not is shortened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import msgspec

from limecep.model.event import sort_key
from limecep_test.arrivals import Come
from limecep_test.differences import Difference
from limecep_test.trial import run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep_test.blocks import OrdersBlock
    from limecep_test.trial import Components, Outcome

#: How often a run looks at the clock at most from one arrival to the next: there are many runs.
LOOKS = 50
#: How many runs shortening an order takes at most.
MOST_RUNS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs events in the order of their arrival, to their end."""

    components: Components
    unit: int

    def outcome(self, events: Sequence[Event]) -> Outcome:
        """Run events in the order of the list."""
        steps = [Come(event=e) for e in events]
        # Nothing tells when the clock began before the first of them.
        start = min(e.t_arr for e in events)
        return run(self.components, steps, ends=True, start=start, unit=self.unit, looks=LOOKS)

    def net(self, events: Sequence[Event]) -> Counter[str]:
        """Return the net results of that run."""
        return Counter(e.line(op=False) for e in self.outcome(events).net)


def in_order(events: Sequence[Event]) -> list[Event]:
    """Every event once, arriving when it happens."""
    once: dict[object, Event] = {}
    for e in events:
        # Of those that are the same the first counts.
        once.setdefault((e.type, e.source, e.id, getattr(e, "version", 0)), e)
    return [msgspec.structs.replace(e, t_arr=e.t_gen) for e in sorted(once.values(), key=sort_key)]


def any_order(runner: Runner, events: Sequence[Event], orders: OrdersBlock) -> Difference | None:
    """Try orders of arrival; return the first whose net results differ, shortened, or None."""
    ordered = in_order(events)
    if not ordered:
        # Records that give no event have no order.
        return None
    expected = runner.net(ordered)
    for number in range(orders.orders):
        arriving = arrival(ordered, Random(f"{orders.seed}/{number}"), orders)
        if runner.net(arriving) != expected:
            return _told(runner, shortened(runner, arriving, orders.delay), number, orders)
    return None


def arrival(ordered: Sequence[Event], random: Random, orders: OrdersBlock) -> list[Event]:
    """An order in which events may arrive, some of them twice."""
    twice = [*ordered, *(e for e in ordered if random.random() < orders.duplicates)]
    if orders.delay is not None:
        late = [msgspec.structs.replace(e, t_arr=e.t_gen + random.randint(0, orders.delay)) for e in twice]
        return sorted(late, key=lambda e: e.t_arr)
    random.shuffle(twice)
    return _one_by_one(twice)


def _one_by_one(events: Sequence[Event]) -> list[Event]:
    """Let events arrive one a microsecond, after the last has happened."""
    latest = max((e.t_gen for e in events), default=0)
    return [msgspec.structs.replace(e, t_arr=latest + place) for place, e in enumerate(events)]


def shortened(runner: Runner, arriving: Sequence[Event], delay: int | None) -> list[Event]:
    """As few of the events as still differ from what they give in order, as far as a few hundred runs show,
    and as much in order as can be."""
    runs = 0

    def fails(events: Sequence[Event]) -> bool:
        nonlocal runs
        runs += 1
        return runner.net(events) != runner.net(in_order(events))

    events = list(arriving)
    piece = len(events) // 2
    while piece and runs < MOST_RUNS:
        at = 0
        while at < len(events) and runs < MOST_RUNS:
            fewer = events[:at] + events[at + piece :]
            if fewer and fails(fewer):
                events = fewer
            else:
                at += piece
        piece //= 2
    if delay is None:
        events = _nearer(events, fails, lambda: runs < MOST_RUNS)
    return events


def _nearer(
    events: list[Event], fails: Callable[[Sequence[Event]], bool], more: Callable[[], bool]
) -> list[Event]:
    """Neighbours that are out of order are swapped where that changes nothing."""
    swapped = True
    while swapped and more():
        swapped = False
        for at in range(len(events) - 1):
            a, b = events[at : at + 2]
            if sort_key(b) < sort_key(a) and more():
                other = _one_by_one([*events[:at], b, a, *events[at + 2 :]])
                if fails(other):
                    events, swapped = other, True
    return events


def _told(runner: Runner, arriving: Sequence[Event], number: int, orders: OrdersBlock) -> Difference:
    outcome = runner.outcome(arriving)
    expected = runner.net(in_order(arriving))
    got = Counter(e.line(op=False) for e in outcome.net)
    lines = [
        f"order {number + 1} of {orders.orders} (seed {orders.seed}) comes to other net results than the "
        "events in order; shortened:",
        f"    {' '.join(e.id for e in arriving)}",
        *(f"- {line}" for line in (expected - got).elements()),
        *(f"+ {line}" for line in (got - expected).elements()),
        *(f"  refused: {late.line()} ({late.details})" for late in outcome.late),
    ]
    return Difference(what="any_order", lines=tuple(lines))
