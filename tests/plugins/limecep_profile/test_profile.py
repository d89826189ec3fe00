"""What is in a file."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from limecep_profile import profile as profiles
from limecep_profile.profile import profiled


def readings(seconds: list[float], **more: list[Any]) -> list[dict[str, Any]]:
    """A record a second."""
    rows = [{"ts": 1_767_607_200 + s, "v": n} for n, s in enumerate(seconds)]
    return [row | {name: values[n] for name, values in more.items()} for n, row in enumerate(rows)]


def test_in_order_nothing_is_late() -> None:
    found = profiled(readings([0, 1, 2, 2, 3]))
    assert found.time is not None
    assert (found.time.name, found.late.count, found.ties, found.same) == ("ts", 0, 1, 0)
    assert (found.span, found.usual_step) == (3_000_000, 1_000_000)


def test_how_late_is_told_behind_the_latest_and_in_each_key() -> None:
    random = Random(2)
    seconds = [n - (random.random() < 0.3) * random.randint(1, 20) for n in range(3000)]
    rooms = [random.choice(["hall", "oven"]) for _ in seconds]
    found = profiled(readings([float(s) for s in seconds], room=rooms))
    latest, late, late_in_key, of = -1e9, [], 0, {}
    for second, room in zip(seconds, rooms, strict=True):
        if second < latest:
            late.append(latest - second)
        latest = max(latest, second)
        late_in_key += second < of.get(room, -1e9)
        of[room] = max(of.get(room, -1e9), second)
    assert (found.late.count, found.late.greatest) == (len(late), max(late) * 1_000_000)
    assert found.late.quantile(0.5) == sorted(late)[(len(late) - 1) // 2] * 1_000_000
    assert (found.key, found.late_in_key) == ("room", late_in_key)


def test_the_same_again_is_no_tie_and_an_id_that_lies_is_none() -> None:
    rows = readings([0, 1, 2, 3], id=["a", "b", "c", "d"])
    found = profiled([*rows, rows[2]])
    assert (found.same, found.ties, found.id, found.clashes["id"]) == (1, 0, "id", 0)
    lying = profiled([*rows, {**rows[2], "v": 7}])
    assert (lying.same, lying.ties, lying.id, lying.clashes["id"]) == (0, 1, None, 1)


def test_gaps_are_what_is_far_longer_than_usual() -> None:
    found = profiled(readings([0.0, 1, 2, 3, 100, 101, 102, 103, 104]))
    assert found.steps.tail(found.long_step) == (1, 97_000_000)
    assert found.gap == (97_000_000, 1_767_607_203_000_000)


def test_gaps_are_between_times_in_their_order() -> None:
    found = profiled(readings([3.0, 1, 2, 0, 103, 101, 100, 102, 104]))
    assert found.steps.tail(found.long_step) == (1, 97_000_000)
    assert (found.usual_step, found.gap) == (1_000_000, (97_000_000, 1_767_607_203_000_000))
    assert found.late.count == 6


def test_types_are_told_with_how_often_they_came() -> None:
    found = profiled(readings([0, 1, 2, 3, 4, 5], type=["A", "B", "A", "A", "B", "A"]))
    assert (found.type, dict(found.types)) == ("type", {"A": 4, "B": 2})
    assert profiled(readings([0, 1])).types == {}


def test_what_the_sample_does_not_show_counts_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "SAMPLE", 4)
    rows = readings([0, 1, 2, 3, 4, 5], type=["A", "B"] * 3, room=["x", "y"] * 3, id=list("abcdef"))
    assert (profiled(rows).key, profiled(rows).type, profiled(rows).id) == ("room", "type", "id")
    for name in ("type", "room", "id"):
        lacking = [*rows[:-1], {k: v for k, v in rows[-1].items() if k != name}]
        found = profiled(lacking)
        assert [found.type, found.key, found.id].count(None) == 1
    found = profiled([*rows, {"v": 1}, {"ts": "soon"}])
    assert (found.records, found.untimed, found.untimed_value) == (8, 2, "soon")


def test_the_time_may_be_named() -> None:
    rows = [{"at": f"2026-01-0{n + 1}T00:00:00Z", "due": f"0{n + 1}+1+2026"} for n in range(5)]
    for name, format in (("at", None), ("due", "%d+%m+%Y")):
        named = profiled(rows, name, format)
        assert named.time is not None
        assert (named.time.name, named.span) == (name, 4 * 86_400_000_000)
    with pytest.raises(ValueError, match="no record has 'when': there are at, due"):
        profiled(rows, "when")
    with pytest.raises(ValueError, match="'due' is written in a form that is not known"):
        profiled(rows, "due")


def test_without_a_time_the_rest_is_told() -> None:
    found = profiled([{"v": 1}, {"v": 1}])
    assert (found.time, found.records, found.same) == (None, 2, 1)
    assert profiled([]).records == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "WINDOW", 10)
    rows = readings([float(n) for n in range(100)])
    assert profiled([*rows, rows[99]]).same == 1
    assert profiled([*rows, rows[0]]).same == 0
