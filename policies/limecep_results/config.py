"""Options of the result policies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep import option
from limecep.contracts.results import Skip
from limecep.model.alternatives import spread
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.plan.plan import Plan

_SKIP = re.compile(r"(?:skip-)?(?:(?P<whole>to-next|past-last)|to-(?P<of>first|last)\[(?P<variable>.+)\])")
_WHOLE: dict[str, Literal["next", "past-last"]] = {"to-next": "next", "past-last": "past-last"}


@dataclass(frozen=True, slots=True, kw_only=True)
class UncorrectedOptions:
    """Options of `uncorrected`."""

    emit: Literal["eager", "complete", "slack", "final"] = option(
        "eager",
        help="When a match goes out. eager: as soon as it is found; complete: a match whose last step may "
        "take several events when time has passed its window, others as soon as they are found; slack: after "
        "the slack that late events are waited for; final: when no event that is still used can change it.",
        choices=("eager", "complete", "slack", "final"),
    )
    horizon: int | None = option(
        None,
        help="Where results are final: how far behind the latest event time an event may be and still change "
        "them, whatever the lateness policy says; off: as far as that says.",
        example="10m",
        unit="duration",
    )

    skip: str = option(
        "none",
        help="Which matches of one key a match drops, in order of end and start. none; to-next: those with "
        "the same start; past-last: those that start at or before its end; to-first[b], to-last[b]: those "
        "that start before its first, or last, event of b.",
        example="past-last",
    )

    def __post_init__(self) -> None:
        if self.horizon is not None and self.horizon < 0:
            raise ValueError("'horizon' must not be negative")
        if self.skip != "none" and not _SKIP.fullmatch(self.skip):
            raise ValueError(
                "'skip' must be none, to-next, past-last, to-first[v] or to-last[v] with a variable v of the "
                f"pattern, not '{self.skip}'"
            )

    @property
    def skips(self) -> Skip | None:
        """The strategy; None for none."""
        found = _SKIP.fullmatch(self.skip)
        if found is None:
            return None
        if found["whole"]:
            return Skip(_WHOLE[found["whole"]])
        return Skip("first" if found["of"] == "first" else "last", found["variable"])

    def vet(self, plan: Plan) -> Iterator[tuple[str, Problem]]:
        """What it cannot do for a pattern (`VettingPlans` of the kernel)."""
        skips = self.skips
        if skips is None or not skips.variable:
            return
        known = {s.variable for steps in spread(plan.pattern.structure) for s in steps if not s.negated}
        if skips.variable not in known:
            yield (
                "skip",
                Problem(
                    code="unknown-variable",
                    message=f"'skip' names '{skips.variable}', which is no variable of the pattern that "
                    "takes events",
                    hint=suggestion(skips.variable, known),
                ),
            )

    @property
    def needs_horizon(self) -> str:
        """The key that asks for what is final, where nothing here says when that is."""
        return "emit" if self.emit == "final" and self.horizon is None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedOptions(UncorrectedOptions):
    """Options of `corrected`."""

    final: bool = option(
        False,
        help="Whether it is told of each match when no event that is still used can change it any more, by a "
        "record 'final'. Under emit: final each record says so itself.",
    )

    @property
    def needs_horizon(self) -> str:
        if self.horizon is not None:
            return ""
        return "emit" if self.emit == "final" else "final" if self.final else ""


_EMITS = ("eager", "complete", "slack")


@dataclass(frozen=True, slots=True, kw_only=True)
class CooldownOptions:
    """Options of `cooldown`."""

    for_: int = option(
        name="for",
        help="How long no other match of the key goes out after one that did, from end event to end event.",
        example="10m",
        unit="duration",
    )
    emit: Literal["eager", "complete", "slack"] = option(
        "eager", help="When a match goes out, as of `corrected`.", choices=_EMITS
    )

    def __post_init__(self) -> None:
        if self.for_ <= 0:
            raise ValueError("'for' must be more than 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleOptions:
    """Options of `throttle`."""

    matches: int = option(help="How many matches of one key go out in that time.", example=3)
    per: int = option(
        help="The time in which so many matches of one key go out: a match does not if as many that did "
        "ended less than this before it.",
        example="10m",
        unit="duration",
    )
    emit: Literal["eager", "complete", "slack"] = option(
        "eager", help="When a match goes out, as of `corrected`.", choices=_EMITS
    )

    def __post_init__(self) -> None:
        if self.per <= 0:
            raise ValueError("'per' must be more than 0")
        if self.matches < 1:
            raise ValueError("'matches' must be at least 1")
