"""The late output of a pipeline: what was refused, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.intake.times import EARLIEST
from limecep.output.instants import rfc3339
from limecep.output.render import late_record, refused_record

if TYPE_CHECKING:
    from limecep.detection import Detection
    from limecep.detector import Refusal
    from limecep.intake.reader import Invalid
    from limecep.output.delivery import Delivery
    from limecep.output.record import Record


class LateOutput:
    """Sends refused events and invalid records to their sinks, if there are any, and logs the first of each
    reason and source.

    Args:
        delivery: The sinks.
        logger: The logger.
    """

    def __init__(self, delivery: Delivery, logger: Any) -> None:
        self._delivery = delivery
        self._logger = logger
        self._told: set[tuple[str, str]] = set()
        #: The latest event time when an event was last refused as extremely late, and how many were while
        #: it stood there.
        self._behind = (EARLIEST, 0)

    def invalid(self, invalid: Invalid) -> None:
        """A record gave no event."""
        self._put(
            late_record(
                "invalid",
                source=invalid.source,
                position=invalid.position,
                raw=invalid.raw,
                error=invalid.error,
            )
        )

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
        self._put(refused_record(refusal, position))

    def _put(self, record: Record) -> None:
        kind = (record["reason"], record["source"])
        if kind not in self._told:
            self._told.add(kind)
            # The logger calls its own text `event`.
            shown = {("record" if key == "event" else key): value for key, value in record.items()}
            what = "not used wholly" if record["reason"] == "evicted" else "refused"
            self._logger.warning(f"{what}, the first of its kind (later ones are not logged)", **shown)
        self._delivery.late(record)

    def behind(self, detection: Detection) -> dict[str, Any] | None:
        """How many events were extremely late since event time has come to where it is, and which source
        brought it there: one wrong stamp may make everything late. None if there were none."""
        latest, count = self._behind
        if not count or latest != detection.lta:
            return None
        figures = detection.statistics.sources.items()
        source = next((name for name, s in figures if s.latest == latest), "")
        return {"event_time": rfc3339(latest), "source": source, "extremely_late": count}
