"""Asks why a match is as it is, wherever that is known: a recording, a state, or the records of a sink."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from limecep.model.event import DerivedEvent
from limecep_why.absences import intervals
from limecep_why.alternatives import fitting, holds
from limecep_why.arrivals import Arrivals
from limecep_why.explanation import Evidence, explanation
from limecep_why.finding import Found, These
from limecep_why.history import taken

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep_why.absences import Interval
    from limecep_why.alternatives import Fitting
    from limecep_why.finding import Wanted
    from limecep_why.history import History
    from limecep_why.subject import Subject

#: So many matches below one are gone into.
MOST_BELOW = 100


class Origin(Protocol):
    """Where updates and events of a pipeline are to be had, as often as is asked.

    Attributes:
        where: What it is called in messages.
        hint: Why a match may not be found there.
        derived: The ids of matches by those of the events that they derive, where these differ.
        refused: The events that patterns did not see, with those patterns.
        timed: Whether it knows when events arrived.
        notes: What is to be said of what it knows.
    """

    where: str
    hint: str
    derived: Mapping[str, str]
    refused: Mapping[tuple[str, str, str], Collection[str]]
    timed: bool
    notes: tuple[str, ...]

    def follow(self, wanted: Wanted) -> Mapping[str, Subject]:
        """Write down what became of matches that are looked for; return the known patterns, by name."""

    def go_through(self, arrivals: Arrivals) -> None:
        """Note how some events came, where that is known."""


def why(origin: Origin, asked: str, most: int, *, deep: bool) -> list[dict[str, Any]]:
    """Return why a match is as it is, and then, if asked for, why those below it are.

    Args:
        origin: Where it is looked for.
        asked: Its id, or the beginning of it.
        most: How much of each list is shown; 0 for all.
        deep: Whether to go into the matches whose events it takes.

    Raises:
        NotFound: There is no such match, or there are several.
        LimecepError: What it is looked for in cannot be read.
    """
    found = Found(asked)
    subjects = origin.follow(found)
    history = found.one(origin.where, origin.hint)
    told = [explanation(_evidence(history, subjects, origin), most)]
    left_out = f"only {MOST_BELOW} of the matches below it are told"
    done = {history.match}
    level = [history]
    while deep:
        below = dict.fromkeys(match for h in level for match in _below(h, origin) if match not in done)
        room = MOST_BELOW + 1 - len(done)
        if len(below) > room and left_out not in told[0]["notes"]:
            told[0]["notes"].append(left_out)
        wanted = These(list(below)[:room])
        if not wanted.ids:
            break
        origin.follow(wanted)
        level = [wanted.histories[match] for match in wanted.ids if match in wanted.histories]
        done.update(wanted.ids)
        told += [explanation(replace(_evidence(h, subjects, origin), notes=()), most) for h in level]
    return told


def _below(history: History, origin: Origin) -> list[str]:
    """The ids of the matches whose events a match takes."""
    events = [t.event for t in taken(history.groups)]
    return [origin.derived.get(e.id, e.id) for e in events if isinstance(e, DerivedEvent)]


def _evidence(history: History, subjects: Mapping[str, Subject], origin: Origin) -> Evidence:
    subject = subjects.get(history.pattern)
    found = [] if subject is None or history.bare else fitting(subject.plan, history.groups)
    absent = [[] if subject is None else intervals(subject.plan, *f) for f in found]
    events = [
        e
        for r in history.revisions
        for e in (*(t.event for t in (*r.added, *r.removed)), r.cause_event)
        if e is not None
    ]
    places = {r.place for r in history.revisions if r.place is not None}
    skews = {} if subject is None else subject.skews
    arrivals = Arrivals(events, places, list(chain.from_iterable(absent)), skews)
    origin.go_through(arrivals)
    refused = frozenset(e for e, patterns in origin.refused.items() if history.pattern in patterns)
    chosen = _standing(found, absent, refused)
    return Evidence(
        history=history,
        subject=subject,
        alternative=found[chosen] if found else None,
        intervals=absent[chosen] if found else (),
        arrivals=arrivals,
        refused=refused,
        derived=origin.derived,
        timed=origin.timed,
        notes=origin.notes,
    )


def _standing(
    found: Sequence[Fitting], absent: Sequence[Sequence[Interval]], refused: Collection[tuple[str, str, str]]
) -> int:
    """Return the place of the alternative by which a match stands: equal assignments count once, and
    an event may forbid the match by one and not by another."""
    for place, (fit, intervals_of) in enumerate(zip(found, absent, strict=True)):
        if holds(*fit) and not any(i.hits(refused) for i in intervals_of):
            return place
    return 0
