"""The shape of an alternative: what of it does not change from window to window."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from limecep.plan.plan import Alternative


class Shape:
    """What of an alternative does not change from window to window.

    Args:
        alternative: The alternative.
        next_match: Whether the policy is STNM.
        demanding: The steps whose groups have to satisfy conditions as a whole.
    """

    __slots__ = (
        "begins_plainly",
        "closes_plainly",
        "first_mandatory",
        "kleene",
        "may_close",
        "minimum",
        "negations",
        "next_match",
        "optional",
        "plain_gap",
        "plain_start",
        "precedes",
        "raise_if_stopped",
        "size",
        "trails",
    )

    def __init__(
        self,
        alternative: Alternative,
        *,
        next_match: bool,
        raise_if_stopped: Callable[[], None],
        demanding: Container[int] = (),
    ) -> None:
        self.raise_if_stopped = raise_if_stopped
        quantifiers = [s.quantifier for s in alternative.steps]
        self.size = len(quantifiers)
        self.kleene = tuple(q.maximum is None for q in quantifiers)
        self.optional = tuple(q.minimum == 0 for q in quantifiers)
        self.minimum = tuple(max(1, q.minimum) for q in quantifiers)
        self.next_match = next_match
        #: For each gap (before step 0, 1, ..., after the last), the negated steps in it.
        self.negations = tuple(
            tuple(n for n, neg in enumerate(alternative.negations) if neg.after == gap)
            for gap in range(self.size + 1)
        )
        #: The first step that must take something; which of those up to it can be put before a start; and
        #: whether nothing can, and nothing forbids one.
        self.first_mandatory = next((k for k in range(self.size) if not self.optional[k]), self.size - 1)
        self.precedes = tuple(self.optional[k] or self.kleene[k] for k in range(self.size))
        self.plain_start = not (
            self.precedes[0] or any(self.negations[gap] for gap in range(self.first_mandatory + 1))
        )
        #: For each step, whether nothing need follow it but the end event.
        self.may_close = tuple(all(self.optional[k + 1 : self.size - 1]) for k in range(self.size))
        #: Whether a negated step stands after what can be the last event.
        self.trails = any(self.negations[gap] for gap in range(alternative.ends[0] + 1, self.size + 1))
        #: For each step, whether the one before it must take something, with no negation between.
        self.plain_gap = tuple(
            k > 0 and not self.optional[k - 1] and not self.negations[k] for k in range(self.size)
        )
        #: Whether nothing can stand between the last group and the end event, or after it, that matters.
        self.closes_plainly = self.plain_gap[-1] and not self.negations[-1]
        #: Whether the first step stands alone: it must take something, under no condition on neighbours, and
        #: with no negation on either side.
        self.begins_plainly = (
            self.size > 1
            and not self.optional[0]
            and not self.negations[0]
            and not self.negations[1]
            and not any(c.pair is not None and c.steps == (0,) for c in alternative.conditions)
            and 0 not in demanding
        )

    @property
    def plain(self) -> bool:
        """Whether every step must take something, the first and the last one event, and nothing is
        negated."""
        return (
            self.size > 1
            and not any(self.optional)
            and not any(self.negations)
            and not (self.kleene[0] or self.kleene[-1])
        )

    @property
    def completes_simply(self) -> bool:
        """Whether rule (c) of SEMANTICS 7 needs no more than the previous end event.

        A start counts for the end events from its predecessor + W to its own + W. While it does, every run is
        completed at the first end event after its last group began. Optional steps, negation at the ends of
        the pattern and just before the end event make that more than a matter of two numbers.
        """
        return not (
            any(self.optional)
            or self.negations[0]
            or self.negations[self.size - 1]
            or self.negations[self.size]
        )
