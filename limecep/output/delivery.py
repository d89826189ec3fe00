"""Delivery: updates and late records on their way to the sinks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from limecep.errors import Stopped
from limecep.output.outlets import Outlet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from limecep.model.update import Update
    from limecep.output.outlets import Demand, UpdateOutlet
    from limecep.output.record import Record

O = TypeVar("O", bound=Outlet)  # noqa: E741

#: The sinks are sent what there is at the latest when there is so much of it. Not much: a match is rendered
#: soonest while it is at hand, and before late events have moved what its groups are ranges of.
FULL_RECORDS = 256


class Delivery:
    """Gathers what goes out, and hands it to the sinks.

    Args:
        updates: The sinks of updates.
        late: The sinks of the late output.
    """

    def __init__(self, updates: Sequence[UpdateOutlet], late: Sequence[Outlet]) -> None:
        self.outlets: tuple[Outlet, ...] = (*updates, *late)
        #: Whether some sink wants updates, or all of them only count.
        self.wants_updates = any(o.writes for o in updates)
        self._wants_late = False
        self._update_outlets = updates
        self._repeating = [o for o in updates if o.repeating is not None and o.writes]
        self._late_outlets = late
        self._updates: list[Update] = []
        self._late: list[Record] = []

    def leave_out(self, names: Collection[str]) -> None:
        """Does without some sinks of updates. Before `open`."""
        self.outlets = tuple(o for o in self.outlets if o.name not in names)
        self._update_outlets = [o for o in self._update_outlets if o.name not in names]
        self._repeating = [o for o in self._repeating if o.name not in names]
        self.wants_updates = any(o.writes for o in self._update_outlets)

    def open(self, *, each: bool = True) -> None:
        """Opens the sinks; not `each` of them where something else does.

        Raises:
            RunFailure: One of them cannot be written.
        """
        for outlet in self.outlets if each else ():
            outlet.open()
        self._wants_late = any(o.writes for o in self._late_outlets)

    def update(self, update: Update) -> None:
        """Takes an update."""
        self._updates.append(update)
        if len(self._updates) >= FULL_RECORDS:
            self.send()

    @property
    def demands(self) -> list[Demand | None]:
        """What each sink of updates takes, once they are open."""
        return [outlet.demand for outlet in self._update_outlets]

    def rendered(self, records: Sequence[Sequence[Record | None]]) -> None:
        """Takes updates that were rendered somewhere else, and sends them.

        Args:
            records: For each update a record for each sink of updates, None where that takes none.
        """
        mine = {
            outlet: [record for made in records if (record := made[at]) is not None]
            for at, outlet in enumerate(self._update_outlets)
        }
        _each([o for o, found in mine.items() if found], lambda outlet: outlet.accept(mine[outlet]))

    def late(self, record: Record) -> None:
        """Takes a record of the late output, where there is an open sink for it."""
        if self._wants_late:
            self._late.append(record)
            if len(self._late) >= FULL_RECORDS:
                self.send()

    def send(self) -> None:
        """Sends everything to the sinks."""
        if self._updates:
            updates, self._updates = self._updates, []
            _each(self._update_outlets, lambda outlet: outlet.send(updates))
        if self._late:
            records, self._late = self._late, []
            _each([o for o in self._late_outlets if o.writes], lambda outlet: outlet.take(records))
        if self._repeating:
            _each(self._repeating, lambda outlet: outlet.repeat())

    def flush(self) -> None:
        """Sends everything, and returns when it is durable."""
        self.send()
        _each(self.outlets, lambda outlet: outlet.flush())

    @property
    def stuck(self) -> list[str]:
        """The names of the sinks that did not take all that is for them before the run had to end."""
        return [o.name for o in self.outlets if o.stuck]

    def close(self, cut: Callable[[Stopped], object] = lambda stopped: None) -> None:
        """Closes the sinks, as `close_all` does, but for those that hang. May be called twice, and without
        `open`."""
        failure = close_all([outlet for outlet in self.outlets if not outlet.hung], cut)
        if failure is not None:
            raise failure


def _each(outlets: Sequence[O], act: Callable[[O], object]) -> None:
    """Does something with all of them, also if the run has to end while one of them waits."""
    cut: Stopped | None = None
    for outlet in outlets:
        if not outlet.stuck:
            try:
                act(outlet)
            except Stopped as stopped:
                outlet.stuck = True
                cut = stopped
    if cut is not None:
        raise cut


def close_all(
    parts: Iterable[Any], cut: Callable[[Stopped], object] = lambda stopped: None
) -> BaseException | None:
    """Closes parts of a run, all of them even if one cannot; gives why the first that cannot does not.

    Args:
        parts: The parts.
        cut: Told where closing one of them was cut off, which is no failure: it was flushed, or it was told
            that it does not take all there is.
    """
    failure: BaseException | None = None
    for part in parts:
        try:
            part.close()
        except Stopped as stopped:
            cut(stopped)
        except (Exception, SystemExit) as error:
            failure = failure or error
    return failure
