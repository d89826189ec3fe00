"""What lies between records and a sink."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, component
from limecep.errors import ComponentFailure
from limecep.output.through import Through

if TYPE_CHECKING:
    from pathlib import Path

DATA = "".join(
    f'{{"type": "{kind}", "id": "{kind}{t}", "t": {t}, "user": "ann"}}\n' for t in range(4) for kind in "AB"
)


class Odd:
    """Drops every record of an odd number, and numbers the others."""

    def apply(self, record: dict[str, Any]) -> dict[str, Any] | None:
        return None if record["n"] % 2 else {**record, "odd": False}


@component("transform", "renaming")
class Renaming:
    """Changes what tells records apart."""

    def __init__(self, options: Any, context: Any) -> None:
        pass

    def apply(self, record: dict[str, Any]) -> dict[str, Any]:
        record["match"] = "mine"
        return record


@component("transform", "unwritten")
class Unwritten:
    """Gives what JSON does not know."""

    def __init__(self, options: Any, context: Any) -> None:
        pass

    def apply(self, record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "mean": [float("nan")]}


@component("transform", "wrong")
class Wrong:
    """Gives what is no record."""

    def __init__(self, options: Any, context: Any) -> None:
        pass

    def apply(self, record: dict[str, Any]) -> str:
        return "no record"


def pipeline(folder: Path, through: list[Any], on_error: str = "fail", **more: Any) -> Pipeline:
    (folder / "s.jsonl").write_text(DATA)
    source = {"type": "file", "channel": "s.jsonl", "as": {"field": "type"}, "id": "id"}
    return Pipeline.from_dict(
        {
            "version": 1,
            "sources": {"s": {**source, "time": {"field": "t", "format": "epoch_s"}}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 s PARTITION BY user"}},
            "sinks": {
                "seen": {"type": "file", "path": "seen.jsonl", "through": through, "on_error": on_error},
                "all": {"type": "file", "path": "all.jsonl"},
            },
            **more,
        },
        root=folder,
        plugins=[Wrong, Renaming, Unwritten],
    )


def test_a_record_goes_through_all_until_one_drops_it() -> None:
    counters: Counter[str] = Counter()
    through = Through([(Odd(), False), (Odd(), True)], counters)
    assert through([{"n": 1}, {"n": 2}]) == [{"n": 2, "odd": False}]
    assert counters == {"dropped": 1}
    assert through([{"n": 1}]) == []


def test_what_was_in_a_record_before_is_no_fault_of_a_transform() -> None:
    odd = {"n": 2, "v": float("inf")}
    assert Through([(Odd(), True)], Counter())([odd]) == [{**odd, "odd": False}]


@pytest.mark.parametrize("state", [{}, {"state": {"dir": "state"}}])
def test_a_sink_gets_what_its_transforms_leave_and_others_get_all(
    tmp_path: Path, state: dict[str, Any]
) -> None:
    run = pipeline(
        tmp_path, [{"type": "mask", "fields": ["user"]}, {"type": "add", "fields": {"x": 1}}], **state
    )
    run.run()
    run.close()
    seen = [json.loads(line) for line in (tmp_path / "seen.jsonl").read_text().splitlines()]
    whole = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert seen
    assert "ann" not in repr(seen)
    assert [(r["match"], r["x"]) for r in seen] == [(r["match"], 1) for r in whole]
    assert all(r["key"] == {"user": "ann"} for r in whole)


@pytest.mark.parametrize(
    ("name", "did"),
    [
        ("wrong", "gives 'no record'"),
        ("renaming", "changes 'match'"),
        ("unwritten", "gives a record where in 'mean' nan is no value of JSON"),
    ],
)
def test_a_transform_that_breaks_its_contract_is_named_with_its_place(
    name: str, did: str, tmp_path: Path
) -> None:
    run = pipeline(tmp_path, [name])
    with pytest.raises(ComponentFailure, match=rf"^sinks\.seen\.through\.1: transform '{name}'.* {did}"):
        run.run()
    run.close()


@pytest.mark.parametrize("state", [{}, {"state": {"dir": "state"}}])
def test_a_sink_that_others_are_spared_is_disabled_with_its_transforms(
    tmp_path: Path, state: dict[str, Any]
) -> None:
    run = pipeline(tmp_path, ["wrong"], "disable", **state)
    run.run()
    run.close()
    records = (tmp_path / "all.jsonl").read_text().splitlines()
    assert records
    told = run.report()["sinks"]["seen"]
    assert told["missed"] == len(records)
    assert told["disabled"].startswith("sinks.seen.through.1: transform 'wrong'")
    assert (tmp_path / "seen.jsonl").read_text() == ""
