"""The automaton run depth first, on demand: skip-till-any-match with conditions that look back.

There a run takes an event and ignores it too, and conditions tell each from every other: kept, they would be
exponentially many whether or not an end event ever comes. So nothing is kept. For an end event the runs of
its window are gone through one after the other, each event chosen as soon as the conditions let it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content, Ordering
    from limecep_nfa.automaton import Automaton, State, Transition

Groups = tuple[tuple["Event", ...], ...]

#: After how many steps it is looked again whether the run has to end.
LOOK_EVERY = 256


class Search:
    """The runs of one window.

    Args:
        automaton: The automaton.
        steps: The lanes of the steps.
        negations: The lanes of the negated steps.
        ordering: Precedence and the window.
        budget: How many events may be taken in vain.
        raise_if_stopped: As of `Context`.
    """

    def __init__(
        self,
        automaton: Automaton,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        budget: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self.budget = budget
        self._raise_if_stopped = raise_if_stopped
        self._steps_taken = 0
        self._stops: list[int] = []
        self._end_step = -1
        self._ends_singly = False
        self._automaton = automaton
        self._steps = steps
        self._negations = negations
        self._ordering = ordering
        self._groups: list[list[Event]] = [[] for _ in steps]
        #: By state: the transitions that leave it, with the state each leads to.
        self._transitions: list[list[tuple[State, Transition]]] = [[] for _ in automaton.states]
        for state in automaton.states:
            for transition in state.transitions:
                self._transitions[transition.source].append((state, transition))

    def ending(
        self,
        place: int,
        end_step: int,
        earliest: int,
        latest: Sequence[int],
        holds: Callable[[Groups], bool] | None,
    ) -> Iterator[Groups]:
        """The groups of every match that ends with the event at a place of a step's lane, each once.

        Args:
            place: The place.
            end_step: The step.
            earliest: The least order number that a match may begin with.
            latest: By step, the greatest order number of a first event that a match may begin with there.
            holds: What is to be true of a match as a whole.
        """
        if not self._fits(place, end_step):
            return
        self._end_step = end_step
        self._ends_singly = self._automaton.alternative.steps[end_step].quantifier.maximum == 1
        end = self._steps[end_step].events[place]
        for state in self._automaton.states:
            if state.begins is None or state.step > end_step:
                continue
            numbers = self._steps[state.step].order
            stop = min(bisect_right(numbers, latest[state.step]), self._stops[state.step])
            for first in range(bisect_left(numbers, earliest), stop):
                for groups in self._beginning(state, state.begins, first, end):
                    if holds is None or holds(groups):
                        # What leads to a match was not in vain.
                        self.budget += sum(map(len, groups))
                        yield groups
                if self.budget < 0:
                    return

    def _fits(self, place: int, end_step: int) -> bool:
        """Finds the place in the lane of each step that its events must stand before, to leave room for what
        later steps have to take. False if there is no room for all."""
        steps = self._automaton.alternative.steps
        self._stops = [0] * len(steps)
        before = self._steps[end_step].order[place]
        for k in range(end_step, -1, -1):
            numbers = self._steps[k].order
            need = steps[k].quantifier.minimum
            if k == end_step:
                stop, need = place + 1, max(need, 1)
            else:
                stop = bisect_left(numbers, before)
            if stop < need:
                return False
            if need:
                before = numbers[stop - need]
            self._stops[k] = stop
        return True

    def _beginning(self, state: State, begins: Transition, place: int, end: Event) -> Iterator[Groups]:
        """The matches that begin with the event at a place."""
        if not self._takes(state, begins, place):
            return
        # Groups may be longer than any stack, so there is one of our own.
        run = [(state, self._onwards(state, place))]
        if self._complete(state, end):
            yield tuple(map(tuple, self._groups))
        while run:
            state, ways = run[-1]
            following = next(ways, None)
            if following is None:
                run.pop()
                self._groups[state.step].pop()
                continue
            self.budget -= 1
            self._steps_taken += 1
            if not self._steps_taken % LOOK_EVERY:
                self._raise_if_stopped()
            if self.budget < 0:
                for group in self._groups:
                    group.clear()
                return
            run.append((following[0], self._onwards(*following)))
            if self._complete(following[0], end):
                yield tuple(map(tuple, self._groups))

    def _onwards(self, state: State, place: int) -> Iterator[tuple[State, int]]:
        """What a run that came to a state with the event at a place can take next: the state it then stands
        in, and the place; the event has joined its group."""
        order = self._steps[state.step].order[place]
        for target, transition in self._transitions[state.number]:
            if transition.leaves and not all(c.holds(self._groups) for c in transition.leaves):
                continue
            numbers, stop = self._steps[target.step].order, self._stops[target.step]
            first = place + 1 if transition.kind == "take" else bisect_right(numbers, order)
            if target.step == self._end_step and self._ends_singly:
                first = max(first, stop - 1)
            for n in transition.gaps:
                hits = self._negations[n].order
                i = bisect_right(hits, order)
                if i < len(hits):
                    stop = min(stop, bisect_right(numbers, hits[i]))
            for p in range(first, stop):
                if self._takes(target, transition, p):
                    yield target, p

    def _takes(self, state: State, transition: Transition, place: int) -> bool:
        """Lets the event at a place join the group of its step, if it is eligible."""
        event = self._steps[state.step].events[place]
        if transition.near:
            before = self._groups[self._automaton.states[transition.source].step][-1]
            if not all(near(before, event) for near in transition.near):
                return False
        group = self._groups[state.step]
        group.append(event)
        if all(c.allows(self._groups, state.step) for c in transition.decides):
            return True
        group.pop()
        return False

    def _complete(self, state: State, end: Event) -> bool:
        """Whether what was chosen is a match."""
        return (
            state.ends
            and self._groups[state.step][-1] is end
            and all(c.holds(self._groups) for c in state.closes)
        )
