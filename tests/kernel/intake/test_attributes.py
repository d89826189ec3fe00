"""Runs over files: fields, keys, ranks and local times from the record to the change log."""

from __future__ import annotations

import json
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.cli.accounting import accounting

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

SECONDS = {"field": "t", "format": "epoch_s"}


class Kitchen:
    """A folder with files, and runs over them."""

    def __init__(self, folder: Path, installed: Registry) -> None:
        self.folder = folder
        self.report: dict[str, Any] = {}
        self._installed = installed

    def run(self, query: str, *lines: str, **more: Any) -> list[dict[str, Any]]:
        """The records of a run over lines of one file, JSON unless they begin with a header; `more` are keys
        of the source."""
        name = "in.jsonl" if lines[0].startswith("{") else "in.csv"
        (self.folder / name).write_text("\n".join(lines) + "\n")
        source = {"type": "file", "channel": name, "as": "A", "time": SECONDS, **more}
        return self.run_sources(query, {"s": source})

    def run_sources(self, query: str, sources: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        document = {
            "version": 1,
            "name": "kitchen",
            "sources": sources,
            "patterns": {"p": {"query": query, "lateness": "accept", "slack": "none"}},
            "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
            **more,
        }
        (self.folder / "out.jsonl").unlink(missing_ok=True)
        pipeline = Pipeline.from_dict(document, root=self.folder, registry=self._installed)
        try:
            pipeline.run()
        finally:
            pipeline.close()
        self.report = pipeline.report()
        return [json.loads(line) for line in (self.folder / "out.jsonl").read_text().splitlines()]


@pytest.fixture
def kitchen(tmp_path: Path, installed: Registry) -> Kitchen:
    return Kitchen(tmp_path, installed)


SERVING = {
    "id": "i", "order": "n", "key": "k", "as": {"field": "y", "map": {"a": "A"}},
    "arrival": {"field": "r", "format": "epoch_s"},
}  # fmt: skip


@pytest.mark.parametrize("field", ["i", "n", "k", "y", "r", "t"])
def test_a_field_that_serves_is_an_attribute_all_the_same(kitchen: Kitchen, field: str) -> None:
    query = f"PATTERN SEQ(A a) WHERE a.{field} IS NOT NULL WITHIN 1 s PARTITION BY {field}"
    (record,) = kitchen.run(query, '{"i": "1", "n": 2, "k": "3", "y": "a", "r": 4, "t": 5}', **SERVING)
    payload = {"i": "1", "n": 2, "k": "3", "y": "a", "r": 4, "t": 5}
    assert record["events"]["a"][0]["payload"] == payload
    assert record["key"] == {field: payload[field]}


def test_cells_that_serve_are_attributes_as_they_read(kitchen: Kitchen) -> None:
    query = "PATTERN SEQ(A a, A b) WHERE a.m = b.m AND b.n > a.n WITHIN 1 min PARTITION BY m"
    (record,) = kitchen.run(query, "t,m,n", "1,m1,1", "2,m1,2", id=["m", "n"])
    assert [e["payload"] for g in record["events"].values() for e in g] == [
        {"t": 1, "m": "m1", "n": 1},
        {"t": 2, "m": "m1", "n": 2},
    ]


@pytest.mark.parametrize("attribute", ["x.v", "`x.v`"])
@pytest.mark.parametrize("key", ["id.orig_h", "`id.orig_h`"])
@pytest.mark.parametrize("payload", [None, {"id.orig_h": "str", "`x.v`": "int"}, {"*": "any", "x.v": "int"}])
def test_flat_names_with_dots_are_reached(
    kitchen: Kitchen, attribute: str, key: str, payload: dict[str, str] | None
) -> None:
    query = f"PATTERN SEQ(A a, A b) WHERE a.{attribute} = 5 WITHIN 1 min PARTITION BY {key}"
    lines = [f'{{"ev.ts": {t}, "id.orig_h": "h1", "x.v": {v}}}' for t, v in ((1, 5), (2, 6))]
    more = {} if payload is None else {"payload": payload}
    (record,) = kitchen.run(query, *lines, time={"field": "ev.ts", "format": "epoch_s"}, **more)
    assert record["key"] == {"id.orig_h": "h1"}


def test_a_key_has_one_spelling_and_the_match_one_id_whatever_came_first(kitchen: Kitchen) -> None:
    lines = [
        '{"t": 1, "k": 1.0, "j": -0.0}', '{"t": 2, "k": 1, "j": 0}', '{"t": 3, "k": 1e0, "j": 0.0}'
    ]  # fmt: skip
    ids, keys = set(), set()
    for order in permutations(lines):
        records = kitchen.run("PATTERN SEQ(A{3} a[]) WITHIN 10 s PARTITION BY k, j", *order)
        (match,) = {r["match"] for r in records}
        ids.add(match)
        keys |= {json.dumps(r["key"]) for r in records}
    assert keys == {'{"k": 1, "j": 0}'}
    assert len(ids) == 1


def test_a_key_that_is_true_is_not_1(kitchen: Kitchen) -> None:
    assert (
        kitchen.run(
            "PATTERN SEQ(A a, A b) WITHIN 10 s PARTITION BY k", '{"t": 1, "k": 1}', '{"t": 2, "k": true}'
        )
        == []
    )
    (record,) = kitchen.run("PATTERN SEQ(A a) WITHIN 10 s PARTITION BY k", '{"t": 2, "k": true}')
    assert record["key"] == {"k": True}


def test_a_key_that_comes_spelled_otherwise_after_a_restart_is_the_same(kitchen: Kitchen) -> None:
    query = "PATTERN SEQ(A+ a[], B b) WITHIN 10 s PARTITION BY k"
    source = {"type": "file", "channel": "in.jsonl", "as": {"field": "y"}, "time": SECONDS, "id": "i"}
    said = []
    for line in (
        '{"t": 2, "k": 1, "y": "A", "i": "a2"}',
        '{"t": 3, "k": 1, "y": "B", "i": "b3"}',
        '{"t": 1, "k": 1.0, "y": "A", "i": "a1"}',
    ):
        with (kitchen.folder / "in.jsonl").open("a") as file:
            file.write(line + "\n")
        said += kitchen.run_sources(query, {"s": source}, state={"dir": "state"})
    assert [(r["op"], r["revision"], r["key"]) for r in said] == [
        ("emit", 1, {"k": 1}),
        ("correct", 2, {"k": 1}),
    ]
    assert len({r["match"] for r in said}) == 1


def test_a_source_of_higher_rank_comes_later_at_one_time(kitchen: Kitchen) -> None:
    (kitchen.folder / "f.jsonl").write_text('{"t": 1, "i": "f"}\n')
    (kitchen.folder / "r.jsonl").write_text('{"t": 1, "i": "a"}\n')

    def found(ranks: tuple[int | None, int | None]) -> int:
        sources = {
            name: {"type": "file", "channel": file, "as": name, "time": SECONDS, "id": "i"}
            | ({} if rank is None else {"rank": rank})
            for (name, file), rank in zip((("Repair", "r.jsonl"), ("Failure", "f.jsonl")), ranks, strict=True)
        }
        return len(kitchen.run_sources("PATTERN SEQ(Failure f, Repair r) WITHIN 1 s", sources))

    assert [found(ranks) for ranks in ((2, 1), (2, None), (None, -1), (1, 2), (1, 1), (None, None))] == [
        1,
        1,
        1,
        0,
        0,
        0,
    ]


LOCAL = {"field": "t", "zone": "Europe/Sofia", "fold": "order"}


def test_a_night_in_which_clocks_go_back_is_counted_and_told(kitchen: Kitchen) -> None:
    stamps = ["03:30", "03:50", "03:10", "03:30", "03:50", "04:00"]
    rows = [f"2019-10-27T{stamp},b,{n}" for n, stamp in enumerate(stamps)]
    records = kitchen.run(
        "PATTERN SEQ(A a, !A b) WITHIN 20 minutes PARTITION BY d", "t,d,v", *rows, "2019-03-31T03:30,b,9",
        time=LOCAL, key="d",
    )  # fmt: skip
    assert [r["start"] for r in records] == ["2019-03-31T01:30:00Z", "2019-10-27T02:00:00Z"]
    source = kitchen.report["sources"]["s"]
    assert (source["ambiguous_times"], source["skipped_times"]) == (5, 1)
    assert accounting(kitchen.report).splitlines()[-1] == (
        "clocks    times of source s: 5 given twice by a change of the clocks ('fold' says which is meant), "
        "1 skipped by one (read as if there had been none)"
    )


def test_what_was_read_in_order_goes_on_after_a_restart(kitchen: Kitchen) -> None:
    file = kitchen.folder / "in.csv"
    source = {"type": "file", "channel": "in.csv", "as": "A", "time": LOCAL, "key": "d"}
    starts = []
    for part in (
        "t,d\n2019-10-27T03:50,b\n2019-10-27T03:00,b\n",
        "2019-10-27T03:10,b\n",
        "2019-10-27T04:00,b\n",
    ):
        with file.open("a") as appended:
            appended.write(part)
        records = kitchen.run_sources("PATTERN SEQ(A a) WITHIN 1 s", {"s": source}, state={"dir": "state"})
        starts += [r["start"][11:16] for r in records]
    assert starts == ["00:50", "01:00", "01:10", "02:00"]
    assert kitchen.report["sources"]["s"]["ambiguous_times"] == 3
