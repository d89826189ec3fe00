"""The observer does what every observer must do, and what it is for."""

from __future__ import annotations

from collections import Counter

from limecep.api import Context, ManualClock
from limecep.contracts.observer import SourceFigures
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import ObserverConformance, figures
from limecep_mine.config import MineOptions
from limecep_mine.observer import MineObserver


class TestMineObserver(ObserverConformance):
    def make_observer(self, context: Context) -> MineObserver:
        return MineObserver(MineOptions(), context)


def test_a_source_that_falls_silent_is_logged_once_and_so_is_its_return() -> None:
    logger = SilentLogger()
    context = Context(label="observers.o", clock=ManualClock(), counters=Counter(), logger=logger)
    observer = MineObserver(MineOptions(after=5_000_000), context)
    for silent in (1.0, 6.0, 7.0, 0.0):
        observer.observe(figures(sources=(SourceFigures(name="gas", live=True, silent=silent),)))
    assert [text for _, text, _ in logger.entries] == ["a source is silent", "a source speaks again"]
