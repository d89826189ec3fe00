"""Contents and ids of matches."""

from __future__ import annotations

from limecep.model.contents import assignment, digest, match_id
from limecep.model.event import Event

A, B = Event("A", "1", 1, source="s"), Event("B", "2", 2, source="s")


def test_the_order_of_variables_and_those_that_took_nothing_make_no_difference() -> None:
    assert assignment({"b": [B], "a": [A]}) == assignment({"a": [A], "b": [B], "c": []})
    assert assignment({"a": [A], "b": [B]}) != assignment({"a": [B], "b": [A]})


def test_a_digest_keeps_apart_what_a_join_would_not() -> None:
    assert digest(["a", "b"]) != digest(["ab"])
    assert len(digest("x")) == 24


def test_an_id_tells_patterns_keys_and_generations_apart() -> None:
    taken = assignment({"a": [A]})
    ids = [match_id("p", None, taken), match_id("q", None, taken), match_id("p", {"k": 1}, taken)]
    assert len({*ids, match_id("p", None, taken, 1)}) == 4
    assert match_id("p", None, taken, 0) == ids[0]
