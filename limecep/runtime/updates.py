"""Updates as a program gets them: with id, record, a short text and a table, beside the events refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from limecep.model.instants import rfc3339
from limecep.model.update import Update
from limecep.output.owned import owned
from limecep.output.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.intake.given import InvalidEvent
    from limecep.model.event import Event
    from limecep.output.record import Events, Record
    from limecep.patterns.detector import Refusal

_EVENTS: tuple[Events, ...] = ("full", "ids", "none")
#: Records are the program's own, as a sink's are.
_RENDER = {events: Renderer(events, own=owned) for events in _EVENTS}
#: Of longer groups as many ids are shown as these.
_FEW = 3


class Change(Update, gc=False, eq=False, frozen=True, kw_only=True):
    """An update that a program was given. It stays as it is, whatever is fed later."""

    @classmethod
    def of(cls, update: Update) -> Change:
        """The same update."""
        return cls(**{name: getattr(update, name) for name in Update.__struct_fields__})

    @property
    def id(self) -> str:
        """The id of the match, the same over all its updates: `match` of its record."""
        return str(self.record("none")["match"])

    @property
    def values(self) -> dict[str, Any] | None:
        """What RETURN gives for the match, by name; None where the pattern has no RETURN."""
        return self.record("none").get("values")

    def record(self, events: Events = "full") -> Record:
        """The record that a sink gets.

        Args:
            events: How much of each event: `full`, `ids` or `none`.
        """
        return _RENDER[events].render(self)

    def __repr__(self) -> str:
        groups = [
            f"{name}={','.join(e.id for e in group[:_FEW])}{',…' if len(group) > _FEW else ''}"
            for name, group in self.match.events().items()
            if group
        ]
        key = "" if self.key is None else f" {self.key}"
        return f"<{self.op} {self.pattern}{key} {self.id[:6]} r{self.revision}: {' '.join(groups)}>"


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """What some patterns do not see of what was fed, or no pattern.

    Attributes:
        reason: `invalid`: it cannot become an event; `extremely_late`: a lateness policy refused it;
            `future`: it is too far ahead of its arrival; `evicted`: memory no longer has what it needs.
        given: The event; where it is `invalid`, what was given.
        error: Why, in words, if there is more to say.
        patterns: The patterns that do not see it, or could not use it wholly; none where it is `invalid`, or
            too far ahead for any.
    """

    reason: Literal["invalid", "extremely_late", "future", "evicted"]
    given: Any
    error: str = ""
    patterns: tuple[str, ...] = ()

    @classmethod
    def by_detection(cls, refusal: Refusal) -> Refused:
        """What detection refused."""
        verdict = refusal.verdict
        error = refusal.error or ("" if verdict is None else verdict.reason)
        return cls(reason=refusal.reason, given=refusal.event, error=error, patterns=refusal.patterns)

    @classmethod
    def by_intake(cls, invalid: InvalidEvent) -> Refused:
        """What cannot become an event."""
        return cls(reason="invalid", given=invalid.given, error=str(invalid))

    @property
    def event(self) -> Event | None:
        """The event; None where there is none."""
        return None if self.reason == "invalid" else self.given


class Updates(list[Change]):
    """Updates in the order they were found. A list; what was refused stands beside it.

    Attributes:
        refused: What some patterns do not see, in the order of arrival.
    """

    def __init__(self, updates: Iterable[Change] = (), refused: Iterable[Refused] = ()) -> None:
        super().__init__(updates)
        self.refused = list(refused)

    def __add__(self, other: Iterable[Change]) -> Updates:  # type: ignore[override]
        return Updates([*self, *other], [*self.refused, *getattr(other, "refused", ())])

    def __iadd__(self, other: Iterable[Change]) -> Updates:  # type: ignore[override]
        self.extend(other)
        self.refused += getattr(other, "refused", ())
        return self

    def records(self, events: Events = "full") -> list[Record]:
        """The records that a sink gets, as of `Change.record`."""
        return [update.record(events) for update in self]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each update, all with the same fields: those of its record, `key.room` for each attribute
        of PARTITION BY, `values.mean` for each value of RETURN, and `events.a` with the ids of the events of
        each variable; None where a pattern has no such. Times are text; `to_pandas` and the others give
        instants."""
        records = self.records("ids")
        keys = dict.fromkeys(name for r in records for name in r["key"] or {})
        returned = dict.fromkeys(name for r in records for name in r.get("values", ()))
        variables = dict.fromkeys(name for r in records for name in r["events"])
        return [
            {
                "op": r["op"],
                "match": r["match"],
                "revision": r["revision"],
                "pattern": r["pattern"],
                "start": r["start"],
                "end": r["end"],
                "cause": r["cause"]["kind"],
                "cause_event": r["cause"]["event"],
                "final": r.get("final", False),
                "detected": rfc3339(update.detected),
                "latency": r["latency"],
                **{f"key.{name}": (r["key"] or {}).get(name) for name in keys},
                **{f"values.{name}": r.get("values", {}).get(name) for name in returned},
                **{f"events.{name}": r["events"].get(name) for name in variables},
            }
            for update, r in zip(self, records, strict=True)
        ]

    def to_pandas(self) -> Any:
        """The `rows` as a DataFrame of pandas.

        Raises:
            ModuleNotFoundError: pandas is not installed; the message says how to.
        """
        from limecep.runtime.frames import to_pandas

        return to_pandas(self.rows())

    def to_arrow(self) -> Any:
        """The `rows` as a table of Arrow, as of `to_pandas`."""
        from limecep.runtime.frames import to_arrow

        return to_arrow(self.rows())

    def to_polars(self) -> Any:
        """The `rows` as a DataFrame of Polars, as of `to_pandas`."""
        from limecep.runtime.frames import to_polars

        return to_polars(self.rows())
