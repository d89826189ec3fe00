"""Observing: has observers see a run, about once a second, at its beginning and at its end."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch
from limecep.contracts.observer import Pulsed
from limecep.errors import Stopped
from limecep.output.delivery import close_all
from limecep.runtime.observed import Observed

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from limecep.config.model import ObserverConfig
    from limecep.contracts.context import Context
    from limecep.contracts.observer import Figures, Observer, Phase
    from limecep.runtime.assembly import Assembly
    from limecep.runtime.detecting import Detecting
    from limecep.runtime.report import Account

#: How often observers are told something, in seconds.
EVERY_SECONDS = 1.0


class Observing:
    """The observers of a run. As a context manager it is what they see: it begins and ends.

    Args:
        assembly: Makes the observers.
        account: The account of the pipeline.
        detection: Gives what detects, once there is such.
        fed: Whether a program feeds the pipeline.
    """

    def __init__(
        self,
        assembly: Assembly,
        account: Account,
        detection: Callable[[], Detecting | None],
        *,
        fed: bool = False,
    ) -> None:
        self._assembly = assembly
        self._account = account
        self._observed = Observed(assembly, account, detection, fed=fed)
        self._observers: list[_Told] = []
        self._pulsed: list[_Told] = []
        self._told: Stopwatch | None = None
        self._pulse = Stopwatch()

    def __enter__(self) -> Observing:
        assembly, named = self._assembly, self._account.config.observers
        try:
            self._observers = [_Told(o, *assembly.observer(o), assembly) for o in named]
            self._pulsed = [told for told in self._observers if told.pulsed]
            for told in self._observers:
                told.open()
            self._tell("starting")
        except (Exception, SystemExit) as error:
            close_all(self._observers)
            self._assembly.blame(error)
        except Stopped as stopped:
            self._account.cut(stopped)
            close_all(self._observers, self._account.cut)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failure: BaseException | None = None
        try:
            if error is None:
                self._tell("ended")
            else:
                secrets, why = self._account.config.secrets, str(error) or type(error).__name__
                self._tell("failed", why if secrets is None else secrets.hidden(why))
        except (Exception, SystemExit) as own:
            failure = own
        except Stopped as stopped:
            self._account.cut(stopped)
        closing = close_all(self._observers, self._account.cut)
        failure = failure or closing
        if failure is not None and error is None:
            # What is wrong with an observer hides no reason why the run failed.
            self._assembly.blame(failure)

    def watching(self, stop: Callable[[], bool]) -> Callable[[], bool]:
        """The same question, and a pulse where it is asked: what waits in a run asks whether it is to end."""
        if not self._pulsed:
            return stop
        own = get_ident()

        def asked() -> bool:
            # What sinks do in threads of their own is no sign of life of the pipeline.
            if self._pulse.seconds >= EVERY_SECONDS and get_ident() == own:
                self._pulse = Stopwatch()
                for told in self._pulsed:
                    told.pulse()
            return stop()

        return asked

    def turn(self, committed: Stopwatch | None) -> None:
        """The pipeline has done what there was to do, and is whole.

        Args:
            committed: Runs since what was found was last made durable; None where that tells nothing.

        Raises:
            Exception: What an observer raised that the run is not spared.
        """
        if self._told is None or self._told.seconds >= EVERY_SECONDS:
            self._told = Stopwatch()
            self._observed.committed = committed
            self._tell("running")

    def _tell(self, phase: Phase, failure: str = "") -> None:
        figures = self._observed.figures(phase, failure)
        failures = [error for told in self._observers if (error := told.observe(figures)) is not None]
        if failures:
            raise failures[0]


class _Told:
    """An observer, until it fails where the run is spared that."""

    def __init__(
        self, config: ObserverConfig, observer: Observer, context: Context, assembly: Assembly
    ) -> None:
        self._observer = observer
        self._context = context
        self._spares = config.on_error == "disable"
        self._disable = assembly.components.disable
        self._disabled = False
        self._failed: BaseException | None = None
        self.pulsed = isinstance(observer, Pulsed)

    def open(self) -> None:
        self._do(self._observer.open)

    def observe(self, figures: Figures) -> BaseException | None:
        """Has it see figures; gives what others are not to be spared, also of signs of life before."""
        failed, self._failed = self._failed, None
        try:
            self._do(self._observer.observe, figures)
        except (Exception, SystemExit) as error:
            return failed or error
        return failed

    def pulse(self) -> None:
        assert isinstance(self._observer, Pulsed)
        try:
            self._do(self._observer.pulse)
        except (Exception, SystemExit) as error:
            # Some other component may be at work, which has nothing to do with it.
            self._failed = error

    def close(self) -> None:
        if not self._disabled:
            self._do(self._observer.close)

    def _do(self, act: Callable[..., Any], *args: Any) -> None:
        if self._disabled:
            return
        try:
            act(*args)
        except (Exception, SystemExit) as error:
            if not self._spares:
                raise
            self._disabled = True
            self._disable(self._context, error)
            # What is left of it, such as a port, is let go.
            close_all([self._observer])
