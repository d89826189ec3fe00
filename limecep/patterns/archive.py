"""Archives: what is known of matches whose events memory has let go.

In memory a match is known by the ordinals of its events. Events that are had from a log again have new ones;
what stays the same is their identity (SEMANTICS 1), so that is what an archive goes by.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from limecep.contracts.tables import Form
from limecep.encoding import to_canonical_json
from limecep.model.match import Match
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event

T = TypeVar("T")

#: How much an archive holds: entries, and the events that they name.
ROOM_ENTRIES = 500_000

#: Bytes of a digest: with 128 bits no two contents are ever taken for one.
_DIGEST_BYTES = 16


def content(match: Match) -> bytes:
    """A digest of which events a match has for which variable, by identity."""
    named = [
        [name, [(e.type, e.source, e.id) for e in group]]
        for name, group in sorted(match.events().items())
        if group
    ]
    return blake2b(to_canonical_json(named), digest_size=_DIGEST_BYTES).digest()


class Bare:
    """Copies of matches that keep nothing alive but the identities of their events: no payloads, and no lane
    of which a group is a range. Events that matches share are copied once."""

    def __init__(self) -> None:
        self._events: dict[int, Event] = {}

    def match(self, match: Match) -> Match:
        """The copy of a match."""
        return Match(match.alternative, tuple(tuple(map(self._event, group)) for group in match.groups))

    def _event(self, event: Event) -> Event:
        copy = self._events.get(event.ordinal)
        if copy is None:
            copy = self._events[event.ordinal] = msgspec.structs.replace(event, payload={})
        return copy


class Archive(Generic[T]):
    """What is known of some matches, by their content.

    Args:
        tables: Makes its table.
        name: Of the table.
        write, read: What is known of a match as values of JSON, and back.
        room: How much it holds. What is older has to go where there is more.

    Attributes:
        lost_until: The greatest `t_gen` until which something that had to go counted, in microseconds.
        known: What is known, with how long that counts and how many events it names, by content.
    """

    #: It follows from what is known.
    transient: ClassVar[frozenset[str]] = frozenset({"weight"})

    def __init__(
        self,
        tables: Tables,
        name: str,
        write: Callable[[T], Any],
        read: Callable[[Any, Mapping[int, Event]], T],
        room: int = ROOM_ENTRIES,
    ) -> None:
        self.lost_until = -FOREVER
        self._room = room
        self._weight = 0
        # No match is known here that starts at this `t_gen` or later.
        self._before = -FOREVER
        self.known: dict[bytes, tuple[T, int, int]] = tables.table(
            name,
            Form(
                lambda key, known: [key.hex(), write(known[0]), *known[1:]],
                lambda value, events: (
                    bytes.fromhex(value[0]),
                    (read(value[1], events), value[2], value[3]),
                ),
            ),
        )

    def __len__(self) -> int:
        return len(self.known)

    def put(self, match: Match, value: T, until: int, weight: int = 1) -> None:
        """Keeps something.

        Args:
            match: The match it is about.
            value: What is known of it.
            until: How long it counts, as the `t_gen` of an end event.
            weight: How many events it names.
        """
        self._before = max(self._before, match.start.t_gen + 1)
        key = content(match)
        self._drop(key)
        self.known[key] = (value, until, weight)
        self._weight += weight
        while self._weight > self._room:
            oldest = next(iter(self.known))
            self.lost_until = max(self.lost_until, self.known[oldest][1])
            self._drop(oldest)

    def get(self, match: Match) -> T | None:
        """What is known of a match."""
        if not self.known or match.start.t_gen >= self._before:
            return None
        found = self.known.get(content(match))
        return None if found is None else found[0]

    def take(self, match: Match) -> T | None:
        """What is known of a match, which then is not kept here any more."""
        if not self.known or match.start.t_gen >= self._before:
            return None
        return self._drop(content(match))

    def forget(self, before: int) -> None:
        """Drops what counts no longer at a `t_gen`."""
        gone = [key for key, (_, until, _) in self.known.items() if until < before]
        for key in gone:
            self._drop(key)

    def snapshot(self) -> dict[str, int]:
        """What must survive, the table aside."""
        return {"lost_until": self.lost_until, "before": self._before}

    def restore(self, known: Mapping[str, int]) -> None:
        """It is as it was in a snapshot."""
        self.lost_until, self._before = known["lost_until"], known["before"]
        self._weight = sum(weight for _, _, weight in self.known.values())

    def _drop(self, key: bytes) -> T | None:
        found = self.known.pop(key, None)
        if found is None:
            return None
        self._weight -= found[2]
        return found[0]
