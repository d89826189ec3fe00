"""What a suite's component gives in other processes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

import pytest

from limecep.testing.elsewhere import check_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Same:
    elsewhere: ClassVar[Sequence[str]] = ()

    def trace(self) -> Iterable[str]:
        return [f"{n} {word}" for n, word in enumerate(dict.fromkeys("abcdefgh"))]


class Another(Same):
    def trace(self) -> Iterable[str]:
        return [word * 3 for word in {*"abcdefgh"}]


class More(Same):
    def trace(self) -> Iterable[str]:
        return ["x"] * (hash("abc") % 1000)


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


def test_what_cannot_be_tried_elsewhere_says_why() -> None:
    with pytest.raises(AssertionError, match=r"cannot be tried in another process:(.|\s)*no broker there"):
        check_hashes(Fails())

    class Local(Same): ...

    with pytest.raises(pytest.skip.Exception, match="made in a function"):
        check_hashes(Local())


def test_another_process_may_be_told_what_to_do() -> None:
    class Told(Same):
        elsewhere = ("-c", "print('a')")

    check_hashes(Told())
