"""A column that holds numbers and words is noticed, where a condition names it and nothing declares it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.intake.kinds import Kinds, compared
from limecep.language.parser import parse
from limecep.model.function import Function
from limecep.signature import read

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry


def events(*values: Any, event_type: str = "A") -> list[Event]:
    return [Event(event_type, str(n), n, n, "s", {} if v is None else {"v": v}) for n, v in enumerate(values)]


def test_conditions_say_which_columns_matter() -> None:
    where = "WHERE a.x > 1 AND (c.y = 2 OR d.x = f.w)"
    query = f"PATTERN SEQ((A OR B) a, C c, !D d, AND(E e, F f)) {where} WITHIN 1 s"
    assert compared([parse(query)]) == {
        "A": {"x"}, "B": {"x"}, "C": {"y"}, "D": {"x"}, "E": set(), "F": {"w"},
    }  # fmt: skip


def test_what_a_function_makes_one_kind_of_may_be_mixed() -> None:
    number = Function("number", read("(x: object) -> float"), float)
    query = "PATTERN SEQ(A a, B b) WHERE number(a.x) > 1 AND number(a.y) > a.y WITHIN 1 s"
    assert compared([parse(query, {"number": number}.get)]) == {"A": {"y"}, "B": set()}


@pytest.mark.parametrize(
    ("values", "mixed"),
    [
        ([1, 2.5, None, 3], None),
        (["a", "b"], None),
        ([True, False], None),
        ([1, "b", 2.5, "a", "b", "c", "d"],
         {"numbers": 2, "texts": 5, "booleans": 0, "examples": ["b", "a", "c"]}),
        ([True, "off", None], {"numbers": 0, "texts": 1, "booleans": 1, "examples": ["off"]}),
        ([True, 1], {"numbers": 1, "texts": 0, "booleans": 1, "examples": []}),
    ],
)  # fmt: skip
def test_a_column_of_more_than_one_kind_is_mixed(values: list[Any], mixed: dict[str, Any] | None) -> None:
    expected = [] if mixed is None else [{"column": "v", "type": "A", **mixed}]
    kinds = Kinds({"A": {"v"}, "B": set()})
    kinds.note([*events(*values), *events("x", 1, event_type="B")])
    assert kinds.mixed() == expected
    # However events come, and by whomever they are counted on.
    again = Kinds({"A": {"v"}})
    for event in events(*values):
        again.note([event])
        known, again = json.loads(json.dumps(again.remembered())), Kinds({"A": {"v"}})
        again.recall(known)
    for found, wanted in zip(again.mixed(), expected, strict=True):
        assert {**found, "examples": found["examples"][:1]} == {**wanted, "examples": wanted["examples"][:1]}


def run(folder: Path, registry: Registry, data: str, name: str = "e.csv", **source: Any) -> dict[str, Any]:
    (folder / name).write_text(data)
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": name, "as": "A",
                          "time": {"field": "t", "format": "epoch_s"}, **source}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WHERE a.v > 4 WITHIN 1 s"}},
        "sinks": {"out": {"type": "none"}},
    }  # fmt: skip
    pipeline = Pipeline.from_dict(document, root=folder, registry=registry)
    pipeline.run()
    pipeline.close()
    found: dict[str, Any] = pipeline.report()["sources"]["s"]
    return found


ROWS = "t,v,w\n1,5,x\n2,off,1\n3,,2\n"


def test_a_mixed_column_is_in_the_report(tmp_path: Path, installed: Registry) -> None:
    said = {"column": "v", "type": "A", "numbers": 1, "texts": 1, "booleans": 0, "examples": ["off"]}
    assert run(tmp_path, installed, ROWS)["mixed_columns"] == [said]
    assert run(tmp_path, installed, ROWS, payload=["v"])["mixed_columns"] == [said]


@pytest.mark.parametrize("payload", ["str", "float"])
def test_a_column_whose_type_is_declared_is_not_mixed(
    tmp_path: Path, installed: Registry, payload: str
) -> None:
    assert "mixed_columns" not in run(tmp_path, installed, ROWS, payload={"v": payload})


def test_values_that_have_types_are_what_they_are(tmp_path: Path, installed: Registry) -> None:
    lines = '{"t": 1, "v": 5}\n{"t": 2, "v": "off"}\n'
    assert "mixed_columns" not in run(tmp_path, installed, lines, "e.jsonl")
