"""Why nothing near can be found, in words, and how keys are written."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import compile_partition, rfc3339
from limecep.plan.partition import shown_key
from limecep_why_not.search import MOST_THINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep_why_not.candidates import Region


def reason(
    plan: Plan,
    came: Sequence[Event],
    region: Region,
    key: str | None,
    required: Iterable[Event],
    *,
    whole: bool,
) -> str:
    """Why there is no match near, and no miss.

    Args:
        plan: The pattern.
        came: All events, by time.
        region: What is near.
        key: The key that was asked for, as written.
        required: The events that the match takes.
        whole: Whether all that is near was looked at.
    """
    low, high = region.span
    for event in required:
        if not low <= event.t_gen <= high:
            return f"{event.type} {event.id} is not near: it is at {rfc3339(event.t_gen)}"
    positive = {t for a in plan.alternatives for s in a.steps for t in s.filter.types}
    what = " or ".join(sorted(positive)) + ("" if key is None else f" of the key {key}")
    outward = (e for e in _outward(came, region.time) if e.type in positive)
    nearest = next(_of_key(plan, outward, key), None)
    if nearest is None:
        return f"no {what} came at all"
    if not low <= nearest.t_gen <= high:
        when = rfc3339(nearest.t_gen)
        return f"no {what} is near: the nearest is {nearest.type} {nearest.id} at {when}"
    said = f"with {MOST_THINGS} changes or fewer" if whole else "in what was looked at"
    return f"no match was found {said}"


def _outward(events: Sequence[Event], time: int) -> Iterator[Event]:
    """Events, those nearest a time first."""
    after = bisect_left(events, time, key=lambda e: e.t_gen)
    before = after - 1
    while before >= 0 or after < len(events):
        if before < 0 or (after < len(events) and events[after].t_gen - time < time - events[before].t_gen):
            yield events[after]
            after += 1
        else:
            yield events[before]
            before -= 1


def _of_key(plan: Plan, events: Iterator[Event], key: str | None) -> Iterator[Event]:
    if key is None:
        yield from events
        return
    # Many events have one key.
    known: dict[Any, bool] = {}
    key_of = compile_partition(plan.partition)
    for event in events:
        value = key_of(event)
        if value not in known:
            known[value] = key in spelled(plan, event)
        if known[value]:
            yield event


def spelled(plan: Plan, event: Event) -> tuple[str, ...]:
    """How the key of an event may be written; the first is how messages do."""
    shown = shown_key(plan.partition, event)
    if not shown or None in shown.values():
        return ("",)
    values = ",".join(_text(v) for v in shown.values())
    named = ",".join(f"{name}={_text(v)}" for name, v in shown.items())
    return values, named


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
