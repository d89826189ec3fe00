"""Matches as values of JSON, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import event_out
from limecep.model.match import Range
from limecep.patterns.keys import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.plan.plan import Plan
    from limecep.store.lane import Ordering
    from limecep.store.views import Views


class MatchCodec:
    """Writes the matches of one pattern, and reads them back.

    A group that is a range of a lane comes back as such: engines tell matches apart by it.

    Args:
        plan: The pattern's plan.
        views: Its views.
        ordering: Precedence in its lanes.

    Attributes:
        key: The key of a match.
        name: What a match keeps as long as it has the same events, whatever is said anew of these; None where
            that is its key.
    """

    def __init__(self, plan: Plan, views: Views, ordering: Ordering) -> None:
        self.key: Callable[[Match], Key] = key_of(plan)
        self.name: Callable[[Match], Key] | None = None
        if ordering.revised:
            from limecep.patterns.names import name_of

            self.name = name_of(plan)
        self._plan = plan
        self._views = views
        self._ordering = ordering
        self._number = {id(a): n for n, a in enumerate(plan.alternatives)}

    def out(self, match: Match) -> list[Any]:
        """A match whose events are all in memory: they are named by their ordinals."""
        return self._out(match, lambda event: event.ordinal)

    def out_whole(self, match: Match) -> list[Any]:
        """A match with its events, whose payloads may be needed."""
        return self._out(match, event_out)

    def out_bare(self, match: Match) -> list[Any]:
        """A match with its events, of which no more is needed than what they are known by."""
        return self._out(match, lambda e: [e.type, e.id, e.t_gen, e.t_arr, e.source, {}, e.seq, e.ordinal])

    def _out(self, match: Match, event_of: Callable[[Event], Any]) -> list[Any]:
        groups = [[isinstance(group, Range), [event_of(e) for e in group]] for group in match.groups]
        return [self._number[id(match.alternative)], groups]

    def back(self, value: Sequence[Any], known: Mapping[int, Event]) -> Match:
        """The match.

        Args:
            value: What `out`, `out_whole` or `out_bare` gave.
            known: The events in memory by their ordinals.

        Raises:
            LookupError: An event that should be in memory is not.
        """
        # Only what survives a crash is read back.
        from limecep.patterns.match_reading import match_of

        return match_of(value, known, self._plan, self._views, self._ordering)
