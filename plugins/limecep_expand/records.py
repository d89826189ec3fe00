"""From the records of a change log back to matches.

A record says what a match takes by variable. Of which sequence of steps it is a match, the pattern tells;
where that is not at hand, what its records have in common has to do.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from limecep.errors import LimecepError
from limecep.intake.times import Unreadable, time_reader
from limecep.model.event import Event, sort_key
from limecep.model.match import Match
from limecep.model.pattern import Quantifier
from limecep.plan.plan import Alternative, PlanStep, StepFilter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.output.record import Record

Groups = tuple[tuple[Event, ...], ...]


class Unfit(LimecepError):
    """A record that gives no match, and why, in words for the user."""


class Matches:
    """Makes matches of records of one pattern.

    Args:
        alternatives: The alternatives that its pattern has.
    """

    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        self._alternatives = alternatives
        self._events = Events()

    def of(self, record: Record) -> list[Match]:
        """The match of a record: one for each alternative that it fulfils.

        Raises:
            Unfit: It fulfils none.
        """
        named = self._events.of(record)
        for strictly in (True, False):
            # Events at one time may be told apart by sequence numbers, which records do not have.
            found = [
                Match(alternative, groups)
                for alternative in self._alternatives
                if (groups := _groups(alternative, named)) is not None
                and _in_order(alternative, groups, strictly)
                and all(c.holds(groups) for c in alternative.conditions)
            ]
            if found:
                return found
        raise Unfit("this is no match of the pattern: has the pattern been changed since?")


class Events:
    """Makes events of records; each event once, however many records have it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Event] = {}
        self._time = time_reader("iso8601", None)

    def of(self, record: Record) -> dict[str, tuple[Event, ...]]:
        """The events of a record by variable.

        Raises:
            Unfit: It has none, or not whole ones.
        """
        named = record.get("events")
        if not isinstance(named, dict):
            raise Unfit("the record has no events: they are in a log that is written with 'events: full'")
        groups = {
            str(variable): tuple(self._event(e) for e in group) if isinstance(group, list) else ()
            for variable, group in named.items()
        }
        events = [id(e) for group in groups.values() for e in group]
        if len(set(events)) != len(events) or not events:
            raise Unfit("a match takes at least one event, and none twice")
        return groups

    def _event(self, record: Any) -> Event:
        if isinstance(record, str):
            raise Unfit("the record has the ids of its events only: write the log with 'events: full'")
        try:
            name, identity, source = record["type"], record["id"], record.get("source", "")
            known = self._known.get((name, source, identity))
            if known is None:
                t_gen = self._time(record["time"])
                known = Event(name, identity, t_gen, t_gen, source, dict(record.get("payload") or {}))
                self._known[name, source, identity] = known
        except (KeyError, TypeError, ValueError, AttributeError, Unreadable):
            raise Unfit("an event of the record has not the form of a change log") from None
        return known


def plain_alternatives(records: Iterable[Record]) -> list[Alternative]:
    """What the records of a pattern tell of it: which variables it has, which of them took several events,
    and which took none. Nothing of its conditions."""
    sizes_of: dict[tuple[str, ...], list[list[int]]] = {}
    for record in records:
        named = record.get("events")
        if isinstance(named, dict):
            sizes = sizes_of.setdefault(tuple(named), [[] for _ in named])
            for seen, group in zip(sizes, named.values(), strict=True):
                seen.append(len(group) if isinstance(group, list) else 0)
    anything = StepFilter(types=(), accepts=None, signature="")
    return [
        Alternative(
            steps=tuple(
                PlanStep(
                    variable=variable,
                    filter=anything,
                    quantifier=Quantifier(min(1, *seen), 1 if max(seen) <= 1 else None),
                )
                for variable, seen in zip(variables, sizes, strict=True)
            ),
            negations=(),
            conditions=(),
        )
        for variables, sizes in sizes_of.items()
    ]


def _groups(alternative: Alternative, named: dict[str, tuple[Event, ...]]) -> Groups | None:
    """The groups of an alternative; None if it does not take what is named."""
    groups = tuple(named.get(s.variable, ()) for s in alternative.steps)
    variables = {s.variable for s in alternative.steps}
    if any(group and variable not in variables for variable, group in named.items()):
        return None
    return groups if all(map(_takes, alternative.steps, groups)) else None


def _takes(step: PlanStep, group: tuple[Event, ...]) -> bool:
    """Whether a step may take a group."""
    least, most = step.quantifier.minimum, step.quantifier.maximum
    types, accepts = step.filter.types, step.filter.accepts
    return (
        least <= len(group)
        and (most is None or len(group) <= most)
        and all((not types or e.type in types) and (accepts is None or accepts(e)) for e in group)
    )


def _in_order(alternative: Alternative, groups: Groups, strictly: bool) -> bool:
    """Whether each group ends before the next one begins; steps of one AND by the sort key."""
    filled = [(k, group) for k, group in enumerate(groups) if group]
    return all(
        sort_key(a[-1]) < sort_key(b[0])
        if alternative.together(k, j)
        else a[-1].t_gen < b[0].t_gen or (not strictly and a[-1].t_gen == b[0].t_gen)
        for (k, a), (j, b) in pairwise(filled)
    )
