"""What became of one match: its revisions, one after the other, and the events that it takes in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from limecep.model.event import Statement
from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event

#: What a match is in the end. `live`: it is out, and may still change. `final`: it is out for good.
Standing = Literal["live", "final", "retracted"]

Groups = dict[str, tuple["Event", ...]]

#: What tells a statement about an event from all others.
Identity = tuple[str, str, str, "int | float"]


def identity(event: Event) -> Identity:
    """The identity of an event, with its version where its source revises events."""
    version = event.version if isinstance(event, Statement) else 0
    return (event.type, event.source, event.id, version)


def told_of(event: Event) -> dict[str, str]:
    """Return the type and the time of an event as values of JSON; nothing where only its id is known."""
    return {"type": event.type, "time": rfc3339(event.t_gen)} if event.type else {}


class Taken(NamedTuple):
    """An event of a match, and the variable that takes it."""

    variable: str
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One record of the match in the change log.

    Attributes:
        number: Its revision.
        op: What it does: `emit`, `correct`, `retract` or `final`.
        added, removed: The events by which the match differs from what it was before.
        size: How many events it has.
        start, end: The event times of its first and its last event.
        cause: The kind of its cause.
        cause_id: The id of the event that caused it; None if none did.
        cause_event: That event, where it is known.
        detected: When it was told, in microseconds of the arrival clock.
        latency: Microseconds from the arrival of that event.
        final: Whether the match changes no more.
        values: What RETURN gives; None where the pattern has none.
        place: With the how-manieth arrival it was told; None where none is known, or none did it.
        moment: What made time pass then, in words, where no arrival did; else "".
    """

    number: int
    op: str
    added: tuple[Taken, ...]
    removed: tuple[Taken, ...]
    size: int
    start: int
    end: int
    cause: str
    cause_id: str | None
    cause_event: Event | None
    detected: int
    latency: int
    final: bool = False
    values: Mapping[str, Any] | None = None
    place: int | None = None
    moment: str = ""


@dataclass(slots=True, kw_only=True)
class History:
    """The history of one match.

    Attributes:
        pattern: The name of its pattern.
        key: Its partition key; None if it has none.
        match: Its id.
        revisions: What was told of it, in that order.
        groups: Its events by variable, in its last version: of one that was taken back, what was taken back.
    """

    pattern: str
    key: Mapping[str, Any] | None
    match: str
    revisions: list[Revision] = field(default_factory=list)
    groups: Groups = field(default_factory=dict)

    @property
    def missed(self) -> int:
        """How many revisions there were before those that are known."""
        return self.revisions[0].number - 1 if self.revisions else 0

    @property
    def bare(self) -> bool:
        """Whether only the ids of its events are known: they have no type then."""
        return not all(e.type for group in self.groups.values() for e in group)

    @property
    def standing(self) -> Standing:
        """What it is in the end."""
        last = self.revisions[-1]
        if last.op == "retract":
            return "retracted"
        return "final" if last.final or last.op == "final" else "live"

    def differs(self, groups: Groups) -> tuple[tuple[Taken, ...], tuple[Taken, ...]]:
        """The events that other groups have more, and less, than the present ones."""
        before = {(t.variable, identity(t.event)): t for t in taken(self.groups)}
        after = {(t.variable, identity(t.event)): t for t in taken(groups)}
        return (
            tuple(t for known, t in after.items() if known not in before),
            tuple(t for known, t in before.items() if known not in after),
        )

    def add(self, revision: Revision, groups: Groups) -> None:
        """The match is told of again, with these groups."""
        self.revisions.append(revision)
        self.groups = groups


def taken(groups: Mapping[str, Sequence[Event]]) -> list[Taken]:
    """The events of groups, each with its variable, in the order of the steps."""
    return [Taken(variable, event) for variable, group in groups.items() for event in group]
