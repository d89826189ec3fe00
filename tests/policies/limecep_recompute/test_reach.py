"""How far the recompute policies reach."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.changelog import net
from limecep.testing.policy_bench import PolicyBench
from limecep.testing.streams import SECOND, written
from limecep_recompute.exact import Exact
from limecep_recompute.paper import Paper

CONTEXT: Any = None


def reach(policy: type[Exact | Paper], structure: str, event: str, lta: int = 100) -> tuple[float, float]:
    """How far an event reaches, in seconds, the window being 12 s."""
    plan = compile_plan(parse(f"PATTERN {structure} WITHIN 12 s"), name="p")
    (late,) = written(event)
    low, high = policy(plan, NoOptions(), CONTEXT).reach(late, lta * SECOND)
    return low / SECOND, high / SECOND


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ("SEQ(A a, B+ b[], C c)", (50, 74)),
        ("SEQ(!B b, A a)", (50, 74)),
        ("SEQ(A a, !B b, C c)", (50, 74)),
        # What may join a match, or forbid it when its end has come, touches end events before it.
        ("SEQ(A a, B+ b[])", (38, 74)),
        ("SEQ(A a, B? b)", (38, 74)),
        ("SEQ(A a, B{2} b[])", (38, 74)),
        ("SEQ(A a, !B b)", (38, 74)),
        ("SEQ(A a, !B b, C? c)", (38, 74)),
        ("OR(SEQ(A a, B b), SEQ(A a, B+ b[]))", (38, 74)),
    ],
)
def test_exact_goes_two_windows_on_and_one_back_only_where_ends_are_open(
    structure: str, expected: tuple[float, float]
) -> None:
    assert {reach(Exact, structure, event) for event in ("a50", "b50", "c50")} == {expected}


@pytest.mark.parametrize(
    ("structure", "event", "lta", "expected"),
    [
        ("SEQ(A a, B b, C c)", "a50", 55, (50, 62)),
        ("SEQ(A a, B b, C c)", "a50", 90, (50, 90)),
        ("SEQ(A a, B b, C c)", "c50", 90, (38, 50)),
        # One step of three on either side: a third of the window less, each way.
        ("SEQ(A a, B b, C c)", "b50", 55, (42, 58)),
        ("SEQ(A a, B b, C c)", "b50", 90, (42, 90)),
        # The example of the paper: two steps on the right, one on the left.
        ("SEQ(A a, B b, C c, D d)", "b50", 55, (44, 59)),
        # A step that takes several reaches a whole window on, whatever its place.
        ("SEQ(A a, B+ b[], C c)", "b50", 55, (42, 62)),
        ("SEQ(A+ a[], B b)", "a50", 55, (44, 62)),
        ("SEQ(A a, B+ b[])", "b50", 55, (38, 62)),
        # What may be several things reaches as far as any of them.
        ("SEQ(A a, B b, A c)", "a50", 55, (38, 62)),
        ("OR(SEQ(A a, B b), SEQ(B b, A a))", "a50", 55, (38, 62)),
        ("SEQ(A? a, B b, C c)", "b50", 55, (42, 62)),
        ("SEQ(A a, B b, C? c)", "b50", 55, (38, 58)),
        ("A a", "a50", 55, (38, 62)),
        # As `exact` has it for what is negated.
        ("SEQ(A a, !B b, C c)", "b50", 55, (50, 74)),
        ("SEQ(A a, !B b)", "b50", 55, (38, 74)),
        ("SEQ(A a, B b, !B x, C c)", "b50", 55, (42, 74)),
    ],
)
def test_paper_goes_by_what_the_event_can_be(
    structure: str, event: str, lta: int, expected: tuple[float, float]
) -> None:
    assert reach(Paper, structure, event, lta) == pytest.approx(expected)


def test_paper_leaves_a_wrong_match_after_an_end_event_that_came_late() -> None:
    pattern = parse("PATTERN SEQ(A a, B b) WITHIN 10 s")
    stream = written("a1 b5 b3")
    found = {}
    for policy in (Exact, Paper):
        detecting = PolicyBench(
            pattern, recompute=lambda plan, context, p=policy: p(plan, NoOptions(), context)
        )
        found[policy] = {"".join(group[0][2] for _, group in m) for m in net(detecting.run(stream))}
    assert found == {Exact: {"a1b3"}, Paper: {"a1b3", "a1b5"}}
