"""Ids of events that no pattern took."""

from __future__ import annotations

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.store.ignored_ids import Ignored
from limecep.store.store import Store


def store() -> Store:
    made = Store()
    made.subscribe(compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 s"), name="p"))
    return made


def test_an_ignored_id_is_known_by_its_type_and_source() -> None:
    there = store()
    Ignored(there).add("A", "s", "1")
    assert "1" in there.types["A"].ids("s")
    assert "1" not in there.types["A"].ids("t")
    assert "1" not in there.types["B"].ids("s")


def test_the_last_of_them_are_remembered() -> None:
    there = store()
    ignored = Ignored(there)
    for n in range(258):
        ignored.add("AB"[n % 2], "s", str(n))
    known = {*there.types["A"].ids("s"), *there.types["B"].ids("s")}
    assert known == {str(n) for n in range(2, 258)}


def test_they_survive_in_their_order() -> None:
    ignored = Ignored(store())
    for n in range(256):
        ignored.add("A", "s", str(n))
    there = store()
    again = Ignored(there)
    again.restore(ignored.snapshot())
    again.add("B", "s", "new")
    assert there.types["A"].ids("s") == {str(n) for n in range(1, 256)}
    assert again.snapshot()["known"][-1] == ("B", "s", "new")
