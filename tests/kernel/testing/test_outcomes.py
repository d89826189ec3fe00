"""What comes of calls, here and in another process."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from limecep.host import Host
from limecep.testing.outcomes import elsewhere, outcomes
from limecep.testing.wall_clock import DAY, NIGHT

if TYPE_CHECKING:
    from pathlib import Path

GIVEN = [(1,), (0,), (10**5000,)]


def inverse(x: float) -> float:
    return 1 / x


def itself(x: float) -> float:
    return x


def now(x: float) -> float:
    return time.time()


def test_outcomes_are_values_or_errors_as_text() -> None:
    assert outcomes(inverse, GIVEN) == ["1.0", "ZeroDivisionError", "0.0"]
    assert outcomes(itself, GIVEN) == ["0x1", "0x0", hex(10**5000)]


def test_another_process_gives_the_same() -> None:
    assert elsewhere(inverse, GIVEN, "1") == f"{outcomes(inverse, GIVEN)}\n"


def test_a_function_of_a_file_goes_along(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from limecep import component\n"
        "@component('function')\n"
        "def hashed(x: str) -> int:\n    '''The hash.'''\n    return hash(x)\n"
    )
    registry = Host(()).with_plugins(tmp_path / "mine.py").registry
    spec = registry.find("function", "hashed")
    assert spec is not None
    one, other = (elsewhere(registry.factory(spec), [("x",)], seed) for seed in ("1", "2"))
    assert one != other


def test_another_process_may_have_another_time_of_day() -> None:
    assert elsewhere(now, GIVEN[:1], "1") == f"{[repr(NIGHT[0])]}\n"
    assert str(int(DAY[0]) // 100) in elsewhere(now, GIVEN[:1], "1", DAY)


def test_what_no_other_process_can_import_is_told() -> None:
    with pytest.raises(AssertionError, match="no other process can import it"):
        elsewhere(lambda x: x, GIVEN, "1")
