"""Counting: equal assignments of several alternatives are one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.model.match import Match


class Counting:
    """How many alternatives have an assignment live, where not all of them are known at once."""

    def __init__(self) -> None:
        # With the `t_gen` at which it starts.
        self._live: dict[Any, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._live)

    def change(self, come: list[Match], gone: list[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in what the alternatives have live, and have no more.

        Returns:
            What is live and was not; what was and is no more.
        """
        live = self._live
        appeared: dict[Any, Match] = {}
        for match in come:
            key = match.assignment()
            count, since = live.get(key) or (0, match.start.t_gen)
            live[key] = (count + 1, since)
            if not count:
                appeared[key] = match
        vanished = []
        for match in gone:
            key = match.assignment()
            count, since = live[key]
            live[key] = (count - 1, since)
            if count == 1:
                del live[key]
                if appeared.pop(key, None) is None:
                    vanished.append(match)
        return list(appeared.values()), vanished

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds."""
        for key in [k for k, (_, since) in self._live.items() if since < before]:
            del self._live[key]
