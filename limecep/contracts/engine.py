"""Engines find matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.store.recent import Recent
    from limecep.store.view import View


class Engine(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`.

    Duties:
        `matches(end, view)` gives every match of SEMANTICS 6 (`results = "all"`) or 7 (`"maximal"`) whose end
        event is `end`, each once; or those of SEMANTICS 6 that a rule of its own keeps (`"rule"`: see
        `Ruling`). Where the end step may take none or several events, an engine of maximal matches gives
        what is maximal among those with that end event; containment across end events is the kernel's
        business, and so is everything that late events do: the kernel asks again and compares.

        It behaves as a pure function of the view. What it derives it may keep in `view.memo`, which the
        kernel empties whenever an event enters the view's past or leaves it; emptying it at any other moment
        must change nothing but the time taken. An evaluation takes the time of its window, however much the
        view holds: under the default lateness policy that is as much as there is room for.

        Under strict contiguity `view.stream` has every event of the key, whatever its type. An engine that
        does not know every selection policy says in the `capabilities` of its spec which it knows;
        one that gives all matches says `all` there, one with a rule `rule`.

        It gives matches lazily: at most `plan.max_per_end` are taken. Where its own work could exceed that,
        it stops there and calls `context.truncated(end)`. In a search that may be long it calls
        `context.raise_if_stopped()` every few hundred steps, and lets through what that raises.

        It raises nothing on odd data.
    """

    results: ClassVar[Literal["all", "maximal", "rule"]]

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """The matches that end with `end`."""

    def count(self, end: Event, view: View) -> int | None:
        """How many `matches` would give, where that is cheaper to know than to give them; else None."""


@runtime_checkable
class Ruling(Protocol):
    """An engine with a meaning of its own, `results = "rule"`: of all matches that end with an event it gives
    those that its rule keeps.

    The rule is a function of these matches alone. So whatever the order of arrival, what stands in the end
    is what the rule keeps on the ordered stream. A match that waits for an absence after it is not among
    them before its time: `limecep check` refuses such patterns.
    """

    @property
    def rule(self) -> str:
        """The rule in words, for `limecep explain`: `the 3 with the greatest sum of b.v`."""

    def keeps(
        self, matches: Sequence[Mapping[str, Sequence[Event]]]
    ) -> Sequence[Mapping[str, Sequence[Event]]]:
        """Which of all matches that end with one event are results, of all alternatives of the pattern. It
        gives the same ones in whatever order it is given them, and minds neither `ordinal` nor `t_arr`, which
        are those of the arrival.

        Args:
            matches: Each the events of its variables, as `Match.events` gives them; equal ones once.
        """


@runtime_checkable
class Touching(Protocol):
    """An engine that knows what a late event touches."""

    def touched(self, event: Event, view: View) -> Sequence[Event] | None:
        """The end events in the view whose matches may differ once an event is there that is about to enter
        the past, itself aside, where that is cheaper to know than to find out; else None. Too many only cost
        time. What ends before what the event can touch by SEMANTICS 10, or after, need not be left out."""


@runtime_checkable
class Changing(Protocol):
    """An engine that finds the matches a late event changes without those it leaves as they are."""

    def going(self, event: Event, view: View) -> tuple[Sequence[Match], Any] | None:
        """Asked before an event enters the past.

        Returns:
            All matches, over all end events, that may be none once the event is there; and what `coming` is
            to be given, None if no match will come or go. None where neither is known, or where one of the
            end events may have more matches than `plan.max_per_end`.
        """

    def coming(self, view: View, changed: Any) -> Sequence[Match]:
        """Asked once the event is there: all matches that there may be now and were not before, and those of
        `going` that stay. No other match changes."""


@runtime_checkable
class Batching(Protocol):
    """An engine for which several end events are cheaper than one after the other."""

    def matches_of(self, ends: Sequence[Event], view: View) -> Sequence[Iterable[Match]] | None:
        """For each of some end events what `matches` gives, where that is cheaper than one after the other;
        else None."""


@runtime_checkable
class Picking(Protocol):
    """An engine that finds the match that `plan.pick` names without enumerating the others. One that does not
    know `pick` need do nothing: the kernel goes through `matches` and keeps the best."""

    def picked(self, end: Event, view: View) -> Sequence[Match] | None:
        """What `limecep.model.picks.best` gives of all that `matches` gives: that one, or nothing; None where
        it is found no sooner than by going through them. Asked only where the plan has a `pick`."""


class Together(Protocol):
    """Several patterns, evaluated at once: all have one alternative with one end step, whose lane is one for
    all of them, and one window. Asked about an event that has just entered that lane, as its last.

    Patterns are told by their numbers. Those that are left out have no matches, and should cost nothing.
    """

    def counts(self, end: Event) -> Iterable[tuple[int, int | None]]:
        """What `Engine.count` says for each pattern."""

    def matches(self, end: Event) -> Iterable[tuple[int, Iterable[Match]]]:
        """What `Engine.matches` gives for each pattern, in any order of the patterns."""


@runtime_checkable
class Sharing(Protocol):
    """An engine that evaluates an end event for several patterns at once, which costs less than for one after
    the other."""

    @classmethod
    def together(cls, asked: Sequence[tuple[Any, View]], recent: Recent) -> Together:
        """What evaluates several patterns at once.

        Args:
            asked: The engine of each pattern, all of this class, and its only view. The place in the sequence
                is the pattern's number.
            recent: Knows which lanes had an event lately.
        """


@runtime_checkable
class Starting(Protocol):
    """An engine that finds the matches with a given start without the others of an end event. It is asked as
    time passes, where matches wait for the end of their window."""

    def matches_from(self, end: Event, view: View, t_gen: int) -> Iterable[Match] | None:
        """Those of `matches` whose first event has a `t_gen`, where that is cheaper than all; else None. An
        empty tuple says that there are none, and that it cost next to nothing to know."""


@runtime_checkable
class Exposing(Protocol):
    """An engine that knows which matches an event of a negated step after the end brings to light: it hits
    what completed them, or contained them, and spares them."""

    def exposed(self, event: Event, view: View) -> Sequence[Event] | None:
        """The end events whose matches are more than `matches` gave of them before, now that an event of such
        a step is there and nothing in the view comes after it; None where that is not known: then all in its
        window are asked about."""


@runtime_checkable
class Explaining(Protocol):
    """An engine that says how it evaluates."""

    def explain(self) -> Sequence[str]:
        """How it evaluates each alternative of the plan, in their order: a line of text each, for
        `limecep explain`."""


OPTIONAL: tuple[type, ...] = (
    Ruling,
    Touching,
    Changing,
    Batching,
    Picking,
    Sharing,
    Starting,
    Exposing,
    Explaining,
)
