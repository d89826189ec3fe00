"""The records that a run wrote: what they tell of a match by themselves."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from limecep.errors import LimecepError
from limecep.intake.times import Unreadable, time_reader
from limecep.model.event import DerivedEvent, Event
from limecep.model.update import Op
from limecep_why.history import Groups, History, Revision, taken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from limecep_why.arrivals import Arrivals
    from limecep_why.finding import Wanted
    from limecep_why.subject import Subject

_OPS = get_args(Op)


class Records:
    """The records of a sink (`limecep_why.asking.Origin`).

    Args:
        file: The file of JSON lines, plain or gzip. Records that are wrapped in CloudEvents are taken out.
        subjects: The patterns by name, where the pipeline is given.

    Attributes:
        where, hint, derived, refused, timed, notes: As of `Origin`.
    """

    timed = False

    def __init__(self, file: str, subjects: Mapping[str, Subject] | None = None) -> None:
        self.where = file
        self.hint = "A sink may be sent some patterns only, and a file may have been begun anew since."
        self.derived: Mapping[str, str] = {}
        self.refused: Mapping[tuple[str, str, str], Collection[str]] = {}
        self.notes: tuple[str, ...] = (
            "records say when those events arrived that caused one, and no others: ask with --data or "
            "--state for the order of arrival, and for what came where something had to be absent",
        )
        if subjects is None:
            self.notes += ("for conditions and their values, give the pipeline too: --pipeline FILE",)
        self._subjects = subjects or {}
        self._events: dict[tuple[str, str, str, str], Event] = {}
        self._time = time_reader("iso8601", None)

    def follow(self, wanted: Wanted) -> Mapping[str, Subject]:
        """Write down what became of matches that are looked for.

        Raises:
            LimecepError: The file cannot be read, or is no change log.
        """
        for line, record in self._read():
            if not wanted.wants(record["match"], record["pattern"]):
                continue
            try:
                self._add(record, wanted)
            except (KeyError, TypeError, ValueError, AttributeError, Unreadable) as error:
                raise LimecepError(f"{self.where}:{line}: no update of a change log: {error!r}") from None
        return self._subjects

    def go_through(self, arrivals: Arrivals) -> None:
        """Records say nothing of arrivals."""

    def _read(self) -> Iterator[tuple[int, dict[str, Any]]]:
        decode = msgspec.json.Decoder().decode
        path, number = Path(self.where), 0
        try:
            with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    if not line.strip():
                        continue
                    try:
                        record = _update(decode(line))
                    except (msgspec.DecodeError, UnicodeDecodeError):
                        record = None
                    if record is None and number > 1 and not line.endswith(b"\n"):
                        self._torn(number)
                    elif record is None:
                        raise LimecepError(f"{self.where}:{number}: no update of a change log")
                    else:
                        yield number, record
        except EOFError:
            self._torn(number + 1)
        except (OSError, zlib.error) as error:
            said = getattr(error, "strerror", None) or error
            raise LimecepError(f"{self.where}: cannot be read: {said}") from None

    def _torn(self, line: int) -> None:
        """The end is not whole, as where a run is writing it, or was killed."""
        note = f"{self.where} breaks off in line {line:,}: what was told there, and after that, is not known"
        if note not in self.notes:
            self.notes += (note,)
            self.hint += f" It breaks off in line {line:,}."

    def _add(self, record: dict[str, Any], wanted: Wanted) -> None:
        named = record.get("events")
        if not isinstance(named, dict):
            raise LimecepError(
                f"{self.where}: the records of match {record['match']} have no events: write them with "
                "'events: full', or ask with --data or --state"
            )
        groups: Groups = {v: tuple(self._event(e) for e in group) for v, group in named.items()}
        history = wanted.histories.get(record["match"])
        if history is None:
            history = History(pattern=record["pattern"], key=record.get("key"), match=record["match"])
            wanted.histories[record["match"]] = history
        elif any((r.number, r.op) == (record["revision"], record["op"]) for r in history.revisions):
            # After a crash a sink may have been sent it twice.
            return
        added, removed = history.differs(groups)
        cause = record["cause"]
        detected, latency = self._time(record["detected"]), round(record["latency"] * 1_000_000)
        revision = Revision(
            number=record["revision"],
            op=record["op"],
            added=added,
            removed=removed,
            size=len(taken(groups)),
            start=self._time(record["start"]),
            end=self._time(record["end"]),
            cause=cause["kind"],
            cause_id=cause["event"],
            cause_event=self._cause(cause["event"], groups),
            detected=detected,
            latency=latency,
            final=record.get("final", False),
            values=record.get("values"),
        )
        history.add(revision, groups)

    def _cause(self, identity: str | None, groups: Groups) -> Event | None:
        """The event that caused a record, where it is one of its match: records have the id alone."""
        found = [e for group in groups.values() for e in group if e.id == identity]
        return found[0] if len(found) == 1 else None

    def _event(self, record: Mapping[str, Any] | str) -> Event:
        if isinstance(record, str):
            # Of these only the ids are known (`events: ids`).
            return Event("", record, 0)
        known = (record["type"], record.get("source", ""), record["id"], record["time"])
        event = self._events.get(known)
        if event is None:
            t_gen = self._time(record["time"])
            below = self._subjects.get(known[1])
            kind = DerivedEvent if below is not None and below.derives == known[0] else Event
            event = kind(known[0], known[2], t_gen, t_gen, known[1], dict(record.get("payload") or {}))
            self._events[known] = event
        return event


def _update(value: Any) -> dict[str, Any] | None:
    """The record that a value is, or wraps; None if there is none."""
    record = value.get("data") if isinstance(value, dict) and "specversion" in value else value
    if not isinstance(record, dict) or record.get("op") not in _OPS:
        return None
    return record if all(isinstance(record.get(k), str) for k in ("pattern", "match")) else None
