"""What a worker does ends when it is asked to, and is told where it does not."""

from __future__ import annotations

import os
import signal
import time

import pytest

from limecep.errors import Stopped
from limecep_local.parted import Parted
from limecep_local.processes import ASKS


def test_a_search_ends_when_whoever_asked_for_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Parted()
    assert not ending.asked()
    monkeypatch.setattr(os, "getppid", lambda: 1)
    assert ending.asked()


def test_what_looks_is_cut_off_and_what_does_not_is_told() -> None:
    ending, told = Parted(), list[str]()
    before = signal.getsignal(ASKS)
    with ending.heeding(lambda frames: told.append(frames[-1].f_code.co_name)), ending.responding():
        ending.check()
        signal.raise_signal(ASKS)
        with pytest.raises(Stopped):
            ending.check()
        assert told == []
        end = time.monotonic() + 10
        while not told and time.monotonic() < end:
            time.sleep(0.01)
    assert told == ["test_what_looks_is_cut_off_and_what_does_not_is_told"]
    assert signal.getsignal(ASKS) == before


def test_where_nothing_is_done_it_ends_at_once() -> None:
    ending = Parted()
    with pytest.raises(Stopped), ending.heeding(lambda frames: None):
        signal.raise_signal(ASKS)
