"""What a suite's component gives in other processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

import pytest

from limecep.testing.elsewhere import check_hashes
from limecep.testing.slack import SlackConformance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.contracts.slack import SlackPolicy


class Same:
    elsewhere: ClassVar[Sequence[str]] = ()
    call_seconds: ClassVar[float] = 5.0

    def trace(self) -> Iterable[str]:
        return [f"{n} {word}" for n, word in enumerate(dict.fromkeys("abcdefgh"))]


class Another(Same):
    def trace(self) -> Iterable[str]:
        return [word * 3 for word in {*"abcdefgh"}]


class More(Same):
    """Its processes are told what to do."""

    elsewhere = ("-c", "print('x\\n' * (hash('abc') % 1000), end='')")


class Seconds(Same):
    def trace(self) -> Iterable[str]:
        return [f"waits {int(time.time()) % 2}"]


class Fails(Same):
    def trace(self) -> Iterable[str]:
        raise ValueError("no broker there")


def test_what_is_the_same_everywhere_passes() -> None:
    check_hashes(Same())


def test_what_is_not_is_told() -> None:
    said = r"depends on PYTHONHASHSEED: .*\s+(\w)\1\1\s+and elsewhere\s+(\w)\2\2"
    with pytest.raises(AssertionError, match=said):
        check_hashes(Another())
    with pytest.raises(AssertionError, match="how much it gives depends on PYTHONHASHSEED"):
        check_hashes(More())


def test_what_the_wall_clock_decides_is_told() -> None:
    said = r"depends on the wall clock: .*\s+waits 0\s+and elsewhere\s+waits 1"
    with pytest.raises(AssertionError, match=said):
        check_hashes(Seconds())


class Patient:
    """Waits where it says for how long to wait."""

    def wait(self, statistics: object) -> int:
        while True:
            time.sleep(0.01)


class Waits(SlackConformance):
    call_seconds = 0.5

    def make_policy(self, plan: object, context: object) -> SlackPolicy:
        return Patient()


def test_what_hangs_there_ends_and_is_named() -> None:
    with pytest.raises(AssertionError, match=r"Patient\.wait does not return: it goes on after 0\.5 s"):
        check_hashes(Waits())


def test_what_cannot_be_tried_elsewhere_says_why() -> None:
    with pytest.raises(AssertionError, match=r"cannot be tried in another process:(.|\s)*no broker there"):
        check_hashes(Fails())

    class Local(Same): ...

    with pytest.raises(pytest.skip.Exception, match="made in a function"):
        check_hashes(Local())
