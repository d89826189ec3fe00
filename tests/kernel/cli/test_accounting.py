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


def test_what_it_took_is_a_line_of_its_own() -> None:
    assert effort(REPORT) == "run       0.41 s, 2,897 events/s, peak memory 34 MiB"


def test_where_refused_events_are_is_said() -> None:
    assert accounting(REPORT, ["late.jsonl", "x"]).splitlines()[1] == (
        "refused   3, each with its reason: in late.jsonl, x"
    )


def test_a_run_that_read_nothing_has_no_sum() -> None:
    nothing = {**REPORT, "events": {"read": 0, "in_order": 0}, "patterns": {}}
    assert accounting(nothing).splitlines()[0] == "events    0 read"
