"""Whatever patterns come and go while a stream goes on: each finds what it would have found, had it been
there from where it begins."""

from __future__ import annotations

import json
import os
import shutil
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import strategies as st

from limecep import Pipeline
from limecep.cli import logs
from limecep.host import Host
from limecep.registry import Registry
from limecep.testing import functions, tables
from limecep.testing.changelog import net_of_records
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern

#: How many histories are drawn.
EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "240")) // 4

SOURCE = {
    "type": "file", "channel": "in.jsonl", "as": {"field": "type"}, "id": "id", "order": "seq",
    "time": {"field": "t", "format": "epoch_s"}, "arrival": {"field": "arr", "format": "epoch_s"},
}  # fmt: skip
#: No event is later than this.
LATENESS = {"type": "accept", "within": "90s"}


class History:
    """A pipeline with state that is run again and again, with other patterns and more events each time."""

    def __init__(self, folder: Path, registry: Registry, room: int) -> None:
        self._folder = folder
        self._room = room
        self._registry = registry
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self._read = 0

    def run(self, drawn: dict[str, Any], events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Goes on with these patterns and events; gives what is told."""
        with (self._folder / "in.jsonl").open("a") as file:
            file.writelines(json.dumps(event) + "\n" for event in events)
        document = {
            "version": 1,
            "tables": tables.BLOCK,
            "sources": {"s": SOURCE},
            "patterns": drawn,
            "sinks": {"out": {"type": "file", "path": "out"}},
            "retention": {"events": self._room},
            "state": {"dir": "state", "keep": "1d"},
        }
        pipeline = Pipeline.from_dict(document, root=self._folder, registry=self._registry)
        try:
            pipeline.run()
        finally:
            pipeline.close()
        # What survives is read again.
        out = self._folder / "out"
        records = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
        before, self._read = self._read, len(records)
        return records[before:]


def policies(pattern: Pattern, chosen: Random, memory: str) -> dict[str, Any]:
    """A pattern with some policies, as YAML has it."""
    results: dict[str, Any] = {"type": "corrected", "emit": chosen.choice(["eager", "complete", "slack"])}
    # Where one match decides about others, what memory let go stays as it was.
    if chosen.random() < 0.3 and memory == "all":
        results["skip"] = chosen.choice(["to-next", "past-last"])
    if chosen.random() < 0.3:
        results["pick"] = chosen.choice(["first", "last", "longest", "shortest"])
    return {
        "query": str(pattern),
        "select": chosen.choice(["stnm", "stam"]),
        "engine": chosen.choice(["maximal", "nfa"]),
        "lateness": LATENESS
        if memory == "bounded"
        else chosen.choice(["accept", {"type": "accept", "within": "1h"}]),
        "slack": chosen.choice(["none", {"type": "fixed", "wait": "2s"}]),
        "results": results,
    }


def bursts() -> st.SearchStrategy[list[Event]]:
    """A few short streams a minute apart, as one."""
    return st.lists(streams(size=6, ties=2), min_size=3, max_size=4).map(
        lambda drawn: [
            msgspec.structs.replace(e, id=f"{e.id}.{n}", t_gen=e.t_gen + n * 60 * SECOND)
            for n, burst in enumerate(drawn)
            for e in burst
        ]
    )


def enough(events: list[Event], windows: int) -> int:
    """How many events there may be in so many windows: memory that is smaller misses matches in order too."""
    times = [e.t_gen for e in events]
    return max((sum(t <= u <= t + windows for u in times) for t in times), default=0) * 10 // 9 + 1


def lines(events: list[Event], chosen: Random, far: int) -> list[dict[str, Any]]:
    """Some order of arrival, in which some are late, by up to eight times `far`."""
    arriving = sorted(events, key=lambda e: e.t_gen + (chosen.randrange(9) * far) * (chosen.random() < 0.5))
    return [
        {"type": e.type, "id": e.id, "t": e.t_gen // SECOND, "arr": n, "seq": e.seq, **e.payload}
        for n, e in enumerate(arriving)
    ]


@pytest.mark.parametrize("memory", ["all", "little", "bounded"])
def test_patterns_that_come_and_go_find_what_they_would_have_found(memory: str, tmp_path: Path) -> None:
    logs.configure("error", sys.stderr)
    registry = Registry(Host.load().with_plugins(functions, tables).registry.specs())

    def body(pool: list[Pattern], events: list[Event], seed: int) -> None:
        chosen = Random(seed)
        arriving = lines(events, chosen, SECOND if memory == "all" else 10 * SECOND)
        made = {f"p{n}": policies(p, chosen, memory) for n, p in enumerate(pool)}
        room = enough(events, 3 * max(p.within for p in pool)) if memory == "little" else 1_000_000
        # All types are known from the first event on.
        kept = {"all": {"query": "PATTERN OR(SEQ(A a), SEQ(B b), SEQ(C c)) WITHIN 1 s", "lateness": LATENESS}}
        cuts = sorted(chosen.randrange(len(arriving) + 1) for _ in range(chosen.randrange(1, 4)))
        history, now = History(tmp_path / "changing", registry, room), dict[str, Any]()
        told: dict[str, list[dict[str, Any]]] = {}
        begun: dict[str, int] = {}
        for first, last in zip([0, *cuts], [*cuts, len(arriving)], strict=True):
            before = dict(now)
            for name, pattern in made.items():
                if chosen.random() < 0.4:
                    now.pop(name, None)
                elif chosen.random() < 0.5:
                    now[name] = {
                        **pattern,
                        "from": chosen.choice(
                            ["memory", "beginning", "now"] if memory == "all" else ["beginning", "now"]
                        ),
                    }
            for name in set(now) - set(before):
                told[name] = []
                begun[name] = first if now[name]["from"] == "now" and first else 0
            for name in set(now) & set(before):
                now[name] = {**now[name], "from": before[name]["from"]}
            for record in history.run({**kept, **now}, arriving[first:last]):
                told.setdefault(record["pattern"], []).append(record)
        for name, pattern in now.items():
            right = History(tmp_path / "always", registry, room).run(
                kept | {name: pattern}, arriving[begun[name] :]
            )
            case = f"{pattern}\nbegun {begun[name]}, cuts {cuts}, seed {seed}\n{arriving}"
            try:
                got, wanted = net_of_records(told[name], name), net_of_records(right, name)
            except AssertionError as broken:
                raise AssertionError(f"{broken}\n{case}\n{told[name]}") from None
            assert got == wanted, (
                f"{pattern}\nbegun at {begun[name]}, cuts {cuts}, seed {seed}\n{arriving}\n"
                f"missing {wanted - got}\ntoo much {got - wanted}"
            )

    arriving = streams(size=12, ties=2) if memory == "all" else bursts()
    for_all(
        body, st.lists(patterns(), min_size=1, max_size=3), arriving, st.integers(0, 10**6), examples=EXAMPLES
    )
