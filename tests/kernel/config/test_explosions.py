"""Warnings of patterns that have too many results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.config.loader import load, load_dict
from limecep.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Check

    from limecep.problems import Problem


@pytest.fixture
def more(registry: Registry) -> Registry:
    """With an engine that gives all matches, and one that gives maximal ones of one policy only."""
    every, near, picker = (
        ComponentSpec(
            kind="engine", name=name, factory="nowhere:Nothing", summary="For tests.", capabilities=known
        )
        for name, known in (
            ("every", frozenset({"all"})),
            ("near", frozenset({"sc"})),
            ("picker", frozenset({"all", "picks"})),
        )
    )
    return Registry([*registry.specs(), every, near, picker])


def warnings(registry: Registry, query: str, **pattern: Any) -> list[Problem]:
    query = f"PATTERN {query} WITHIN 10 s"
    document = {"version": 1, "patterns": {"p": {"query": query, **pattern}}}
    return [p for p in load_dict(document, registry).problems if p.code != "no-sources"]


@pytest.mark.parametrize(
    ("query", "engine", "select", "code", "says"),
    [
        ("SEQ(A a, B+ b[])", "every", "stam", "exponential-matches", "every choice of some events for b"),
        ("SEQ(A a, B+ b[])", "every", "stnm", "many-matches", "n^2 matches"),
        ("SEQ(A+ a[], A+ b[])", "every", "sc", "many-matches", "n^3 matches"),
        ("SEQ(A a, B b, C c)", "maximal", "stam", "many-matches", "events for a, b, c makes another"),
        ("SEQ(A+ a[], B+ b[], C+ c[], D d)", "maximal", "stnm", "many-matches", "wherever a, b may end"),
        (
            "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v",
            "maximal",
            "stam",
            "exponential-matches",
            "so many groups b may fulfil 'b[i+1].v > b[i].v'",
        ),
        (
            "SEQ(A+ a[], B b) WHERE b.v > 2 * avg(a.v)",
            "maximal",
            "stnm",
            "costly-condition",
            "2 * avg(a.v)' holds a",
        ),
        (
            "SEQ(A{2,4} a[], B{2} b[], C c) WHERE sum(a.v) < sum(b.v)",
            "maximal",
            "stnm",
            "costly-condition",
            "holds a",
        ),
        ("SEQ(A+ a[], B b, C c) WHERE c.x = a[1].x", "maximal", "stnm", "costly-condition", "holds a"),
        ("SEQ(A+ a[], B b, C{2} c[], D d) WHERE a.x = c.x", "maximal", "stnm", "costly-condition", "holds a"),
        (
            "SEQ(A+ a[], B b, !C n) WHERE n.x = last(a).x",
            "maximal",
            "stnm",
            "costly-condition",
            "n^2 steps or",
        ),
        ("SEQ(A+ a[], !C n) WHERE n.x = a.x", "maximal", "stam", "costly-condition", "exponentially many"),
        ("SEQ(A a, B+ b[])", "maximal", "stnm", "growing-match", "again with every one that joins"),
        ("SEQ(A a, AND(B+ b[], C c))", "maximal", "stnm", "growing-match", "ends with b"),
    ],
)
def test_a_pattern_with_too_many_results_is_told(
    more: Registry, query: str, engine: str, select: str, code: str, says: str
) -> None:
    [found] = warnings(more, query, engine=engine, select=select)
    assert (found.severity, found.code) == ("warning", code)
    assert found.message.startswith("pattern 'p' ")
    assert says in found.message


@pytest.mark.parametrize(
    ("query", "engine", "select"),
    [
        ("SEQ(A a, B b, C c)", "every", "stnm"),
        ("SEQ(A a, B b)", "every", "stam"),
        # As the hint of the warning advises.
        ("SEQ(A{1,20} a[], B b) WHERE b.v > avg(a.v)", "maximal", "stnm"),
        ("SEQ(A a, B+ b[])", "every", "sc"),
        ("SEQ(A a, B+ b[], C c)", "maximal", "stnm"),
        ("SEQ(A a, B+ b[], C c)", "maximal", "stam"),
        ("SEQ(A a, B{2} b[]) WHERE sum(b.v) > a.v", "maximal", "stnm"),
        ("SEQ(A+ a[], B b) WHERE avg(a.v) > 5 AND b.x = a.x AND b.v > last(a).v", "maximal", "stnm"),
        ("SEQ(A a, B+ b[], C c) WHERE count(b) > 3 AND b[i].v > a.v", "maximal", "stam"),
        ("SEQ(A+ a[], !C n) WHERE a[i+1].x = a[i].x AND n.x = last(a).x", "maximal", "stam"),
        # It waits for its window anyway.
        ("SEQ(A a, B+ b[], !C n)", "maximal", "stnm"),
    ],
)
def test_what_anybody_would_ask_for_is_no_surprise(
    more: Registry, query: str, engine: str, select: str
) -> None:
    assert warnings(more, query, engine=engine, select=select) == []


def test_where_one_is_picked_it_matters_whether_the_others_are_looked_at(more: Registry) -> None:
    def codes(query: str, engine: str) -> list[str]:
        results = {"type": "corrected", "pick": "longest"}
        return [p.code for p in warnings(more, query, engine=engine, select="stam", results=results)]

    assert codes("SEQ(A+ a[], B+ b[], C c, D d)", "picker") == []
    assert codes("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 3", "picker") == ["exponential-matches"]
    # That one goes through them, as far as is known.
    assert codes("SEQ(A+ a[], B+ b[], C c)", "every") == ["exponential-matches"]


def test_it_names_the_ways_out(more: Registry) -> None:
    [found] = warnings(
        more,
        "SEQ(A a, B+ b[])",
        engine="every",
        select="stam",
        results={"type": "corrected", "max_per_end": 7},
    )
    assert found.hint == (
        "engine: maximal gives those contained in no other; select: stnm takes only the next event that "
        "fits; for one end event there are no more than max_per_end: 7"
    )


def test_it_names_no_engine_where_the_one_there_is_gives_maximal_matches(more: Registry) -> None:
    [found] = warnings(more, "SEQ(A a, B b, C c)", select="stam")
    assert "engine" not in found.hint


def test_it_stands_at_the_step(more: Registry, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        "version: 1\npatterns:\n  p:\n    select: stam\n    engine: every\n"
        "    query: |\n      PATTERN SEQ(A a,\n        B+ b[]) WITHIN 10 s\n"
    )
    [found] = [p for p in load(file, more).problems if p.code == "exponential-matches"]
    assert found.place is not None
    assert (found.place.line, found.place.column, found.place.width) == (8, 9, 6)


@pytest.mark.parametrize(
    ("structure", "results"),
    [
        ("GasLeak a, Temperature+ b[], GasLeak c", "{emit: eager}"),
        ("GasLeak a, Temperature+ b[], GasLeak? c", "{emit: eager}"),
        ("GasLeak a, Temperature+ b[]", "{emit: complete}"),
        ("GasLeak a, Temperature+ b[]", "{emit: final, horizon: 1m}"),
    ],
)
def test_a_match_that_does_not_go_out_again_and_again_is_no_surprise(
    check: Check, good: str, structure: str, results: str
) -> None:
    text = good.replace("GasLeak a, Temperature{2} b[]", structure)
    assert check(text.replace("engine: maximal", f"results: {results}")).problems == []
