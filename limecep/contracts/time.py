"""Time formats read times that are written in a way of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class TimeFormat(Protocol):
    """Made once for the `time`, and once for the `arrival`, of each source that names it: `Factory(options,
    context)`.

    Duties: what is given for a value depends on the value alone. Values are as the codec gives them: text,
    numbers, objects, or whatever else; nothing is raised but ValueError. A number may come as text, from CSV
    and where the digits of a float matter.
    """

    def read(self, value: Any) -> int | datetime:
        """The instant of a value: whole microseconds since 1970-01-01 UTC, or a datetime with a zone.

        Raises:
            ValueError: It is no such time, in words that go on after the name of the field: `has no week`.
        """
