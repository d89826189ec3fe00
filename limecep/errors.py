"""Errors a user may see. Each prints as a message, never as a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.problems import Problem


def said(error: BaseException) -> str:
    """An error in a line, also one that cannot say what it is."""
    try:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    except Exception:
        return f"{type(error).__name__}: <its text cannot be had>"


def words(error: BaseException) -> str:
    """What an error says; its name where it says nothing, or cannot."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return said(error)


class LimecepError(Exception):
    """Base of everything limecep raises on purpose."""


class ConfigurationError(LimecepError):
    """A pipeline, pattern or plugin cannot be used as written. Carries every problem found, not the first.

    Args:
        problems: The problems; or text, where there is no more to say.
    """

    def __init__(self, problems: Sequence[Problem] | str) -> None:
        # Text is a sequence, too.
        self.problems = () if isinstance(problems, str) else tuple(problems)
        super().__init__(problems if isinstance(problems, str) else "\n".join(map(str, self.problems)))


class RunFailure(LimecepError):
    """A run could not go on: a file vanished, a disk is full, a broker refused for good. Exit code 3."""


class ComponentFailure(RunFailure):
    """A component of a plugin has raised what it should not.

    Args:
        message: Which one, of which plugin, and what.
        where: Its own part of the traceback.
    """

    def __init__(self, message: str, where: str) -> None:
        self.where = where
        super().__init__(message)

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.where)


class ContractBreach(Exception):
    """A component gave what its contract rules out. It is told as a `ComponentFailure`.

    Args:
        component: The component.
        what: What it did, as in "says to wait -5".
    """

    def __init__(self, component: object, what: str) -> None:
        self.component = component
        super().__init__(what)


class Stopped(BaseException):
    """A run has to end now, and what it is doing is cut off. It is no Exception, so that code which handles
    errors does not take it for one; let it through.

    Args:
        undone: What is left undone, in words for the user, if that is known.
        forced: Whether it comes from outside into what did not look whether the run has to end.
        hung: Which component that was, in words, where it ran in another process.
    """

    def __init__(self, undone: str = "", *, forced: bool = False, hung: str = "") -> None:
        self.undone = undone
        self.forced = forced
        self.hung = hung
        super().__init__(undone)
