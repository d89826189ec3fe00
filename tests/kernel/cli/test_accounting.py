"""The accounting at the end of a run."""

from __future__ import annotations

from typing import Any

import pytest

from limecep import __version__
from limecep.cli.accounting import accounting, effort

REPORT: dict[str, Any] = {
    "events": {
        "read": 1200,
        "in_order": 1140,
        "out_of_order": 49,
        "duplicate": 8,
        "extremely_late": 3,
        "future": 0,
    },
    "patterns": {
        "gas_fire": {
            "emitted": 14,
            "corrected": 3,
            "retracted": 0,
            "live": 14,
            "pending": 2,
            "engine_runs": 20,
        },
        "x": {"emitted": 0, "corrected": 0, "retracted": 0, "live": 0},
    },
    "sources": {"gas": {"read": 1200}},
    "late": [
        {
            "reason": "extremely_late",
            "source": "gas",
            "pattern": "gas_fire",
            "count": 3,
            "example": {
                "reason": "extremely_late",
                "event": {"type": "Smoke", "id": "s7", "time": "2026-01-05T10:00:00Z"},
                "error": "31 s late, more than 10 s",
                "position": "gas.csv:40",
            },
        }
    ],
    "seconds": 0.4142,
    "events_per_second": 2897.4,
    "peak_rss_bytes": 34 * 2**20,
    "version": __version__,
}


def test_what_was_read_is_shown_as_the_sum_of_its_outcomes() -> None:
    assert accounting(REPORT).splitlines() == [
        "events    1,200 read = 1,140 in order + 49 out of order + 8 duplicate + 3 extremely late",
        "late      3 extremely late, source gas, pattern gas_fire: the first Smoke s7 at gas.csv:40: 31 "
        "s late,"
        " more than 10 s",
        "          a sink with 'of: late' would keep them",
        "matches   gas_fire  14 emitted, 3 corrected, 0 retracted, 14 live, 2 pending",
        "matches   x         0 emitted, 0 corrected, 0 retracted, 0 live",
    ]


def test_what_is_no_number_of_matches_is_said_in_words_of_its_own() -> None:
    counts = {
        "emitted": 1, "corrected": 0, "retracted": 0, "live": 1,
        "unknown": 1, "slack_waits": 2, "refused": 3, "unrepaired": 5, "windows_cut": 1, "truncated": 1000,
        "probes": 4,
    }  # fmt: skip
    lines = accounting(
        {**REPORT, "patterns": {"p": counts, "longer": {**counts, "truncated": 1}}}
    ).splitlines()
    assert lines[3:11] == [
        "matches   p       1 emitted, 0 corrected, 0 retracted, 1 live, 4 probes",
        "slack     p       2 late events waited for others",
        "late      p       3 events were extremely late for it",
        "warning   p       5 events reached back further than memory: results may be off",
        "warning   p       1 time memory was too short for its windows: matches are missing ('retention')",
        "unknown   p       1 condition came out unknown, so it did not hold",
        "warning   p       1,000 end events were cut short at max_per_end: matches are missing",
        "matches   longer  1 emitted, 0 corrected, 0 retracted, 1 live, 4 probes",
    ]
    assert lines[-1] == "warning   longer  1 end event was cut short at max_per_end: matches are missing"


def test_functions_that_do_what_they_should_not_are_named_with_what_to_do() -> None:
    counts = {
        "emitted": 1,
        "corrected": 0,
        "retracted": 0,
        "live": 1,
        "raised_by_near": 2,
        "other_kind_by_far": 1,
    }
    lines = accounting({**REPORT, "patterns": {"p": counts, "x": REPORT["patterns"]["x"]}}).splitlines()
    assert lines[-4:] == [
        "matches   p  1 emitted, 0 corrected, 0 retracted, 1 live",
        "warning   p  2 calls of function 'near' raised, so the value was missing: 'limecep plugins test "
        "function/near' shows of what",
        "warning   p  1 call of function 'far' gave another kind than it says, so the value was missing: "
        "'limecep plugins test function/far' shows of what",
        "matches   x  0 emitted, 0 corrected, 0 retracted, 0 live",
    ]


def test_the_first_end_event_that_was_cut_short_is_named() -> None:
    first = {"type": "B", "id": "b7", "time": "2026-01-05T10:00:21Z", "source": "s", "bound": "enumeration"}
    counts = {**REPORT["patterns"]["x"], "truncated": 2, "truncated_first": first}
    assert accounting({**REPORT, "patterns": {"p": counts}}).splitlines()[-1] == (
        "warning   p  2 end events were cut short at enumeration: matches are missing, "
        "first at B b7 (2026-01-05 10:00:21Z)"
    )


@pytest.mark.parametrize(
    ("left", "state", "said"),
    [
        ((False, False, 0), None, None),
        ((False, True, 0), None, "before the end of the input"),
        (
            (True, True, 7),
            None,
            "before the end of the input, cut off, 7 events that were read were not looked at",
        ),
        ((True, False, 7), {"unsent": 0}, "cut off, 7 events that were read are left to the next run"),
        (None, {"unsent": 3}, "3 records wait in the state for their sinks"),
    ],
)
def test_what_a_stop_leaves_undone_is_said(
    left: tuple[bool, bool, int] | None, state: dict[str, int] | None, said: str | None
) -> None:
    keys = ("cut_off", "input_left", "not_looked_at")
    stopped = None if left is None else dict(zip(keys, left, strict=True))
    last = accounting({**REPORT, "stopped": stopped, "state": state}).splitlines()[-1]
    assert (last == f"stopped   {said}") if said else not last.startswith("stopped")


def test_what_memory_had_no_room_for_is_said() -> None:
    left = {**REPORT, "evicted": 1500, "retrieved": {"times": 0, "events": 0, "seconds": 0.0}}
    line = "memory    1,500 events left for want of room ('retention')"
    assert accounting(left).splitlines()[-1] == line
    again = {**left, "retrieved": {"times": 2, "events": 1200, "seconds": 0.25}}
    assert accounting(again).splitlines()[-1] == f"{line}; 1,200 were read again, in 2 goes and 0.2 s"


def test_where_event_time_seems_to_have_jumped_ahead_there_is_a_hint() -> None:
    events = {"read": 50, "in_order": 20, "extremely_late": 30}
    behind = {"event_time": "9999-12-31T00:00:00Z", "source": "s", "extremely_late": 30}
    said = accounting({**REPORT, "events": events, "behind": behind})
    assert said.splitlines()[-2:] == [
        "hint      30 events were refused as extremely late after event time had come to 9999-12-31 00:00:00Z"
        " (source s)",
        "          if that time is wrong: max_future_skew sets such events aside, in files if they have an"
        " arrival time",
    ]
    for few in (9, 14):
        assert "hint" not in accounting(
            {**REPORT, "events": events, "behind": {**behind, "extremely_late": few}}
        )
    assert "hint" not in accounting({**REPORT, "events": events, "behind": None})


def test_what_it_took_is_a_line_of_its_own() -> None:
    assert effort(REPORT) == "run       0.41 s, 2,897 events/s, peak memory 34 MiB"
    assert effort({**REPORT, "peak_rss_bytes": None}) == "run       0.41 s, 2,897 events/s"


def test_where_the_late_output_is_is_said() -> None:
    assert accounting(REPORT, ["late.jsonl", "x"]).splitlines()[2] == "          all are in late.jsonl, x"


def test_a_source_that_brought_nothing_is_named() -> None:
    lines = accounting({**REPORT, "sources": {"gas": {"read": 0}}}, (), {"gas": "gas.csv"}).splitlines()
    assert "nothing   was read from source gas (gas.csv)" in lines


def test_values_that_were_lost_are_told() -> None:
    lines = accounting({**REPORT, "sources": {"gas": {"read": 5, "unconverted": {"v": 2}}}}).splitlines()
    assert "missing   v in 2 records of source gas: it is not of the type in 'payload'" in lines


def test_why_patterns_found_nothing_is_said_once_for_all_of_them() -> None:
    none = {"emitted": 0, "corrected": 0, "retracted": 0, "live": 0}
    reasons = [
        {"code": "absent-type", "message": "no Smoke came", "hint": ""},
        {"code": "never-held", "message": "a.v > 3 held for none of 5 Gas", "hint": "v was 1 to 2"},
    ]
    patterns = {"p": {**none, "why_none": reasons}, "q": {**none, "why_none": reasons[:1]}}
    assert accounting({**REPORT, "patterns": patterns}).splitlines()[-2:] == [
        "why none  p, q  no Smoke came",
        "why none  p  a.v > 3 held for none of 5 Gas; v was 1 to 2",
    ]


def test_suspicious_conditions_are_told_of_patterns_that_found_something() -> None:
    some = {"emitted": 2, "corrected": 0, "retracted": 0, "live": 2}
    odd = {"code": "absent-attribute", "message": "b.w was missing in all 5 Gas", "hint": "did you mean 'v'?"}
    lines = accounting({**REPORT, "patterns": {"p": {**some, "suspicions": [odd]}}}).splitlines()
    assert lines[-1] == "warning   p  b.w was missing in all 5 Gas; did you mean 'v'?"


def test_a_run_that_read_nothing_has_no_sum() -> None:
    nothing = {**REPORT, "events": {"read": 0, "in_order": 0}, "patterns": {}}
    assert accounting(nothing).splitlines()[0] == "events    0 read"


def test_what_is_odd_about_the_input_is_a_warning() -> None:
    sources = {"j": {"documents_without_end": 1}}
    lines = accounting({**REPORT, "sources": sources}).splitlines()
    assert "warning   1 document of source j did not end; what is there of the records was read" in lines


def test_what_others_went_on_without_is_named_with_the_reason() -> None:
    patterns = {
        **REPORT["patterns"],
        "y": {**REPORT["patterns"]["x"], "disabled": "patterns.y: engine 'e' raised"},
    }
    sinks = {"a": {"records": 3}, "b": {"records": 3, "missed": 2, "disabled": "the disk is full"}}
    observers = {"m": {"disabled": "observers.m: the port is taken"}, "n": {}}
    report = {**REPORT, "patterns": patterns, "sinks": sinks, "observers": observers}
    lines = accounting(report).splitlines()
    assert [line for line in lines if line.startswith("disabled")] == [
        "disabled  pattern y: engine 'e' raised",
        "disabled  sink b, 2 records missed: the disk is full",
        "disabled  observer m: the port is taken",
    ]
