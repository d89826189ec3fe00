"""From maximal matches to all matches of skip-till-any-match (SEMANTICS 8).

Every match is made of a maximal one by choosing, in each group, some of its events. A group of a thousand
stands for more matches than can be listed, so they are given one by one as they are asked for, and counted
without being listed where conditions allow.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from limecep.errors import LimecepError
from limecep.expansion.choices import Choices
from limecep.expansion.family import Family
from limecep.model.match import Match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.plan.plan import Alternative, NegatedStep, PlanStep

__all__ = ["Expansion", "expand"]


def expand(matches: Iterable[Match]) -> Expansion:
    """All matches of skip-till-any-match that some of these contain.

    Args:
        matches: Matches of one pattern, in any order: those of an engine that gives the maximal ones, under
            `stam`.

    Raises:
        LimecepError: The pattern has a negated step beside a group that may lose events. Whether what
            is left is a match then depends on events that are in no match.
    """
    return Expansion(matches)


class Expansion:
    """What `expand` gives: goes through the matches as they are asked for, each once; or counts them."""

    def __init__(self, matches: Iterable[Match]) -> None:
        self._matches = list(matches)
        self._choices = {id(m.alternative): Choices(m.alternative) for m in self._matches}
        for choices in self._choices.values():
            _check_negations(choices.alternative)

    def __iter__(self) -> Iterator[Match]:
        families = {key: Family(choices) for key, choices in self._choices.items()}
        others = {
            key: [f for f in families.values() if not _apart(f.alternative, families[key].alternative)]
            for key in families
        }
        for match in self._matches:
            key = id(match.alternative)
            for groups in families[key].add(match):
                part = Match(match.alternative, groups)
                # Alternatives may have equal matches, which count once.
                if not any(f.gave(part) for f in others[key]):
                    yield part

    def count(self) -> int:
        """How many there are. They are gone through only where a condition is about a whole group, such as
        `count(b) > 2` or `first(b).v > 3`, or where alternatives of the pattern may have equal matches."""
        alternatives = [choices.alternative for choices in self._choices.values()]
        apart = all(_apart(a, b) for a, b in combinations(alternatives, 2))
        if not apart or not all(choices.countable for choices in self._choices.values()):
            return sum(1 for _ in self)
        families = {key: Family(choices) for key, choices in self._choices.items()}
        return sum(families[id(m.alternative)].count(m) for m in self._matches)


def _apart(a: Alternative, b: Alternative) -> bool:
    """Whether no match of one can equal a match of the other, as far as variables tell."""
    if a is b:
        return True
    needed, other = _needed(a), _needed(b)
    if not (needed.keys() <= {s.variable for s in b.steps} and other.keys() <= {s.variable for s in a.steps}):
        return True
    # AND: the same steps in another order.
    return any(
        (needed[u] < needed[v]) != (other[u] < other[v])
        for u, v in combinations(needed.keys() & other.keys(), 2)
    )


def _needed(alternative: Alternative) -> dict[str, int]:
    """The variables that must take something, with their places."""
    return {s.variable: k for k, s in enumerate(alternative.steps) if s.quantifier.minimum}


def _check_negations(alternative: Alternative) -> None:
    for negation in alternative.negations:
        loose = [s.variable for s in _bounding(alternative, negation) if not _is_fixed(s)]
        if loose:
            raise LimecepError(
                f"whether a match without some of the events of '{loose[0]}' is one depends on events of the "
                f"negated step '{negation.variable}', which are in no match: only an engine that gives all "
                "matches can tell, such as 'engine: nfa'"
            )


def _bounding(alternative: Alternative, negation: NegatedStep) -> tuple[PlanStep, ...]:
    """The steps that say where an event of a negated step must not stand."""
    steps, after = alternative.steps, negation.after
    if negation.hits is not None:
        return steps
    if 0 < after < len(steps):
        return steps[after - 1 : after + 1]
    return (steps[0], steps[-1])


def _is_fixed(step: PlanStep) -> bool:
    """Whether its group cannot lose an event."""
    return step.quantifier.minimum == step.quantifier.maximum
