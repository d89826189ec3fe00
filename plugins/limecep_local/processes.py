"""Worker processes, as the process that started them sees them."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import structlog

from limecep.errors import ComponentFailure, RunFailure, Stopped
from limecep_local.messages import Failure, Hung

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.clock import Stopwatch

#: How long an answer is waited for, in seconds, before it is asked whether the run is to end.
_POLL_SECONDS = 0.1
#: How long a worker that has closed its end may take to end, in seconds.
_END_SECONDS = 5.0
#: How long workers that are asked to end may take to say what goes on in them, in seconds.
_HUNG_SECONDS = 2.5


#: The signal that asks a worker to end.
ASKS = signal.SIGUSR1


class Process:
    """One worker. Two threads write its messages and read its answers, so that neither end waits for the
    other to read.

    Args:
        number: The worker's number, from 0.
        of: The number of workers.

    Raises:
        RunFailure: The machine starts no more processes.
    """

    def __init__(self, number: int, of: int) -> None:
        self._logger = structlog.get_logger()
        self._title = f"worker {number + 1} of {of}"
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        # Of a group of its own, so that Ctrl-C reaches the process that ends the run in order, and no other.
        group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        try:
            self._process = subprocess.Popen(
                # Without the folder that the run was started in, as the command `limecep` is.
                [sys.executable, "-P", "-m", "limecep_local.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                **group,
            )
        except OSError as error:
            raise RunFailure(f"cannot start {self._title}: {error.strerror or error}") from error
        self._threads = [threading.Thread(target=act, daemon=True) for act in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def send(self, message: bytes) -> None:
        """Sends a message; returns at once."""
        self._messages.put(message)

    def answer(self, check: Callable[[], None]) -> Any:
        """The next answer.

        Args:
            check: Called several times a second while there is none; may raise.

        Raises:
            RunFailure: The worker has ended, or cannot go on.
        """
        while True:
            try:
                answer = self._answers.get(timeout=_POLL_SECONDS)
            except Empty:
                check()
                continue
            if answer is None:
                raise RunFailure(self._ended())
            if isinstance(answer, Failure):
                self._logger.debug("a worker failed", worker=self._title, trace=answer.trace)
                reason = f"{self._title} failed: {answer.reason}"
                raise ComponentFailure(reason, answer.where) if answer.where else RunFailure(reason)
            return answer

    def stop(self) -> None:
        """Asks the worker to end in what it does."""
        self._process.send_signal(ASKS)

    def hung(self, since: Stopwatch) -> str:
        """Which component of a worker that was asked to end goes on, in words; "" if none does, or it is not
        known. Answers that come meanwhile are dropped.

        Args:
            since: Runs since it was asked.
        """
        while (left := _HUNG_SECONDS - since.seconds) > 0:
            # It is for what the worker does that this process may be cut off, too.
            with suppress(Empty, Stopped):
                answer = self._answers.get(timeout=left)
                if answer is None or isinstance(answer, Hung):
                    return "" if answer is None else answer.who
        return ""

    def close(self) -> None:
        """Ends the process. May be called twice."""
        self._process.kill()
        self._process.wait()
        self._messages.put(None)
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        # Of a worker that is gone the reader learns.
        with suppress(OSError, ValueError):
            while (message := self._messages.get()) is not None:
                pipe.write(message)
                pipe.flush()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            while True:
                self._answers.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._answers.put(None)

    def _ended(self) -> str:
        """How the process ended, in words."""
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        else:
            how = f"ended with exit code {code}" if code >= 0 else f"was killed by {_signal(-code)}"
        return (
            f"{self._title} (process {self.pid}) {how}: what was written is not complete\n"
            "    run the pipeline again; where memory was short, with a lower 'retention' or, without a "
            "state, with fewer workers"
        )


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
