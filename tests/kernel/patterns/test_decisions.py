"""Decisions: what a result policy withholds and lets stand, and what it may not do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from limecep.clock import ManualClock
from limecep.contracts.changes import Change
from limecep.contracts.tables import PLAIN
from limecep.errors import ContractBreach
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.decisions import Decisions
from limecep.patterns.match_codec import MatchCodec
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.interpreted

PLAN = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 h PARTITION BY k"), name="p")
(ALTERNATIVE,) = PLAN.alternatives
# Nothing is written.
CODEC = MatchCodec(PLAN, Store().subscribe(PLAN), Ordering(1))
REVISED = MatchCodec(PLAN, Store(revised=True).subscribe(PLAN), Ordering(1, revised=True))
STATISTICS: Any = SimpleNamespace(lta=99)


def match(start: int, end: int, key: str = "x") -> Match:
    a, b = (
        Event(t, f"{t.lower()}{n}", n, payload={"k": key}, ordinal=n) for t, n in (("A", start), ("B", end))
    )
    return Match(ALTERNATIVE, ((a,), (b,)))


def said_anew(before: Match, end: int) -> Match:
    """The match with another event of the name of its last one."""
    (a,), (b,) = before.groups
    return Match(ALTERNATIVE, ((a,), (replace(b, t_gen=end, ordinal=100 + end),)))


ONE, TWO, THREE = match(1, 2), match(3, 4), match(5, 6)
OTHER = match(7, 8, "y")


class Asked:
    """A result policy that says what it is told to, and notes what it was asked.

    Attributes:
        says: What it says to the next difference; else nothing goes out.
        seen: Of each difference, and of what was kept then, the matches in short.
    """

    across_keys = False

    def __init__(self, *passes: str) -> None:
        self.passes = frozenset(passes)
        self.says: Callable[[list[Change]], Any] = lambda changes: ()
        self.seen: list[tuple[object, list[str], list[str]]] = []
        self.replaced: list[Match | None] = []

    def decide(self, changes: list[Change], moment: Any) -> Any:
        assert (moment.now, moment.lta, moment.final) == (50, 99, False)
        self.seen.append(
            (
                moment.key,
                [f"{c.op} {c.match.start.t_gen}{' out' * c.out}" for c in changes],
                [f"{m.start.t_gen}{' valid' * valid}{' out' * out}" for m, valid, out in moment.matches()],
            )
        )
        self.replaced = [moment.replaced(c.match) for c in changes]
        return self.says(changes)


class Deciding:
    """Decisions, with short words for what comes, goes, and goes out."""

    def __init__(self, *passes: str, codec: MatchCodec = CODEC) -> None:
        self.policy: Any = Asked(*passes)
        self.decisions = Decisions(PLAN, self.policy, ManualClock(50), STATISTICS, PLAIN, codec)

    def __call__(
        self, *come: Match, gone: tuple[Match, ...] = (), says: Any = None
    ) -> tuple[list[Match], ...]:
        if says is not None:
            self.policy.says = says
        key = CODEC.key
        out = self.decisions.decide({key(m): m for m in come}, {key(m): m for m in gone}, None, final=False)
        return tuple([*matches.values()] for matches in out)


def everything(changes: list[Change]) -> list[Change]:
    return changes


def test_what_is_withheld_may_go_out_later_and_is_not_taken_back_before() -> None:
    deciding = Deciding()
    assert deciding(ONE, TWO) == ([], [])
    # It is a result no more, and never was out.
    assert deciding(gone=(ONE,), says=everything) == ([], [])
    assert deciding(THREE, says=lambda changes: [*changes, Change("emit", TWO)]) == ([THREE, TWO], [])
    assert deciding.policy.seen == [
        ("x", ["emit 1", "emit 3"], ["1 valid", "3 valid"]),
        ("x", ["retract 1"], ["3 valid"]),
        ("x", ["emit 5"], ["3 valid", "5 valid"]),
    ]


def test_what_stands_is_not_emitted_again_and_may_be_taken_back_later() -> None:
    deciding = Deciding("emit")
    assert deciding(ONE, TWO) == ([ONE, TWO], [])
    assert deciding.policy.seen == []
    assert deciding(gone=(ONE, TWO)) == ([], [])
    assert len(deciding.decisions) == 2
    # A result again: it is out.
    assert deciding(ONE) == ([], [])
    assert deciding(THREE, gone=(ONE,), says=everything) == ([THREE], [ONE])
    assert deciding(gone=(THREE,), says=lambda changes: [Change("retract", TWO)]) == ([], [TWO])
    assert deciding.policy.seen[-1] == ("x", ["retract 5 out"], ["3 out", "5 out"])


@pytest.mark.parametrize("passes", [("emit",), ()])
def test_what_stands_is_not_emitted_again_with_events_that_are_said_anew(passes: tuple[str, ...]) -> None:
    deciding = Deciding(*passes, codec=REVISED)
    emits: Any = lambda changes: [c for c in changes if c.op == "emit"]  # noqa: E731
    anew, later = (said_anew(ONE, at) for at in (2, 3))
    assert deciding(ONE, says=emits) == ([ONE], [])
    # In its place, and once it was gone.
    assert deciding(anew, gone=(ONE,)) == ([], [])
    assert deciding(gone=(anew,)) == ([], [])
    assert deciding(later) == ([], [])
    assert deciding(gone=(later,), says=everything) == ([], [later])
    assert deciding(ONE) == ([ONE], [])
    # A policy that takes it back may say it anew.
    assert deciding(anew, gone=(ONE,)) == ([anew], [ONE])


def test_a_policy_that_does_not_pass_emits_may_take_back_results() -> None:
    deciding = Deciding()
    assert deciding(ONE, says=everything) == ([ONE], [])
    told = deciding(TWO, says=lambda changes: [*changes, Change("retract", ONE)])
    assert told == ([TWO], [ONE])
    assert deciding.policy.seen[-1] == ("x", ["emit 3"], ["1 valid out", "3 valid"])
    assert deciding(gone=(TWO,), says=lambda changes: [*changes, Change("emit", ONE)]) == ([ONE], [TWO])


def test_it_is_asked_key_by_key_unless_it_decides_across_them() -> None:
    deciding = Deciding()
    deciding(OTHER, ONE)
    assert [seen[:2] for seen in deciding.policy.seen] == [("y", ["emit 7"]), ("x", ["emit 1"])]
    deciding.policy.across_keys = True
    across = Decisions(PLAN, deciding.policy, ManualClock(50), STATISTICS, PLAIN, CODEC)
    across.decide({CODEC.key(m): m for m in (OTHER, ONE)}, {}, None, final=False)
    assert deciding.policy.seen[-1] == ((), ["emit 7", "emit 1"], ["1 valid", "7 valid"])


def test_a_new_match_tells_which_it_would_correct() -> None:
    plan = compile_plan(parse("PATTERN SEQ(A+ a[], B b) WITHIN 1 h"), name="p")
    codec = MatchCodec(plan, Store().subscribe(plan), Ordering(1))
    first, second, end = (Event(n[0].upper(), n, t, ordinal=t) for t, n in ((1, "a1"), (2, "a2"), (3, "b3")))
    old, new = (Match(plan.alternatives[0], (group, (end,))) for group in ((first,), (first, second)))
    policy: Any = Asked("emit")
    decisions = Decisions(plan, policy, ManualClock(50), STATISTICS, PLAIN, codec)
    policy.says = everything
    told = decisions.decide({codec.key(new): new}, {codec.key(old): old}, None, final=False)
    assert told == ({codec.key(new): new}, {codec.key(old): old})
    assert policy.replaced == [None, old]
    deciding = Deciding("emit")
    deciding(TWO, gone=(ONE,), says=everything)
    assert deciding.policy.replaced == [None, None]


def test_only_what_ends_late_enough_is_asked_for() -> None:
    deciding = Deciding()
    deciding(THREE, ONE, TWO)
    told = [known.match for known in deciding.decisions.matches("x", 4)]
    assert told == [TWO, THREE]
    assert deciding.decisions.matches("z", None) == []


@pytest.mark.parametrize(
    ("says", "what"),
    [
        (lambda changes: [*changes, *changes], "decided twice on a match: a: a3; b: b4;"),
        (lambda changes: [Change("emit", ONE)], "emit a: a1; b: b2;, which is out already"),
        (lambda changes: [Change("emit", THREE)], "which is no result that is withheld"),
        (lambda changes: [Change("retract", TWO)], "retract a: a3; b: b4;, which is not out"),
        (lambda changes: [changes[0]._replace(op="correct")], "which is neither 'emit' nor 'retract'"),
        (lambda changes: [("emit", TWO)], "where a Change is due"),
        (lambda changes: [Change("emit", 7)], "decided on 7 where a match is due"),  # type: ignore[arg-type]
        (lambda changes: 7, "decided 7 where changes are due"),
    ],
)
def test_a_policy_that_breaks_the_rules_is_told_of(says: Any, what: str) -> None:
    deciding = Deciding()
    deciding(ONE, says=everything)
    with pytest.raises(ContractBreach, match=what) as breach:
        deciding(TWO, says=says)
    assert breach.value.component is deciding.policy


def test_what_it_says_that_it_passes_it_has_to_pass() -> None:
    deciding = Deciding("retract")
    deciding(ONE, says=everything)
    with pytest.raises(
        ContractBreach, match="says that it passes every retract, and left out that of a: a1; b: b2;"
    ):
        deciding(TWO, gone=(ONE,), says=lambda changes: [])


def test_what_is_final_is_kept_no_more() -> None:
    deciding = Deciding()
    key = CODEC.key
    deciding(ONE, TWO, says=lambda changes: changes[:1])
    assert deciding.decisions.announced(key(ONE), ONE)
    assert not deciding.decisions.announced(key(TWO), TWO)
    assert len(deciding.decisions) == 0
    deciding.policy.decide = lambda changes, moment: changes[:1]
    told = deciding.decisions.decide({key(m): m for m in (ONE, TWO)}, {}, None, final=True)
    assert told == ({key(ONE): ONE}, {})
    assert len(deciding.decisions) == 0


def test_what_memory_lets_go_is_put_aside_with_what_was_decided() -> None:
    deciding = Deciding("emit")
    deciding(ONE, TWO)
    deciding(gone=(ONE, TWO))
    deciding.decisions.archive(3)
    assert len(deciding.decisions) == 1
    # Its events come again.
    assert deciding(ONE) == ([], [])
    deciding.decisions.forget(4)
    assert deciding(TWO) == ([TWO], [])
    assert deciding.decisions.settled == 4
    holding = Deciding("retract")
    holding(ONE)
    holding.decisions.archive(3)
    assert len(holding.decisions) == 0
    assert holding.decisions.settled == 3
