"""A pattern stops once, with the first reason."""

from __future__ import annotations

from limecep.patterns.stopping import Stopping


def test_the_first_error_is_told_and_stops_it() -> None:
    told: list[str] = []

    def tell(error: Exception) -> str:
        told.append(str(error))
        return f"it raised {error}"

    stopping = Stopping(tell, told.append)
    stopping.act = lambda: told.append("stopped")
    stopping.fail(ValueError("first"))
    stopping.fail(ValueError("second"))
    assert (stopping.reason, told) == ("it raised first", ["first", "stopped"])


def test_one_that_had_stopped_before_says_so_again() -> None:
    told: list[str] = []
    stopping = Stopping(str, told.append)
    stopping.recall("worn out")
    assert (stopping.reason, told) == ("worn out", ["worn out"])
