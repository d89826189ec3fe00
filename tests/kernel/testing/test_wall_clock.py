"""Python does what it is told while the wall clock shows what it is told, too."""

from __future__ import annotations

import subprocess
import sys

from limecep.testing.wall_clock import called

#: 2026-01-05T10:00:00Z.
THEN = 1_767_607_200.0
CODE = """
import time, datetime
from datetime import date, datetime as when
began = time.monotonic()
UTC = datetime.timezone.utc
print(time.time(), time.time_ns(), time.gmtime().tm_sec, time.gmtime(0).tm_year, time.strftime("%S"))
print(when.now(UTC), datetime.datetime.now(UTC).second, when.now().second, date.today().year)
print(when(2026, 1, 5) - datetime.datetime(2026, 1, 4), isinstance(when.now(), when), type(when.now()))
print(0 <= time.monotonic() - began < 60)
"""


def test_all_that_tells_the_time_tells_another_one_and_goes_on_when_read() -> None:
    done = subprocess.run(
        [sys.executable, *called(THEN, 1.0, ["-c", CODE])], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "1767607200.0 1767607201000000000 2 1970 03",
        "2026-01-05 10:00:04+00:00 5 6 2026",
        "1 day, 0:00:00 True <class 'datetime.datetime'>",
        "True",
    ]


def test_a_module_has_its_arguments() -> None:
    told = called(THEN, 0.0, ["-m", "json.tool", "--help"])
    done = subprocess.run([sys.executable, *told], capture_output=True, text=True, check=True)
    assert "usage" in done.stdout
