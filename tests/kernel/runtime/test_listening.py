"""What is taken in as the clock was set is told, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from structlog.testing import capture_logs

from limecep.model.event import Event
from limecep.runtime.listening import listen

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Idling:
    """Detection, and the journal."""

    def __init__(self, again: Sequence[Event]) -> None:
        self.away: Collection[str] = ()
        self.kept: list[Event] = []
        self._again = again

    def idle(self, away: Collection[str] = ()) -> Sequence[Event]:
        self.away = away
        return self._again

    def entered(self, events: Sequence[Event]) -> None:
        self.kept += events


def test_what_is_judged_again_is_told_and_goes_into_the_journal() -> None:
    event = Event("A", "a", 1, 1, "s")
    made = Idling([event])
    with capture_logs() as logs:
        listen(made, ["s"], made, structlog.get_logger())
        listen(made, ["s"], None, structlog.get_logger())
    assert (made.away, made.kept) == (["s"], [event])
    assert [(entry["log_level"], entry["events"]) for entry in logs] == [("warning", 1)] * 2


def test_where_nothing_is_there_is_no_word() -> None:
    made = Idling(())
    with capture_logs() as logs:
        listen(made, [], made, structlog.get_logger())
    assert (made.kept, logs) == ([], [])
