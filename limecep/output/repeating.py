"""Repeating: a sink is told of a match again and again, until somebody has acknowledged it.

A repeated record is the last one of its match, with `repeat`, the number of the repetition: whoever nets the
change log sees one that he has. So what is found, and what goes out once, does not depend on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limecep.model.time import FOREVER
from limecep.output.owned import owned

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Sequence

    from limecep.output.outlets import Repeat
    from limecep.output.record import Record

#: The field of the key by which one match is acknowledged, and not all with a key.
MATCH = "match"


class Standing(NamedTuple):
    """A match that nobody has acknowledged.

    Attributes:
        record: Its last record.
        due: When it is repeated next, in microseconds of the arrival clock.
        times: How often it was.
    """

    record: Record
    due: int
    times: int


class Repeating:
    """What stands between the records for a sink and the sink.

    Args:
        repeat: How often, and until when.
        now: Gives the arrival time, in microseconds.
        counters: Counts `repeated`, `acknowledged` and `given_up`.
    """

    def __init__(self, repeat: Repeat, now: Callable[[], int], counters: Counter[str]) -> None:
        self._every = repeat.every
        self._until = repeat.until
        self._most = repeat.most
        self._now = now
        self._counters = counters
        #: By the ids of the matches.
        self._standing: dict[str, Standing] = {}
        self._changed: set[str] = set()
        self._next = FOREVER

    def __call__(self, records: Sequence[Record]) -> list[Record]:
        """Those that go on: all but those of the pattern that acknowledges."""
        passed = []
        for record in records:
            if record["pattern"] != self._until:
                passed.append(record)
                self._note(record)
            elif record["op"] in ("emit", "correct"):
                self._acknowledge(record["key"])
        return passed

    def _note(self, record: Record) -> None:
        match = record["match"]
        known = self._standing.get(match)
        if record["op"] == "retract":
            self._drop(match)
        elif record["op"] == "emit" or (record["op"] == "correct" and known is not None):
            due, times = (self._now() + self._every, 0) if known is None else known[1:]
            # A sink may change what it is given.
            self._put(match, Standing(owned(record), due, times))

    def _acknowledge(self, key: object) -> None:
        if isinstance(key, dict) and [*key] == [MATCH]:
            matches = [str(key[MATCH])]
        else:
            matches = [match for match, standing in self._standing.items() if standing.record["key"] == key]
        for match in matches:
            self._counters["acknowledged"] += match in self._standing
            self._drop(match)

    def due(self) -> list[Record]:
        """The records whose time has come."""
        now = self._now()
        if now < self._next:
            return []
        told = []
        for match, (record, due, times) in list(self._standing.items()):
            if due <= now:
                told.append({**owned(record), "repeat": times + 1})
                if times + 1 < self._most:
                    # What was missed meanwhile is not made up for.
                    self._put(match, Standing(record, now + self._every, times + 1))
                else:
                    self._counters["given_up"] += 1
                    self._drop(match)
        self._counters["repeated"] += len(told)
        self._next = min((standing.due for standing in self._standing.values()), default=FOREVER)
        return told

    def _put(self, match: str, standing: Standing) -> None:
        self._standing[match] = standing
        self._changed.add(match)
        self._next = min(self._next, standing.due)

    def _drop(self, match: str) -> None:
        if self._standing.pop(match, None) is not None:
            self._changed.add(match)

    # -- what survives a crash -----------------------------------------------------------------------------

    def changes(self) -> Iterator[tuple[str, Standing | None]]:
        """What has changed since this was asked last, by the ids of the matches; None where one is gone."""
        changed, self._changed = self._changed, set()
        for match in sorted(changed):
            yield match, self._standing.get(match)

    def recall(self, match: str, record: Record, due: int, times: int) -> None:
        """This stood when the last run ended."""
        self._standing[match] = Standing(record, due, times)
        self._next = min(self._next, due)
