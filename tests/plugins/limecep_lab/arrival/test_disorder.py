"""Orders of arrival: the same for the same seed, as late as asked, and told of each event."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.errors import ConfigurationError
from limecep_lab import disorder, generate
from limecep_lab.arrival.deliveries import Columns, read_deliveries
from limecep_spark.failures import reason

SECOND = 1_000_000
SPEC = {
    "events": 4000,
    "sources": {"gas": {"rate": 20, "types": {"G": 1}}, "house": {"rate": 80, "types": {"T": 3, "S": 1}}},
    "types": {"T": {"v": {"whole": [1, 6]}}},
    "ties": "20%",
}
#: About what a stream of a hundred events a second in order would be.
GAP = 10_000


def rows(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in frame.collect()]


def done(spark: Any, deliveries: Any, seed: int = 3) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    came, said = disorder(generate(spark, SPEC, seed=1), deliveries, seed=seed)
    return rows(came), rows(said)


def out_of_order(came: list[dict[str, Any]]) -> float:
    """The share of events that are."""
    latest = late = 0
    for event in came:
        late += event["t_gen"] < latest
        latest = max(latest, event["t_gen"])
    return late / len(came)


@pytest.mark.spark
def test_the_same_seed_does_the_same_whatever_the_partitions_and_the_order(spark: Any) -> None:
    events = generate(spark, SPEC, seed=1)
    deliveries = {
        "default": {
            "late": "30%",
            "duplicates": "10%",
            "lost": "5%",
            "outage": {"every": "10s", "lasts": "1s"},
        }
    }
    came, said = disorder(events, deliveries, seed=3)
    mixed, same = disorder(events.orderBy("v", "id").repartition(7), deliveries, seed=3)
    assert rows(mixed) == rows(came)
    assert sorted(rows(same), key=str) == sorted(rows(said), key=str)
    assert rows(disorder(events, deliveries, seed=4)[0]) != rows(came)


@pytest.mark.spark
@pytest.mark.parametrize(("preset", "share"), [("in-order", 0), ("partial", 0.2), ("full", 0.7)])
def test_as_many_events_are_late_as_a_preset_says(preset: str, share: float, spark: Any) -> None:
    came, said = done(spark, preset)
    assert [e["t_arr"] for e in came] == sorted(e["t_arr"] for e in came)
    assert sorted(e["id"] for e in came) == sorted(f"e{n}" for n in range(4000))
    late = [e for e in said if e["delay"]]
    assert len(late) / len(said) == pytest.approx(share, abs=0.03)
    # By up to ten times the time between two events: a few are overtaken by no other.
    assert max((e["delay"] for e in late), default=0) <= 10 * GAP * 1.01
    assert share * 0.7 <= out_of_order(came) <= share + 0.03


@pytest.mark.spark
def test_delays_are_those_of_the_source(spark: Any) -> None:
    deliveries = {
        "default": {"latency": "20ms"},
        "sources": {
            "gas": {"late": "50%", "delay": {"exponential": "5s"}, "latency": "1s"},
        },
    }
    came, said = done(spark, deliveries)
    by_id = {e["id"]: e for e in came}
    for event in said:
        assert event["t_gen"] == event["happened"] == by_id[event["id"]]["t_gen"]
        assert event["t_arr"] == by_id[event["id"]]["t_arr"]
        latency = SECOND if event["source"] == "gas" else 20_000
        assert event["t_arr"] == event["happened"] + latency + event["delay"]
        assert event["source"] == "gas" or not event["delay"]
    late = [e["delay"] for e in said if e["delay"]]
    assert len(late) == pytest.approx(400, rel=0.15)
    assert sum(late) / len(late) == pytest.approx(5 * SECOND, rel=0.15)


@pytest.mark.spark
def test_nothing_arrives_during_an_outage_and_all_at_its_end(spark: Any) -> None:
    deliveries = {"sources": {"gas": {"outage": {"every": "10s", "lasts": "2s"}}}}
    came, said = done(spark, deliveries)
    held = [e for e in said if e["outage"]]
    assert {e["source"] for e in held} == {"gas"}
    assert len(held) == pytest.approx(800 * 0.2, rel=0.25)
    ends = sorted({e["t_arr"] for e in held})
    assert len(ends) == 4
    for end in ends:
        burst = [e for e in came if e["t_arr"] == end and e["source"] == "gas"]
        assert [e["t_gen"] for e in burst] == sorted(e["t_gen"] for e in burst)
        assert all(end - 2 * SECOND <= e["t_gen"] < end for e in burst if e["t_gen"] != end)
        assert not [e for e in came if e["source"] == "gas" and end - 2 * SECOND <= e["t_arr"] < end]


@pytest.mark.spark
def test_clocks_stamp_what_they_show(spark: Any) -> None:
    deliveries = {"sources": {"gas": {"clock_ahead": "2s"}, "house": {"clock_behind": "1s"}}}
    came, said = done(spark, deliveries)
    offsets = {"gas": 2 * SECOND, "house": -SECOND}
    assert all(e["t_gen"] == e["happened"] + offsets[e["source"]] for e in said)
    assert all(e["t_arr"] == e["t_gen"] - offsets[e["source"]] for e in came)


@pytest.mark.spark
def test_copies_come_later_and_lost_events_never(spark: Any) -> None:
    deliveries = {"default": {"duplicates": "10%", "copy_after": {"uniform": ["1s", "2s"]}, "lost": "5%"}}
    came, said = done(spark, deliveries)
    lost = {e["id"] for e in said if e["lost"]}
    copies = {e["id"] for e in said if e["copy"]}
    assert len(lost) == pytest.approx(200, rel=0.25)
    assert len(copies) == pytest.approx(380, rel=0.2)
    assert not lost & copies
    assert all(e["t_arr"] is None for e in said if e["lost"])
    arrivals: dict[str, list[dict[str, Any]]] = {}
    for event in came:
        arrivals.setdefault(event["id"], []).append(event)
    assert arrivals.keys() & lost == set()
    assert arrivals.keys() | lost == {f"e{n}" for n in range(4000)}
    assert {i for i, events in arrivals.items() if len(events) == 2} == copies
    for i in copies:
        first, copy = arrivals[i]
        assert SECOND <= copy["t_arr"] - first["t_arr"] <= 2 * SECOND + 1
        assert {**copy, "t_arr": 0} == {**first, "t_arr": 0}


@pytest.mark.spark
def test_a_table_of_somebody_else_keeps_its_columns(spark: Any) -> None:
    stamps = ["17/May/2015:10:05:03 +0000", "17/May/2015:10:05:04 +0200"]
    frame = spark.createDataFrame(
        [(s, "x", n) for n, s in enumerate(stamps)], "`a.time` string, delay string, n int"
    )
    columns = Columns(time="a.time", format="%d/%b/%Y:%H:%M:%S %z")
    came, said = disorder(frame, {"default": {"clock_ahead": "1s"}}, columns)
    assert [row.asDict() for row in came.collect()] == [
        {
            "a.time": stamps[1],
            "delay": "x",
            "n": 1,
            "t_gen": 1431849905 * SECOND,
            "t_arr": 1431849904 * SECOND,
        },
        {
            "a.time": stamps[0],
            "delay": "x",
            "n": 0,
            "t_gen": 1431857104 * SECOND,
            "t_arr": 1431857103 * SECOND,
        },
    ]
    assert "id" not in said.columns


@pytest.mark.spark
@pytest.mark.parametrize(
    ("value", "columns", "said"),
    [
        ("soon", Columns(), "'t_gen' is not a number of us: soon"),
        (None, Columns(), "'t_gen' is not a number of us"),
        ("soon", Columns(format="iso8601"), "'t_gen' is not a time in ISO 8601: 'soon'"),
        ("2026-01-05T10:00:00", Columns(format="iso8601"), "'t_gen' has no time zone"),
    ],
)
def test_a_time_that_is_none_is_told(value: str | None, columns: Columns, said: str, spark: Any) -> None:
    frame = spark.createDataFrame([(value,)], "t_gen string")
    with pytest.raises(Exception, match="t_gen") as caught:
        disorder(frame, "in-order", columns)[0].collect()
    assert reason(caught.value).startswith(said)


@pytest.mark.spark
def test_a_column_that_is_not_there_is_told(spark: Any) -> None:
    frame = spark.createDataFrame([(1,)], "t_gn long")
    with pytest.raises(ConfigurationError, match=r"no column 't_gen'.*\n.*did you mean 't_gn'"):
        disorder(frame, "in-order")
    with pytest.raises(ConfigurationError, match="unknown time format 'iso'"):
        disorder(frame, "in-order", Columns(time="t_gn", format="iso"))
    with pytest.raises(ConfigurationError, match=r"no column 'key' with their ids") as caught:
        disorder(frame, "in-order", Columns(time="t_gn", id="key", source="plant"))
    assert "no column 'plant' with their sources" in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"defualt": {}}, "did you mean 'default'"),
        ({"default": {"late": 30}}, "is ambiguous"),
        ({"default": {"late": "130%"}}, "'late' must be from 0 to 100%"),
        ({"default": {"delay": {}}}, "it must have 'uniform' or 'exponential'"),
        ({"default": {"delay": {"uniform": ["2s", "1s"]}}}, "from the shorter to the longer"),
        ({"default": {"outage": {"every": "1s", "lasts": "2s"}}}, "at most 'every'"),
        ({"default": {"clock_ahead": "1s", "clock_behind": "1s"}}, "do not go together"),
    ],
)
def test_what_is_wrong_with_deliveries_is_told(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_deliveries(spec)
    assert said in str(caught.value)
