"""Policies that others brought, with everything looked at that they give.

What a policy says goes into arithmetic on times, and what it remembers into the state: what cannot be so
would show far from it, or as results that stay wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

from limecep.contracts.lateness import Verdict
from limecep.contracts.results import EMITS, EVERYTHING, PROMISES
from limecep.contracts.shown import shown
from limecep.contracts.skips import skip_problem
from limecep.contracts.slack import LONGEST_WAIT
from limecep.contracts.stand_in import sound_memory, stand_in
from limecep.errors import ContractBreach
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.plan.plan import Plan

    #: Whether a value may be given.
    Sound = Callable[[Any], bool]


def checked(kind: str, policy: Any, plan: Plan) -> Any:
    """A stand-in for a policy. It raises `ContractBreach` where the policy gives what its contract rules out.

    Args:
        kind: Its kind.
        policy: The policy.
        plan: The plan that it was made for.
    """
    looks: dict[str, Callable[[Any], Any]] = {"remembered": partial(sound_memory, policy)}
    for name, (sound, due) in _CALLED.get(kind, {}).items():
        looks[name] = partial(_given, policy, name, sound, due)
    for name, (sound, due) in _READ.get(kind, {}).items():
        looks[name] = partial(_had, policy, name, sound, due)
    if kind == "results":
        looks["skip"] = partial(_skips, policy, plan)
        looks["decide"] = partial(_decides, policy)
    return stand_in(policy, looks)


def look_at(kind: str, policy: Any) -> Any:
    """A policy, all of whose members were read that are not called: some are asked for only where they count.

    Args:
        kind: Its kind.
        policy: A stand-in, or a guard before it.
    """
    for name in [*_READ.get(kind, {}), *(["skip"] if kind == "results" else [])]:
        getattr(policy, name)
    return policy


def _given(policy: Any, name: str, sound: Sound, due: str, act: Callable[..., Any]) -> Callable[..., Any]:
    def look(*of: Any) -> Any:
        told = act(*of)
        if not sound(told):
            raise ContractBreach(policy, f"gave {shown(told)} in '{name}', where {due}")
        return told

    return look


def _had(policy: Any, name: str, sound: Sound, due: str, told: Any) -> Any:
    if not sound(told):
        raise ContractBreach(policy, f"has {shown(told)} as '{name}', where {due}")
    return told


def _skips(policy: Any, plan: Plan, told: Any) -> Any:
    """The skip strategy of a policy."""
    takes = {step.variable for alternative in plan.alternatives for step in alternative.steps}
    if said := skip_problem(told, takes):
        raise ContractBreach(policy, f"has {shown(told)} as 'skip', which is {said}")
    return told


def _decides(policy: Any, act: Callable[..., Any]) -> Callable[..., Any]:
    def look(*of: Any) -> Any:
        told = act(*of)
        if not isinstance(told, Iterable):
            raise ContractBreach(policy, f"decided {shown(told)} where changes are due")
        # What raises only as it is gone through does so here.
        return [*told]

    return look


def _is_number(told: Any) -> bool:
    try:
        return isinstance(told, (int, float)) and isfinite(told)
    except OverflowError:
        # No float holds it.
        return False


def _is_verdict(told: Any) -> bool:
    return (
        isinstance(told, Verdict)
        and isinstance(told.extremely_late, bool)
        and _is_number(told.score)
        and _is_number(told.threshold)
        and isinstance(told.reason, str)
    )


def _is_time(told: Any) -> bool:
    return told is None or (type(told) is int and -FOREVER <= told <= FOREVER)


def _is_distance(told: Any) -> bool:
    return told is None or (type(told) is int and 0 <= told <= FOREVER)


def _is_range(told: Any) -> bool:
    if not isinstance(told, (tuple, list)) or [type(t) for t in told] != [int, int]:
        return False
    low, high = told
    return bool(-FOREVER <= low <= high <= FOREVER)


def _is_truth(told: Any) -> bool:
    return isinstance(told, bool)


_TRUTH = (_is_truth, "True or False is due")
#: By kind and member, what may be given where it is called, and that in words.
_CALLED: dict[str, dict[str, tuple[Sound, str]]] = {
    "lateness": {
        "assess": (_is_verdict, "a Verdict is due, its score and threshold finite numbers"),
        "horizon": (_is_time, "a time in whole microseconds, or None, is due"),
    },
    "slack": {
        "wait": (
            lambda told: type(told) is int and 0 <= told <= LONGEST_WAIT,
            "a whole number of microseconds from 0 to a year is due",
        ),
    },
    "recompute": {"reach": (_is_range, "two times in whole microseconds are due, the earlier one first")},
}
#: Likewise of what is read.
_READ: dict[str, dict[str, tuple[Sound, str]]] = {
    "lateness": {"learns": _TRUTH, "by_window": _TRUTH},
    "results": {
        "promise": (lambda told: told in PROMISES, f"one of {', '.join(PROMISES)} is due"),
        "passes": (
            lambda told: isinstance(told, frozenset) and told <= EVERYTHING,
            f"a frozenset of {', '.join(sorted(EVERYTHING))} is due",
        ),
        "emit": (lambda told: told in EMITS, f"one of {', '.join(EMITS)} is due"),
        "horizon": (_is_distance, "a span of whole microseconds, at least 0, or None, is due"),
        "across_keys": _TRUTH,
        "announces": _TRUTH,
    },
}
