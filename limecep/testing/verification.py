"""Verification: an engine beside the oracle, on windows of the events that a run has left in memory.

Both are given the same events: the engine all that its view holds, the oracle those on which the answer for
one end event depends. Filters of steps have been applied to them: these are no part of the engine.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate, islice
from operator import attrgetter
from random import Random
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from limecep.contracts.engine import Picking
from limecep.errors import ContractBreach, Stopped, said
from limecep.model.event import sort_key
from limecep.output.render import event_record
from limecep.testing.oracle import Assignment, assignment, identity, matches_of_end, picked_matches, ruled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.patterns.detector import Detector
    from limecep.patterns.event_manager import EventManager
    from limecep.plan.plan import Plan
    from limecep.store.type_set import TypeSet
    from limecep.store.view import View

#: The oracle takes time that grows exponentially with the events: it is given so many at most, and ends after
#: so many partial matches.
MOST_EVENTS = 14
MOST_PARTIAL_MATCHES = 5_000
#: How many end events are tried for each window to verify, and how many events are looked at to find one.
_TRIES = 10
_STEPS = 1_000
#: The same run verifies the same windows.
_SEED = 0

_t_gen = attrgetter("t_gen")


@dataclass(slots=True, kw_only=True)
class Verified:
    """What verification says of a pattern.

    Attributes:
        windows: How many windows were verified in which engine or oracle find something.
        matches: How many matches the oracle has in them.
        empty: How many were verified in which both find nothing.
        skipped: How many windows were not verified, by the reason.
        differences: Where engine and oracle differ: the `end` event, the matches of `engine` and `oracle`,
            each the ids of its variables, all `events` of the window as records, and, where the engine
            failed, its `error`, in words that follow its name.
    """

    windows: int = 0
    matches: int = 0
    empty: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    differences: list[dict[str, Any]] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """As the report has it."""
        return {
            "windows": self.windows,
            "matches": self.matches,
            "empty": self.empty,
            "skipped": dict(self.skipped),
            "differences": self.differences,
        }


def verified(detection: Detection, windows: int) -> dict[str, Verified]:
    """What verification says of each pattern.

    Args:
        detection: What detected. It is asked, and not changed but for what engines count.
        windows: How many windows of each pattern are verified, at most: those in which nothing is found come
            on top, as far as they are met on the way.
    """
    return {
        detector.plan.name: _of_pattern(detector, manager, detection.store.types, windows)
        for detector, manager in zip(detection.detectors, detection.managers, strict=True)
    }


class _TooManyError(Exception):
    """The oracle would take too long."""


def _of_pattern(
    detector: Detector, manager: EventManager, types: Mapping[str, TypeSet], windows: int
) -> Verified:
    found = Verified()
    if manager.stopped:
        found.skipped["the pattern was disabled"] += 1
        return found
    # A guard would disable the pattern where its engine fails, and give nothing.
    engine: Any = getattr(detector.engine, "guarded", detector.engine)
    for end, view in _ends(manager, types, _TRIES * windows):
        if found.windows == windows:
            break
        events = _neighbourhood(detector.plan, view, end, engine.results)
        if events is None:
            found.skipped[f"more than {MOST_EVENTS} events"] += 1
            continue
        try:
            _compare(detector, engine, view, end, events, found)
        except _TooManyError:
            found.skipped[f"more than {MOST_PARTIAL_MATCHES:,} partial matches"] += 1
        except Stopped:
            found.skipped["the run was stopped"] += 1
            break
    return found


def _ends(manager: EventManager, types: Mapping[str, TypeSet], tries: int) -> Iterator[tuple[Event, View]]:
    """End events that are in memory, spread over all there are, in random order, each with its view."""
    filters = [a.steps[k].filter for a in manager.plan.alternatives for k in a.ends]
    stored = [types[t].events.content.events for t in sorted({t for f in filters for t in f.types})]
    places = [0, *accumulate(map(len, stored))]
    total = places[-1]
    random = Random(_SEED)
    # Each range of equal length gives one at most.
    ranges = [(total * n // tries, total * (n + 1) // tries) for n in range(tries)]
    random.shuffle(ranges)
    for low, high in ranges:
        place = random.randrange(low, high) if low < high else high
        for at in range(place, min(high, place + _STEPS)):
            lane = bisect_right(places, at) - 1
            event = stored[lane][at - places[lane]]
            if not any(event.type in f.types and (f.accepts is None or f.accepts(event)) for f in filters):
                continue
            view = manager.views.of(event)
            # What the pattern refused as extremely late stands in no lane of it.
            if view is not None and _stands(manager.plan, view, event):
                yield event, view
                break


def _stands(plan: Plan, view: View, event: Event) -> bool:
    for alternative, lanes in zip(plan.alternatives, view.steps, strict=True):
        for k in alternative.ends:
            events = lanes[k].content.events
            place = bisect_left(events, sort_key(event), key=sort_key)
            if place < len(events) and events[place] is event:
                return True
    return False


def _neighbourhood(plan: Plan, view: View, end: Event, results: str) -> list[Event] | None:
    """The events on which the matches of an end event depend; None where there are too many."""
    first = end.t_gen
    if results == "maximal" and plan.select == "stnm":
        # A match that ends earlier in the window may have completed a run (SEMANTICS 7 (c)), and is judged by
        # its own window.
        for alternative, steps in zip(plan.alternatives, view.steps, strict=True):
            for k in alternative.ends:
                events = steps[k].content.events
                place = bisect_left(events, end.t_gen - plan.within, key=_t_gen)
                if place < len(events):
                    first = min(first, events[place].t_gen)
    lanes = [lane for a in (*view.steps, *view.negations) for lane in a]
    asked = [(lane, end.t_gen) for lane in (lanes if view.stream is None else [view.stream])]
    if any(n.after > a.ends[0] for a in plan.alternatives for n in a.negations):
        asked += [(lane, end.t_gen + plan.within) for a in view.negations for lane in a]
    found: dict[int, Event] = {}
    for lane, last in asked:
        events = lane.content.events
        low = bisect_left(events, first - plan.within, key=_t_gen)
        high = bisect_right(events, last, lo=low, key=_t_gen)
        if high - low > MOST_EVENTS:
            return None
        found.update((id(e), e) for e in events[low:high])
    return sorted(found.values(), key=sort_key) if len(found) <= MOST_EVENTS else None


def _compare(
    detector: Detector, engine: Any, view: View, end: Event, events: Sequence[Event], found: Verified
) -> None:
    """One window. Raises _TooManyError where the oracle would take too long."""
    plan, counters = detector.plan, detector.context.counters
    expected = _oracle(plan, end, events, maximal=engine.results == "maximal")
    cut, error = counters["truncated"], ""
    # By alternative: two may have equal matches, which count once.
    each: Counter[tuple[int, Assignment]] = Counter()
    try:
        if engine.results == "rule":
            expected = _kept(engine, expected, events)
        picked = engine.picked(end, view) if plan.pick is not None and isinstance(engine, Picking) else None
        if plan.pick is not None and picked is not None:
            expected = picked_matches(expected, events, plan.pick)
        found_by = engine.matches(end, view) if picked is None else picked
        for m in islice(found_by, plan.max_per_end):
            each[id(m.alternative), assignment(m.events())] += 1
    except ContractBreach as breach:
        error = str(breach)
    except (Exception, SystemExit) as e:
        at = extract_tb(e.__traceback__)[-1]
        error = f"raised {said(e)} ({at.filename}:{at.lineno})"
    given: Counter[Assignment] = Counter()
    for (_, match), count in each.items():
        given[match] = max(given[match], count)
    if not error and (counters["truncated"] > cut or each.total() == plan.max_per_end):
        found.skipped[f"cut short at max_per_end, {plan.max_per_end:,}"] += 1
        return
    if not (error or given or expected):
        found.empty += 1
        return
    found.windows += 1
    found.matches += len(expected)
    if error or given != Counter(expected):
        difference = {
            "end": event_record(end),
            "engine": [_shown(m) for m in sorted(given.elements())],
            "oracle": [_shown(m) for m in sorted(expected)],
            "events": [_record(e) for e in events],
        }
        found.differences.append({**difference, "error": error} if error else difference)


def _oracle(plan: Plan, end: Event, events: Sequence[Event], *, maximal: bool) -> set[Assignment]:
    left = MOST_PARTIAL_MATCHES

    def look() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooManyError

    return matches_of_end(plan.pattern, events, end, select=plan.select, maximal=maximal, look=look)


def _kept(engine: Any, matches: set[Assignment], events: Sequence[Event]) -> set[Assignment]:
    """What the rule of an engine keeps (`limecep.contracts.engine.Ruling`)."""
    known = {identity(e): e for e in events}
    every = [{v: [known[i] for i in group] for v, group in match} for match in sorted(matches)]
    return ruled(engine.keeps, every)


def _shown(match: Assignment) -> dict[str, list[str]]:
    return {variable: [i for _, _, i in group] for variable, group in match}


def _record(event: Event) -> dict[str, Any]:
    """An event as a program may feed it to a pipeline again."""
    return {**event_record(event), **({"seq": event.seq} if event.seq else {})}
