"""The oracle: the matches of a pattern by brute force.

Written for reading, from the rules alone; it shares no code with plans or engines, and takes time that grows
exponentially. Meant for streams of up to about 20 events.

The rules, and where they stand here (sections are those of docs/semantics.md):

1. Events of different steps precede each other strictly, by `t_gen` and sequence number, which may be the
   rank of their source: `building.precedes`. Inside a group, and from step to step of one AND, they go by the
   sort key. The first of duplicates counts: `_distinct`.
2. OR and AND are spread into lines, each taken by itself: `structure.lines`. Quantifiers, the window, the
   conditions and negation: `building.Builder`. PARTITION BY: `_key`.
3. Conditions are the top-level conjuncts, each quantified as a whole: `conditions.Condition`. Whether an
   event is eligible: `Builder._chosen`. Three-valued logic and values: `values.evaluate`.
4. Negation, after time has passed for everything: `Builder._hit`.
5. The policies: `Builder._choices`.
6. All matches: `all_matches`.
7. Maximal matches: `maximal_matches`; (a) is `Builder.free_end`, (b) `maximal.contained_in_no_other`, (c)
   `maximal.without_completed`. Those of one line: `of_line`.
8. (Section 9) Skip strategies: `kept_matches`.
9. (Section 14) One match an end event: `picked_matches`.

What an engine with a rule of its own gives: `ruled_matches`. What one is asked for: `matches_of_end`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.errors import ContractBreach
from limecep.model.event import Event, sort_key
from limecep.testing.oracle.building import Builder, Groups, last_of
from limecep.testing.oracle.maximal import contained_in_no_other, without_completed
from limecep.testing.oracle.picking import picked
from limecep.testing.oracle.skipping import kept
from limecep.testing.oracle.structure import Line, lines
from limecep.testing.oracle.values import MISSING, attribute, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.contracts.results import Skip
    from limecep.model.pattern import Pattern, Select
    from limecep.model.picks import Pick

__all__ = [
    "Assignment", "Identity", "all_matches", "assignment", "identity", "kept_matches", "matches_of_end",
    "maximal_matches", "of_line", "picked_matches", "ruled", "ruled_matches",
]  # fmt: skip

#: What makes two events duplicates: type, source, id.
Identity = tuple[str, str, str]

#: A match: variables that took events, sorted, each with the identities of these in order.
Assignment = tuple[tuple[str, tuple[Identity, ...]], ...]

if TYPE_CHECKING:
    #: Which matches of an end event are results.
    Rule = Callable[[Sequence[Mapping[str, Sequence[Event]]]], Iterable[Mapping[str, Sequence[Event]]]]


def all_matches(
    pattern: Pattern, events: Iterable[Event], *, select: Select, params: Mapping[str, Any] | None = None
) -> set[Assignment]:
    """Every match (section 6). The order of `events` does not matter, but for which of duplicates is first.

    Raises:
        KeyError: `params` lacks a parameter that the pattern names.
    """
    return _found(pattern, events, select, params, maximal=False)


def maximal_matches(
    pattern: Pattern, events: Iterable[Event], *, select: Select, params: Mapping[str, Any] | None = None
) -> set[Assignment]:
    """The maximal matches (section 7), else as `all_matches`."""
    return _found(pattern, events, select, params, maximal=True)


def ruled_matches(
    pattern: Pattern,
    events: Iterable[Event],
    rule: Rule,
    *,
    select: Select,
    params: Mapping[str, Any] | None = None,
) -> set[Assignment]:
    """What a rule keeps of all matches of each end event (`limecep.contracts.engine.Ruling`), else as
    `all_matches`."""
    stream = _distinct(events)
    known = {identity(e): e for e in stream}
    by_end: dict[Identity, list[Assignment]] = {}
    for match in sorted(all_matches(pattern, stream, select=select, params=params)):
        end = max((e for _, group in match for e in group), key=lambda e: sort_key(known[e]))
        by_end.setdefault(end, []).append(match)
    return {
        match
        for found in by_end.values()
        for match in ruled(rule, [{v: [known[e] for e in group] for v, group in m} for m in found])
    }


def ruled(rule: Rule, matches: Sequence[Mapping[str, Sequence[Event]]]) -> set[Assignment]:
    """What a rule keeps of the matches of one end event.

    Raises:
        ContractBreach: It gives what is no match.
    """
    told: Any = rule(matches)
    if not isinstance(told, Iterable):
        raise ContractBreach(rule, f"gave {shown(told)} in 'keeps', where matches are due")
    found = set()
    for match in told:
        if not isinstance(match, Mapping) or not all(isinstance(g, (list, tuple)) for g in match.values()):
            raise ContractBreach(rule, f"gave {shown(match)} in 'keeps', where a match is due")
        found.add(assignment(match))
    return found


def matches_of_end(
    pattern: Pattern,
    events: Iterable[Event],
    end: Event,
    *,
    select: Select,
    maximal: bool,
    look: Callable[[], None] = lambda: None,
) -> set[Assignment]:
    """The matches that end with one of the events, as an engine is asked for them: every match, or those
    that are maximal among the matches that end no later.

    Args:
        pattern: The pattern, parameters bound.
        events: The events, `end` among them.
        end: The end event.
        select: The selection policy.
        maximal: Whether only maximal matches count.
        look: Called at every partial match; what it raises ends the search.
    """
    return {
        _assignment(line, groups)
        for line, stream in _tasks(pattern, events, {})
        for groups in of_line(line, stream, pattern.within, select, maximal=maximal, until=end, look=look)
        if last_of(groups) is end
    }


def of_line(
    line: Line,
    events: Iterable[Event],
    within: int,
    select: Select,
    *,
    maximal: bool,
    until: Event | None = None,
    look: Callable[[], None] = lambda: None,
) -> list[Groups]:
    """The matches of one line on the events of one key (sections 6 and 7): of those that end with `until` or
    before it, where that is given. `look` is as for `matches_of_end`."""
    completes = maximal and select == "stnm" and line.steps[-1].quantifier.single
    stream = sorted(events, key=sort_key)
    builder = Builder(line=line, events=stream, within=within, select=select, free_end=completes, look=look)
    found = set(builder.matches())
    if until is not None:
        found = {groups for groups in found if sort_key(last_of(groups)) <= sort_key(until)}
    kept = contained_in_no_other(found) if maximal else list(found)
    return without_completed(kept) if completes else kept


def kept_matches(
    matches: Iterable[Assignment], pattern: Pattern, events: Iterable[Event], skip: Skip
) -> set[Assignment]:
    """Those of the matches found in `events` that a skip strategy keeps (section 9)."""
    known = {identity(e): e for e in _distinct(events)}
    by_key: dict[object, list[Assignment]] = {}
    for match in matches:
        some = match[0][1][0]
        by_key.setdefault(_key(known[some], pattern.partition), []).append(match)
    return {m for found in by_key.values() for m in kept(found, known, skip)}


def picked_matches(matches: Iterable[Assignment], events: Iterable[Event], pick: Pick) -> set[Assignment]:
    """Those of the matches found in `events` that are picked, one of each end event (section 14)."""
    return picked([*matches], {identity(e): e for e in _distinct(events)}, pick)


def identity(event: Event) -> Identity:
    """What makes two events duplicates."""
    return (event.type, event.source, event.id)


def assignment(groups: Mapping[str, Iterable[Event]]) -> Assignment:
    """A match given by its events of each variable."""
    named = ((variable, tuple(identity(e) for e in group)) for variable, group in groups.items())
    return tuple(sorted((variable, group) for variable, group in named if group))


def _found(
    pattern: Pattern,
    events: Iterable[Event],
    select: Select,
    params: Mapping[str, Any] | None,
    *,
    maximal: bool,
) -> set[Assignment]:
    return {
        _assignment(line, groups)
        for line, stream in _tasks(pattern, events, params or {})
        for groups in of_line(line, stream, pattern.within, select, maximal=maximal)
    }


def _assignment(line: Line, groups: Groups) -> Assignment:
    return assignment({step.variable: group for step, group in zip(line.steps, groups, strict=True)})


def _tasks(
    pattern: Pattern, events: Iterable[Event], params: Mapping[str, Any]
) -> Iterator[tuple[Line, list[Event]]]:
    """Each line with the events of each key: what sections 5 to 7 are about."""
    streams: dict[tuple[object, ...], list[Event]] = {}
    for event in _distinct(events):
        key = _key(event, pattern.partition)
        if key is not None:
            streams.setdefault(key, []).append(event)
    for line in lines(pattern, params):
        for stream in streams.values():
            yield line, stream


def _distinct(events: Iterable[Event]) -> list[Event]:
    first: dict[Identity, Event] = {}
    for event in events:
        first.setdefault(identity(event), event)
    return list(first.values())


def _key(event: Event, partition: Iterable[tuple[str, ...]]) -> tuple[object, ...] | None:
    """The values of PARTITION BY, decimals as plain numbers; None for an event that lacks one. Values that do
    not compare agree with none, so an event with such a value takes no part either."""
    key: list[object] = []
    for path in partition:
        value = attribute(event, path)
        if isinstance(value, Decimal) and value.is_finite():
            value = int(value) if value == value.to_integral_value() else float(value)
        if value is MISSING or value != value:
            return None
        if not (isinstance(value, (bool, str)) or is_number(value)):
            return None
        key.append((isinstance(value, bool), value))
    return tuple(key)
