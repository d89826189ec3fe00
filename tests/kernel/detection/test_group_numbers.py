"""Groups have the same numbers whatever other groups there are."""

from __future__ import annotations

from limecep.detection.group_numbers import GroupNumbers


def test_a_group_is_read_whatever_others_came_or_went() -> None:
    before = GroupNumbers({"f": "a", "g": "b", "h": "c"})
    written = before.of(["h", "f"])
    after = GroupNumbers({None: "c"})
    assert after.groups(written) == [None]
    assert before.groups(written) == ["h", "f"]


def test_places_of_older_states_are_read_in_the_order_that_groups_had_then() -> None:
    before = GroupNumbers({"f": "a", "g": "b"})
    after = GroupNumbers({"h": "c", "g": "b"})
    after.in_order = before.in_order
    assert after.groups([1, 0]) == ["g"]
    assert after.numbers([0, 1]) == list(before.in_order)
