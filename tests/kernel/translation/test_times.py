from __future__ import annotations

import pytest

from limecep.translation.translate import translate
from tests.kernel.translation.row_patterns import by_engine, found, refusal, statement

HEAD = "AFTER MATCH SKIP TO NEXT ROW PATTERN"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("ts < A.ts + INTERVAL '10' MINUTE", "b.time < a.time + 10 minutes"),
        ("ts - PREV(ts) <= INTERVAL '90' SECOND", "b.time - a.time <= 90 seconds"),
        ("ts > A.ts", "b.time > a.time"),
        # What is no time is what the data has.
        ("ts > 5 AND ts - A.ts = 1", "b.ts > 5 AND b.ts - a.ts = 1"),
        ("v > A.v", "b.v > a.v"),
    ],
)
def test_the_column_of_order_by_is_the_time_of_the_event(condition: str, expected: str) -> None:
    text = statement(f"{HEAD} (A B) WITHIN INTERVAL '1' HOUR DEFINE B AS {condition}")
    assert " ".join(translate(text).query.split()[6:-3]) == expected


def test_rows_that_follow_each_other_soon() -> None:
    text = "(A B+ C) WITHIN INTERVAL '1' MINUTE DEFINE B AS ts - PREV(ts) <= INTERVAL '2' SECOND, "
    text = statement(f"{HEAD} {text}C AS ts - PREV(ts) > INTERVAL '2' SECOND")
    rows = [{"t": t, "ts": t} for t in (0, 1, 3, 6, 7, 9, 20)]
    assert found(text, rows, 60)[0] == ((0, "A"), (1, "B"), (2, "B"), (3, "C"))
    assert by_engine(text, rows) == found(text, rows, 60)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("ts < ¦A.v + INTERVAL '1' HOUR", "time-arithmetic"),
        ("¦v < A.v * INTERVAL '1' HOUR", "time-arithmetic"),
        ("ts < A.ts + ¦INTERVAL '1' MONTH", "time-arithmetic"),
        ("ts > ¦'2026-04-01'", "time-literal"),
        ("¦time > 5", "time-column"),
    ],
)
def test_other_times_are_refused(condition: str, code: str) -> None:
    assert refusal(statement(f"{HEAD} (A B) WITHIN INTERVAL '1' HOUR DEFINE B AS {condition}")) == code


def test_a_column_of_the_name_of_the_time_is_the_time() -> None:
    text = statement(f"MEASURES LAST(time) AS t {HEAD} (A B) WITHIN INTERVAL '1' HOUR").replace("ts", "time")
    assert "# Values of 'time' are written as of RFC 3339, whatever the data has." in str(translate(text))
    marked = text.replace("1' HOUR", "1' HOUR DEFINE B AS ¦time - A.time > 5")
    assert refusal(marked) == "time-arithmetic"
