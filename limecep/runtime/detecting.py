"""What a pipeline asks of detection, be it in this process or divided among several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.config.model import SourceConfig
    from limecep.intake.reader import Invalid
    from limecep.model.event import Event
    from limecep.output.delivery import Delivery
    from limecep.output.late import LateOutput
    from limecep.patterns.detector import Detector
    from limecep.runtime.feeds import Fed
    from limecep.runtime.run_end import RunEnd
    from limecep.state.book import Book
    from limecep.state.checkpoint import Keeping
    from limecep.statistics import Statistics


class Diagnose(Protocol):
    """Adds what seems to be wrong to the figures of a run."""

    def __call__(
        self,
        detection: Any,
        configs: Sequence[SourceConfig],
        patterns: dict[str, dict[str, Any]],
        sources: dict[str, dict[str, Any]],
        /,
    ) -> None:
        """Adds to the figures of patterns and of sources, both by name.

        Args:
            detection: What detected.
            configs: The sources; none where a program fed it.
            patterns, sources: The figures.
        """


class Detecting(Protocol):
    """Events in; updates leave by the ways out. `limecep.detection.detection.Detection` is one."""

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""

    @property
    def statistics(self) -> Statistics:
        """The figures of sources, types and patterns."""

    @property
    def irrelevant_types(self) -> Mapping[str, int]:
        """How many events came of each type that no pattern names."""

    @property
    def size(self) -> int:
        """How many events are in memory."""

    @property
    def evicted(self) -> int:
        """How many events had to leave memory although a policy would have kept them."""

    def feed(self, events: Sequence[Event]) -> None:
        """Takes in events in the order of their arrival."""

    def ended(self, source: str) -> None:
        """A source will bring nothing any more."""

    def idle(self, away: Collection[str] = ()) -> Sequence[Event]:
        """Nothing came for a while; the sources of `away` are not connected. Gives the events that were taken
        in now, as far as this process knows of them."""

    def settle(self) -> None:
        """The run ends before its input."""

    def finish(self) -> None:
        """The input is over."""

    def patterns(self) -> dict[str, dict[str, Any]]:
        """The figures of each pattern, for the report."""


class Divided(Detecting, Protocol):
    """Detection in other processes, whose answers come later than events are fed."""

    @property
    def detectors(self) -> Sequence[Detector]:
        """The patterns."""

    def checkpoint(self, book: Book) -> Keeping:
        """Writes what must survive of it in a book, and restores it."""

    def invalid(self, invalid: Invalid) -> None:
        """A record gave no event: it goes to the late output after what was fed before it."""

    def diagnose(
        self,
        detection: Any,
        configs: Sequence[SourceConfig],
        patterns: dict[str, dict[str, Any]],
        sources: dict[str, dict[str, Any]],
        /,
    ) -> None:
        """As of `Diagnose`: what was found out when the run ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaysOut:
    """Where a run lets go of what detection elsewhere finds.

    Attributes:
        clock: The arrival clock, which the events of a replay move.
        delivery: Takes records for the sinks, once it is open.
        late: Takes events that some patterns do not see.
        ending: Knows whether the run is to end.
        fed: Gives the events that are fed at the moment, with their positions.
        of_sources: Gives what sources and readers have counted.
    """

    clock: Clock
    delivery: Delivery
    late: LateOutput
    ending: RunEnd
    fed: Callable[[], Fed]
    of_sources: Callable[[], dict[str, dict[str, Any]]]
