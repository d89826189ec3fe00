"""How long a pattern needs events, and how many that may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.explanation.pipelines import describe
from limecep.model.event import Event
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    from limecep.explanation.pipelines import PatternDescription
    from limecep.registry import Registry

SECOND = 1_000_000


def described(registry: Registry, document: dict[str, Any], **pattern: Any) -> PatternDescription:
    """Of `SEQ(A a, B+ b[])` within 10 seconds."""
    query = {"query": "PATTERN SEQ(A a, B+ b[]) WITHIN 10 s"}
    document = {"version": 1, "patterns": {"p": query | pattern}, **document}
    config = load_dict(document, registry).config
    assert config is not None
    detectors = Assembly(config, registry, ManualClock(), structlog.get_logger()).detectors()
    [found] = describe(config, detectors, registry.specs("engine"))
    return found


@pytest.mark.parametrize(
    ("pattern", "late", "learns", "span"),
    [
        ({"lateness": {"type": "bound", "within": "5s"}}, 5, False, 35),
        ({"lateness": {"type": "bound", "within": "0s"}}, 0, False, 30),
        ({"lateness": {"type": "accept", "within": "1m"}}, 60, False, 90),
        ({"lateness": "score"}, None, True, 40),
        ({"lateness": "accept"}, None, False, None),
        ({"results": {"emit": "final", "horizon": "20s"}}, 20, False, 50),
        (
            {"lateness": {"type": "bound", "within": "1m"}, "results": {"emit": "final", "horizon": "20s"}},
            20,
            False,
            50,
        ),
        ({"lateness": "accept", "results": {"emit": "eager", "horizon": "20s"}}, None, False, None),
    ],
)
def test_events_are_kept_as_long_as_a_late_one_can_matter(
    installed: Registry, pattern: dict[str, Any], late: int | None, learns: bool, span: int | None
) -> None:
    kept = described(installed, {}, **pattern).kept
    assert kept.learns is learns
    assert kept.late == (None if late is None else late * SECOND)
    assert kept.span == (None if span is None else span * SECOND)


def sources(**every: str | None) -> dict[str, Any]:
    """A source of each of these types, and one of any type called `any`."""
    made: dict[str, Any] = {}
    for name, period in every.items():
        made[name] = {"from": "f", "channel": f"{name}.csv", "time": "t", "id": "id"}
        made[name]["as"] = {"field": "type"} if name == "any" else name
        if period is not None:
            made[name]["every"] = period
    return {"connectors": {"f": {"type": "file"}}, "sources": made}


@pytest.mark.parametrize(
    ("every", "retention", "most"),
    [
        ({"A": "2s", "B": "5s"}, {}, {"A": (6, 30), "B": (3, 14)}),
        ({"A": "2s", "B": None}, {}, {"A": (6, 30), "B": (None, None)}),
        ({"A": "2s", "B": "5s", "any": "10s"}, {}, {"A": (8, 37), "B": (5, 20)}),
        ({"A": "2s", "B": "5s", "any": None}, {}, {"A": (None, None), "B": (None, None)}),
        ({"A": "2s", "B": "5s"}, {"retention": {"time": "20s"}}, {"A": (6, 19), "B": (3, 9)}),
    ],
)
def test_how_many_events_there_may_be_follows_from_how_often_devices_report(
    installed: Registry,
    every: dict[str, str | None],
    retention: dict[str, Any],
    most: dict[str, tuple[int | None, int | None]],
) -> None:
    document = sources(**every) | retention
    found = described(installed, document, lateness={"type": "bound", "within": "5s"}).buffered
    assert {b.type: (b.in_window, b.kept) for b in found} == most


@pytest.mark.parametrize("lateness", [{"type": "bound", "within": "5s"}, {"type": "score"}])
@pytest.mark.parametrize("retention", [{}, {"retention": {"time": "40s"}}])
def test_memory_never_holds_more(
    installed: Registry, lateness: dict[str, Any], retention: dict[str, Any]
) -> None:
    document = sources(A="2s", B="5s") | retention
    most = sum(b.kept or 0 for b in described(installed, document, lateness=lateness).buffered)
    query = {"query": "PATTERN SEQ(A a, B+ b[]) WITHIN 10 s", "lateness": lateness}
    config = load_dict({"version": 1, "patterns": {"p": query}, **document}, installed).config
    assert config is not None
    detection = Assembly(config, installed, ManualClock(), structlog.get_logger()).detection()
    held = []
    for second in range(500):
        reporting = [name for name, every in (("A", 2), ("B", 5)) if second % every == 0]
        at = second * SECOND
        detection.feed([Event(name, f"{name}{second}", at, at, "s", {}) for name in reporting])
        held.append(detection.store.size)
    assert 3 / 4 * most < max(held) <= most


def test_where_all_are_kept_there_is_no_most(installed: Registry) -> None:
    found = described(installed, sources(A="2s", B="5s"), lateness="accept").buffered
    assert [(b.in_window, b.kept) for b in found] == [(6, None), (3, None)]


def test_a_type_that_no_source_brings_is_not_known(installed: Registry) -> None:
    assert [b.in_window for b in described(installed, {}).buffered] == [None, None]


def test_what_an_engine_says_of_itself_and_its_specs_agree(installed: Registry) -> None:
    """Whether it gives all matches."""
    for spec in installed.specs("engine"):
        found = described(installed, {}, engine=spec.name)
        assert (found.results == "all") is ("all" in spec.capabilities)


def test_the_warnings_are_those_of_check(installed: Registry) -> None:
    query = "PATTERN SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v WITHIN 10 s"
    document = {"version": 1, "patterns": {"p": {"query": query, "select": "stam"}}}
    told = {
        (p.code, p.message, p.hint) for p in load_dict(document, installed).problems if p.code != "no-sources"
    }
    warnings = described(installed, {}, query=query, select="stam").warnings
    assert {(w.code, w.message, w.hint) for w in warnings} == told
    assert {w.code for w in warnings} == {"exponential-matches", "growing-match"}
