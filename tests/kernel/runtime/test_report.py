"""The report of a pipeline: what was read, what became of it, and how long that took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import limecep
from limecep.runtime.pipeline import Pipeline
from limecep.testing.streams import stream, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.registry import Registry
    from limecep.runtime.feeds import Feed


def pipeline(installed: Registry, *queries: str, **more: Any) -> Pipeline:
    patterns = {f"p{n}": {"query": query, "slack": "none"} for n, query in enumerate(queries)}
    return Pipeline.from_dict({"version": 1, "patterns": patterns, **more}, registry=installed)


def test_the_report_has_every_figure_before_anything_has_come(installed: Registry) -> None:
    report = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s").report()
    assert set(report) >= {
        "events", "patterns", "sources", "statistics", "seconds", "events_per_second", "peak_rss_bytes",
        "version",
    }  # fmt: skip
    assert sum(report["events"].values()) == 0
    assert report["patterns"]["p0"] == {
        "emitted": 0, "corrected": 0, "retracted": 0, "live": 0, "pending": 0, "engine_runs": 0,
        "on_demand_runs": 0, "events_handed": 0, "refused": 0, "slack_waits": 0, "unrepaired": 0,
    }  # fmt: skip
    assert (report["seconds"], report["events_per_second"]) == (0, 0)
    assert report["peak_rss_bytes"] > 10**6
    assert report["version"] == limecep.__version__


def test_the_report_says_how_long_the_work_took(installed: Registry) -> None:
    fed = pipeline(installed, "PATTERN SEQ(A a, B b) WITHIN 10 s")
    fed.feed(stream(1, 1000))
    report = fed.report()
    assert 0 < report["seconds"] < 10
    assert report["events_per_second"] == pytest.approx(1000 / report["seconds"], rel=0.01)


QUERY = "PATTERN SEQ(A a, B b) WITHIN 10 s"


def test_what_pipelines_have_beside_events_is_in_the_report(installed: Registry) -> None:
    made = pipeline(installed, QUERY, sinks={"o": {"type": "none"}})
    made.feed(written("a1 b2 x3"))
    report = made.report()
    assert report["sinks"]["o"]["records"] == 0
    assert report["irrelevant_types"] == {"X": 1}
    assert report["evicted"] == 0
    assert report["retrieved"] == {"times": 0, "events": 0, "seconds": 0.0}
    assert (report["state"], report["stopped"]) == (None, None)


@pytest.fixture
def account(installed: Registry) -> tuple[Any, Any]:
    """The account of a pipeline that was fed two events, and its detection."""
    made: Any = pipeline(installed, QUERY)
    made.feed(written("a1 b2"))
    return made._account, made._detection


def test_what_a_run_left_undone_is_told_where_it_was_stopped(account: tuple[Any, Any]) -> None:
    made, detection = account
    made.handed = 5
    made.stopped = True
    assert made.report(detection)["stopped"] == {"cut_off": False, "input_left": False, "not_looked_at": 3}


def test_finite_input_that_is_left_is_told(
    account: tuple[Any, Any], tmp_path: Any, feed: Callable[..., Feed]
) -> None:
    made, detection = account
    (tmp_path / "e.csv").write_text("id,t\n1,1\n2,2\n")
    source = feed("e.csv")
    made.handed, made.feeds = 2, [source]
    assert made.left_undone(detection)["input_left"]
    source.parts[0].fill(0.0)
    assert made.left_undone(detection)["not_looked_at"] == len(source.waiting) > 0
    source.live = True
    assert not made.left_undone(detection)["input_left"]
    source.close()


def test_of_a_batch_that_was_cut_off_nothing_counts_where_there_is_a_state(installed: Registry) -> None:
    made: Any = pipeline(installed, QUERY)
    made.feed(written("a1 b2"))
    account, detection = made._account, made._detection
    account.cut_off = True
    assert account.report(detection)["events"]["read"] == 2
    account.committed(detection)
    made.feed(written("a3 b4"))
    account.cut_off = True
    assert account.report(detection)["events"]["read"] == 2
    account.cut_off = False
    assert account.report(detection)["events"]["read"] == 4


def test_what_was_read_in_earlier_lives_stands_apart(installed: Registry) -> None:
    made: Any = pipeline(installed, QUERY)
    made.feed(written("a1 b2"))
    account, detection = made._account, made._detection
    account.resumed(detection)
    made.feed(written("a3"))
    (source,) = [s for s in account.report(detection)["sources"].values() if s["read"]]
    assert source["earlier"] == {"read": 2, "invalid": 0}
    assert source["read"] == 3
