"""Streams that are made: the same for the same seed, and what they were asked to be."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from limecep.errors import ConfigurationError
from limecep_lab import generate, planted

SPEC: dict[str, Any] = {
    "events": 20_000,
    "start": "2026-01-05T10:00:00Z",
    "sources": {
        "gas": {"rate": 20, "types": {"GasLeak": 1}},
        "house": {"rate": 80, "types": {"Temperature": 9, "Smoke": 1}},
    },
    "key": {"room": {"zipf": 50, "skew": 1, "prefix": "k"}},
    "types": {
        "GasLeak": {"percentage": {"uniform": [0, 50], "digits": 1}},
        "Temperature": {"celsius": {"normal": [20, 5]}, "unit": "C"},
        "Smoke": {
            "density": {"uniform": [0, 1]},
            "colour": {"choice": ["black", "white"], "weights": [3, 1]},
            "level": {"whole": [1, 6]},
        },
    },
    "ties": "30%",
    "planted": {
        "every": 500,
        "gap": 3,
        "matches": {
            "fire": [
                {"type": "GasLeak", "payload": {"percentage": 60}},
                {"type": "Temperature", "payload": {"celsius": 45.5}},
                {"type": "Smoke"},
            ],
            "leak": [{"type": "GasLeak", "payload": {"percentage": 90}}, {"type": "GasLeak"}],
        },
    },
}
START = 1767607200_000_000


def rows(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.collect()]


@pytest.fixture(scope="module")
def stream(spark: Any) -> list[dict[str, Any]]:
    return rows(generate(spark, SPEC, seed=7))


@pytest.mark.spark
def test_the_same_seed_gives_the_same_rows_whatever_the_number_of_partitions(
    spark: Any, stream: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from limecep_lab.generation import frames

    monkeypatch.setattr(frames, "_PART_ROWS", 1700)
    frame = generate(spark, SPEC, seed=7)
    assert frame.rdd.getNumPartitions() == 12
    assert rows(frame) == stream
    plants = rows(planted(spark, SPEC, seed=7))
    monkeypatch.setattr(frames, "_PART_ROWS", 7)
    assert rows(planted(spark, SPEC, seed=7)) == plants
    assert rows(generate(spark, SPEC | {"events": 100}, seed=8)) != stream[:100]


@pytest.mark.spark
def test_the_same_seed_gives_the_same_rows_on_any_machine(stream: list[dict[str, Any]]) -> None:
    assert {name: value for name, value in stream[1].items() if value is not None} == {
        "id": "e1",
        "type": "Temperature",
        "source": "house",
        "t_gen": 1767607200019777,
        "room": "k12",
        "celsius": pytest.approx(22.814813943996153),
        "unit": "C",
    }


@pytest.mark.spark
def test_events_are_in_order_at_their_rate(stream: list[dict[str, Any]]) -> None:
    times = [row["t_gen"] for row in stream]
    assert times == sorted(times)
    assert [row["id"] for row in stream] == [f"e{n}" for n in range(20_000)]
    # A hundred a second.
    assert START <= times[0] < START + 20_000
    assert START + 199_900_000 <= times[-1] < START + 200_000_000


@pytest.mark.spark
def test_types_and_sources_come_as_often_as_asked(stream: list[dict[str, Any]]) -> None:
    counts = Counter((row["source"], row["type"]) for row in stream)
    assert set(counts) == {("gas", "GasLeak"), ("house", "Temperature"), ("house", "Smoke")}
    assert counts["gas", "GasLeak"] == pytest.approx(4000, rel=0.05)
    assert counts["house", "Smoke"] == pytest.approx(1600, rel=0.1)


@pytest.mark.spark
def test_payloads_are_distributed_as_asked(stream: list[dict[str, Any]]) -> None:
    def values(name: str) -> list[Any]:
        return [row[name] for row in stream if row[name] is not None]

    percentages = [v for v in values("percentage") if v <= 50]
    assert sum(percentages) / len(percentages) == pytest.approx(25, rel=0.03)
    assert all(round(v, 1) == v for v in percentages)
    celsius = [v for v in values("celsius") if v != 45.5]
    mean = sum(celsius) / len(celsius)
    assert mean == pytest.approx(20, abs=0.2)
    assert sum((c - mean) ** 2 for c in celsius) / len(celsius) == pytest.approx(25, rel=0.05)
    # Neighbours have nothing to do with each other.
    products = [(c - mean) * (d - mean) for c, d in pairwise(celsius)]
    assert sum(products) / len(products) == pytest.approx(0, abs=1)
    assert Counter(values("colour"))["black"] / len(values("colour")) == pytest.approx(0.75, abs=0.04)
    assert set(values("level")) == {1, 2, 3, 4, 5, 6}
    assert set(values("unit")) == {"C"}
    rooms = Counter(values("room"))
    assert len(values("room")) == 20_000
    assert set(rooms) == {f"k{n}" for n in range(1, 51)}
    # In proportion to 1/n, as nearly as a continuous distribution is.
    assert rooms["k1"] / rooms["k10"] == pytest.approx(7.3, rel=0.2)


@pytest.mark.spark
def test_attributes_belong_to_their_types(stream: list[dict[str, Any]]) -> None:
    for row in stream:
        assert (row["percentage"] is not None) == (row["type"] == "GasLeak")
        assert (row["celsius"] is not None) == (row["unit"] is not None) == (row["type"] == "Temperature")


@pytest.mark.spark
def test_as_many_events_have_the_time_of_a_neighbour_as_asked(stream: list[dict[str, Any]]) -> None:
    tied = Counter(row["t_gen"] for row in stream)
    assert sum(n for n in tied.values() if n > 1) / len(stream) == pytest.approx(0.3, abs=0.02)


@pytest.mark.spark
def test_what_is_planted_is_there_and_told(spark: Any, stream: list[dict[str, Any]]) -> None:
    plants = rows(planted(spark, SPEC, seed=7))
    assert len(plants) == 40
    assert {p["match"] for p in plants} == {"fire", "leak"}
    by_id = {row["id"]: row for row in stream}
    for plant in plants:
        events = [by_id[i] for i in plant["events"]]
        if plant["match"] == "fire":
            assert [e["type"] for e in events] == ["GasLeak", "Temperature", "Smoke"]
            assert (events[0]["percentage"], events[1]["celsius"]) == (60, 45.5)
        else:
            assert [e["type"] for e in events] == ["GasLeak", "GasLeak"]
            assert events[0]["percentage"] == 90 >= events[1]["percentage"]
        assert {e["room"] for e in events} == {plant["room"]}
        times = [e["t_gen"] for e in events]
        assert sorted(set(times)) == times
        assert (times[0], times[-1]) == (plant["start"], plant["end"])


@pytest.mark.spark
def test_times_are_multiples_of_the_resolution(spark: Any) -> None:
    spec = {"events": 500, "sources": {"s": {"rate": 100, "types": {"A": 1}}}, "resolution": "1s"}
    times = [row["t_gen"] for row in rows(generate(spark, spec))]
    assert all(t % 1_000_000 == 0 for t in times)
    assert len(set(times)) == 5


@pytest.mark.spark
def test_a_stream_may_be_empty(spark: Any) -> None:
    spec = {"events": 0, "sources": {"s": {"rate": 1, "types": {"A": 1}}}}
    assert rows(generate(spark, spec)) == rows(planted(spark, spec)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"evnts": 3}, "a stream has no key 'evnts'"),
        ({"events": -1}, "'events' must be at least 0"),
        ({"sources": {}}, "'sources' must have one"),
        ({"sources": {"s": {"rate": 0, "types": {"A": 1}}}}, "'rate' must be more than 0"),
        ({"sources": {"s": {"rate": 1, "types": {"A": 0}}}}, "not all are 0"),
        ({"ties": 2}, "is ambiguous: write 2% or a fraction"),
        ({"start": "yesterday"}, "'start' is not a time in ISO 8601"),
        ({"types": {"Smoke": {"d": {"whole": [0, 2**63]}}}}, "fit into 64 bits"),
        ({"types": {"Smoke": {"d": -(2**63) - 1}}}, "fit into 64 bits"),
        ({"types": {"Smok": {}}}, "type 'Smok' comes from no source"),
        ({"types": {"Smoke": {"d": {"unifrm": [0, 1]}}}}, "did you mean 'uniform'"),
        ({"types": {"Smoke": {"d": {"uniform": [0, 1], "zipf": 3}}}}, "not uniform and zipf"),
        ({"types": {"Smoke": {"d": {"uniform": [1, 0]}}}}, "'uniform' is from low to high"),
        ({"types": {"Smoke": {"d": {"choice": [1, "a"]}}}}, "all numbers, all texts"),
        ({"types": {"Smoke": {"d": {"choice": [1, 2], "weights": [1]}}}}, "one for each choice"),
        ({"types": {"Smoke": {"room": "k1"}}}, "attribute 'room' is of the key"),
        ({"types": {"Smoke": {"t_gen": 3}}}, "'t_gen' cannot be an attribute"),
        (
            {"types": {"Smoke": {"d": 3}, "GasLeak": {"d": "x"}}},
            "attribute 'd' is number here, and text there",
        ),
        (
            {"planted": {"every": 2, "gap": 9, "matches": {"m": [{"type": "Smoke"}] * 2}}},
            "must be at least 10",
        ),
        ({"planted": {"every": 9, "matches": {"m": [{"type": "Smke"}]}}}, "which comes from no source"),
        ({"resolution": "1s"}, "events of one time"),
    ],
)
def test_what_is_wrong_with_a_spec_is_told(changes: dict[str, Any], said: str) -> None:
    from limecep_lab.generation.streams import read_stream

    with pytest.raises(ConfigurationError) as caught:
        read_stream(SPEC | changes)
    assert said in str(caught.value)


def test_a_spec_in_a_file_is_told_with_its_place(tmp_path: Any) -> None:
    from limecep_lab.generation.streams import read_stream

    file = tmp_path / "stream.yaml"
    file.write_text("events: 5\nsources: {s: {rate: fast, types: {A: 1}}}\n")
    with pytest.raises(ConfigurationError) as caught:
        read_stream(file)
    assert str(caught.value).startswith(f"{file}:2:21: error: 'rate' must be a number")
