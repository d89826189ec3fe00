"""How many workers there are, and that one is this process."""

from __future__ import annotations

import signal

import pytest

from limecep_local.config import MOST_WORKERS, LocalOptions
from tests.plugins.limecep_local.conftest import config_of


@pytest.mark.parametrize("workers", [0, MOST_WORKERS + 1])
def test_there_is_a_number_of_workers(workers: int) -> None:
    with pytest.raises(ValueError, match="'workers' must be from 1 to 64"):
        LocalOptions(workers=workers)


def test_one_process_divides_nothing(tmp_path: object) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second"}})
    assert list(LocalOptions().vet(config)) == []
    assert len(list(LocalOptions(workers=2).vet(config))) == 2


def test_workers_need_a_signal_to_ask_them_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGUSR1")
    assert LocalOptions(workers=1).workers == 1
    with pytest.raises(ValueError, match="must be 1 on this system"):
        LocalOptions(workers=2)
