"""The tables of `limecep run --stats`."""

from __future__ import annotations

from limecep.cli.stream_statistics import figures

STATISTICS = {
    "events": 1200,
    "late": 49,
    "ratio": 49 / 1200,
    "lateness": {"average": 2.5, "minimum": 0.000004, "maximum": 1800.0},
    "types": {
        "GasLeak": {
            "events": 1000,
            "late": 49,
            "extremely_late": 2,
            "lateness": {"average": 2.5, "minimum": 0.000004, "maximum": 1800.0},
        },
        "Smoke": {"events": 200, "late": 0, "extremely_late": 0, "lateness": None},
    },
    "sources": {
        "gas": {"events": 1000, "late": 49, "every": 5.0, "period": 4.83},
        "smoke": {"events": 200, "late": 0, "every": None, "period": None},
    },
    "patterns": {
        "fire": {
            "scores": {"GasLeak": 0.8312, "Smoke": 12.0},
            "detection_latency": {"average": 3.0, "minimum": 0.0, "maximum": 9.5},
        },
        "counted": {"scores": {}, "detection_latency": None},
    },
}


PATTERNS = {
    "fire": {"engine_runs": 1040, "on_demand_runs": 40, "events_handed": 20800, "slack_waits": 3},
    "counted": {"engine_runs": 0, "on_demand_runs": 0, "events_handed": 0, "slack_waits": 0},
}


def test_types_sources_and_patterns_have_a_table_each() -> None:
    assert figures({"statistics": STATISTICS, "patterns": PATTERNS}).splitlines() == [
        "type     events       late  extremely late  lateness average  lateness minimum  lateness maximum",
        "GasLeak   1,000         49               2             2.5 s        0.000004 s           1,800 s",
        "Smoke       200          0               0                 -                 -                 -",
        "all       1,200  49 (4.1%)               2             2.5 s        0.000004 s           1,800 s",
        "",
        "source  events  late  every  actual period",
        "gas      1,000    49    5 s         4.83 s",
        "smoke      200     0      -              -",
        "",
        "pattern  detection latency average  minimum  maximum  average score of late events",
        "fire                           3 s      0 s    9.5 s       GasLeak 0.831, Smoke 12",
        "counted                          -        -        -                             -",
        "",
        "pattern  engine runs  on demand  events handed to them  slack waits",
        "fire           1,040         40                 20,800            3",
        "counted            0          0                      0            0",
    ]
