"""What `check` says of a pipeline that is to run on Spark, and what is needed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep_results.config import ThrottleOptions
from limecep_spark_runner.config import SparkOptions

pytest.importorskip("pyspark", reason="the runner needs: pip install 'limecep[spark]'")

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from limecep.problems import Problem

REGISTRY = Host.load().registry
SOURCE = {"type": "file", "channel": "in/*.jsonl", "as": "A", "time": "t"}
PATTERN = {
    "query": "PATTERN SEQ(A a, A b) WITHIN 5 seconds PARTITION BY k",
    "lateness": {"type": "accept", "within": "1m"},
}


def said(
    source: Mapping[str, Any] = SOURCE, pattern: Mapping[str, Any] = PATTERN, **more: Any
) -> list[Problem]:
    document = {"version": 1, "sources": {"s": source}, "patterns": {"p": pattern}}
    document |= {"runner": {"type": "spark", "checkpoint": "c"}, **more}
    found = load_dict(document, REGISTRY).problems
    return [p for p in found if p.code.endswith("-on-spark")]


def test_a_pipeline_over_files_with_a_partition_is_fine() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("changes", "place", "message"),
    [
        ({"follow": True, "channel": "in/a.jsonl"}, "sources.s.follow", "what is appended to a file"),
        ({"channel": "-", "format": "json"}, "sources.s.channel", "does not read standard input"),
        ({"channel": "in/**/x.csv"}, "sources.s.channel", "'**' means nothing to Spark"),
        ({"channel": "in/_x.csv"}, "sources.s.channel", "passes over files"),
        ({"type": "mqtt", "url": "mqtt://localhost", "channel": "a"}, "sources.s.type", "of type 'mqtt'"),
    ],
)
def test_a_source_that_it_cannot_read_is_an_error(changes: dict[str, Any], place: str, message: str) -> None:
    (problem,) = said({**SOURCE, **changes})
    assert problem.severity == "error"
    assert message in problem.message
    assert problem.hint
    assert problem.place is not None
    assert problem.place.file == place


def test_that_observers_are_told_nothing_is_a_warning() -> None:
    (problem,) = said(observers={"service": {"type": "sd_notify"}})
    assert problem.severity == "warning"
    assert "observer 'service' is told nothing" in problem.message
    assert problem.place is not None
    assert problem.place.file == "observers.service"


def test_a_state_is_a_warning() -> None:
    (problem,) = said(state={"dir": "x"})
    assert problem.severity == "warning"
    assert "Spark keeps the state in its checkpoint" in problem.message


TOPIC = {"type": "kafka", "brokers": "b", "channel": "t", "as": "A", "time": "t"}


@pytest.mark.parametrize(
    ("changes", "severity", "message"),
    [
        ({"group": "g"}, "warning", "nothing is committed to the group 'g'"),
        ({"dead_letter": "d"}, "warning", "go to the late output only"),
        ({"format": "csv"}, "error", "only the first would have the header"),
        ({"format": "zeek"}, "error", "only the first would have the header"),
        ({"format": {"type": "csv", "columns": ["t"], "skip": 1}}, "error", "would pass over lines of each"),
        ({"client": {"debug": "all"}}, "warning", "debug in 'client' says nothing"),
        ({"client": {"enable.ssl.certificate.verification": False}}, "error", "knows no enable.ssl"),
        ({"client": {"sasl.username": "me"}}, "error", "knows no sasl.mechanism"),
    ],
)
def test_what_it_does_not_do_with_a_topic_is_told(
    changes: dict[str, Any], severity: str, message: str
) -> None:
    (problem,) = said({**TOPIC, **changes})
    assert problem.severity == severity
    assert message in problem.message


LOCAL = {"field": "t", "zone": "Europe/Athens"}
DATED = {"field": "t", "format": "%b %d %H:%M", "zone": "UTC"}


@pytest.mark.parametrize(
    ("changes", "message", "hint"),
    [
        ({"time": {**LOCAL, "fold": "order"}}, "'fold: order' of 'time' goes by the order", "fold: first"),
        ({"arrival": {**LOCAL, "fold": "order"}}, "'fold: order' of 'arrival' goes by", "fold: first"),
        ({"time": {**DATED, "year": 2026}}, "'year: 2026' of 'time' goes by the order", "year: arrival"),
    ],
)
def test_times_by_the_order_of_the_input_are_for_files(
    changes: dict[str, Any], message: str, hint: str
) -> None:
    (problem,) = said({**TOPIC, **changes})
    assert (problem.severity, problem.place and problem.place.file) == (
        "error",
        f"sources.s.{next(iter(changes))}",
    )
    assert message in problem.message
    assert hint in problem.hint
    assert said({**SOURCE, **changes}) == []


def test_times_by_their_arrival_are_for_what_has_one() -> None:
    dated = {"time": {**DATED, "year": "arrival"}}
    assert said({**TOPIC, **dated}) == []
    assert said({**SOURCE, **dated, "arrival": "r"}) == []
    problems = said({**SOURCE, **dated, "follow": True})
    assert [p.message for p in problems if p.severity == "error"] == [
        "on Spark a file tells no arrival, so stamps cannot have their year from it"
    ]


def test_a_pipeline_over_topics_is_fine() -> None:
    options = {"start": "2026-01-05T10:00:00Z", "client": {"security.protocol": "ssl", "linger.ms": 5}}
    named = {"type": "csv", "columns": ["t", "k"]}
    assert said({**TOPIC, **options, "format": named}) == []


@pytest.mark.parametrize(("message", "count"), [({"message": "line"}, 1), ({}, 0)])
def test_rows_that_hold_messages_are_read_in_parts_too(message: dict[str, str], count: int) -> None:
    found = said(
        connectors={"lake": {"type": "spark", "format": "parquet"}},
        sources={"s": {"from": "lake", "channel": "t", "as": "A", "time": "t", "format": "csv", **message}},
    )
    assert ["only the first would have the header" in p.message for p in found] == [True] * count


def test_what_is_wrong_with_a_connector_is_told_once() -> None:
    document = {
        "connectors": {"b": {"type": "kafka", "brokers": "b", "group": "g"}},
        "sources": {n: {"from": "b", "channel": n, "as": "A", "time": "t"} for n in "xy"},
    }
    (problem,) = said(**document)
    assert problem.place is not None
    assert problem.place.file == "sources.x"


def test_nothing_is_told_again() -> None:
    (problem,) = said(sinks={"o": {"type": "file", "path": "o.jsonl", "repeat": {"every": "1m"}}})
    assert (problem.severity, "tells of nothing again" in problem.message) == ("error", True)


def test_there_are_no_transactions() -> None:
    (problem,) = said(sinks={"o": {"type": "kafka", "brokers": "b", "channel": "t", "transactional": True}})
    assert problem.severity == "error"
    assert "publishes without transactions" in problem.message


@pytest.mark.parametrize(
    ("source", "pattern", "message"),
    [
        ({"speed": 2}, {}, "as fast as it can"),
        ({"follow": True}, {}, "files that appear are read"),
        ({"idle_after": "5s"}, {}, "no source holds time back"),
        ({}, {"query": "PATTERN SEQ(A a, A b) WITHIN 5 seconds"}, "runs it on one core"),
        ({}, {"lateness": "score"}, "learns from each key by itself"),
        ({}, {"slack": {"type": "fixed", "wait": "5s"}}, "waits to the end of a batch at most"),
    ],
)
def test_what_it_does_otherwise_is_a_warning(
    source: dict[str, Any], pattern: dict[str, Any], message: str
) -> None:
    (problem,) = said({**SOURCE, **source}, {**PATTERN, **pattern})
    assert problem.severity == "warning"
    assert message in problem.message


@pytest.mark.parametrize(
    ("pattern", "more", "warned"),
    [
        ({}, {}, True),
        ({"results": {"emit": "final", "horizon": "1m"}}, {}, False),
        ({"lateness": {"type": "bound", "within": "1m"}}, {}, False),
        ({}, {"retention": {"time": "1h"}}, False),
    ],
)
def test_what_is_kept_for_ever_is_told_where_a_run_is_live(
    pattern: dict[str, Any], more: dict[str, Any], warned: bool
) -> None:
    accepting = {"query": PATTERN["query"], **pattern}
    found = [p for p in said(TOPIC, accepting, **more) if "kept for ever" in p.message]
    assert len(found) == warned
    assert not [p for p in said(SOURCE, accepting, **more) if "kept for ever" in p.message]


@pytest.mark.parametrize(("query", "warned"), [("SEQ(A a, !A b)", True), ("SEQ(A a, A b)", False)])
def test_that_silence_moves_no_time_is_told_where_a_live_run_waits_for_it(
    query: str, *, warned: bool
) -> None:
    waiting = {**PATTERN, "query": f"PATTERN {query} WITHIN 5 seconds PARTITION BY k"}
    assert len([p for p in said(TOPIC, waiting) if "time stands still" in p.message]) == warned
    assert not [p for p in said(SOURCE, waiting) if "time stands still" in p.message]


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="'partitions' must be at least 0"):
        SparkOptions(checkpoint="c", partitions=-1)
    with pytest.raises(ValueError, match="'trigger' must be available, or a duration such as 1s"):
        SparkOptions(checkpoint="c", trigger="often")


def test_settings_of_spark_may_be_numbers_and_booleans() -> None:
    conf = {"spark.sql.shuffle.partitions": 2, "spark.speculation": True, "spark.driver.memory": "1g"}
    assert said(runner={"type": "spark", "checkpoint": "c", "conf": conf}) == []


def test_check_takes_the_runner_and_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        'version: 1\nsources: {s: {type: file, channel: "-", format: json, as: A, time: t}}\n'
        'patterns: {p: {query: "PATTERN SEQ(A a, A b) WITHIN 5 seconds PARTITION BY k"}}\n'
    )
    assert cli.main(["check", str(file)]) == 0
    capsys.readouterr()
    assert cli.main(["check", str(file), "--runner", "spark", "--checkpoint", "c"]) == 1
    assert "the runner spark does not read standard input" in capsys.readouterr().out


def test_nothing_is_disabled_there() -> None:
    sinks = {"out": {"type": "file", "path": "o.jsonl", "on_error": "disable"}}
    problems = said({**SOURCE, "on_error": "skip"}, {**PATTERN, "on_error": "disable"}, sinks=sinks)
    assert {p.place.file for p in problems if p.place is not None} == {
        "patterns.p.on_error",
        "sinks.out.on_error",
    }
    assert all(p.severity == "error" for p in problems)


def test_a_result_policy_that_decides_across_keys_is_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = {**PATTERN, "results": {"type": "throttle", "matches": 1, "per": "10s"}}
    assert said(pattern=pattern) == []
    monkeypatch.setattr(ThrottleOptions, "across_keys", True, raising=False)
    (problem,) = said(pattern=pattern)
    assert problem.message == "Spark divides the keys, and the result policy 'throttle' decides across them"


def test_patterns_on_patterns_are_divided_where_they_have_one_way_of_partitioning() -> None:
    def problems(above: str) -> list[Problem]:
        below = {**PATTERN, "derive": {"as": "Found"}}
        top = {"query": f"PATTERN SEQ(Found x) WITHIN 9 seconds{above}"}
        document = {"version": 1, "sources": {"s": SOURCE}, "patterns": {"p": below, "q": top}}
        found = load_dict({**document, "runner": {"type": "spark", "checkpoint": "c"}}, REGISTRY).problems
        return [p for p in found if p.code == "not-on-spark"]

    assert problems(" PARTITION BY k") == []
    (problem,) = problems("")
    assert problem.place is not None
    assert problem.place.file == "patterns.q.query"
    assert "reads what 'p' derives, and is partitioned otherwise" in problem.message


REVISING = {"id": "i", "revise": {"version": "rev"}}


def test_where_ids_do_not_tell_the_keys_of_what_is_revised_one_core_runs_them() -> None:
    (problem,) = said({**SOURCE, **REVISING})
    assert problem.severity == "warning"
    assert problem.place is not None
    assert problem.place.file == "patterns.p"
    assert (
        "on one core: source 's' revises events, and their 'id' does not tell the key (k)" in problem.message
    )
    assert "id: [k, i]" in problem.hint
    assert said({**SOURCE, **REVISING, "id": ["i", "k"]}) == []
    assert said({**SOURCE, **REVISING, "as": "Z"}) == []


@pytest.mark.parametrize(
    ("changes", "refused"),
    [({}, True), ({"arrival": "r"}, False), ({"stream": True}, False), ({"revise": {"version": "v"}}, False)],
)
def test_a_table_has_no_order_in_which_events_are_revised(changes: dict[str, Any], *, refused: bool) -> None:
    table = {"from": "lake", "channel": "t", "as": "A", "time": "t", "id": ["k", "i"], "revise": {}}
    lake = {"type": "spark", "format": "parquet"}
    found = said(connectors={"lake": lake}, sources={"s": {**table, **changes}})
    problems = [p for p in found if p.severity == "error"]
    assert [p.place.file for p in problems if p.place is not None] == ["sources.s.revise"] * refused
    assert all("goes by the order of the input, which a table does not have" in p.message for p in problems)
