"""A policy that somebody brought is looked at before anything follows from what it gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.contracts.lateness import Verdict
from limecep.contracts.results import Skip
from limecep.errors import ContractBreach
from limecep.runtime.checked_policies import checked, look_at

#: Of a pattern whose alternatives take `a` and `b`.
PLAN: Any = SimpleNamespace(
    alternatives=[SimpleNamespace(steps=[SimpleNamespace(variable=name)]) for name in ("a", "b")]
)
NAN, INFINITE = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("kind", "name", "sound", "odd"),
    [
        (
            "lateness",
            "assess",
            [Verdict(extremely_late=False), Verdict(extremely_late=True, score=3, threshold=2, reason="x")],
            [
                None,
                Verdict(extremely_late=False, score=NAN),
                Verdict(extremely_late=False, score=10**400),
                Verdict(extremely_late=True, score=1.0, threshold=INFINITE),
                Verdict(extremely_late=False, score="x"),  # type: ignore[arg-type]
                Verdict(extremely_late=1),  # type: ignore[arg-type]
                Verdict(extremely_late=True, reason=None),  # type: ignore[arg-type]
            ],
        ),
        ("lateness", "horizon", [None, 0, -5], [1.5, True, 10**30, "soon"]),
        ("slack", "wait", [0, 5], [-1, 0.5, None, 10**30]),
        ("recompute", "reach", [(1, 1), [-5, 5]], [None, (2, 1), (1, 2.0), (1, 10**30), (1, 2, 3), "ab"]),
    ],
)
def test_what_a_policy_gives_is_looked_at(kind: str, name: str, sound: list[Any], odd: list[Any]) -> None:
    for told in sound:
        assert (
            getattr(checked(kind, SimpleNamespace(**{name: lambda *of, told=told: told}), PLAN), name)(1)
            is told
        )
    for told in odd:
        with pytest.raises(ContractBreach, match=f"in '{name}', where "):
            getattr(checked(kind, SimpleNamespace(**{name: lambda *of, told=told: told}), PLAN), name)(1)


RESULTS: dict[str, Any] = {
    "promise": "equal",
    "passes": frozenset({"emit"}),
    "emit": "eager",
    "horizon": None,
    "skip": None,
    "across_keys": False,
    "announces": False,
}


@pytest.mark.parametrize(
    ("name", "sound", "odd"),
    [
        ("promise", ["subset"], ["most"]),
        ("passes", [frozenset()], [{"emit"}, frozenset({"all"})]),
        ("emit", ["final"], [5]),
        ("horizon", [0, 5], [-5, 10**30, 1.5]),
        ("announces", [True], [0]),
    ],
)
def test_so_is_what_it_has_before_anything_happens(name: str, sound: list[Any], odd: list[Any]) -> None:
    for value in sound:
        policy = checked("results", SimpleNamespace(**{**RESULTS, name: value}), PLAN)
        assert getattr(look_at("results", policy), name) == value
    for value in odd:
        policy = checked("results", SimpleNamespace(**{**RESULTS, name: value}), PLAN)
        with pytest.raises(ContractBreach, match=f"as '{name}', where "):
            look_at("results", policy)


@pytest.mark.parametrize("skip", ["next", Skip("first", "zz")], ids=repr)
def test_it_skips_to_what_there_is(skip: Any) -> None:
    policy = checked("results", SimpleNamespace(**{**RESULTS, "skip": Skip("first", "a")}), PLAN)
    assert look_at("results", policy).skip == Skip("first", "a")
    policy = checked("results", SimpleNamespace(**{**RESULTS, "skip": skip}), PLAN)
    with pytest.raises(ContractBreach, match="as 'skip', which is "):
        look_at("results", policy)


def test_what_it_remembers_is_json() -> None:
    assert checked("slack", SimpleNamespace(remembered=lambda: {"a": [1]}), PLAN).remembered() == {"a": [1]}
    with pytest.raises(ContractBreach, match=r"remembers {1: 2}, where the key 1 is no text"):
        checked("slack", SimpleNamespace(remembered=lambda: {1: 2}), PLAN).remembered()


def test_what_cannot_show_itself_is_told_as_well() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise ValueError("no repr")

    with pytest.raises(ContractBreach, match=r"gave <a value of .*Odd, whose repr fails> in 'wait', where "):
        checked("slack", SimpleNamespace(wait=lambda statistics: Odd()), PLAN).wait(None)
