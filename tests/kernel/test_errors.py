from __future__ import annotations

import pytest

from limecep.errors import ConfigurationError, LimecepError, RunFailure, Stopped, said, words
from limecep.problems import Place, Problem

PROBLEMS = [
    Problem(code="x", message="wrong", hint="do so", place=Place(file="f.yaml", line=2, column=3)),
    Problem(code="y", message="odd"),
]


def test_a_configuration_error_says_all_that_is_wrong_and_has_it() -> None:
    error = ConfigurationError(PROBLEMS)
    assert error.problems == tuple(PROBLEMS)
    assert str(error) == "f.yaml:2:3: error: wrong [x]\n    do so\nerror: odd [y]"
    assert isinstance(error, LimecepError)
    assert issubclass(RunFailure, LimecepError)


def test_a_configuration_error_of_a_plugin_may_be_text() -> None:
    error = ConfigurationError("no such table")
    assert (str(error), error.problems) == ("no such table", ())


@pytest.mark.parametrize("undone", ["", "3 events were not looked at"])
def test_what_stops_a_run_is_taken_for_no_error_and_says_what_is_undone(undone: str) -> None:
    stopped = Stopped(undone)
    assert not isinstance(stopped, Exception)
    assert (stopped.undone, str(stopped)) == (undone, undone)
    assert Stopped().undone == ""


def test_an_error_that_cannot_say_what_it_is_is_told_all_the_same() -> None:
    class Wordless(Exception):
        def __str__(self) -> str:
            raise ZeroDivisionError

    assert said(Wordless()) == words(Wordless()) == "Wordless: <its text cannot be had>"
    assert (said(ValueError("a\nb")), words(ValueError("a\nb"))) == ("ValueError: a", "a\nb")
    assert words(ValueError()) == "ValueError"
