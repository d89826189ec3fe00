"""Keys in ids: what a source says of an event comes to the place where the event is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep import Event, Pipeline
from limecep.intake.identity import joined
from limecep.plan.partition import compile_partition
from limecep_spark_runner.key_of_id import KeyOfId, key_of_id, parts_of, spelled

K, M, AB = ("k",), ("m",), ("a", "b")


@given(st.lists(st.text("ab/\\\n", max_size=5), min_size=2, max_size=4))
def test_an_id_comes_apart_as_it_was_joined(parts: list[str]) -> None:
    assert parts_of(joined(parts)) == parts


def reads(id: Any, *paths: tuple[str, ...]) -> KeyOfId | None:
    source = {"type": "file", "channel": "s.jsonl", "as": "A", "time": "t", "id": id, "revise": {}}
    config = Pipeline.from_dict(
        {
            "version": 1,
            "sources": {"s": source},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 5 s"}},
        }
    ).config
    return key_of_id(config.sources[0], paths)


@pytest.mark.parametrize(
    ("id", "paths", "identity", "key"),
    [
        ("k", [K], "a/b", "a/b"),
        (["k", "n"], [K], "x/1", "x"),
        (["n", "k"], [K], "1/x\\/y", "x/y"),
        (["n", "m", "k"], [K, M], "1/2/3", ("3", "2")),
        (["a.b", "n"], [AB], "x/1", "x"),
        (["`a.b`", "n"], [("a.b",)], "x/1", "x"),
        (["k", "n"], [], "x/1", ()),
        # The key of a tombstone that is no id of the source.
        (["k", "n"], [K], "x", ""),
        (["n", "m", "k"], [K, M], "1/2", ("", "")),
    ],
)
def test_the_key_is_read_in_the_id(id: Any, paths: list[tuple[str, ...]], identity: str, key: Any) -> None:
    told = reads(id, *paths)
    assert told is not None
    assert told.of(identity) == key


@pytest.mark.parametrize(
    ("id", "paths"), [("n", [K]), (["n", "k"], [K, M]), ("`a.b`", [AB]), ("a.b", [("a.b",)]), ("$key", [K])]
)
def test_an_id_without_the_key_tells_none(id: Any, paths: list[tuple[str, ...]]) -> None:
    assert reads(id, *paths) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (1, "1.0"), (1.0, "1"), (1.5, "1.50"), (1e22, "1e22"), (0, "-0.0"), ("x", "x"), ("7", "7"),
     ("007", "007"), (10**60, str(10**60)), (7, "007")],
)  # fmt: skip
def test_a_key_and_the_same_in_an_id_have_one_spelling(value: Any, text: str) -> None:
    key = compile_partition((K,))(Event("A", "a", 0, payload={"k": value}))
    assert spelled(key) == spelled(text)


def test_a_truth_value_is_no_number() -> None:
    assert spelled((True,)) == "True" != spelled(1)
