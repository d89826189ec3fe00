"""Problems that say the same."""

from __future__ import annotations

from limecep.problems import Place, Problem, merged


def found(line: int, message: str = "odd", severity: str = "warning") -> Problem:
    place = Place(file="p.yaml", line=line, column=3)
    return Problem(code="c", message=message, severity=severity, place=place)  # type: ignore[arg-type]


def test_warnings_that_say_the_same_are_one_with_their_number_and_places() -> None:
    (one,) = merged([found(1), found(4), found(9)])
    assert str(one) == "p.yaml:1:3: warning: odd [c] (3 times, also at 4:3, 9:3)"


def test_errors_and_other_warnings_stay_by_themselves() -> None:
    problems = [found(1), found(2, "else"), found(3, severity="error"), found(4, severity="error")]
    assert merged(problems) == problems


def test_what_has_no_place_is_counted() -> None:
    (one,) = merged([found(1), Problem(code="c", message="odd", severity="warning")])
    assert str(one).endswith("[c] (2 times)")
