"""Which way an alternative of a pattern is evaluated, and rule (c) over what it gives."""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from limecep.model.match import Match
from limecep.plan.forms import quantified
from limecep_maximal.bounds import ANY_START
from limecep_maximal.chains import count_chains
from limecep_maximal.completions import Completions
from limecep_maximal.counts import count_singles
from limecep_maximal.explanation import CHAINS, WAYS
from limecep_maximal.forward_pass import ForwardPass
from limecep_maximal.join import Join
from limecep_maximal.parts import Parts
from limecep_maximal.paths import Forest, Paths, Reduction, both
from limecep_maximal.pins import Filtered
from limecep_maximal.search import Search
from limecep_maximal.shape import Shape
from limecep_maximal.single_ends import SingleEnds, touched
from limecep_maximal.single_starts import SingleStarts
from limecep_maximal.start_hits import StartHits
from limecep_maximal.subsets import Subsets
from limecep_maximal.tight_pairs import Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content
    from limecep.store.view import View

    Way = Literal["plain", "tight", "joined", "pinned", "runs", "alone", "relaxed", "search"]


class Evaluator(Parts):
    """One alternative."""

    def __init__(
        self,
        alternative: Alternative,
        number: int,
        next_match: bool,
        budget: int,
        enumeration: int,
        context: Context,
    ) -> None:
        #: As the plan has it, for matches; from here on, what counts events are quantifiers.
        self.planned = alternative
        alternative = quantified(alternative)
        super().__init__(alternative, context, next_match=next_match)
        self.number = number
        self.budget = budget
        self.enumeration = enumeration
        self.ends = alternative.ends
        look = context.raise_if_stopped
        demanding = () if next_match else self.pins.demands
        self.shape = Shape(alternative, next_match=next_match, raise_if_stopped=look, demanding=demanding)
        self.needs = self.shape.minimum
        pairs: list[list[Any]] = [[] for _ in alternative.steps]
        for condition in alternative.conditions:
            if condition.pair is not None:
                pairs[condition.steps[0]].append(condition.pair)
        self.pairs = [
            both(p) if s.quantifier.maximum is None else None
            for p, s in zip(pairs, alternative.steps, strict=True)
        ]
        self.has_pairs = any(p is not None for p in self.pairs)
        self.no_paths: list[Paths | None] = [None] * len(pairs)
        plain = all(s.quantifier.maximum is None or s.quantifier.maximum == 1 for s in alternative.steps)
        single = all(s.quantifier.single for s in alternative.steps)
        unconditional = all(n.hits is None for n in alternative.negations)
        #: What the alternative calls for.
        self.way: Way = "search"
        if next_match and plain and not alternative.conditions and self.shape.plain:
            self.way = "plain"
        elif plain and unconditional and all(c.pair is not None for c in alternative.conditions):
            self.way = "tight"
        elif not next_match and single:
            self.way = "joined"
        elif plain and not next_match and self.pins.possible:
            self.way = "pinned"
        elif plain and unconditional and not next_match and not any(c.cross for c in alternative.conditions):
            self.way = "relaxed"
        completing = next_match and not alternative.growing and len(alternative.steps) > 1
        if self.way == "search" and (self.law.applies if next_match else self.law.settled):
            self.way = "alone" if len(alternative.steps) == 1 else "runs"
        self.forward: ForwardPass | None = None
        if self.way in ("runs", "alone"):
            neighbours = [both(p) for p in self.law.pairs]
            self.forward = ForwardPass(self.law, number, neighbours, look, alone=self.way == "alone")
        self.join = Join(alternative, number, look) if self.way == "joined" else None
        self.start_hits = StartHits(alternative, number)
        self.completing = completing and self.way in ("plain", "tight")
        self.completes = completing and self.way == "search"
        #: Whether all groups of a match follow from its first event.
        self.follows = self.way == "plain" and not any(self.shape.kleene[:-2])
        self.starts = SingleStarts(self.planned, number, self.shape, budget) if self.follows else None
        #: Whether an end event leaves nothing to the next one but what came in between.
        self.completes_at_once = self.completing and self.shape.completes_simply and self.shape.plain_start
        self.countable = not next_match and self.way == "tight" and single and not alternative.negations
        #: Whether nothing ends where the step before the end has taken nothing in the window.
        step = self.ends[0]
        self.awaits_step_before = len(self.ends) == 1 and step > 0 and not self.shape.optional[step - 1]

    def explain(self) -> str:
        """The way it goes."""
        chains = self.has_pairs and self.way in ("tight", "pinned", "relaxed")
        return f"{self.way}: {WAYS[self.way]}{CHAINS if chains else ''}"

    def matches(self, end: Event, view: View) -> Iterable[Match]:
        """The matches of this alternative that end with `end`."""
        if len(self.ends) == 1:
            return self._ending(end, self.ends[0], view)
        return self._ending_somewhere(end, view, ANY_START)

    def matches_from(self, end: Event, view: View, t_gen: int) -> Iterable[Match] | None:
        """The matches that end with `end` and start at a time; None where all have to be found for that."""
        if self.way not in ("tight", "joined", "pinned") and not (self.forward and self.forward.remembers):
            return None
        first, last = view.ordering.between(t_gen, t_gen)
        if self.start_hits.any and self.start_hits.all_hit(end, view, first, last + 1):
            return ()
        found = self._ending_somewhere(end, view, (first, last + 1))  # Some may be their own start.
        return [m for m in found if m.start.t_gen == t_gen] if 0 in self.ends else found

    def _ending_somewhere(self, end: Event, view: View, starts: tuple[int, int]) -> Iterator[Match]:
        for step in self.ends:
            yield from self._ending(end, step, view, starts)

    def _ending(
        self, end: Event, step: int, view: View, starts: tuple[int, int] = ANY_START
    ) -> Iterable[Match]:
        """The matches that end with `end`, taken by a step, and start between two order numbers."""
        place = self.place(end, step, view)
        if place < 0 or self._hopeless(step, place, view):
            return ()
        contents = [lane.content for lane in view.steps[self.number]]
        if self.way == "plain":
            return self._plainly(SingleEnds(self.shape, contents, view.ordering), place, contents[0].events)
        if self.way == "tight" and self.next_match:
            # Few, as a rule: a list is had sooner than one by one.
            window = self._window(contents, view, contents[step].order[place], starts)
            found = islice(window.ending(place, step, completing=self.completing), self.budget + 1)
            matches = [Match(self.planned, groups) for groups in found]
            self._report(end, window.budget)
            return matches
        if self.completes:
            return self._uncompleted(place, step, contents, view)
        return self._candidates(place, step, contents, view, starts)

    def matches_of(self, ends: Sequence[Event], view: View) -> list[list[Match]] | None:
        """The matches that end with each of some events."""
        if self.way != "plain":
            return None
        contents = [lane.content for lane in view.steps[self.number]]
        plain, starts = SingleEnds(self.shape, contents, view.ordering), contents[0].events
        numbers, events = contents[-1].order, contents[-1].events
        order, step, count = view.ordering.of, self.ends[0], len(events)
        found = []
        for end in ends:
            # Most have a time of their own.
            place = bisect_left(numbers, order(end))
            if place == count or events[place] is not end:
                place = self.place(end, step, view)
            found.append(self._plainly(plain, place, starts) if place >= 0 else [])
        return found

    def _plainly(self, plain: SingleEnds, place: int, starts: Sequence[Event]) -> list[Match]:
        """The matches that end with the event at a place."""
        alternative = self.planned
        return [
            Match(alternative, ((start,), *tail))
            for begin, stop, tail in plain.ending(place)
            for start in starts[begin:stop]
        ]

    def place(self, end: Event, step: int, view: View) -> int:
        """Where an event stands in the lane of a step; -1 if the step does not take it."""
        lane = view.steps[self.number][step]
        events = lane.content.events
        if events and events[-1] is end:
            return len(events) - 1
        accepts = self.alternative.steps[step].filter
        if end.type in accepts.types and (accepts.accepts is None or accepts.accepts(end)):
            return lane.place(view.order(end), end)
        return -1

    def _hopeless(self, step: int, place: int, view: View) -> bool:
        """Whether the step before cannot have taken anything that counts: a look at the tails of two
        lanes."""
        if not step or self.shape.optional[step - 1]:
            return False
        lanes = view.steps[self.number]
        numbers = lanes[step - 1].content.order
        if not numbers:
            return True
        order = lanes[step].content.order
        if place and self.completes_at_once and numbers[-1] < order[place - 1]:
            return True
        return numbers[-1] < view.ordering.floor(order[place])

    def count(self, end: Event, view: View) -> int | None:
        """How many matches there are, where that is cheaper to know than to give them."""
        if self.way not in ("plain", "tight") or self.completes or len(self.ends) > 1:
            return None
        step = self.ends[0]
        place = self.place(end, step, view)
        if place < 0 or self._hopeless(step, place, view):
            return 0
        contents = [lane.content for lane in view.steps[self.number]]
        if self.follows:
            floor = view.ordering.floor(contents[-1].order[place])
            return count_chains(self.shape, contents, place, floor)
        if self.way == "plain":
            plain = SingleEnds(self.shape, contents, view.ordering)
            return sum([stop - begin for begin, stop, _ in plain.ending(place)])
        if self.countable:
            order = contents[-1].order[place]
            return count_singles([c.order for c in contents[:-1]], view.ordering.floor(order), order)
        window = self._window(contents, view, contents[step].order[place])
        count = 0
        for _ in window.ending(place, step, completing=self.completing):
            count += 1
            if count > self.budget:
                break
        self._report(end, window.budget)
        return count

    def touched(self, event: Event, view: View) -> list[Event] | None:
        """The end events whose matches an event may change; None if that is not known."""
        if self.starts is None or view.ordering.tied:
            return None
        contents = [lane.content for lane in view.steps[self.number]]
        order = view.order(event)
        places: set[int] = set()
        for k, accepts in self.starts.takers.get(event.type, ()):
            if accepts is None or accepts(event):
                places.update(touched(self.shape, contents, k, order))
        return [contents[-1].events[i] for i in places]

    def _window(
        self, contents: Sequence[Content], view: View, order: int, starts: tuple[int, int] = ANY_START
    ) -> Window:
        """What is evaluated for an end event with an order number, of matches that start between two."""
        negations = [lane.content for lane in view.negations[self.number]]
        paths = self.no_paths
        if self.has_pairs:
            paths = [self._paths(k, c, view, order) for k, c in enumerate(contents)]
        ordering = view.ordering
        return Window(self.shape, contents, negations, ordering, paths, self.budget, starts=starts)

    def _uncompleted(
        self,
        place: int,
        step: int,
        contents: Sequence[Content],
        view: View,
    ) -> Iterator[Match]:
        """The candidates whose run no earlier one completed."""
        numbers = contents[step].order
        begin = bisect_left(numbers, view.ordering.floor(numbers[place]))
        stand = tuple([len(view.negations[self.number][n]) for n in self.shape.negations[-1]])
        known: Completions | None = view.memo.get(("completions", self.number))
        if known is None or known.begin > begin or known.stop < begin or known.stand != stand:
            known = view.memo[("completions", self.number)] = Completions(begin, stand)
        for earlier in range(known.stop, place):
            known.add(earlier, list(self._candidates(earlier, step, contents, view)))
        candidates = list(self._candidates(place, step, contents, view))
        if known.stop == place:
            known.add(place, candidates)
            known.forget(begin)
        for match in candidates:
            if not known.completed(match, place):
                yield match

    def _candidates(
        self,
        place: int,
        step: int,
        contents: Sequence[Content],
        view: View,
        starts: tuple[int, int] = ANY_START,
    ) -> Iterator[Match]:
        """The matches that end at a place of the lane of `step` and are contained in no other that does."""
        alternative = self.planned
        groups: tuple[Group, ...]
        if self.way in ("runs", "alone"):
            assert self.forward is not None
            for groups in self.forward.ending(place, view, starts):
                yield Match(alternative, groups)
            return
        negations = [lane.content for lane in view.negations[self.number]]
        if self.way == "search":
            known = view.memo.setdefault(("values", self.number), {})
            budget = min(self.budget, self.enumeration) if self.rules.blind else self.budget
            search = Search(self.rules, contents, negations, view.ordering, budget, known)
            for groups in search.ending(place, step):
                yield Match(alternative, groups)
            bound = "enumeration" if budget < self.budget else "max_per_end"
            self._report(contents[step].events[place], search.budget, bound)
            return
        if self.way == "relaxed":
            window = self._window(contents, view, contents[step].order[place])
            relaxed = Subsets(self.rules, window, view.ordering, self.enumeration)
            for groups in relaxed.ending(place, step):
                yield Match(alternative, groups)
            self._report(contents[step].events[place], relaxed.budget, relaxed.bound)
            return
        if self.join is not None:
            joined = self.join.search(place, view, self.budget, starts)
            yield from [
                Match(alternative, groups) for groups in islice(joined.assignments(), self.budget + 1)
            ]
            self._report(contents[step].events[place], joined.budget)
            return
        if self.way == "pinned":
            yield from self._pinned(place, step, contents, view, starts)
            return
        window = self._window(contents, view, contents[step].order[place], starts)
        for groups in window.ending(place, step, completing=self.completing):
            yield Match(alternative, groups)
        self._report(contents[step].events[place], window.budget)

    def _pinned(
        self, place: int, step: int, contents: Sequence[Content], view: View, starts: tuple[int, int]
    ) -> Iterator[Match]:
        """The matches that end with the event at a place, for each choice of those that conditions name."""
        pins, shape = self.pins, self.shape
        end, order = contents[step].events[place], contents[step].order[place]
        budget = self.budget
        memo = view.memo.setdefault(("filtered", self.number), Filtered())
        negations = [lane.content for lane in view.negations[self.number]]
        look = self.context.raise_if_stopped
        for choice in pins.choices(contents, negations, view.ordering, place, step, memo, starts, look):
            lanes = choice.lanes
            paths = self.no_paths
            if self.has_pairs:
                paths = [self._fresh_paths(k, c, view, order) for k, c in enumerate(lanes)]
            spans = pins.spans(choice, shape.minimum, view.ordering.floor(order)) if pins.demands else {}
            budget -= 1
            window = Window(
                shape, lanes, choice.negations, view.ordering, paths, budget, spans, self.edges, starts
            )
            at = bisect_left(lanes[step].order, order)
            while at < len(lanes[step].events) and lanes[step].events[at] is not end:
                at += 1
            if at == len(lanes[step].events):
                continue
            for groups in window.ending(at, step, completing=False):
                yield Match(self.planned, groups)
            budget = window.budget
            if budget < 0:
                break
        self._report(end, budget)

    def _report(self, end: Event, budget: int, bound: str = "max_per_end") -> None:
        if budget < 0:
            self.context.truncated(end, bound)

    def _paths(self, step: int, content: Content, view: View, order: int) -> Paths | None:
        """The paths of a step's lane, as far as an end event with an order number needs them. They are kept
        between evaluations, and made anew where these do not follow each other."""
        if self.pairs[step] is None:
            return None
        key = ("paths", self.number, step)
        known: Forest | Reduction | None = view.memo.get(key)
        begin = self._needed(content, view, order)
        if known is None or not known.begin <= begin <= known.stop:
            fresh = view.memo[key] = self._fresh_paths(step, content, view, order)
            return fresh
        known.catch_up(order)
        known.forget(begin)
        return known

    def _fresh_paths(self, step: int, content: Content, view: View, order: int) -> Forest | Reduction | None:
        accepts = self.pairs[step]
        if accepts is None:
            return None
        kind = Forest if self.next_match else Reduction
        begin = self._needed(content, view, order)
        made = kind(content, view.ordering, accepts, begin, self.law.equal[step])
        made.catch_up(order)
        return made

    def _needed(self, content: Content, view: View, order: int) -> int:
        """The first place of a lane that counts for an end event: what could be put before a start, or
        before one that an earlier end event completed."""
        floor = view.ordering.floor
        return bisect_left(content.order, floor(floor(order)))
