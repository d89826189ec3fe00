"""A sample of a source: some of its records, looked at before a pipeline runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from limecep.config.model import SourceConfig
    from limecep.intake.reader import Invalid
    from limecep.model.event import Event


@dataclass(slots=True, kw_only=True)
class Sample:
    """Some records of one source.

    Attributes:
        source: The source.
        events: What they gave, by event time.
        invalid: How many gave none, and the first of these.
        changes: How many local times a change of the clocks gave twice (`ambiguous_times`) or skipped.
        fields: The fields of the first records, where some that the source names are missing.
        unconverted: How many values were not of the type that the payload declares, by field.
        whole: Whether there are no more.
        failure: Why nothing could be read; "" if it could.
        unread: Why it was not looked into; "" if it was.
    """

    source: SourceConfig
    events: list[Event] = field(default_factory=list)
    invalid: int = 0
    first: Invalid | None = None
    changes: Counter[str] = field(default_factory=Counter)
    fields: Sequence[str] = ()
    unconverted: Counter[str] = field(default_factory=Counter)
    whole: bool = True
    failure: str = ""
    unread: str = ""

    @property
    def read(self) -> int:
        """How many records were read."""
        return len(self.events) + self.invalid

    def of(self, types: Collection[str]) -> list[Event]:
        """The events of some types. Others have no payload."""
        return [e for e in self.events if e.type in types]
