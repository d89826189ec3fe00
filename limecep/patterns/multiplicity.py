"""Counting: equal assignments of several alternatives are one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.tables import Form
from limecep.encoding import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key


class Counting:
    """How many alternatives have an assignment live, where not all of them are known at once.

    Args:
        tables: Makes its table.

    Attributes:
        live: How many, and the `t_gen` at which it starts, by assignment.
    """

    def __init__(self, tables: Tables) -> None:
        self.live: dict[Key, tuple[int, int]] = tables.table(
            "counting", Form(lambda key, live: [key, *live], _read)
        )

    def __len__(self) -> int:
        return len(self.live)

    def change(
        self, come: Iterable[Match], gone: Iterable[Match]
    ) -> tuple[dict[Key, Match], dict[Key, Match]]:
        """Takes in what the alternatives have live, and have no more.

        Returns:
            What is live and was not, by assignment; what was and is no more.
        """
        live = self.live
        appeared: dict[Key, Match] = {}
        vanished: dict[Key, Match] = {}
        for match in come:
            key = match.assignment()
            count, since = live.get(key) or (0, match.start.t_gen)
            live[key] = (count + 1, since)
            if not count:
                appeared[key] = match
        for match in gone:
            key = match.assignment()
            count, since = live[key]
            live[key] = (count - 1, since)
            if count == 1:
                del live[key]
                if appeared.pop(key, None) is None:
                    vanished[key] = match
        return appeared, vanished

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds."""
        for key in [k for k, (_, since) in self.live.items() if since < before]:
            del self.live[key]


def _read(value: Any, events: Mapping[int, Event]) -> tuple[Key, tuple[int, int]]:
    key, count, since = value
    return frozen(key), (count, since)
