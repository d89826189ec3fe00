"""Engines that others brought, with every match looked at that they give.

What an engine gives goes out as it is, and is known again by its events: one that gives a match twice, or of
another end event, would have wrong matches go out without a word. Those of the kernel's own distribution are
tried against the oracle instead, and asked without a detour.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.contracts.stand_in import stand_in
from limecep.errors import ContractBreach
from limecep.model.event import Event
from limecep.model.match import Match, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.plan.plan import Plan
    from limecep.store.view import View


def checked(engine: Any, plan: Plan) -> Any:
    """A stand-in with the members of an engine, but for `together`: it is asked for each pattern by itself.

    Args:
        engine: The engine.
        plan: The plan that it was made for.
    """
    looking = _Looking(engine, plan)
    own = {
        "matches": looking.matches,
        "matches_from": looking.matches,
        "matches_of": looking.matches_of,
        "picked": looking.picked,
        "count": looking.count,
        "touched": looking.ends,
        "exposed": looking.ends,
        "going": looking.going,
        "coming": looking.coming,
    }
    return stand_in(engine, own, without=("together",))


class _Looking:
    """Looks at what an engine gives."""

    def __init__(self, engine: Any, plan: Plan) -> None:
        self.guarded = engine
        self._steps = {
            id(alternative): [step.quantifier.minimum for step in alternative.steps]
            for alternative in plan.alternatives
        }

    def matches(self, act: Callable[..., Any]) -> Callable[..., Iterator[Match]]:
        """Of `matches`, and of `matches_from`."""

        def look(end: Event, view: View, *more: Any) -> Iterator[Match]:
            return self._sound(act(end, view, *more), end)

        return look

    def matches_of(self, act: Callable[..., Any]) -> Callable[..., list[Iterator[Match]] | None]:
        """Of `matches_of`."""

        def look(ends: Sequence[Event], view: View) -> list[Iterator[Match]] | None:
            given = act(ends, view)
            if given is None:
                return None
            if not isinstance(given, Collection):
                raise ContractBreach(self.guarded, f"gave {shown(given)} where matches of end events are due")
            if len(given) != len(ends):
                raise ContractBreach(self.guarded, f"gave matches for {len(given)} of {len(ends)} end events")
            return [self._sound(found, end) for found, end in zip(given, ends, strict=True)]

        return look

    def picked(self, act: Callable[..., Any]) -> Callable[..., list[Match] | None]:
        """Of `picked`."""

        def look(end: Event, view: View) -> list[Match] | None:
            given = act(end, view)
            if given is None:
                return None
            found = [*self._sound(given, end)]
            if len(found) > 1:
                raise ContractBreach(self.guarded, f"picked {len(found)} matches of an end event")
            return found

        return look

    def count(self, act: Callable[..., Any]) -> Callable[..., int | None]:
        """Of `count`."""

        def look(end: Event, view: View) -> int | None:
            told = act(end, view)
            if told is not None and (type(told) is not int or told < 0):
                raise ContractBreach(self.guarded, f"counted {shown(told)} matches of an end event")
            return told

        return look

    def ends(self, act: Callable[..., Any]) -> Callable[..., Sequence[Event] | None]:
        """Of `touched`, and of `exposed`."""

        def look(event: Event, view: View) -> Sequence[Event] | None:
            given: Sequence[Event] | None = act(event, view)
            if given is not None and not _all(Event, given):
                raise ContractBreach(self.guarded, f"gave {shown(given)} where end events are due")
            return given

        return look

    def going(self, act: Callable[..., Any]) -> Callable[..., tuple[Sequence[Match], Any] | None]:
        """Of `going`."""

        def look(event: Event, view: View) -> tuple[Sequence[Match], Any] | None:
            given = act(event, view)
            if given is None:
                return None
            if not isinstance(given, tuple) or len(given) != 2:
                what = f"gave {shown(given)} where matches that may go are due, and what 'coming' is given"
                raise ContractBreach(self.guarded, what)
            return self._changed(given[0]), given[1]

        return look

    def coming(self, act: Callable[..., Any]) -> Callable[..., Sequence[Match]]:
        """Of `coming`."""

        def look(view: View, changed: Any) -> Sequence[Match]:
            return self._changed(act(view, changed))

        return look

    def _changed(self, given: Any) -> Sequence[Match]:
        if not isinstance(given, Collection):
            raise ContractBreach(self.guarded, f"gave {shown(given)} where changed matches are due")
        for match in given:
            if wrong := self._wrong(match, None):
                raise ContractBreach(self.guarded, wrong)
        changed: Any = given
        matches: Sequence[Match] = changed
        return matches

    def _sound(self, given: Any, end: Event) -> Iterator[Match]:
        if not isinstance(given, Iterable):
            raise ContractBreach(self.guarded, f"gave {shown(given)} where matches are due")
        known = set()
        for match in given:
            if wrong := self._wrong(match, end):
                raise ContractBreach(self.guarded, wrong)
            key = id(match.alternative), match.key()
            if key in known:
                raise ContractBreach(self.guarded, "gave a match of an end event twice")
            known.add(key)
            yield match

    def _wrong(self, match: Any, end: Event | None) -> str:
        """What a match that was given cannot be; "" if nothing.

        Args:
            match: The match.
            end: The end event that was asked about; None where any may be.
        """
        if not isinstance(match, Match):
            return f"gave {shown(match)} where a match is due"
        least = self._steps.get(id(match.alternative))
        if least is None:
            return "gave a match of no alternative of its pattern"
        groups = match.groups
        if not isinstance(groups, tuple) or len(groups) != len(least):
            return f"gave a match with other than {len(least)} groups, one for each step that is not negated"
        for group, fewest in zip(groups, least, strict=True):
            if not isinstance(group, (Range, tuple)) or not all(isinstance(e, Event) for e in group):
                return f"gave a match with {shown(group)} for a group of events"
            if len(group) < fewest:
                return f"gave a match with {len(group)} events for a step that takes at least {fewest}"
        if not any(map(len, groups)):
            return "gave a match without events"
        if end is not None and match.end.ordinal != end.ordinal:
            return f"gave a match that ends with {match.end.id}, asked for those that end with {end.id}"
        return ""


def _all(kind: type, given: Any) -> bool:
    return isinstance(given, Collection) and all(isinstance(one, kind) for one in given)
