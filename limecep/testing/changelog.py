"""The change log folded into its net results, its own rules checked on the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from limecep.model.event import DerivedEvent, Statement
from limecep.testing.oracle import Assignment, assignment, identity

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from limecep.model.update import Update
    from limecep.output.record import Record


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    """An entry of the log, of whatever form.

    Attributes:
        op, pattern, revision: As there.
        match: What tells its match from others of the pattern.
        content: The events it carries.
        told: What these say, where that may change: it tells versions of a match with the same events apart.
        first: Those that the match was emitted with first; None if the entry does not say.
        final: Whether it says that nothing follows.
        detected: When, in microseconds.
        timed: Whether that time had come was the cause.
        derived: The identity of the cause, where that is derived: of one event several may be.
        latency: How long after its cause arrived.
        key: The values of PARTITION BY.
    """

    op: str
    pattern: str
    match: Hashable
    revision: int
    content: Assignment
    first: Assignment | None
    final: bool
    detected: int
    timed: bool
    derived: Hashable
    latency: float
    told: object = None
    key: object = None


def net(updates: Iterable[Update], pattern: str | None = None) -> set[Assignment]:
    """The matches that are emitted and not taken back, each in its present version.

    Args:
        updates: The log, in order.
        pattern: The pattern whose results are asked for; None is all of them together.

    Raises:
        AssertionError: The log breaks a rule, see `fold`.
    """
    return fold(e for e in map(_of_update, updates) if pattern is None or e.pattern == pattern)


def net_of_records(records: Iterable[Record], pattern: str | None = None) -> set[Assignment]:
    """As `net`, of the records that a sink was given, events and all."""
    return fold(e for e in map(_of_record, records) if pattern is None or e.pattern == pattern)


def fold(entries: Iterable[Entry]) -> set[Assignment]:
    """The net results of a log.

    Raises:
        AssertionError: The log breaks a rule. Revisions of a match count up by one, `final` repeating the
            last. Only what is live is corrected, retracted or final, and only what is not is emitted. Every
            entry changes something: a correction has another content than before, no two live matches of a
            pattern have the same, and what is taken back does not go out again for the same cause, time
            aside, of which several moments may pass at once. A retraction carries what it takes back. Nothing
            follows a `final`. Time does not go back, and no latency is negative.
    """
    live: dict[tuple[str, Hashable], tuple[Assignment, object]] = {}
    revisions: dict[tuple[str, Hashable], int] = {}
    final: set[tuple[str, Hashable]] = set()
    standing: set[tuple[str, str, Assignment]] = set()
    gone: set[tuple[str, str, Assignment]] = set()
    now: tuple[int, bool, Hashable] | None = None
    for entry, where in _placed(entries):
        match = (entry.pattern, entry.match)
        present = (entry.pattern, repr(entry.key), entry.content)
        carried = (entry.content, entry.told)
        assert now is None or entry.detected >= now[0], f"{where}: detected before the one before it"
        cause = (entry.detected, entry.timed, entry.derived)
        # Several moments may pass at once, as at the end of input: each is a cause of its own.
        if now != cause or entry.timed:
            now = cause
            gone.clear()
        assert entry.latency >= 0, f"{where}: latency {entry.latency}"
        assert match not in final, f"{where}: the match is final"
        assert (entry.op == "emit") != (match in live), (
            f"{where}: the match is {'' if match in live else 'not '}live"
        )
        if entry.final:
            final.add(match)
        if entry.op == "final":
            assert entry.revision == revisions[match], f"{where}: final repeats revision {revisions[match]}"
            assert carried == live[match], f"{where}: the live version is {live[match]}"
            continue
        expected = revisions.get(match, 0) + 1
        assert entry.revision == expected, f"{where}: revision {entry.revision}, expected {expected}"
        assert expected > 1 or entry.first in (None, entry.content), (
            f"{where}: the first version is what is emitted first"
        )
        revisions[match] = expected
        if entry.op != "emit":
            before = live.pop(match)
            assert (carried == before) == (entry.op == "retract"), f"{where}: it was {before}"
            standing.discard((*present[:2], before[0]))
            gone.add((*present[:2], before[0]))
            if entry.op == "correct" and entry.content == before[0]:
                gone.discard(present)
        if entry.op != "retract":
            assert present not in standing, f"{where}: it is live already"
            assert present not in gone, f"{where}: it was taken back for the same cause"
            live[match] = carried
            standing.add(present)
    return {content for _, _, content in standing}


def _placed(entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    for place, entry in enumerate(entries):
        yield entry, f"entry {place} ({entry.op} of {entry.content}, first {entry.first})"


def _of_update(update: Update) -> Entry:
    first = assignment(update.first.events())
    return Entry(
        op=update.op,
        pattern=update.pattern,
        # Another match may have begun as the same events and gone on as something else.
        match=(update.generation, first, repr(update.key)),
        revision=update.revision,
        content=assignment(update.match.events()),
        first=first,
        final=update.final or update.op == "final",
        detected=update.detected,
        timed=update.cause == "time",
        derived=identity(cause) if isinstance(cause := update.cause_event, DerivedEvent) else None,
        latency=update.latency,
        told=[
            (e.version, e.t_gen) if isinstance(e, Statement) else None
            for group in update.match.events().values()
            for e in group
        ],
        key=update.key,
    )


def _of_record(record: Record) -> Entry:
    named = record["events"].items()
    content = ((v, tuple((e["type"], e["source"], e["id"]) for e in group)) for v, group in named)
    return Entry(
        op=record["op"],
        pattern=record["pattern"],
        match=record["match"],
        revision=record["revision"],
        content=tuple(sorted((v, group) for v, group in content if group)),
        first=None,
        final=record.get("final", record["op"] == "final"),
        detected=(datetime.fromisoformat(record["detected"]) - _EPOCH) // timedelta(microseconds=1),
        timed=record["cause"]["kind"] == "time",
        derived=record["cause"]["event"] if record["cause"]["kind"] == "derived" else None,
        latency=record["latency"],
        told=record["events"],
        key=record["key"],
    )
