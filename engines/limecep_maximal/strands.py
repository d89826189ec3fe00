"""Groups as next-match fills them: from its first event on there is no choice but how long a group is."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol

from limecep.model.match import Range
from limecep.plan.stretch import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.stretch import Book
    from limecep.store.lane import Content
    from limecep_maximal.law import Law
    from limecep_maximal.paths import Forest

#: More than any group has.
UNBOUNDED = 1 << 60


class Strand(Protocol):
    """A group being filled. Lengths say which of its beginnings is meant."""

    def before(self, order: int) -> int:
        """How many of its events stand before an order number."""

    def upto(self, place: int) -> int:
        """The length with which it ends with the event at a place of the lane; 0 if it does not take that."""

    def order(self, length: int) -> int:
        """The order number of the last event of a beginning."""

    def place(self, length: int) -> int:
        """The place in the lane of the last event of a beginning."""

    def seen(self, length: int) -> Sequence[Event]:
        """A beginning, as conditions read it."""

    def group(self, length: int) -> Group:
        """A beginning, as a match has it."""

    def valid(self, length: int) -> bool:
        """Whether a beginning has enough events, and satisfies the conditions on the whole group."""

    def longest(self, stop: int) -> int:
        """The greatest valid length up to another; 0 if there is none. Cheap where that grows from call to
        call."""


class _Judged:
    """What is known of the beginnings of a strand.

    Args:
        law: The alternative's.
        step: Its step.
        groups: The groups before it, as conditions on the whole group read them.
        content: The lane.
    """

    __slots__ = ("_conditions", "_content", "_groups", "_least", "_longest", "_most", "_step", "_tested")

    def __init__(self, law: Law, step: int, groups: list[Sequence[Event]], content: Content) -> None:
        self._step = step
        self._least = law.least[step]
        self._most = law.most[step]
        self._content = content
        self._conditions = law.closing[step]
        self._groups = groups
        self._tested = self._least - 1
        self._longest = 0

    def seen(self, length: int) -> Sequence[Event]:
        raise AssertionError("strands say what they hold")

    def valid(self, length: int) -> bool:
        if length < self._least:
            return False
        if not self._conditions:
            return True
        groups = self._groups
        groups[self._step] = self.seen(length)
        return all(c.holds(groups) for c in self._conditions)

    def longest(self, stop: int) -> int:
        if not self._conditions:
            return stop if stop >= self._least else 0
        if stop < self._longest:
            return next((n for n in range(stop, self._least - 1, -1) if self.valid(n)), 0)
        for length in range(stop, self._tested, -1):
            if self.valid(length):
                self._longest = length
                break
        self._tested = max(stop, self._tested)
        return self._longest


class Plain(_Judged):
    """A group that takes every event of its lane from a place on.

    Args:
        law, step, groups, content: As for `_Judged`.
        book: The events of the lane, for aggregates.
        first: The place of its first event.
    """

    __slots__ = ("_book", "_first", "_single")

    def __init__(
        self, law: Law, step: int, groups: list[Sequence[Event]], content: Content, book: Book, first: int
    ) -> None:
        super().__init__(law, step, groups, content)
        self._book = book
        self._first = first
        self._single = law.single[step]

    def before(self, order: int) -> int:
        return max(0, min(bisect_left(self._content.order, order, self._first) - self._first, self._most))

    def upto(self, place: int) -> int:
        length = place - self._first + 1
        return length if 0 < length <= self._most else 0

    def order(self, length: int) -> int:
        return self._content.order[self._first + length - 1]

    def place(self, length: int) -> int:
        return self._first + length - 1

    def seen(self, length: int) -> Sequence[Event]:
        if self._single:
            return (self._content.events[self._first],)
        return Stretch(self._book, self._first, self._first + length)

    def group(self, length: int) -> Group:
        content = self._content
        if self._single:
            return (content.events[self._first],)
        return Range(content, self._first, self._first + length, len(content.late))


class Chosen(_Judged):
    """A group that takes an event only if it goes with those it has, or with the groups before.

    Args:
        law, step, groups, content: As for `_Judged`.
        first: The place of its first event.
        paths: What follows what, where only neighbours decide that.
        takes: Else, whether it takes an event after those it has.
    """

    __slots__ = ("_look_at", "_orders", "_paths", "_takes", "events", "places")

    def __init__(
        self,
        law: Law,
        step: int,
        groups: list[Sequence[Event]],
        content: Content,
        first: int,
        paths: Forest | None,
        takes: Callable[[list[Sequence[Event]], list[Event], Event], bool] | None,
    ) -> None:
        super().__init__(law, step, groups, content)
        self._paths = paths
        self._takes = takes
        self._look_at = first + 1
        self._orders = [content.order[first]]
        self.places = [first]
        self.events = [content.events[first]]

    def before(self, order: int) -> int:
        self._extend(bisect_left(self._content.order, order, self.places[0]))
        return bisect_left(self._orders, order)

    def upto(self, place: int) -> int:
        if place < self.places[0]:
            return 0
        self._extend(place + 1)
        i = bisect_left(self.places, place)
        return i + 1 if i < len(self.places) and self.places[i] == place else 0

    def order(self, length: int) -> int:
        return self._orders[length - 1]

    def place(self, length: int) -> int:
        return self.places[length - 1]

    def seen(self, length: int) -> Sequence[Event]:
        if length > len(self.events):
            # Whoever came from its end backwards knows that it goes on so far.
            self._extend(len(self._content.order))
        return self.events[:length]

    def group(self, length: int) -> Group:
        return tuple(self.seen(length))

    def _extend(self, stop: int) -> None:
        """Lets it take what it takes before a place of the lane."""
        places, content = self.places, self._content
        if self._paths is not None:
            while len(places) < self._most:
                following = self._paths.next_place(places[-1])
                if not 0 <= following < stop:
                    return
                self._add(following)
            return
        takes = self._takes
        assert takes is not None
        place = self._look_at
        while place < stop and len(places) < self._most:
            if takes(self._groups, self.events, content.events[place]):
                self._add(place)
            place += 1
        self._look_at = max(place, self._look_at)

    def _add(self, place: int) -> None:
        self.places.append(place)
        self._orders.append(self._content.order[place])
        self.events.append(self._content.events[place])
