"""What takes long is run by a thread while it is looked whether to end."""

from __future__ import annotations

import threading

import pytest

from limecep.errors import Stopped
from limecep_sql.errands import Errands


def test_a_call_gives_what_it_gives_in_one_thread() -> None:
    errands = Errands("x")
    names = {errands.run(lambda: threading.current_thread().name, lambda: None) for _ in range(3)}
    assert names == {"x"}
    with pytest.raises(KeyError):
        errands.run(lambda: {}["a"], lambda: None)
    errands.close()
    errands.close()


def test_a_call_that_takes_long_is_left_alone_when_the_run_is_to_end() -> None:
    errands, free = Errands("x"), threading.Event()

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        errands.run(lambda: free.wait(20), stop)
    free.set()
    errands.close()
