"""A value of others is shown, whatever it does when it is asked for that."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.shown import shown


class Odd:
    def __init__(self, how: Any) -> None:
        self.how = how

    def __repr__(self) -> str:
        if isinstance(self.how, type):
            raise self.how
        return self.how  # type: ignore[no-any-return]


def test_a_value_is_shown_as_far_as_people_read() -> None:
    assert shown("a") == "'a'"
    assert shown("a" * 300) == "'" + "a" * 199
    assert shown([1, 2], 3) == "[1,"


@pytest.mark.parametrize("how", [ValueError, SystemExit, 5])
def test_one_that_cannot_show_itself_is_told_by_its_type(how: Any) -> None:
    assert shown([Odd(how)]) == "<a value of list, whose repr fails>"
    assert shown(Odd(how)) == "<a value of Odd, whose repr fails>"


def test_an_interruption_goes_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        shown(Odd(KeyboardInterrupt))
