"""Late events that reach back further than memory: repaired from a log, or told of."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from structlog.testing import capture_logs

from limecep import Event
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.contracts.tables import PLAIN as TABLES
from limecep.detection.past import Unavailable
from limecep.detection.refusals import Refusals
from limecep.detection.repair import Repair
from limecep.detection.spans import Spans
from limecep.model.time import FOREVER
from limecep.runtime import feeds
from limecep.runtime.assembly import Assembly
from limecep.runtime.pipeline import Pipeline
from limecep.runtime.retrieval import Retrieval

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal
    from limecep.registry import Registry

SECOND = 1_000_000
AB = "PATTERN SEQ(A a, B b) WITHIN 5 s"
PLAIN = {"type": "file", "as": {"field": "type"}, "id": "id", "time": {"field": "t", "format": "epoch_s"}}


def fill(begin: int, step: float = 1) -> str:
    """Enough to push out whatever came before."""
    return " ".join(f"a{begin + n * step:g}" for n in range(40))


def record(word: str) -> dict[str, Any]:
    """`a1` is an A at 1 s, `a1=7` one with v = 7, `a1@3` one that arrives at 3 s."""
    head, _, v = word.partition("=")
    name, _, arrival = head.partition("@")
    more = {**({"v": int(v)} if v else {}), **({"arr": int(arrival)} if arrival else {})}
    return {"type": name[0].upper(), "id": name, "t": float(name[1:]), **more}


class Runs:
    """Pipelines over files in a folder, read in small batches.

    Attributes:
        report: The report of the last one.
        late: Its late output.
    """

    def __init__(self, folder: Path, registry: Registry) -> None:
        self.folder = folder
        self.report: dict[str, Any] = {}
        self.late: list[dict[str, Any]] = []
        self._registry = registry

    def __call__(
        self,
        *texts: str,
        name: str = "e{}.jsonl",
        query: str = AB,
        source: dict[str, Any] | None = None,
        retention: dict[str, Any] | None = None,
        **pattern: Any,
    ) -> list[str]:
        """Runs one over these events, a source for each text; gives what it said, in short."""
        for n, text in enumerate(texts):
            data = "".join(f"{json.dumps(record(word))}\n" for word in text.split()).encode()
            path = self.folder / name.format(n)
            path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        for sink in ("out", "late"):
            (self.folder / sink).unlink(missing_ok=True)
        pipeline = Pipeline.from_dict(
            {
                "version": 1,
                "sources": {
                    f"s{n}": {**PLAIN, "channel": name.format(n), **(source or {})} for n in range(len(texts))
                },
                "patterns": {"p": {"query": query, "slack": "none", "lateness": "accept", **pattern}},
                "sinks": {
                    "out": {"type": "file", "path": "out"},
                    "late": {"type": "file", "path": "late", "of": "late"},
                },
                "retention": retention or {"events": 20},
            },
            root=self.folder,
            registry=self._registry,
        )
        try:
            pipeline.run()
        finally:
            pipeline.close()
        self.report = pipeline.report()
        self.late = [json.loads(line) for line in (self.folder / "late").read_text().splitlines()]
        self.out = [json.loads(line) for line in (self.folder / "out").read_text().splitlines()]
        return [
            f"{r['op']} {r['revision']} {' '.join(e['id'] for group in r['events'].values() for e in group)}"
            for r in self.out
        ]

    @property
    def retrieved(self) -> tuple[int, int]:
        """How often something was read again, and how many events."""
        return self.report["retrieved"]["times"], self.report["retrieved"]["events"]

    @property
    def unrepaired(self) -> int:
        return int(self.report["patterns"]["p"]["unrepaired"])


@pytest.fixture
def run(tmp_path: Path, installed: Registry, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 10)
    return Runs(tmp_path, installed)


# -- with a log --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["e{}.jsonl", "e{}.jsonl.gz"])
def test_what_a_late_event_changes_is_repaired_from_the_file(run: Runs, name: str) -> None:
    said = run(f"a1 b3 {fill(100)} b2", name=name)
    assert said == ["emit 1 a1 b3", "retract 2 a1 b3", "emit 1 a1 b2"]
    assert run.report["evicted"] > 0
    assert run.retrieved == (1, 2)
    assert run.report["retrieved"]["seconds"] > 0
    assert (run.unrepaired, run.late) == (0, [])


def test_a_match_keeps_its_name_and_goes_on_counting(run: Runs) -> None:
    said = run(
        f"a1 b2 c4 {fill(100)} b3 {fill(200)} b2.5 {fill(300)}",
        query="PATTERN SEQ(A a, B+ b[], C c) WITHIN 5 s",
    )
    assert said == ["emit 1 a1 b2 c4", "correct 2 a1 b2 b3 c4", "correct 3 a1 b2 b2.5 b3 c4"]
    assert len({r["match"] for r in run.out}) == 1


def test_a_match_that_can_grow_goes_on_growing(run: Runs) -> None:
    said = run(f"a1 b2 {fill(100)} b4 {fill(200)} b3", query="PATTERN SEQ(A a, B+ b[]) WITHIN 5 s")
    assert said == ["emit 1 a1 b2", "correct 2 a1 b2 b4", "correct 3 a1 b2 b3 b4"]


def test_a_match_taken_back_long_ago_is_found_again_under_its_name(run: Runs) -> None:
    # b3 took a1 from b4 while memory held all three; d2.5 takes it from b3 when it does not any more.
    said = run(
        f"a1 b4 b3 {fill(100)} d2.5 {fill(200)}", query="PATTERN SEQ(A a, !D d, (B OR D) b) WITHIN 5 s"
    )
    assert said == ["emit 1 a1 b4", "retract 2 a1 b4", "emit 1 a1 b3", "retract 2 a1 b3", "emit 1 a1 d2.5"]


def test_late_events_that_come_together_cost_one_reading(run: Runs) -> None:
    said = run(f"a1 b4 a51 b54 {fill(100)} b3 b2 b53 b52 a1.5 b1.7")
    assert said[-2:] == ["emit 1 a1 b1.7", "emit 1 a1.5 b1.7"]
    assert run.retrieved == (1, 4)


def test_events_in_order_cost_none(run: Runs) -> None:
    assert run(f"a1 b2 {fill(100)} a200 b201") == ["emit 1 a1 b2", "emit 1 a200 b201"]
    assert run.report["evicted"] > 0
    assert run.retrieved == (0, 0)


def test_a_copy_of_what_left_memory_is_a_duplicate(run: Runs) -> None:
    assert run(f"a1 b2 {fill(100)} b2") == ["emit 1 a1 b2"]
    assert {k: n for k, n in run.report["events"].items() if n} == {
        "read": 43,
        "in_order": 42,
        "duplicate": 1,
    }
    figures = run.report["statistics"]
    assert (figures["late"], figures["ratio"], figures["lateness"]) == (0, 0.0, None)
    assert (figures["types"]["B"]["events"], figures["types"]["B"]["late"]) == (1, 0)


def test_of_copies_in_the_file_the_first_counts(run: Runs) -> None:
    said = run(f"a1=1 b2 {fill(100)} a1=2 b3", query="PATTERN SEQ(A a, B b) WHERE a.v = 2 WITHIN 5 s")
    assert said == []
    assert run.report["events"]["duplicate"] == 1


def test_what_a_pattern_refused_it_does_not_see_later_either(run: Runs) -> None:
    # Were it seen, it would have completed the run of a10.
    said = run(f"a10 {fill(100)} b10.5 a140 a141 b13", lateness={"type": "accept", "within": "128s"})
    assert said == ["emit 1 a10 b13"]
    assert [r["event"]["id"] for r in run.late] == ["b10.5"]


def test_events_from_the_future_are_not_brought_back(run: Runs) -> None:
    filled = " ".join(f"{word}@{word[1:]}" for word in fill(100).split())
    source = {"max_future_skew": "1s", "arrival": {"field": "arr", "format": "epoch_s"}}
    assert run(f"a1@1 b3@1 {filled} b4@200", source=source) == ["emit 1 a1 b4"]


def test_several_sources_are_read_again_together(run: Runs) -> None:
    said = run(f"a1 {fill(100)}", f"b3 {fill(100).replace('a', 'c')} b2")
    assert said == ["emit 1 a1 b3", "retract 2 a1 b3", "emit 1 a1 b2"]


def test_the_files_of_a_source_are_read_again_in_the_order_in_which_they_came(
    run: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "BATCH_MESSAGES", 3)
    # The copy in the second file came before the one in the first.
    (run.folder / "f.jsonl").write_text(json.dumps(record("a1=2")) + "\n")
    said = run(
        f"c3 a1=1 {fill(100)} b2",
        query="PATTERN SEQ(A a, B b) WHERE a.v = 2 WITHIN 5 s",
        source={"channel": "*.jsonl"},
    )
    assert said == ["emit 1 a1 b2"]


# -- without one -------------------------------------------------------------------------------------------


class Detected:
    """Detection of one pattern over events that come from no source, a batch at a time."""

    def __init__(
        self, installed: Registry, retrieval: Retrieval | None = None, query: str = AB, **pattern: Any
    ) -> None:
        patterns = {"p": {"query": query, "slack": "none", "lateness": "accept", **pattern}}
        loaded = load_dict({"version": 1, "patterns": patterns}, installed)
        assert loaded.config is not None
        self.updates: list[Update] = []
        self.refused: list[Refusal] = []
        config = replace(loaded.config, retention_events=20)
        assembly = Assembly(config, installed, ManualClock(), structlog.get_logger())
        self.detection = assembly.detection(self.updates.append, self.refused.append, past=retrieval)

    def feed(self, text: str) -> list[str]:
        """Takes in a batch; gives what that said, in short."""
        self.updates.clear()
        self.detection.feed(events(text))
        return [f"{u.op} {' '.join(e.id for group in u.match.groups for e in group)}" for u in self.updates]

    @property
    def evicted(self) -> list[str]:
        assert {r.reason for r in self.refused} <= {"evicted"}
        return [r.event.id for r in self.refused]


def events(text: str) -> list[Event]:
    return [
        Event(r["type"], r["id"], int(r["t"] * SECOND), payload={"v": r.get("v")})
        for r in map(record, text.split())
    ]


class Shelf:
    """A journal that holds these events."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked: list[tuple[int, int]] = []

    @property
    def begins(self) -> int:
        return 1 << 62 if self.text is None else -(1 << 62)

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        self.asked.append((t_from, t_to))
        assert self.text is not None
        return [e for e in events(self.text) if t_from <= e.t_gen <= t_to]


def test_what_cannot_be_read_again_is_reported_and_used_as_far_as_memory_reaches(installed: Registry) -> None:
    made = Detected(installed)
    assert made.feed("a1 b3") == ["emit a1 b3"]
    assert made.feed(fill(100)) == []
    assert made.feed("b2") == []
    assert made.evicted == ["b2"]
    assert made.refused[0].patterns == ("p",)
    assert made.refused[0].error.endswith("and nothing can be read again")
    assert made.detection.patterns()["p"]["unrepaired"] == 1
    assert made.detection.statistics.events()["out_of_order"] == 1
    # What memory holds is corrected as ever.
    assert made.feed("b140") == [f"emit a{t} b140" for t in range(135, 140)]
    assert made.feed("b138.5")[:2] == ["retract a135 b140", "retract a136 b140"]


def test_the_record_of_the_late_output_says_what_and_why(run: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limecep_file.stream.FileStream.replay", lambda *_: None)
    with capture_logs() as logs:
        assert run(f"a1 b3 {fill(100)} b2 b2.5") == ["emit 1 a1 b3"]
    assert [r["event"]["id"] for r in run.late] == ["b2", "b2.5"]
    first = run.late[0]
    since = first["error"].split()[4].rstrip(",")
    assert first == {
        "reason": "evicted",
        "event": {
            "type": "B",
            "id": "b2",
            "time": "1970-01-01T00:00:02Z",
            "source": "s0",
            "payload": {"type": "B", "id": "b2", "t": 2.0},
        },
        "error": f"memory reaches back to {since}, and source 's0' cannot be read again",
        "patterns": ["p"],
        "source": "s0",
        "position": "e0.jsonl:43",
    }
    assert "1970-01-01T00:01:40Z" < since < "1970-01-01T00:02:20Z"
    assert run.unrepaired == 2
    assert run.report["events"]["out_of_order"] == 2
    assert [e["reason"] for e in logs] == ["evicted"]


def test_what_makes_no_difference_to_a_pattern_needs_nothing(installed: Registry) -> None:
    made = Detected(installed, query="PATTERN SEQ(A a, B b) WHERE b.v > 5 WITHIN 5 s")
    made.feed("a1")
    made.feed(fill(100))
    made.feed("b2=1")
    assert made.evicted == []


def test_where_there_is_no_log_a_journal_serves(installed: Registry) -> None:
    shelf = Shelf("a1 b3")
    made = Detected(installed, Retrieval([], shelf))
    assert made.feed("a1 b3") == ["emit a1 b3"]
    made.feed(fill(100))
    assert made.feed("b2") == ["retract a1 b3", "emit a1 b2"]
    assert (len(shelf.asked), made.evicted) == (1, [])


def test_a_journal_that_does_not_reach_back_so_far_says_so(installed: Registry) -> None:
    made = Detected(installed, Retrieval([], Shelf(None)))
    made.feed("a1 b3")
    made.feed(fill(100))
    assert made.feed("b2") == []
    assert made.refused[0].error.endswith("the journal does not reach back so far")


def test_what_failed_once_is_not_tried_again_in_a_batch(installed: Registry) -> None:
    retrieval = Retrieval([], Shelf(None))
    made = Detected(installed, retrieval)
    made.feed("a1 b3")
    made.feed(fill(100))
    made.feed("b2 b2.2 b2.4")
    assert made.evicted == ["b2", "b2.2", "b2.4"]
    assert retrieval.times == 1


def test_what_was_put_right_no_more_is_left_alone_even_where_memory_comes_back(installed: Registry) -> None:
    shelf = Shelf(None)
    made = Detected(installed, Retrieval([], shelf))
    made.feed("a1 b3")
    made.feed(fill(100))
    made.feed("b2")
    # b2 never was told of: with it in the log, what was emitted could not be found out any more.
    shelf.text = "a1 b3 b2"
    assert made.feed("b1.5") == []
    assert made.evicted == ["b2", "b1.5"]


def test_end_events_that_wait_for_time_and_must_leave_are_reported(installed: Registry) -> None:
    made = Detected(installed, results={"type": "corrected", "emit": "final"},
                    lateness={"type": "accept", "within": "1h"})  # fmt: skip
    made.feed("a1 b3")
    made.feed(fill(100))
    assert made.evicted == ["b3"]
    assert made.refused[0].error == "it waited for time, and had to leave"
    assert made.feed("b2") == []
    assert made.evicted == ["b3", "b2"]


def test_under_a_skip_strategy_what_is_older_than_memory_stays_as_it_was(installed: Registry) -> None:
    shelf = Shelf("a1 b3")
    made = Detected(installed, Retrieval([], shelf), results={"type": "corrected", "skip": "past-last"})
    made.feed("a1 b3")
    made.feed(fill(100))
    assert made.feed("b2") == []
    assert (made.evicted, shelf.asked) == (["b2"], [])
    assert made.refused[0].error.endswith("and what is older stays as it was")


# -- by itself ---------------------------------------------------------------------------------------------


class Pattern:
    """It takes events of all types but N."""

    def takes(self, event: Event) -> bool:
        return event.type != "N"


class Alone:
    """Repair for a pattern that needs the ten microseconds before a late event, where memory begins at 100.

    Attributes:
        fetched: Which ranges were asked for: what was needed, and what would be needed next.
        told: What could not be repaired, and why.
        sound: Whether the pattern can use events wholly, whatever memory holds.
    """

    def __init__(self, *, past: bool = True, whole_from: int = 100) -> None:
        self.fetched: list[tuple[tuple[int, int], list[tuple[int, int]], int, int]] = []
        self.told: list[str] = []
        self.readmitted: list[list[tuple[str, frozenset[str]]]] = []
        self.released = 0
        self.sound: bool | None = None
        self.error = ""
        self.manager: Any = Pattern()
        memory: Any = SimpleNamespace(
            name="p",
            is_clear_of=lambda event, whole_from: event.id == "clear",
            wanted_for=lambda event: None if event.id == "indifferent" else self._needs(event),
            needs=self._needs,
            may_accept=lambda event: event.t_gen > 5,
            is_sound=lambda event, whole_from, whole: whole if self.sound is None else self.sound,
        )
        self.types: Any = {t: SimpleNamespace(seen={"s": {"seen"}}) for t in "AN"}
        store: Any = SimpleNamespace(types=self.types)
        self.retention: Any = SimpleNamespace(
            whole_from=whole_from, begins=whole_from, room=20, lta=200, release=self._release,
            holds=lambda span: span[0] >= 100 or span in self.held,
            lacking=lambda span: [(span[0], min(span[1], 99))],
            readmit=self._readmit,
        )  # fmt: skip
        self.held: list[tuple[int, int]] = []
        self.refusals = Refusals(TABLES, {"g": "g"}, {}, room=1)
        self.past: Any = SimpleNamespace(possible=True, fetch=self._fetch) if past else None
        router: Any = SimpleNamespace(minding=lambda event_type: [self.manager])
        side: Any = SimpleNamespace(
            not_whole=lambda event, names, why: self.told.append(f"{event.id} {names} {why}")
        )
        self.repair = Repair(
            store, router, {self.manager: memory}, self.retention, self.past, side, self.refusals
        )

    def _needs(self, event: Event) -> tuple[int, int]:
        return event.t_gen - 10, event.t_gen

    def _release(self) -> None:
        self.released += 1

    def _fetch(
        self, needed: tuple[int, int], others: list[tuple[int, int]], room: int, batch: Any, at: int
    ) -> tuple[Spans, list[Event]]:
        self.fetched.append((needed, others, room, at))
        if self.error:
            raise Unavailable(self.error)
        low, high = needed
        return Spans([needed]), [
            Event(t, f"{t}{n}", n, source="s") for n in range(low, high + 1) for t in "AX"
        ]

    def _readmit(self, spans: Spans, events: Any) -> None:
        self.held = [*spans]
        self.readmitted.append([(e.id, groups) for e, groups in events])

    def prepare(self, batch: list[Event], *at: int) -> None:
        self.repair.begin(batch)
        for place in at:
            self.repair.prepare(batch[place], [self.manager])


def late(*times: int, type: str = "A") -> list[Event]:
    return [Event(type, f"late{t}", t, source="s") for t in times]


@pytest.mark.interpreted
def test_what_events_to_come_need_is_had_with_it_as_far_as_there_is_room() -> None:
    made = Alone()
    batch = [
        *late(50, 30, 20, 15),
        *late(300),
        Event("A", "seen", 40, source="s"),
        *late(4),
        *late(9, type="X"),
    ]
    batch += [Event("A", "indifferent", 41, source="s")]
    made.prepare(batch, 0, 1)
    assert made.fetched[0] == ((40, 50), [(20, 30), (10, 20), (5, 15)], 20, 0)
    # Of 11 microseconds there were 22 events: there is room for what 10 hold.
    assert made.fetched[1] == ((20, 30), [(10, 20)], 20, 1)
    assert (made.released, made.told) == (0, [])
    assert made.repair.snapshot() == {"density": 2.0}
    again = Alone()
    again.repair.restore(made.repair.snapshot())
    again.prepare(batch, 0)
    assert again.fetched[0][1] == [(20, 30)]


@pytest.mark.interpreted
def test_where_there_is_no_room_what_was_brought_back_has_served() -> None:
    made = Alone()
    made.retention.room = 0
    made.prepare(late(50, 30), 0, 1)
    assert made.released == 2


@pytest.mark.interpreted
def test_what_is_in_memory_is_not_read_again() -> None:
    made = Alone()
    made.prepare(late(105), 0)
    assert made.fetched == [((95, 99), [], 20, 0)]
    others = [Event("A", "indifferent", 150, source="s"), Event("A", "clear", 50, source="s")]
    for event in (*late(110), *late(50, type="N"), *others):
        made.prepare([event], 0)
    assert len(made.fetched) == 1
    whole = Alone(whole_from=-FOREVER)
    whole.sound = False
    whole.prepare(late(50), 0)
    assert (whole.fetched, whole.told) == ([], [])


@pytest.mark.interpreted
def test_only_what_was_stored_comes_back_with_those_who_refused_it() -> None:
    made = Alone()
    made.prepare(late(50), 0)
    assert made.readmitted == [[(f"A{n}", frozenset()) for n in range(40, 51)]]
    for groups, expected in ((frozenset("g"), [("A41", frozenset("g"))]), (None, [])):
        made = Alone()
        made.refusals.note(Event("A", "A41", 41, source="s"), groups)
        made.prepare(late(50), 0)
        assert len(made.readmitted[0]) == 10 + len(expected)
        assert [known for known in made.readmitted[0] if known[0] == "A41"] == expected


@pytest.mark.interpreted
def test_it_is_told_why_something_cannot_be_used_wholly() -> None:
    made = Alone()
    made.error = "the log is gone"
    made.prepare(late(50, 40), 0, 1)
    since = "memory reaches back to 1970-01-01T00:00:00.0001Z, and "
    assert made.told == [f"late50 ['p'] {since}the log is gone", f"late40 ['p'] {since}the log is gone"]
    # It is tried once a batch.
    assert len(made.fetched) == 1
    made.prepare(late(50), 0)
    assert len(made.fetched) == 2
    nowhere, settled = Alone(past=False), Alone()
    nowhere.prepare(late(50), 0)
    assert nowhere.told == [f"late50 ['p'] {since}nothing can be read again"]
    settled.sound = False
    settled.prepare([Event("A", "indifferent", 50, source="s")], 0)
    assert settled.told == [f"indifferent ['p'] {since}what is older stays as it was"]


@pytest.mark.interpreted
def test_where_it_is_not_known_any_more_who_refused_what_nothing_is_brought_back() -> None:
    made = Alone()
    made.refusals.lost_until = 20
    made.prepare(late(30), 0)
    assert made.fetched == []
    assert "it is not known any more which events were refused there" in made.told[0]
    made.prepare(late(50, 31, 30), 0)
    assert made.fetched == [((40, 50), [(21, 31)], 20, 0)]


@pytest.mark.interpreted
def test_refusals_are_noted_where_events_may_come_back() -> None:
    (event,) = late(50)
    made, nowhere, impossible = Alone(), Alone(past=False), Alone()
    impossible.past.possible = False
    for alone in (made, nowhere, impossible):
        alone.repair.refused(event, None)
    assert [len(a.refusals) for a in (made, nowhere, impossible)] == [1, 0, 0]
    made.repair.refused(event, frozenset())
    assert len(made.refusals) == 0
    made.repair.refused(event, frozenset("g"))
    assert made.refusals.of(event) == frozenset("g")


@pytest.mark.interpreted
def test_what_several_patterns_need_is_had_at_once() -> None:
    made = Alone()
    wider: Any = Pattern()
    needs = SimpleNamespace(
        name="q",
        is_clear_of=lambda event, whole_from: False,
        wanted_for=lambda event: (20, 60),
        needs=lambda event: (20, 60),
        is_sound=lambda event, whole_from, whole: True,
    )
    memories: Any = {**made.repair._memories, wider: needs}
    made.repair._memories = memories
    (event,) = late(50)
    made.repair.begin([event])
    made.repair.prepare(event, [made.manager, wider])
    assert made.fetched[0][0] == (20, 60)
