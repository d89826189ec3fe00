from __future__ import annotations

import pytest

from limecep.errors import ConfigurationError, LimecepError, RunFailure, Stopped
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
