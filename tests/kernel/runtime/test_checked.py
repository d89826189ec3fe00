"""What an engine that somebody brought gives is looked at before it goes out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, component
from limecep.errors import ComponentFailure, ContractBreach
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.plan.compiler import compile_plan
from limecep.runtime.checked import checked
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.registry import Registry

    Give = Callable[[Any, Any, Any], Any]


@component("engine", capabilities=frozenset({"stam", "all"}))
class Mine:
    """All pairs of an A and the B that ends with it, or what a test says."""

    results = "all"
    give: Give

    def __init__(self, plan: Any, options: Any, context: Any) -> None:
        self._alternative = plan.alternatives[0]

    def matches(self, end: Any, view: Any) -> Any:
        return type(self).give(self._alternative, end, view)

    def count(self, end: Any, view: Any) -> Any:
        return None


def pairs(alternative: Any, end: Any, view: Any) -> list[Match]:
    firsts = [e for e in view.steps[0][0].content.events if e.t_gen < end.t_gen]
    return [Match(alternative, ((first,), (end,))) for first in firsts]


def found(installed: Registry, give: Give, **more: Any) -> list[str]:
    Mine.give = staticmethod(give)  # type: ignore[assignment]
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "select": "stam", "engine": "mine", **more}
    document = {"version": 1, "patterns": {"p": pattern}}
    with Pipeline.from_dict(document, registry=installed, plugins=[Mine]) as pipeline:
        return [u.match.start.id for u in pipeline.feed(written("a1 a2 b3"))]


def test_what_an_engine_may_give_goes_out(installed: Registry) -> None:
    assert found(installed, pairs) == ["a1", "a2"]
    assert found(installed, lambda *given: iter(pairs(*given))) == ["a1", "a2"]


WRONG: list[tuple[Give, str]] = [
    (lambda a, end, view: None, "gave None where matches are due"),
    (lambda a, end, view: [*pairs(a, end, view), 5], "gave 5 where a match is due"),
    (lambda a, end, view: [Match(None, ((end,),))], "gave a match of no alternative of its pattern"),  # type: ignore[arg-type]
    (lambda a, end, view: [Match(a, ((end,),))], "other than 2 groups"),
    (lambda a, end, view: [Match(a, 5)], "other than 2 groups"),  # type: ignore[arg-type]
    (lambda a, end, view: [Match(a, ([end], (end,)))], "for a group of events"),  # type: ignore[arg-type]
    (lambda a, end, view: [Match(a, (("x",), (end,)))], "for a group of events"),  # type: ignore[arg-type]
    (lambda a, end, view: [Match(a, ((), (end,)))], "0 events for a step that takes at least 1"),
    (lambda a, end, view: 2 * pairs(a, end, view), "gave a match of an end event twice"),
    (
        lambda a, end, view: [Match(a, ((end,), tuple(view.steps[0][0].content.events[:1])))],
        "gave a match that ends with a1, asked for those that end with b3",
    ),
]


@pytest.mark.parametrize(("give", "said"), WRONG)
def test_what_it_may_not_give_ends_the_run_with_its_name(give: Give, said: str, installed: Registry) -> None:
    with pytest.raises(ComponentFailure) as failed:
        found(installed, give)
    assert "engine 'mine'" in str(failed.value)
    assert said in str(failed.value)


def test_or_stops_its_pattern(installed: Registry) -> None:
    assert found(installed, lambda a, end, view: [Match(a, ((end,),))], on_error="disable") == []


NO_PLAN: Any = SimpleNamespace(alternatives=())


@pytest.mark.parametrize("told", ["x", -1, True])
def test_a_count_is_a_number_of_matches(told: Any) -> None:
    asked = checked(SimpleNamespace(count=lambda end, view: told), NO_PLAN)
    with pytest.raises(ContractBreach, match="matches of an end event"):
        asked.count(None, None)
    assert checked(SimpleNamespace(count=lambda end, view: 3), NO_PLAN).count(None, None) == 3


def test_end_events_that_are_asked_for_together_have_matches_each() -> None:
    for given, said in ([[]], "gave matches for 1 of 2 end events"), ([], "gave matches for 0 of 2"):
        asked = checked(SimpleNamespace(matches_of=lambda ends, view, given=given: given), NO_PLAN)
        with pytest.raises(ContractBreach, match=said):
            asked.matches_of(["a", "b"], None)
    assert checked(SimpleNamespace(matches_of=lambda ends, view: None), NO_PLAN).matches_of([], None) is None


def test_one_match_of_an_end_event_is_picked_at_most() -> None:
    plan = compile_plan(parse("PATTERN A a WITHIN 1 s"), name="p", pick="last")
    end = Event("A", "a", 1)
    match = Match(plan.alternatives[0], ((end,),))

    def picked(given: Any) -> Any:
        return checked(SimpleNamespace(picked=lambda end, view: given), plan).picked(end, None)

    assert (picked(None), picked([]), picked([match])) == (None, [], [match])
    other = Match(plan.alternatives[0], ((Event("A", "b", 1, ordinal=1),),))
    for given, said in (
        ([match, match], "twice"),
        ([other], "ends with b"),
        (["x"], "'x'"),
        (7, "gave 7"),
    ):
        with pytest.raises(ContractBreach, match=said):
            picked(given)


@pytest.mark.parametrize("member", ["touched", "exposed", "going", "coming", "matches_of"])
@pytest.mark.parametrize("given", [7, [7], ([7], None), (7, None), (1, 2, 3)])
def test_what_late_events_change_is_looked_at_too(member: str, given: Any) -> None:
    asked = checked(SimpleNamespace(**{member: lambda *of: given}), NO_PLAN)
    with pytest.raises(ContractBreach, match="gave"):
        getattr(asked, member)([], None)


def test_an_engine_may_leave_it_to_the_kernel() -> None:
    for member in ("touched", "exposed", "going"):
        assert (
            getattr(checked(SimpleNamespace(**{member: lambda *of: None}), NO_PLAN), member)(None, None)
            is None
        )


def test_it_has_the_members_of_the_engine_as_they_are_now() -> None:
    engine = SimpleNamespace(rule="the first", together=None, _own=1)
    asked = checked(engine, NO_PLAN)
    engine.rule = "the last"
    assert (asked.rule, asked.guarded) == ("the last", engine)
    assert not hasattr(asked, "together")
    assert not hasattr(asked, "matches_of")
