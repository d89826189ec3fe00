"""With workers a run writes and reports what it does in one process."""

from __future__ import annotations

import zlib
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Pipeline
from limecep.errors import RunFailure, Stopped
from limecep.runtime import feeds
from limecep_local.divided import DividedPipeline, Division
from tests.plugins.limecep_local.conftest import (
    OF_THE_RUN,
    REGISTRY,
    Inside,
    config_of,
    divided,
    ran,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path

    from limecep import Event

KLEENE = "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v >= a.v WITHIN 12 seconds PARTITION BY k"
GROWING = "PATTERN SEQ(A a, B+ b[]) WITHIN 8 seconds PARTITION BY k"
ABSENT = "PATTERN SEQ(A a, B b, NOT N n) WITHIN 10 seconds PARTITION BY k"
BETWEEN = "PATTERN SEQ(A a, NOT N n, C c) WITHIN 10 seconds PARTITION BY k, j"
EITHER = "PATTERN OR(SEQ(A a, B b), SEQ(B d, C c)) WITHIN 6 seconds PARTITION BY j"
BOTH = "PATTERN AND(A a, B b) WITHIN 6 seconds PARTITION BY k"
WHOLE = "PATTERN SEQ(A a, C c) WHERE c.v > 6 WITHIN 4 seconds"

CALLING = KLEENE.replace("b[i].v >= a.v", "round(b[i].v / 2) >= coalesce(a.v, 0) AND text(c.v) != '3'")
LOOKING = KLEENE.replace("b[i].v >= a.v", "b[i].v >= a.v AND limits[c.k].most > c.v AND b.v IN limits")
LOOKING_AT_THE_END = EITHER.replace("WITHIN", "WHERE d.v > turns[1].least WITHIN")

AT_ONCE = {"slack": "none"}
FINAL = {"type": "corrected", "emit": "final"}


def bounded(within: str) -> dict[str, str]:
    return {"type": "bound", "within": within}


KINDS: dict[str, dict[str, Any]] = {
    "kleene": {"p": {"query": KLEENE}},
    "several partitions": {"p": {"query": KLEENE}, "q": {"query": BETWEEN}, "all": {"query": WHOLE}},
    "no partition": {"p": {"query": WHOLE}, "q": {"query": "PATTERN AND(A a, N b) WITHIN 3 seconds"}},
    "waiting for time": {"p": {"query": ABSENT, **AT_ONCE}, "q": {"query": GROWING, **AT_ONCE}},
    "alternatives": {"p": {"query": EITHER}, "q": {"query": BOTH, "engine": "nfa"}},
    "functions": {"p": {"query": CALLING}},
    "tables": {"p": {"query": LOOKING}, "q": {"query": LOOKING_AT_THE_END, "engine": "nfa"}},
    "strict": {"p": {"query": EITHER, "select": "sc"}},
    "refusing": {
        "p": {"query": KLEENE, "lateness": bounded("10s")},
        "q": {"query": EITHER, "lateness": {"type": "score", "warm_up": 3}},
        "r": {"query": BOTH, "lateness": {"type": "quantile", "quantile": 0.7, "warm_up": 3}},
    },
    "slack": {
        "p": {"query": KLEENE, "slack": {"type": "fixed", "wait": "3s"}},
        "q": {"query": BETWEEN, "slack": "adaptive"},
    },
    "final": {
        "p": {
            "query": KLEENE,
            "lateness": {"type": "bound", "within": "20s"},
            "results": {"type": "corrected", "emit": "final"},
        },
        "q": {
            "query": ABSENT,
            "lateness": {"type": "bound", "within": "5s"},
            "results": {"type": "corrected", "emit": "final"},
        },
    },
    "nothing": {"p": {"query": "PATTERN SEQ(A a, B b) WHERE b.v > 90 WITHIN 5 seconds PARTITION BY k"}},
}


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several messages are under way."""
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 16)


def by_key(records: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found = defaultdict(list)
    for record in records:
        found[record["pattern"], repr(record["key"])].append(record)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_workers_write_and_report_what_one_process_does(tmp_path: Path, kind: str) -> None:
    seed = zlib.crc32(kind.encode())
    workers = 2 + seed % 2
    write(tmp_path, seed)
    config = config_of(tmp_path, KINDS[kind])
    alone, expected = ran(Pipeline(config, REGISTRY))
    found, report = ran(divided(config, workers))
    for sink in ("out", "ids"):
        assert by_key(found[sink]) == by_key(alone[sink])
    assert found["late"] == alone["late"]
    assert report == expected
    assert (kind == "nothing") == (not found["out"])


def test_records_are_in_the_order_of_the_events_that_caused_them(tmp_path: Path) -> None:
    write(tmp_path, seed=5)
    patterns = {"p": {"query": KLEENE, "slack": "none"}, "q": {"query": EITHER, "slack": "none"}}
    config = config_of(tmp_path, patterns)
    alone, _ = ran(Pipeline(config, REGISTRY))
    found, _ = ran(divided(config, 3))
    assert len({repr(record["key"]) for record in found["out"]}) > 5
    assert found["out"] == alone["out"]


def test_after_a_slack_workers_find_the_same_and_may_name_time_as_the_cause(tmp_path: Path) -> None:
    write(tmp_path, seed=20)
    slack = {"slack": {"type": "fixed", "wait": "2s"}, "results": {"type": "corrected", "emit": "complete"}}
    config = config_of(tmp_path, {"p": {"query": GROWING, **slack}, "q": {"query": ABSENT, **slack}})
    alone, _ = ran(Pipeline(config, REGISTRY))
    found, _ = ran(divided(config, 3))
    for record in (*alone["out"], *found["out"]):
        del record["cause"]
        del record["latency"]
    assert by_key(found["out"]) == by_key(alone["out"])


def test_live_sources_give_what_one_process_finds(tmp_path: Path) -> None:
    count = write(tmp_path, seed=20)
    patterns = {
        "p": {"query": KLEENE, **AT_ONCE},
        "q": {"query": ABSENT, **AT_ONCE, "lateness": bounded("9s")},
    }
    config = config_of(tmp_path, patterns, {"follow": True, "idle_after": "off"})
    found, reports = [], []
    for pipeline in (Pipeline(config, REGISTRY), divided(config, 2)):

        def all_read(pipeline: Pipeline = pipeline) -> bool:
            return pipeline.outcomes()["read"] == count

        records, report = ran(pipeline, all_read)
        for record in records["out"]:
            # Wall time.
            del record["latency"], record["detected"]
        found.append(records)
        reports.append({name: report[name] for name in ("events", "patterns", "sources", "sinks", "late")})
    assert len(found[0]["out"]) > 5
    assert by_key(found[1]["out"]) == by_key(found[0]["out"])
    assert found[1]["late"] == found[0]["late"]
    assert reports[1] == reports[0]


def test_slack_goes_by_the_time_of_the_process_that_reads_live_sources(tmp_path: Path) -> None:
    count = write(tmp_path, seed=20)
    patterns = {"p": {"query": KLEENE, "slack": {"type": "fixed", "wait": "10ms"}}}
    config = config_of(tmp_path, patterns, {"follow": True})
    counts = []
    for pipeline in (Pipeline(config, REGISTRY), divided(config, 2)):

        def all_read(pipeline: Pipeline = pipeline) -> bool:
            # While nothing comes, what has waited long enough goes out.
            report = pipeline.report()
            return report["events"]["read"] == count and report["patterns"]["p"]["emitted"] > 0

        records, _ = ran(pipeline, all_read)
        counts.append({(r["op"], r["content"]) for r in records["out"]})
    assert counts[0] == counts[1]


def test_matches_that_nobody_wants_are_counted(tmp_path: Path) -> None:
    write(tmp_path, seed=5)
    sinks = {"out": {"type": "none"}}
    config = config_of(tmp_path, {"p": {"query": KLEENE}, "q": {"query": EITHER}}, sinks=sinks)
    _, expected = ran(Pipeline(config, REGISTRY))
    _, report = ran(divided(config, 2))
    assert report["patterns"]["q"]["emitted"] > 10
    assert report == expected


def test_the_report_of_a_run_that_ends_before_workers_answer_has_every_figure(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": KLEENE}, "all": {"query": WHOLE}})
    pipelines = Pipeline(config, REGISTRY), divided(config, 2)
    reports = []
    for pipeline in pipelines:
        # The sources are not there.
        with pytest.raises(RunFailure):
            pipeline.run()
        pipeline.close()
        reports.append({k: v for k, v in pipeline.report().items() if k not in OF_THE_RUN})
    assert reports[0] == reports[1]


def test_what_is_suspected_at_the_end_takes_broken_records_into_account(tmp_path: Path) -> None:
    lines = ['{"type": "A", "id": "1", "t": 1, "k": 1, "arrived": 1}', *["{broken"] * 30]
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    config = config_of(tmp_path, {"p": {"query": KLEENE}})
    _, expected = ran(Pipeline(config, REGISTRY))
    _, report = ran(divided(config, 2))
    assert any(why["code"] == "invalid" for why in report["patterns"]["p"]["why_none"])
    assert report == expected


def test_a_pipeline_that_cannot_be_sent_to_workers_says_so(tmp_path: Path) -> None:
    config = replace(config_of(tmp_path, {"p": {"query": KLEENE}}), params={"f": lambda: 0})
    runner = DividedPipeline(config, REGISTRY, 2)
    with pytest.raises(RunFailure, match=r"cannot be sent to workers .*: run it with workers: 1"):
        runner.run(lambda: False, None)
    runner.close()
    assert runner.report()["workers"] == []


def test_records_that_gave_no_event_are_told_also_when_workers_are_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(f'{{"type":"A","id":"{n}","t":{n},"arrived":{n}}}\n{{broken\n' for n in range(60))
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text(lines)
    answers, answer = iter(range(7)), Inside.answer

    def cut(worker: Inside, check: object) -> Any:
        if next(answers, None) is None:
            raise Stopped
        return answer(worker, check)

    monkeypatch.setattr(Inside, "answer", cut)
    _, report = ran(divided(config_of(tmp_path, {"p": {"query": KLEENE}}), 2))
    assert report["stopped"]["cut_off"]
    told = sum(late["count"] for late in report["late"] if late["reason"] == "invalid")
    assert told == report["events"]["invalid"] > 0


class Failing:
    """Fails for one of the keys."""

    results = "maximal"
    asked = 0

    def __init__(self, *made: object) -> None: ...

    def matches(self, end: Event, view: object) -> Any:
        if end.payload["k"] == 2:
            raise ValueError("worn out")
        Failing.asked += 1
        return ()

    def count(self, end: Event, view: object) -> None: ...


def test_a_pattern_that_is_disabled_in_one_worker_stops_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 4)
    config = config_of(tmp_path, {"p": {"query": KLEENE, "on_error": "disable"}, "q": {"query": WHOLE}})
    first, second = config.patterns
    spec = replace(first.engine.spec, factory=f"{__name__}:Failing")
    failing = replace(config, patterns=(replace(first, engine=replace(first.engine, spec=spec)), second))
    _, whole = ran(divided(config, 2))
    with capture_logs() as logs:
        _, report = ran(divided(failing, 2))
    reason = report["patterns"]["p"]["disabled"]
    assert reason.endswith("raised ValueError: worn out")
    assert [entry["reason"] for entry in logs if entry["log_level"] == "error"] == [reason]
    assert report["events"] == whole["events"]
    assert report["patterns"]["q"] == whole["patterns"]["q"]
    # The other worker is told before all is read.
    asked = Failing.asked
    monkeypatch.setattr(Division, "_disable", lambda _: None)
    ran(divided(failing, 2))
    assert 0 < asked < Failing.asked - asked
