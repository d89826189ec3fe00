"""What result policies decide on, and what they may say besides (`limecep.contracts.results`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from limecep.contracts.results import Step
    from limecep.model.match import Match


class Change(NamedTuple):
    """One match of a difference, or of what goes out.

    Attributes:
        op: `emit`: it has become a result; `retract`: it is a result no more.
        match: The match.
        out: Whether it is out already. An `emit` of what is out, and a `retract` of what is not, changes no
            output, whether it goes out or not. In what a policy gives it does not count.
    """

    op: Step
    match: Match
    out: bool = False


class Known(NamedTuple):
    """A match that the kernel keeps for a policy.

    Attributes:
        match: The match.
        valid: Whether it is a result.
        out: Whether it is out.
    """

    match: Match
    valid: bool
    out: bool


class Moment(Protocol):
    """What a policy may ask about a difference, while it decides on it. Times are in microseconds."""

    @property
    def now(self) -> int:
        """The arrival time."""

    @property
    def lta(self) -> int:
        """The latest event time seen."""

    @property
    def key(self) -> Hashable:
        """The key under PARTITION BY of all its matches: a value, or a tuple of them; `()` without partition,
        and for a policy that decides `across_keys`."""

    @property
    def final(self) -> bool:
        """Whether nothing can change its matches any more. What is withheld then never goes out."""

    @property
    def settled(self) -> int:
        """No match that starts before this event time changes any more."""

    def matches(self, since: int | None = None) -> Sequence[Known]:
        """What is kept of this key, in the order of end event and start, as if nothing of the difference went
        out: matches that are withheld, and those that are out and no results any more; where the policy does
        not pass `emit`, also those that are out and results. Of what memory has let go, and of what is final,
        nothing is kept.

        Args:
            since: Only those that end at this event time or later.
        """

    def replaced(self, match: Match) -> Match | None:
        """The match of the difference that a new one of it corrects, if the one goes out and the other is
        taken back; None if it corrects none."""


@runtime_checkable
class Selecting(Protocol):
    """An optional ability of result policies: the promise is about some of the results only."""

    def selects(self, matches: Sequence[Match]) -> Iterable[Match]:
        """Those it is about.

        Args:
            matches: The results of the events in order: those of one key, in the order of end event and
                start; of all keys for a policy that decides `across_keys`.
        """


@runtime_checkable
class Lasting(Protocol):
    """An optional ability of result policies that remember something of a key. A host that forgets keys to
    which nothing comes waits for that."""

    @property
    def lasts(self) -> int | None:
        """How long after the latest event, in microseconds of event time, what it remembers is needed; None
        for ever."""


#: What a result policy may say or do besides.
OPTIONAL: tuple[type, ...] = (Selecting, Lasting)
