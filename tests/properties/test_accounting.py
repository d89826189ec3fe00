"""Whatever comes, in whatever order: every record ends in exactly one outcome, and the right one."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limecep import Event, Pipeline
from limecep.host import Host
from limecep.testing.oracle import maximal_matches

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
SECOND = 1_000_000
SKEW = 50
TYPES = {"p": "AB", "q": "BC"}
WITHIN = {"p": 5, "q": 20}
NOTHING = ("", "{}", "[1]", "{", '{"type": "A"}', '{"type": "A", "id": [1], "t": 1}', "\x00")


@dataclass(frozen=True)
class Line:
    """One record: of a source, of a type and an id, at a second; or text that gives no event."""

    source: str
    type: str = ""
    id: str = ""
    t: int = 0
    nothing: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        return (self.type, self.source, self.id)


LINES = st.builds(
    Line,
    source=st.sampled_from("st"),
    type=st.sampled_from("ABCX"),
    id=st.sampled_from("123456789"),
    t=st.integers(0, 40) | st.integers(0, 200),
) | st.builds(Line, source=st.sampled_from("st"), nothing=st.sampled_from(NOTHING))


def accounted(lines: list[Line]) -> tuple[list[str], dict[str, list[Line]], list[int]]:
    """By the book: the outcome of each record, the events that each pattern sees, and the places of those
    that go to the late output. A record arrives at the second of its place."""
    lta = -1
    seen: set[tuple[str, str, str]] = set()
    outcomes: list[str] = []
    views: dict[str, list[Line]] = {name: [] for name in TYPES}
    late: list[int] = []
    for place, line in enumerate(lines):
        if line.nothing.strip():
            outcomes.append("invalid")
            late.append(place)
            continue
        if not line.type:
            continue  # A blank line is no record.
        if line.t > place + SKEW:
            outcomes.append("future")
            late.append(place)
            continue
        concerned = [name for name, types in TYPES.items() if line.type in types]
        accepting = [name for name in concerned if lta - line.t <= WITHIN[name]]
        if not concerned:
            outcomes.append("irrelevant")
        elif line.identity in seen:
            outcomes.append("duplicate")
            continue
        else:
            seen.add(line.identity)
            for name in accepting:
                views[name].append(line)
            if len(accepting) < len(concerned):
                late.append(place)
            outcomes.append(
                "extremely_late" if not accepting else "out_of_order" if line.t < lta else "in_order"
            )
        lta = max(lta, line.t)
    return outcomes, views, late


def written(line: Line, place: int) -> str:
    if not line.type:
        return line.nothing
    return json.dumps({"type": line.type, "id": line.id, "t": line.t, "arr": place})


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Host.load().registry


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("accounting")


def pipeline(folder: Path, registry: Registry) -> Pipeline:
    source = {
        "type": "file", "as": {"field": "type"}, "id": "id", "time": {"field": "t", "format": "epoch_s"},
        "arrival": {"field": "arr", "format": "epoch_s"}, "max_future_skew": f"{SKEW}s",
    }  # fmt: skip
    document = {
        "version": 1,
        "sources": {name: {**source, "channel": f"{name}.jsonl"} for name in "st"},
        "patterns": {
            name: {
                "query": f"PATTERN SEQ({types[0]} x, {types[1]} y) WITHIN 1000 s",
                "lateness": {"type": "accept", "within": f"{WITHIN[name]}s"},
            }
            for name, types in TYPES.items()
        },
        "sinks": {
            "out": {"type": "file", "path": "out.jsonl"},
            "late": {"type": "file", "path": "late.jsonl", "of": "late"},
        },
    }
    return Pipeline.from_dict(document, root=folder, registry=registry)


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.lists(LINES, max_size=30))
def test_every_record_has_the_one_outcome_that_is_its_own(
    folder: Path, registry: Registry, lines: list[Line]
) -> None:
    for name in "st":
        text = "".join(f"{written(line, n)}\n" for n, line in enumerate(lines) if line.source == name)
        (folder / f"{name}.jsonl").write_text(text)
    for name in ("out.jsonl", "late.jsonl"):
        (folder / name).unlink(missing_ok=True)
    run = pipeline(folder, registry)
    run.run()
    run.close()
    report = run.report()

    outcomes, views, late = accounted(lines)
    events = report["events"]
    assert {name: n for name, n in events.items() if n and name != "read"} == Counter(outcomes)
    assert events["read"] == len(outcomes) == sum(events.values()) - events["read"]
    for outcome in events:
        assert sum(s.get(outcome, 0) for s in report["sources"].values()) == events[outcome]

    records = [json.loads(line) for line in (folder / "late.jsonl").read_text().splitlines()]
    numbers = Counter[str]()
    positions = []
    for line in lines:
        numbers[line.source] += 1
        positions.append(f"{line.source}.jsonl:{numbers[line.source]}")
    assert sorted(r["position"] for r in records) == sorted(positions[place] for place in late)

    live: dict[str, Any] = {}
    for record in map(json.loads, (folder / "out.jsonl").read_text().splitlines()):
        live[record["match"]] = None if record["op"] == "retract" else record
    for name, view in views.items():
        stream = [Event(v.type, v.id, v.t * SECOND, source=v.source) for v in view]
        expected = maximal_matches(run.config.patterns[name == "q"].pattern, stream, select="stnm")
        found = {
            tuple((v, tuple((e["type"], e["source"], e["id"]) for e in g)) for v, g in r["events"].items())
            for r in live.values()
            if r is not None and r["pattern"] == name
        }
        assert found == expected
        assert report["patterns"][name]["live"] == len(expected)
