"""The matches of one alternative, and what each has that those before it have not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.expansion.choices import Choices, Groups
    from limecep.model.event import Event
    from limecep.model.match import Match

#: An event, as matches are compared by it: type, source, id.
Identity = tuple[str, str, str]


class Family:
    """The matches of one alternative, taken in one after the other.

    What can be chosen of a match was given before iff an earlier match contains it: that one gave all it has.
    """

    def __init__(self, choices: Choices) -> None:
        self.alternative = choices.alternative
        self._choices = choices
        steps = self.alternative.steps
        #: Matches with different events for one of these steps have nothing in common.
        self._fixed = [k for k, s in enumerate(steps) if s.quantifier.minimum == s.quantifier.maximum]
        #: Without such steps, matches are found by the events of one that has to take something.
        self._needed = next((k for k, s in enumerate(steps) if s.quantifier.minimum), None)
        self._members: dict[Any, list[_Member]] = {}

    def add(self, match: Match) -> Iterator[Groups]:
        """Takes in a match; gives what can be chosen of it and was not given before."""
        member = _Member(tuple(map(tuple, match.groups)))
        overlaps = self._overlaps(member)
        self._keep(member)
        if member.whole in overlaps:
            return
        for groups in self._choices.of(member.groups):
            chosen = member.mask(groups) if overlaps else 0
            if not any(chosen & ~overlap == 0 for overlap in overlaps):
                yield groups

    def count(self, match: Match) -> int:
        """Takes in a match; says how many choices `add` would give."""
        member = _Member(tuple(map(tuple, match.groups)))
        overlaps = self._overlaps(member)
        self._keep(member)
        return self._choices.count(member.groups) - self._count_within(member, overlaps)

    def gave(self, part: Match) -> bool:
        """Whether a match of another alternative is one of this alternative too, and was given."""
        events = part.events()
        groups = tuple(tuple(events.pop(s.variable, ())) for s in self.alternative.steps)
        if any(events.values()):
            return False
        member = _Member(groups)
        return self._choices.allow(groups) and any(m.contains(member) for m in self._rivals(member))

    def _keep(self, member: _Member) -> None:
        for key in self._keys(member):
            self._members.setdefault(key, []).append(member)

    def _rivals(self, member: _Member) -> list[_Member]:
        """The matches so far that may have something in common with one."""
        found = {id(m): m for key in self._keys(member) for m in self._members.get(key, ())}
        return list(found.values())

    def _keys(self, member: _Member) -> Iterable[Any]:
        if self._fixed:
            return (tuple(i for k in self._fixed for i in member.bits[k]),)
        return (None,) if self._needed is None else member.bits[self._needed]

    def _overlaps(self, member: _Member) -> list[int]:
        """What matches so far have in common with one, but for what is part of more."""
        return self._largest(member, [member.overlap(m) for m in self._rivals(member)])

    def _largest(self, member: _Member, masks: Iterable[int]) -> list[int]:
        """Those of which something can be chosen, and which are in no other."""
        kept: list[int] = []
        for mask in sorted(set(masks), key=int.bit_count, reverse=True):
            if not any(mask & ~larger == 0 for larger in kept) and self._suffices(member, mask):
                kept.append(mask)
        return kept

    def _suffices(self, member: _Member, mask: int) -> bool:
        return all(
            (mask & of_step).bit_count() >= s.quantifier.minimum
            for of_step, s in zip(member.masks, self.alternative.steps, strict=True)
        )

    def _count_within(self, member: _Member, masks: list[int]) -> int:
        """How many choices are within some of these parts of a match."""
        total = 0
        for n, mask in enumerate(masks):
            twice = self._largest(member, [mask & other for other in masks[:n]])
            total += self._choices.count(member.part(mask)) - self._count_within(member, twice)
        return total


class _Member:
    """A match. Each of its events has a bit, so that what is chosen of it is a number, and one choice
    contains another iff it has its bits.

    Attributes:
        groups: Its events.
        bits: By step, the bit of each event.
        masks: By step, the bits of all.
        whole: All bits.
    """

    __slots__ = ("bits", "groups", "masks", "whole")

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.bits: list[dict[Identity, int]] = []
        bit = 1
        for group in groups:
            of_step: dict[Identity, int] = {}
            for event in group:
                of_step[_identity(event)] = bit
                bit <<= 1
            self.bits.append(of_step)
        self.masks = [sum(of_step.values()) for of_step in self.bits]
        self.whole = bit - 1

    def mask(self, groups: Groups) -> int:
        """The bits of what is chosen of it."""
        return sum(
            of_step[_identity(event)]
            for of_step, group in zip(self.bits, groups, strict=True)
            for event in group
        )

    def part(self, mask: int) -> Groups:
        """What is chosen of it, by its bits."""
        return tuple(
            tuple(event for event in group if of_step[_identity(event)] & mask)
            for of_step, group in zip(self.bits, self.groups, strict=True)
        )

    def overlap(self, other: _Member) -> int:
        """The bits of what another match has too."""
        return sum(
            mine[identity]
            for mine, its in zip(self.bits, other.bits, strict=True)
            for identity in mine.keys() & its.keys()
        )

    def contains(self, other: _Member) -> bool:
        """Whether it has all events of another match."""
        return all(its.keys() <= mine.keys() for mine, its in zip(self.bits, other.bits, strict=True))


def _identity(event: Event) -> Identity:
    return (event.type, event.source, event.id)
