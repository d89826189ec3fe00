"""The accounting at the end of a run."""

from __future__ import annotations

from limecep.cli.accounting import accounting, effort

REPORT = {
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
    "sources": {},
    "seconds": 0.4142,
    "events_per_second": 2897.4,
    "peak_rss_bytes": 34 * 2**20,
    "version": "0.1.0",
}


def test_what_was_read_is_shown_as_the_sum_of_its_outcomes() -> None:
    assert accounting(REPORT).splitlines() == [
        "events    1,200 read = 1,140 in order + 49 out of order + 8 duplicate + 3 extremely late",
        "refused   3, each with its reason: counted only, a sink with 'of: late' would keep them",
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
    assert lines[2:10] == [
        "matches   p       1 emitted, 0 corrected, 0 retracted, 1 live, 4 probes",
        "slack     p       2 late events waited for others",
        "refused   p       3 events were extremely late for it",
        "warning   p       5 events reached back further than memory: results may be off",
        "warning   p       1 time memory was too short for its windows: matches are missing",
        "unknown   p       1 condition came out unknown, so it did not hold",
        "warning   p       1,000 evaluations were cut short at max_per_end: matches are missing",
        "matches   longer  1 emitted, 0 corrected, 0 retracted, 1 live, 4 probes",
    ]
    assert lines[-1] == "warning   longer  1 evaluation was cut short at max_per_end: matches are missing"


def test_what_memory_had_no_room_for_is_said() -> None:
    left = {**REPORT, "evicted": 1500, "retrieved": {"times": 0, "events": 0, "seconds": 0.0}}
    line = "memory    1,500 events left before their time, for want of room"
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


def test_where_refused_events_are_is_said() -> None:
    assert accounting(REPORT, ["late.jsonl", "x"]).splitlines()[1] == (
        "refused   3, each with its reason: in late.jsonl, x"
    )


def test_a_run_that_read_nothing_has_no_sum() -> None:
    nothing = {**REPORT, "events": {"read": 0, "in_order": 0}, "patterns": {}}
    assert accounting(nothing).splitlines()[0] == "events    0 read"


def test_what_is_odd_about_the_input_is_said() -> None:
    column = {"column": "state", "type": "State", "examples": ["unavailable", "off"]}
    sources = {
        "h": {
            "read": 4,
            "mixed_columns": [
                {**column, "numbers": 4012, "texts": 3, "booleans": 0},
                {**column, "numbers": 1, "texts": 1, "booleans": 2},
                {**column, "numbers": 1, "texts": 0, "booleans": 1, "examples": []},
            ],
        },
        "c": {"ragged_lines": 1, "first_ragged": "d.csv:3: 3 cells where there are 2 columns"},
        "d": {"ragged_lines": 1200, "first_ragged": "d.csv:3: 3 cells where there are 2 columns"},
        "j": {"documents_without_end": 1},
    }
    assert [
        line for line in accounting({**REPORT, "sources": sources}).splitlines() if "warning" in line
    ] == [
        "warning   column 'state' of source h: 4,012 numbers and 3 texts (unavailable, off)",
        "warning   column 'state' of source h: 1 number, 1 text and 2 booleans (unavailable, off)",
        "warning   column 'state' of source h: 1 number and 1 boolean",
        "warning   1 ragged line of source c, first at d.csv:3: 3 cells where there are 2 columns",
        "warning   1,200 ragged lines of source d, first at d.csv:3: 3 cells where there are 2 columns",
        "warning   1 document of source j did not end; what is there of the records was read",
    ]
