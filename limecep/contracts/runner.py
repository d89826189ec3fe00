"""Runners run a pipeline somewhere: in this process, on a cluster."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What can be said in the middle of a run.

    Attributes:
        fraction: How much of the input was read, 0 to 1; None where nobody can tell.
        events: How many events were read.
        event_time: The greatest `t_gen` so far, in microseconds; None before the first event.
    """

    fraction: float | None
    events: int
    event_time: int | None


class Runner(Protocol):
    """Made once a run: `Factory(config, registry, options)`, where `config` is the whole pipeline, checked,
    and `registry` has its components.

    Duties: what goes out, folded over its matches, is what it is in this process. Where a runner cannot do
    something that a pipeline asks for, such as to tell observers how it is doing, its options say so
    (`limecep.contracts.options.VettingPipelines`) before anything runs.
    """

    @abstractmethod
    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        """Runs the pipeline until its input ends, `stop()` says so, which is asked several times a second, or
        time is up.

        Raises:
            RunFailure: It could not go on.
        """

    def progress(self) -> Progress | None:
        """How far a run over finite input has come; None where that cannot be told."""

    def report(self) -> dict[str, Any]:
        """The accounting, also of a run that failed, in the form that `limecep.Pipeline` gives."""

    def close(self) -> None:
        """Lets go of everything. May be called twice, and without `run`."""


@runtime_checkable
class Prompt(Protocol):
    """What a runner may have besides that `limecep run` may cut off wherever it is, by raising
    `limecep.errors.Stopped` in it or in its `close`, where it does not end in time by itself. Any runner that
    goes on for `--stop-timeout` after it was asked to end is ended with its process."""

    def overdue(self) -> float:
        """How long ago the time that the run was given was up, in seconds; below 0 while it is not."""

    def running(self, frames: Sequence[FrameType]) -> str:
        """Which component runs in these frames, the outermost first, in words; "" if that is not known. Told
        to the user where a run does not end."""


OPTIONAL: tuple[type, ...] = (Prompt,)
