"""Finds all matches of an end event, and gives the best of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from limecep.api import Match, dig, sort_key
from limecep_top.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.api import Context, Event, Plan, View
    from limecep_top.config import TopOptions

_INFINITE = float("inf")


class TopEngine:
    """Gives the matches of an end event with the greatest sums."""

    results: ClassVar[Literal["all", "maximal", "rule"]] = "rule"

    def __init__(self, plan: Plan, options: TopOptions, context: Context) -> None:
        self._plan = plan
        self._count = options.count
        self._by = options.by
        self._variable, _, path = options.by.partition(".")
        self._path = tuple(path.split("."))
        self._most = options.tries * plan.max_per_end
        self._context = context

    @property
    def rule(self) -> str:
        """The rule in words."""
        return f"the {self._count} with the greatest sum of {self._by}"

    def keeps(self, matches: Sequence[Mapping[str, Sequence[Event]]]) -> list[Mapping[str, Sequence[Event]]]:
        """The best of all matches of an end event, the best first."""
        return sorted(matches, key=self._rank)[: self._count]

    def matches(self, end: Event, view: View) -> list[Match]:
        """The matches that end with `end`, as far as the rule keeps them."""
        # Alternatives of a pattern may have equal matches, which count once.
        found = list({match.assignment(): match for match in self._all(end, view)}.values())
        events = [match.events() for match in found]
        of = {id(groups): match for groups, match in zip(events, found, strict=True)}
        return [of[id(groups)] for groups in self.keeps(events)]

    def count(self, end: Event, view: View) -> int | None:
        """Counting takes as long as finding."""
        return None

    def _rank(self, groups: Mapping[str, Sequence[Event]]) -> tuple[float, Any]:
        """What is less is better. Of equal sums the events decide, by what tells them from others: never by
        `ordinal` or `t_arr`, which depend on the order of arrival."""
        total = sum(self._value(event) for event in groups.get(self._variable, ()))
        told = sorted((name, [sort_key(e) for e in group]) for name, group in groups.items() if group)
        return -total, told

    def _value(self, event: Event) -> int | float:
        """The attribute of an event; 0 where it is no number. Infinity is none: two may have no sum."""
        value = dig(event.payload, self._path)
        return value if type(value) in (int, float) and abs(value) < _INFINITE else 0

    def _all(self, end: Event, view: View) -> Iterator[Match]:
        tries = 0
        for number, alternative in enumerate(self._plan.alternatives):
            search = Search(alternative, view, number, end, first_only=self._plan.select == "stnm")
            partial = search.starts()
            while partial:
                groups, step = partial.pop()
                tries += 1
                if tries > self._most:
                    self._context.truncated(end)
                    return
                if tries % 200 == 0:
                    self._context.raise_if_stopped()
                if groups[step][-1] is not end:
                    partial += search.longer(groups, step)
                elif search.complete(groups, step):
                    yield Match(alternative, groups)
