"""What late events do to results: corrected, retracted, found late; at once, or after a slack."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.contracts.lateness import Verdict
from limecep.detection.late import LatePath
from limecep.host import Host
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.statistics import Statistics
from limecep.store.store import Store
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.update import Update

REGISTRY = Host.load().registry
SECOND = 1_000_000


def pipeline(query: str, **pattern: Any) -> Pipeline:
    return Pipeline.from_dict(
        {
            "version": 1,
            "name": "t",
            "patterns": {"p": {"query": f"PATTERN {query}", "slack": "none", **pattern}},
        },
        registry=REGISTRY,
    )


def shown(updates: Sequence[Update]) -> list[str]:
    """`emit a1 b2`, one a line."""
    return [f"{u.op} {' '.join(e.id for g in u.match.groups for e in g)}" for u in updates]


def arriving(text: str) -> list[Event]:
    """Events in the order written, `b3@7` arriving at 7 s; without `@` they arrive as they happen."""
    events = []
    latest = 0
    for word in text.split():
        what, _, at = word.partition("@")
        (event,) = written(what)
        latest = int(at) * SECOND if at else max(latest, event.t_gen)
        event.t_arr = latest
        events.append(event)
    return events


def log(query: str, text: str, **pattern: Any) -> list[str]:
    """What happens, `| ...` being the end of the input."""
    made = pipeline(query, **pattern)
    during = shown(made.feed(arriving(text)))
    return during + [f"| {line}" for line in shown(made.finish())]


@pytest.mark.parametrize(
    ("query", "stream", "expected"),
    [
        ("SEQ(A a, !B b, C c) WITHIN 10 s", "a1 c3 b2", ["emit a1 c3", "retract a1 c3"]),
        ("SEQ(A a, B b) WITHIN 10 s", "a1 b5 b3", ["emit a1 b5", "retract a1 b5", "emit a1 b3"]),
        ("SEQ(A a, B+ b[], C c) WITHIN 10 s", "a1 b2 c5 b3", ["emit a1 b2 c5", "correct a1 b2 b3 c5"]),
        ("SEQ(A a, B b, C c) WITHIN 10 s", "a1 c5 b3", ["emit a1 b3 c5"]),
        ("SEQ(A a, B+ b[]) WITHIN 10 s", "a1 b2 b4 b3",
         ["emit a1 b2", "correct a1 b2 b4", "correct a1 b2 b3 b4"]),
        ("SEQ(A a, !B b) WITHIN 10 s", "a1 c20 b5", ["emit a1", "retract a1"]),
        ("SEQ(!B b, A a) WITHIN 10 s", "a12 b5", ["emit a12", "retract a12"]),
        ("SEQ(A a, B b) WITHIN 10 s", "a1 b3 a2 b3", ["emit a1 b3", "emit a2 b3"]),
    ],
)  # fmt: skip
def test_a_late_event_puts_right_what_was_emitted(query: str, stream: str, expected: list[str]) -> None:
    assert log(query, stream) == expected


def test_a_match_that_comes_and_goes_keeps_its_name_and_counts() -> None:
    made = pipeline("SEQ(A a, !B b, C c) WITHIN 10 s")
    updates = made.feed(arriving("a1 c3 b2"))
    assert [(u.op, u.revision) for u in updates] == [("emit", 1), ("retract", 2)]
    assert updates[0].first is not None
    assert updates[0].first.key() == updates[1].first.key()


@pytest.mark.parametrize("results", ["corrected", "uncorrected"])
def test_a_late_event_that_changes_nothing_says_nothing(results: str) -> None:
    """Also where a condition on the whole group leaves it out of a group that it stands beside."""
    query = "SEQ(A a, B+ b[], C c) WHERE sum(b.v) < 5 WITHIN 10 s"
    assert log(query, "a1 b2=1 b3=2 c5 b4=9", select="stam", results=results, lateness="accept") == [
        "emit a1 b2 b3 c5"
    ]


def test_events_of_one_time_complete_and_correct_whichever_comes_first() -> None:
    query = "AND(A a, B b) WITHIN 10 s"
    assert log(query, "a1 b1") == ["emit a1 b1"]
    assert log(query, "b1 a1") == ["emit a1 b1"]
    assert log("SEQ(AND(A a, B b), C c) WITHIN 10 s", "a1 b2 c2 c3 b1") == [
        "emit a1 b2 c3", "retract a1 b2 c3", "emit a1 b1 c2",
    ]  # fmt: skip


def test_an_alternative_that_needs_no_time_waits_for_none() -> None:
    """Not even the first match, before time has passed for anything."""
    made = pipeline("OR(SEQ(A a, !B b), SEQ(C c, D d)) WITHIN 10 s")
    assert shown(made.feed(arriving("c1 d2 a3"))) == ["emit c1 d2"]
    assert shown(made.feed(arriving("c100 d101"))) == ["emit a3", "emit c100 d101"]


@pytest.mark.parametrize(
    ("stream", "kinds"),
    [("a1 b3", ["in_order"]), ("a1 c5 b3", ["late_event"]), ("b3 a1", ["late_event"]), ("a1 b5 b3",
    ["in_order", "next_match", "late_event"])],
)  # fmt: skip
def test_every_update_says_what_caused_it(stream: str, kinds: list[str]) -> None:
    updates = pipeline("SEQ(A a, B b) WITHIN 10 s").feed(arriving(stream))
    assert [u.cause for u in updates] == kinds


def test_time_is_global_to_the_source_and_not_to_the_key() -> None:
    made = pipeline("SEQ(L l, !M m) WITHIN 600 s PARTITION BY uid")
    rows = [("L", 0, "u1"), ("L", 3, "u2"), ("M", 333, "u2"), ("L", 610, "u3"), ("L", 1233, "u4")]
    said = []
    for type_, t, uid in rows:
        updates = made.feed([Event(type_, uid, t * SECOND, t * SECOND, payload={"uid": uid})])
        said.append([u.match.end.id for u in updates])
    assert said == [[], [], [], ["u1"], ["u3"]]
    assert [u.match.end.id for u in made.finish()] == ["u4"]


# -- slack -------------------------------------------------------------------------------------------------

RISING = "SEQ(A a, B+ b[], C c) WITHIN 10 s"
FIXED = {"slack": {"type": "fixed", "wait": "3s"}}


def test_late_events_that_come_together_are_one_correction() -> None:
    assert log(RISING, "a1 b2 c5 b3@6 b4@7 d20@20", **FIXED) == ["emit a1 b2 c5", "correct a1 b2 b3 b4 c5"]


def test_what_waits_is_looked_at_when_the_wait_is_over_and_not_before() -> None:
    made = pipeline(RISING, **FIXED)
    assert shown(made.feed(arriving("a1 b2 c5 b3@6"))) == ["emit a1 b2 c5"]
    assert shown(made.feed(arriving("d8@8"))) == []
    assert shown(made.feed(arriving("d9@9"))) == ["correct a1 b2 b3 c5"]


def test_what_is_due_before_an_event_is_done_before_it() -> None:
    stream = "a1 b2 c5 b3@6 a6@9 b7@9 c8@9"
    assert log(RISING, stream, **FIXED) == ["emit a1 b2 c5", "correct a1 b2 b3 c5", "emit a6 b7 c8"]


def test_in_order_events_do_not_wait_while_late_ones_do() -> None:
    assert log(RISING, "a1 b2 c5 b3@6 a6@7 b7@7 c8@8", **FIXED) == [
        "emit a1 b2 c5",
        "emit a6 b7 c8",
        "| correct a1 b2 b3 c5",
    ]


def test_a_late_end_event_waits_as_well() -> None:
    assert log("SEQ(A a, B b) WITHIN 10 s", "a1 d5 b3@6 d9@9", **FIXED) == ["emit a1 b3"]


def test_adaptive_slack_waits_only_where_disorder_is_frequent() -> None:
    adaptive = {"slack": {"type": "adaptive", "trigger": "30%"}}
    rare = "a1 b2 c5 " + " ".join(f"a{t}" for t in range(6, 20)) + " b3@19"
    assert log("SEQ(A a, B+ b[], C c) WITHIN 10 s", rare, **adaptive)[-1] == "correct a1 b2 b3 c5"
    assert log(RISING, "a1 c5 b2@5 b3@5", **adaptive) == ["| emit a1 b2 b3 c5"]


def test_what_changes_nothing_ends_the_wait_as_any_event_does() -> None:
    """A copy, an event that is refused, one of a type in no pattern: late ones, too."""
    bound = {"lateness": {"type": "bound", "within": "3s"}}
    for word in ("c5@9", "b1@9", "d1@9"):
        made = pipeline(RISING, **FIXED, **bound)
        assert shown(made.feed(arriving("a1 b2 c5 b3@6"))) == ["emit a1 b2 c5"]
        assert shown(made.feed(arriving(word))) == ["correct a1 b2 b3 c5"], word


def test_how_long_a_match_waits_does_not_depend_on_where_a_batch_began() -> None:
    stream = arriving("a1 b3 b2@3 a4 b5 a6 b7 a8 b9 a10 b11 b12 b13 b14 b15")

    def said(batch: int) -> list[tuple[int, str]]:
        made = pipeline("SEQ(A a, B b) WITHIN 20 s", slack="adaptive", lateness="accept",
                        results={"type": "corrected", "emit": "slack"})  # fmt: skip
        fed = [u for i in range(0, len(stream), batch) for u in made.feed(stream[i : i + batch])]
        return [(u.detected, *shown([u])) for u in [*fed, *made.finish()]]

    assert said(1) == said(4) == said(100)


# -- when and whether --------------------------------------------------------------------------------------


def test_complete_results_of_a_growing_match_go_out_once() -> None:
    complete = {"results": {"type": "corrected", "emit": "complete"}}
    assert log("SEQ(A a, B+ b[]) WITHIN 5 s", "a1 b2 b3 b4 d7", **complete) == ["emit a1 b2 b3 b4"]
    assert log("SEQ(A a, B+ b[]) WITHIN 5 s", "a1 b2 b3 b4", **complete) == ["| emit a1 b2 b3 b4"]
    assert log("SEQ(A a, B b) WITHIN 5 s", "a1 b2", **complete) == ["emit a1 b2"]


def test_a_late_event_corrects_a_complete_result() -> None:
    complete = {"results": {"type": "corrected", "emit": "complete"}}
    assert log("SEQ(A a, B+ b[]) WITHIN 5 s", "a1 b2 d7 b3", **complete) == ["emit a1 b2", "correct a1 b2 b3"]


def test_without_correction_what_was_emitted_stays() -> None:
    uncorrected = {"results": "uncorrected"}
    assert log("SEQ(A a, B b) WITHIN 10 s", "a1 b5 b3", **uncorrected) == ["emit a1 b5", "emit a1 b3"]
    assert log("SEQ(A a, !B b, C c) WITHIN 10 s", "a1 c3 b2", **uncorrected) == ["emit a1 c3"]


def test_without_correction_nothing_is_emitted_twice() -> None:
    # b4 completes a1's run before c6 does; d3 forbids that, and c6 is a result again.
    query = "SEQ(A a, !D d, (B OR C) x) WITHIN 10 s"
    said = log(query, "a1 c6 b4 d3", results="uncorrected")
    assert said == ["emit a1 c6", "emit a1 b4"]
    query = "SEQ(A a, B b, C c) WITHIN 10 s"
    said = log(query, "a1 b2 c6 c5 b5.5 b4", results="uncorrected")
    assert len(said) == len(set(said))


# -- time, as a library ------------------------------------------------------------------------------------

SOURCE = {"from": "f", "as": {"field": "t"}, "time": {"field": "s", "format": "epoch_s"}}


def declared(*names: str, query: str = "SEQ(A a, !B b) WITHIN 5 s", **source: Any) -> Pipeline:
    return Pipeline.from_dict(
        {
            "version": 1,
            "name": "t",
            "connectors": {"f": {"type": "file"}},
            "sources": {n: {**SOURCE, "channel": f"{n}.csv", **source} for n in names},
            "patterns": {"p": {"query": f"PATTERN {query}"}},
        },
        registry=REGISTRY,
    )


def from_source(name: str, text: str) -> list[Event]:
    events = arriving(text)
    for event in events:
        event.source = name
    return events


def test_time_that_is_told_passes_for_declared_sources_too() -> None:
    made = declared("s", "t")
    assert shown(made.feed(from_source("s", "a1"))) == []
    assert shown(made.advance(6 * SECOND)) == []
    assert shown(made.advance(6 * SECOND + 1)) == ["emit a1"]


def test_a_source_that_nobody_declared_moves_time() -> None:
    assert shown(declared("s").feed(from_source("other", "a1 a9"))) == ["emit a1"]


def test_time_waits_for_the_slowest_source_that_was_heard() -> None:
    made = declared("s", "t")
    assert shown(made.feed(from_source("t", "a1") + from_source("s", "a9"))) == []
    assert shown(made.feed(from_source("t", "c7"))) == ["emit a1"]


def test_a_source_that_speaks_on_within_a_batch_is_not_idle() -> None:
    made = declared("s", "t", idle_after="3s")
    assert shown(made.feed(from_source("t", "c2@9") + from_source("s", "a1@10 c20@10"))) == []
    assert shown(made.feed(from_source("t", "c3@11 c4@13 b5@15"))) == []
    assert shown(made.feed(from_source("s", "a21@16 c40@18 c41@19"))) == ["emit a21"]


def test_the_period_of_a_source_knows_events_of_types_in_no_pattern() -> None:
    made = declared("s", "t", query="SEQ(A a, B b) WITHIN 5 s")
    made.feed(from_source("s", "a1 a20") + from_source("t", "b5 c8 c9 c2"))
    assert made.report()["statistics"]["sources"]["t"]["period"] == pytest.approx(7 / 3, abs=1e-6)


def test_final_matches_go_out_within_a_batch_as_soon_as_nothing_can_change_them() -> None:
    made = pipeline("SEQ(A a, B b) WITHIN 2 s", lateness={"type": "bound", "within": "8s"},
                    results={"type": "corrected", "emit": "final"})  # fmt: skip
    (update,) = made.feed(arriving("a1 b2 a9 a10 a11 a40 a100"))
    assert (shown([update]), update.detected) == (["emit a1 b2"], 11 * SECOND)


@pytest.mark.parametrize("emit", ["eager", "complete", "slack"])
def test_what_forbids_a_completed_run_brings_to_light_what_ends_as_it_comes(emit: str) -> None:
    results = {"type": "corrected", "emit": emit}
    assert log("SEQ(A a, B b, !C x) WITHIN 5 s", "a1 b3 b4 c4 d20", results=results) == ["emit a1 b4"]


def test_a_match_that_what_waits_for_slack_makes_longer_is_not_final_before() -> None:
    made = pipeline("SEQ(A a, B+ b[]) WITHIN 5 s", lateness={"type": "bound", "within": "0s"},
                    slack={"type": "fixed", "wait": "4s"},
                    results={"type": "corrected", "emit": "slack", "final": True})  # fmt: skip
    updates = [*made.feed(arriving("a1 b2 c6 b6@6 c8@8")), *made.finish()]
    assert shown(updates) == ["emit a1 b2", "correct a1 b2 b6", "final a1 b2 b6"]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("a1 b3 b22 b30 x2@31 a21@32 b60", [("retract", "negation", "x2"), ("emit", "late_event", "a21")]),
        ("a1 b3 b22 b30 a21@31 x2@32 b60", [("retract", "negation", "x2"), ("emit", "late_event", "a21")]),
    ],
)
def test_each_update_names_the_late_event_that_caused_it(
    stream: str, expected: list[tuple[str, str, str]]
) -> None:
    made = pipeline(
        "SEQ(A a, !X x, B b) WITHIN 5 s", slack={"type": "fixed", "wait": "10s"}, lateness="accept"
    )
    updates = [*made.feed(arriving(stream)), *made.finish()][1:]
    assert [(u.op, u.cause, u.cause_event and u.cause_event.id) for u in updates] == expected


@pytest.mark.parametrize(
    ("query", "stream", "expected"),
    [
        ("SEQ(A a, C c) WITHIN 9 s", "a1 c5 a2@6", ["a1 c5 in_order c5", "a2 c5 late_event a2"]),
        ("SEQ(A a, C c) WITHIN 9 s", "a4 a1@5 c5@6", ["a1 c5 in_order c5", "a4 c5 in_order c5"]),
        ("SEQ(A a, C c) WITHIN 9 s", "a1 c5 c3@6", ["a1 c3 late_event c3"]),
        ("SEQ(A a, B+ b[], C c) WITHIN 9 s", "a1 b2 c5 b3@6 b4@7", ["a1 b2 b3 b4 c5 late_event b4"]),
    ],
)
def test_what_waited_for_slack_is_caused_by_the_last_to_come_of_its_own(
    query: str, stream: str, expected: list[str]
) -> None:
    results = {"type": "corrected", "emit": "slack"}
    made = pipeline(query, slack={"type": "fixed", "wait": "10s"}, lateness="accept", results=results)
    updates = [*made.feed(arriving(stream)), *made.finish()]
    told = [f"{u.cause} {u.cause_event and u.cause_event.id}" for u in updates]
    assert [
        f"{match.removeprefix('emit ')} {why}" for match, why in zip(shown(updates), told, strict=True)
    ] == expected


def test_copies_of_what_every_pattern_refused_change_nothing() -> None:
    lateness = {"type": "score", "weights": [1, 0, 0], "factor": 1, "warm_up": 0}
    made = pipeline("SEQ(B b, A a) WITHIN 10 s", lateness=lateness)
    assert shown(made.feed(arriving("a20@1 b19@2 b12@3 b12@4 b12@5 b12@6"))) == ["emit b19 a20"]
    events = made.report()["events"]
    assert (events["extremely_late"], events["duplicate"]) == (1, 3)


# -- the path by itself ------------------------------------------------------------------------------------


class Judge:
    """A pattern of a group of its own that refuses events before a time, and notes all that it is told."""

    def __init__(self, name: str, said: list[str], refuses_before: int = 0) -> None:
        self.plan = SimpleNamespace(name=name)
        self.group = name
        self.view: Any = SimpleNamespace(memo={"derived": 1})
        self._said = said
        self._refuses_before = refuses_before

    def assess(self, event: Event) -> Verdict:
        return Verdict(extremely_late=event.t_gen < self._refuses_before, reason=self.group)

    def came(self, event: Event) -> None:
        self._said.append(f"{self.group}: {event.id} came as {event.ordinal}")

    def prepare(self, event: Event) -> Any:
        self._said.append(f"{self.group}: {event.id} is to come as {event.ordinal}")
        return None if event.id == "nothing" else SimpleNamespace(view=self.view)

    def entered(self, event: Event, pending: Any) -> None:
        self._said.append(f"{self.group}: {event.id} entered as {event.ordinal}, memo {pending.view.memo}")


class Path:
    """The late path of A and B, which B may end, after a B at 9.

    Attributes:
        said: What patterns, repair, ties and the side output were told.
    """

    def __init__(self, *refuses_before: int) -> None:
        self.said: list[str] = []
        said = self.said.append
        self.store = Store()
        self.store.subscribe(compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 h"), name="p"))
        self.statistics = Statistics(self.store.types)
        self.managers = [Judge(n, self.said, t) for n, t in zip("pq", refuses_before or (0,), strict=False)]
        self.copies: set[str] = set()
        router: Any = SimpleNamespace(enders={"B": self.managers}, minding=lambda event_type: self.managers)
        repair: Any = SimpleNamespace(
            begin=lambda batch: said(f"batch of {len(batch)}"),
            prepare=self._prepare,
            refused=lambda event, groups: said(
                f"{event.id} refused by {groups if groups is None else sorted(groups)}"
            ),
        )
        side: Any = SimpleNamespace(
            future=lambda event: said(f"{event.id} from the future"),
            extremely_late=lambda event, names, first: said(
                f"{event.id} too late for {names}, says {first.reason}"
            ),
        )
        ties: Any = SimpleNamespace(met=lambda: said("tie"))
        self.path = LatePath(self.store, router, repair, ties, side, self.statistics)
        self.outcomes = self.statistics.source("s").outcomes
        self.latest = Event("B", "m", 9, 9, "s")
        self.store.add(self.latest, self.store.types["B"])
        self.statistics.lta = 9

    def _prepare(self, event: Event, managers: Sequence[Any]) -> None:
        self.said.append(f"memory for {event.id} and {[m.group for m in managers]}")
        if event.id in self.copies:
            self.store.types[event.type].ids(event.source).add(event.id)

    def take(self, type: str, name: str, t: int, latest: Event | None = None) -> Event | None:
        return self.path.take(Event(type, name, t, t, "s"), latest or self.latest, self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        return {name: n for name, n in self.outcomes.items() if n}


@pytest.mark.interpreted
def test_what_no_pattern_names_and_what_is_there_already_is_counted() -> None:
    made = Path()
    assert made.take("X", "x", 3) is made.latest
    assert made.take("B", "m", 3) is made.latest
    assert made.counts == {"irrelevant": 1, "duplicate": 1}
    assert (made.said, made.store.size) == ([], 1)


@pytest.mark.interpreted
def test_an_event_of_the_latest_time_comes_in_order_or_between_others() -> None:
    made = Path()
    last = made.take("B", "n", 9)
    assert last is not None
    assert (last.id, made.said) == ("n", ["p: n came as 2"])
    made.said.clear()
    assert made.take("B", "l", 9, last) is last
    assert made.said == [
        "tie", "l refused by []", "p: l is to come as 0", "p: l entered as 3, memo {}",
    ]  # fmt: skip
    assert made.counts == {"in_order": 2}
    assert made.managers[0].view.memo == {}
    made.said.clear()
    # One of a type that ends nothing, of a key that is less by its type.
    assert made.take("A", "z", 9) is made.latest
    assert made.said[0] == "tie"


@pytest.mark.interpreted
def test_the_first_event_of_all_that_is_stored_is_no_tie() -> None:
    made = Path()
    found = made.path.take(Event("A", "a", 9, 9, "s"), None, made.outcomes)
    assert found is not None
    assert (found.id, made.said, made.store.size) == ("a", [], 2)


@pytest.mark.interpreted
def test_a_late_event_enters_when_memory_is_whole_and_patterns_are_prepared() -> None:
    made = Path(0, 0)
    assert made.take("A", "a", 5) is made.latest
    assert made.said == [
        "memory for a and ['p', 'q']", "a refused by []", "p: a is to come as 0", "q: a is to come as 0",
        "p: a entered as 2, memo {}", "q: a entered as 2, memo {}",
    ]  # fmt: skip
    assert (made.counts, made.statistics.lateness.total) == ({"out_of_order": 1}, 4)
    assert made.path.partly == {}
    made.said.clear()
    # Patterns it makes no difference to need not look at anything again.
    made.take("A", "nothing", 5)
    assert not any("entered" in line for line in made.said)


@pytest.mark.interpreted
def test_some_patterns_may_refuse_it() -> None:
    made = Path(7, 3)
    made.take("A", "a", 5)
    assert made.said == [
        "a too late for ['p'], says p", "memory for a and ['q']", "a refused by ['p']",
        "q: a is to come as 0", "q: a entered as 2, memo {}",
    ]  # fmt: skip
    assert made.path.partly == {2: frozenset("p")}
    assert made.counts == {"out_of_order": 1}
    made.path.begin([made.latest])
    assert (made.path.partly, made.said[-1]) == ({}, "batch of 1")


@pytest.mark.interpreted
def test_what_all_refuse_is_not_stored_but_known_when_it_comes_again() -> None:
    made = Path(7, 8)
    assert made.take("A", "a", 5) is made.latest
    assert made.said == ["a too late for ['p', 'q'], says p", "a refused by None"]
    assert (made.counts, made.store.size) == ({"extremely_late": 1}, 1)
    made.take("A", "a", 5)
    assert made.counts == {"extremely_late": 1, "duplicate": 1}
    again = Path(7, 8)
    again.path.restore(made.path.snapshot())
    again.take("A", "a", 5)
    assert again.counts == {"duplicate": 1}


@pytest.mark.interpreted
def test_one_whose_like_was_brought_back_is_a_copy() -> None:
    made = Path()
    made.copies = {"a"}
    assert made.take("A", "a", 5) is made.latest
    assert (made.said, made.counts) == (["memory for a and ['p']"], {"duplicate": 1})
    assert made.store.size == 1
