"""The late output: what could not be used goes to its sinks, if there are any, and is summed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.intake.reader import Invalid
    from limecep.output.delivery import Delivery
    from limecep.output.record import Record
    from limecep.patterns.detector import Refusal

#: Of so many reasons, sources and patterns each has a sum of its own; what is beyond is added up.
MOST_SUMS = 1_000


class LateOutput:
    """Takes what could not be used.

    The first of each reason and source is logged when it comes. All are counted by reason, source and
    pattern, each sum with the first record as an example.

    Args:
        delivery: Hands records to the sinks.
        logger: The logger.
    """

    def __init__(self, delivery: Delivery, logger: Any) -> None:
        self._delivery = delivery
        self._logger = logger
        self._told: set[tuple[str, str]] = set()
        self._sums: dict[tuple[str, str, str | None], _Sum] = {}
        #: The latest event time when an event was last refused as extremely late, and how many were while
        #: it stood there.
        self._behind: tuple[int | None, int] = (None, 0)

    def invalid(self, invalid: Invalid) -> None:
        """A record gave no event."""
        # Most runs use all that comes.
        from limecep.output.late_records import late_record

        record = late_record(
            "invalid",
            source=invalid.source,
            position=invalid.position,
            raw=invalid.raw,
            error=invalid.error,
        )
        self.take(record, invalid.fields)

    def refused(self, refusal: Refusal, position: str, lta: int) -> None:
        """Some patterns do not see an event, or could not use it wholly.

        Args:
            refusal: The event, and why.
            position: Where it stood.
            lta: The latest event time, in microseconds.
        """
        if refusal.reason == "extremely_late":
            latest, count = self._behind
            self._behind = lta, count + 1 if latest == lta else 1
        from limecep.output.late_records import refused_record

        self.take(refused_record(refusal, position))

    def behind(self, lta: int, latest: Mapping[str, int | None]) -> dict[str, Any] | None:
        """How many events were extremely late since event time has come to where it is, and which source
        brought it there: one wrong stamp may make everything late. None if there were none.

        Args:
            lta: The latest event time, in microseconds.
            latest: That of each source.
        """
        at, count = self._behind
        if not count or at != lta:
            return None
        source = next((name for name, t in latest.items() if t == lta), "")
        return {"event_time": rfc3339(lta), "source": source, "extremely_late": count}

    def take(self, record: Record, fields: Sequence[str] = ()) -> None:
        """One more.

        Args:
            record: The record.
            fields: The fields that an invalid record has.
        """
        reason, source = record["reason"], record["source"]
        for pattern in record.get("patterns") or (None,):
            key = (reason, source, pattern)
            known = self._sums.get(key)
            if known is None:
                if len(self._sums) >= MOST_SUMS:
                    key = (reason, "", None)
                known = self._sums.setdefault(key, _Sum(record, tuple(fields)))
            known.count += 1
        if (reason, source) not in self._told:
            self._told.add((reason, source))
            # The logger calls its own text `event`.
            shown = {("late_event" if key == "event" else key): value for key, value in record.items()}
            self._logger.warning(
                f"late output: {reason}, the first from this source; others are counted at the end", **shown
            )
        self._delivery.late(record)

    def summary(self) -> list[dict[str, Any]]:
        """How many there were, for the report."""
        return list(self._summed())

    def _summed(self) -> Iterator[dict[str, Any]]:
        for (reason, source, pattern), known in self._sums.items():
            yield {
                "reason": reason,
                "source": source,
                "pattern": pattern,
                "count": known.count,
                "example": known.example,
                **({"fields": list(known.fields)} if known.fields else {}),
            }


class _Sum:
    """How many records there were, the first of them, and the fields it has."""

    __slots__ = ("count", "example", "fields")

    def __init__(self, example: Record, fields: tuple[str, ...]) -> None:
        self.count = 0
        self.example = example
        self.fields = fields
