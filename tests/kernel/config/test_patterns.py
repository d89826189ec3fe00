"""The `patterns` block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import load_dict
from limecep.problems import Problem
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Change, Check, Edited, IsTold

    from limecep.config.model import PipelineConfig
    from limecep.plan.plan import Plan


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("as: Temperature", "as: Humidity"), 12, "no source gives events of type 'Temperature'", ""),
        (("    select: stnm", "    selct: stnm"), 15, "pattern 'fire' has no key 'selct'", "mean 'select'?"),
        (("select: stnm", "select: stmn"), 15, "'select' must be one of stnm, stam, sc", "mean 'stnm'?"),
        (
            ("select: stnm", "select: sc"),
            15,
            "'maximal' does not know the selection policy 'sc'",
            "stam, stnm",
        ),
        (("engine: maximal", "lateness: {type: accept, within: 0}"), 16, "'within' needs a unit: 0s", ""),
        (("> $limit", "> limit"), 13, "there is no variable 'limit'", "did you mean $limit?"),
        (("> $limit", "> ${limit}"), 13, "variable limit is not set", "write $limit for the parameter"),
        (
            ("engine: maximal", "results: {emit: final}"),
            16,
            "'emit' asks for results that are final, but lateness policy 'accept' may",
            "write results: {emit: final, horizon: 10m}; or bound what is accepted: lateness: {type:",
        ),
        (("engine: maximal", "results: {max_per_end: many}"), 16, "'max_per_end' must be a whole number", ""),
        (
            ("engine: maximal", "results: {pick: longer}"),
            16,
            "'pick' must be",
            "mean 'longest'?",
        ),
        (("    query: |", "    qery: |"), 10, "pattern 'fire' needs 'query'", "PATTERN ... WITHIN"),
        (
            ("SEQ(GasLeak a", "SEQ(GasLeek a"),
            12,
            "no source gives events of type 'GasLeek'",
            "mean 'GasLeak'?",
        ),
        (("WHERE a.percentage", "WHERE x.percentage"), 13, "there is no variable 'x'", "known: a, b"),
        (("> $limit", "> $limt"), 13, "there is no parameter 'limt'", "mean 'limit'?"),
        (("30 seconds", "30 secondz"), 14, "unknown unit 'secondz'", "seconds"),
        (("WITHIN 30 seconds", "WITHIN seconds"), 14, "unexpected seconds", "expected a number"),
        (
            ("WHERE", "WHERE skip-till-any-match AND"),
            15,
            "'select' is stnm, but the query itself says stam",
            "",
        ),
        (("engine: maximal", "query: [a]"), 16, "'query' stands here a second time", "line 11"),
        (("    query: |", "    query: 5\n    x: |"), 11, "'query' must be text, not the number 5", ""),
        (("as: GasLeak,", "as: GasLeak, payload: [v],"), 13, "'percentage'", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


@pytest.mark.parametrize(
    ("lateness", "results"),
    [("{type: accept, within: 5s}", "{emit: final}"), ("accept", "{emit: final, horizon: 1m}")],
)
def test_what_is_final_is_told_by_a_bound_or_a_horizon(
    check: Check, good: str, lateness: str, results: str
) -> None:
    text = good.replace("engine: maximal", f"lateness: {lateness}\n    results: {results}")
    assert check(text).problems == []


def test_a_horizon_says_nothing_where_nothing_is_called_final(check: Check, good: str) -> None:
    (problem,) = check(good.replace("engine: maximal", "results: {emit: eager, horizon: 1m}")).problems
    assert (problem.code, problem.severity) == ("unused-option", "warning")
    assert problem.message.startswith("'horizon' does nothing")


def test_patterns_have_their_components(config: PipelineConfig) -> None:
    fire, alarms = config.patterns
    assert (fire.name, fire.select, fire.max_per_end) == ("gas_fire", "stam", 10)
    assert (fire.lateness.spec.name, fire.lateness.options.weights) == ("score", (0.5, 0.25, 0.25))
    assert fire.results.options.emit == "eager"
    assert (alarms.select, alarms.max_per_end) == ("stnm", 1_000_000)
    names = [
        c.spec.name for c in (alarms.engine, alarms.lateness, alarms.slack, alarms.recompute, alarms.results)
    ]
    assert names == ["maximal", "accept", "adaptive", "exact", "corrected"]
    assert alarms.pattern.within == 3_600_000_000


def test_the_selection_of_the_query_counts(check: Check, full: str) -> None:
    text = full.replace("WHERE a", "WHERE skip-till-next-match AND a").replace("    select: stam\n", "")
    config = check(text).config
    assert config is not None
    assert config.patterns[0].select == "stnm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vetting:
    until: str = option("", help="A type of the pattern.")

    def vet(self, plan: Plan) -> Iterator[tuple[str, Problem]]:
        if self.until not in plan.types:
            yield "until", Problem(code="unknown-type", message="no such type", hint=f"within {plan.within}")
            yield "", Problem(code="odd", message="so it does nothing", severity="warning")


@pytest.mark.parametrize("kind", ["engine", "lateness", "slack", "recompute", "results"])
def test_a_component_says_what_it_cannot_do_for_a_pattern(registry: Registry, kind: Any) -> None:
    made = ComponentSpec(kind=kind, name="mine", factory="n:N", summary="For tests.", options=Vetting)
    known = Registry([*registry.specs(), made])

    def said(until: str, query: str = "SEQ(A a, B b)") -> list[tuple[str, str, str]]:
        pattern = {"query": f"PATTERN {query} WITHIN 1 s", kind: {"type": "mine", "until": until}}
        found = load_dict({"version": 1, "patterns": {"p": pattern}}, known).problems
        return [(p.code, str(p.place), p.hint) for p in found if p.code in ("unknown-type", "odd")]

    assert said("A") == []
    assert said("X") == [
        ("odd", f"patterns.p.{kind}", ""),
        ("unknown-type", f"patterns.p.{kind}.until", "within 1000000"),
    ]
    # A pattern that is wrong has no plan.
    assert said("X", "SEQ(A a, B a)") == []


def test_what_is_missing_at_the_end_of_a_query_is_shown_there(edited: Edited) -> None:
    [problem] = edited(("      WITHIN 30 seconds\n", "      WITHIN\n")).problems
    assert problem.place is not None
    assert (problem.place.line, problem.place.width) == (14, 1)
