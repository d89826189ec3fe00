"""The suite for observers finds what is wrong with one."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing import observer as suites
from limecep.testing.observer import ObserverConformance

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.observer import Figures


class Right:
    """Keeps the phase."""

    def open(self) -> None: ...

    def observe(self, figures: Figures) -> None:
        self.phase = figures.phase

    def pulse(self) -> None: ...

    def close(self) -> None: ...


class Slow(Right):
    def observe(self, figures: Figures) -> None:
        time.sleep(0.02)


class OfSourcesAlone(Right):
    def observe(self, figures: Figures) -> None:
        if figures.phase == "failed":
            print(figures.failure.splitlines()[2])


class Changing(Right):
    def observe(self, figures: Figures) -> None:
        figures.late["seen"] = 1  # type: ignore[index]


class ClosingOnce(Right):
    def open(self) -> None:
        self.file = object()

    def close(self) -> None:
        del self.file


class Lingering(Right):
    def open(self) -> None:
        threading.Thread(target=time.sleep, args=(1,), daemon=True).start()


class OnlyWhenItRuns(Right):
    def pulse(self) -> None:
        print(self.phase)


class Misspelt:
    def open(self) -> None: ...

    def observe(self, figures: Figures) -> None: ...

    def pulses(self) -> None: ...

    def close(self) -> None: ...


def suite(kind: type) -> ObserverConformance:
    class Suite(ObserverConformance):
        def make_observer(self, context: Any) -> Any:
            return kind()

    return Suite()


class TestRight(ObserverConformance):
    def make_observer(self, context: Any) -> Right:
        return Right()


@pytest.mark.parametrize(
    ("kind", "test"),
    [
        (Slow, "test_it_takes_the_figures_of_a_run_at_once"),
        (OfSourcesAlone, "test_it_takes_a_run_that_fails_at_any_moment"),
        (Changing, "test_it_leaves_figures_as_they_are"),
        (ClosingOnce, "test_it_may_be_closed_twice_and_without_open"),
        (Lingering, "test_it_leaves_nothing_behind"),
        (OnlyWhenItRuns, "test_a_sign_of_life_may_come_at_any_moment"),
        (Misspelt, "test_no_method_is_misspelt"),
    ],
)
def test_what_is_wrong_is_found(
    kind: type, test: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suites, "AT_ONCE_SECONDS", 0.01)
    monkeypatch.setattr(suites, "_PARTING_SECONDS", 0.05)
    with pytest.raises((AssertionError, AttributeError, IndexError)):
        getattr(suite(kind), test)(tmp_path)
