"""Steps against the events that came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Why

    from limecep.model.event import Event


AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (
            f"{AB} WHERE a.v > 85 WITHIN 1 min",
            "never-held",
            "a.v > 85 held for none of 2 Gas",
            "v was 10 to 20",
        ),
        (
            f"{AB} WHERE b.room = 'H' WITHIN 1 min",
            "never-held",
            "b.room = 'H' held for none of 1 Smoke",
            "did you mean 'h'?",
        ),
        (
            f"{AB} WHERE b.room = 'cellar' WITHIN 1 min",
            "never-held",
            "b.room = 'cellar' held for none of 1 Smoke",
            "room was 'h'",
        ),
        (
            f"{AB} WHERE a.v > 15 AND a.v < 15 WITHIN 1 min",
            "never-held",
            "a.v > 15 AND a.v < 15 held together for none of 2 Gas",
            "",
        ),
        (
            "SEQ(Gas a, Smok b) WITHIN 1 min",
            "absent-type",
            "no Smok came; there came 'Smoke' (1)",
            "did you mean 'Smoke'?",
        ),
    ],
)
def test_a_reason_is_given_with_what_to_do(
    why: Why, room: list[Event], query: str, code: str, message: str, hint: str
) -> None:
    found = why(room, query)
    assert [c for c, _, _ in found] == [code]
    assert message in found[0][1]
    assert hint in found[0][2]
    assert bool(hint) == bool(found[0][2])
