"""Each mistake a user can make, and what is said about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep.config.components import Components
from limecep.config.loader import load

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Check

    from limecep.registry import Registry

GOOD = """\
version: 1
name: kitchen
params: {limit: 40}
connectors:
  log: {type: file}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     id: id, time: {field: ts, format: epoch_s}}
  temp: {from: log, channel: temp.csv, as: Temperature, id: id, time: {field: ts, format: epoch_s}}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature{2} b[])
      WHERE a.percentage > $limit AND b[i+1].value > b[i].value
      WITHIN 30 seconds
    select: stnm
    engine: maximal
sinks:
  out: {type: stdout}
"""
GAS = "{from: log, channel: gas.csv,  as: GasLeak,     id: id, time: {field: ts, format: epoch_s}}"


def gas(text: str) -> tuple[str, str]:
    return GAS, "{" + text + "}"


TS = "time: ts"
MISTAKES = {
    "version": [
        (("version: 1", "version: one"), 1, "'version' must be 1, not the text 'one' [wrong-version]", ""),
        (("version: 1", "version: 2"), 1, "'version' must be 1, not the number 2", "reads version: 1"),
        (("version: 1\n", ""), 1, "a pipeline needs 'version' [missing-key]", "Example: version: 1"),
    ],
    "names": [
        (("name: kitchen", "name: a b"), 2, "'a b' is no name here [bad-name]", "letters, digits, '_', '-'"),
        (("  fire:", "  fi/re:"), 10, "'fi/re' is no name here", ""),
        (("name: kitchen", "name: 5"), 2, "'name' must be text, not the number 5", 'put it in quotes: "5"'),
        (("name: kitchen", "name: kitchen\nname: b"), 3, "'name' stands here a second time", "at line 2"),
        (("name: kitchen", "nam: kitchen"), 2, "a pipeline has no key 'nam' [unknown-key]", "mean 'name'?"),
    ],
    "not available": [
        (("name: kitchen", "observers: []"), 2, "'observers' is not available in this version", ""),
    ],
    "params": [
        (("{limit: 40}", "{limit: [40]}"), 3, "parameter 'limit' must be a number, text or a boolean", ""),
        (
            ("{limit: 40}", "{limit: 40, lim it: 5}"),
            3,
            "'lim it' is no name of a parameter",
            "no digit first",
        ),
        (("{limit: 40}", "{limit: .nan}"), 3, "parameter 'limit' is no finite number", ""),
        (("{limit: 40}", "{limit: -.inf}"), 3, "parameter 'limit' is no finite number", ""),
        (("{limit: 40}", "40"), 3, "'params' must be a block of keys, not the number 40", ""),
    ],
    "connectors": [
        (("{type: file}", "{typ: file}"), 5, "connector 'log' needs 'type' [missing-key]", "broker, file"),
        (("{type: file}", "{typ: file}"), 5, "connector 'log' has no key 'typ'", "mean 'type'?"),
        (("{type: file}", "{type: fiel}"), 5, "no source named 'fiel' [unknown-component]", "mean 'file'?"),
        (("{type: file}", "{type: [a]}"), 5, "source must be a name, or a block with 'type'", ""),
        (("{type: file}", "file"), 5, "'log' must be a block of keys", "write log: {type: file}"),
        (("{type: file}", '{type: ""}'), 5, "no source named ''", "known: absent, broker, file"),
        (("{type: file}", "{type: file, rot: x}"), 5, "connector 'log' has no key 'rot'", "mean 'root'?"),
        (
            ("{type: file}", "{type: broker}"),
            5,
            "connector 'log' needs 'url'",
            "Example: url: mq://localhost",
        ),
        (("{type: file}", "{type: broker, url: u, port: x}"), 5, "'port' must be a whole number", ""),
        (("{type: file}", "{type: stdout}"), 5, "'stdout' takes updates out, but brings nothing in", ""),
        (
            ("{type: file}", "{type: absent}"),
            5,
            "'absent' needs the module 'no_such_module'",
            "pip install 'limecep[absent]'",
        ),
    ],
    "sources": [
        (
            ("gas:  {from: log", "gas:  {from: lag"),
            7,
            "no connector named 'lag' [unknown-connector]",
            "mean 'log'?",
        ),
        (("gas:  {from: log", "gas:  {frm: log"), 7, "source 'gas' needs 'from' [missing-key]", "known: log"),
        (("gas:  {from: log", "gas:  {form: log"), 7, "source 'gas' has no key 'form'", "mean 'from'?"),
        (("gas:  {from: log", "gas:  {from: ''"), 7, "no connector named ''", "known: log"),
        (("gas.csv", '""'), 7, "source 'gas' needs 'channel'", "a file's path or glob"),
        (("as: GasLeak", 'format: "", as: GasLeak'), 7, "no codec named ''", "known: csv, json"),
        (("as: GasLeak", "every: 0s, as: GasLeak"), 7, "'every' must be longer than nothing", "leave it out"),
        (("id: id", "id: [a, b, a]"), 7, "'id' names 'a' twice", ""),
        (("id: id", "payload: [a, a]"), 7, "'payload' names 'a' twice", ""),
        (("id: id", "payload: [a, '`a`']"), 7, "'payload' names '`a`' twice", ""),
        (("id: id", "payload: {a: float, '`a`': int}"), 7, "'payload' names '`a`' twice", ""),
        (("id: id", "payload: {}"), 7, "'payload' names no field", "leave it out"),
        (("gas:  {from: log", "gas:  {from: [log]"), 7, "'from' must be text, not a list", ""),
        (
            ("gas:  {from: log", "gas:  {from: log, type: file"),
            7,
            "has both 'from' and 'type' [conflict]",
            "",
        ),
        (gas(f"type: fiel, channel: a.csv, as: GasLeak, {TS}"), 7, "no source named 'fiel'", "mean 'file'?"),
        (gas(f"from: log, as: GasLeak, {TS}"), 7, "source 'gas' needs 'channel'", "a file's path or glob"),
        (gas(f"from: log, channel: a.csv, {TS}"), 7, "source 'gas' needs 'as'", "Example: as: Reading"),
        (gas(f"from: log, channel: a.csv, as: 5, {TS}"), 7, "'as' must be an event type, or a block", ""),
        (gas(f"from: log, channel: a.csv, as: {{fild: t}}, {TS}"), 7, "'as' has no key 'fild'", "'field'?"),
        (gas(f"from: log, channel: a.csv, as: {{map: {{A: GasLeak}}}}, {TS}"), 7, "'as' needs 'field'", ""),
        (
            gas(f"from: log, channel: a.csv, as: {{field: t, map: {{A: 5}}}}, {TS}"),
            7,
            "'map' must be text",
            "",
        ),
        (
            gas(f"from: log, channel: a.csv, as: {{field: t, map: {{A: ''}}}}, {TS}"),
            7,
            "event type for 'A'",
            "",
        ),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, sped: 1"), 7, "has no key 'sped'", "'speed'?"),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, speed: fast"), 7, "a number or 'max'", ""),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, every: 5"), 7, "'every' needs a unit: 5s", ""),
        (
            gas(f"from: log, channel: a.log, as: GasLeak, {TS}"),
            7,
            "'a.log' does not tell its format",
            "csv, json",
        ),
        (gas(f"from: log, channel: a, format: cvs, as: GasLeak, {TS}"), 7, "no codec named 'cvs'", "'csv'?"),
        (
            gas(f"from: log, channel: a.csv, format: {{delimitr: x}}, as: GasLeak, {TS}"),
            7,
            "no key 'delimitr'",
            "",
        ),
        (
            gas("from: log, channel: a.csv, as: GasLeak, time: [a]"),
            7,
            "'time' must be a field, or a block",
            "",
        ),
        (
            gas("from: log, channel: a.csv, as: GasLeak, time: {format: epoch_s}"),
            7,
            "'time' needs 'field'",
            "",
        ),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, id: []"), 7, "'id' is an empty list", ""),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, id: [a, 5]"), 7, "'id' must be text", ""),
        (
            gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, key: '$topc[1]'"),
            7,
            "'$topc[1]' is not a level",
            "",
        ),
        (
            gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, payload: {{v: flot}}"),
            7,
            "turned into 'flot'",
            "'float'?",
        ),
        (gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, payload: v"), 7, "'payload' must be a list", ""),
    ],
    "times": [
        (
            ("epoch_s}}\n  t", "epoch_x}}\n  t"),
            7,
            "unknown time format 'epoch_x'",
            "iso8601, epoch_s, epoch_ms",
        ),
        (
            ("epoch_s}}\n  t", "'%Y-%m-%d'}}\n  t"),
            7,
            "say no time zone [missing-zone]",
            "zone: Europe/Athens",
        ),
        (("epoch_s}}\n  t", "'%H:%M'}}\n  t"), 7, "has no year", ""),
        (("epoch_s}}\n  t", "iso8601, zone: Mars}}\n  t"), 7, "unknown time zone 'Mars'", ""),
        (("epoch_s}}\n  t", "epoch_s, zon: UTC}}\n  t"), 7, "'time' has no key 'zon'", "'zone'?"),
        (("epoch_s}}\n  t", "''}}\n  t"), 7, "[bad-time-format]", "iso8601, epoch_s, epoch_ms"),
        (("epoch_s}}\n  t", "5}}\n  t"), 7, "'format' must be text, not the number 5", ""),
        (
            ("epoch_s}}\n  t", "ms}}\n  t"),
            7,
            "unknown time format 'ms': did you mean 'epoch_ms'?",
            "filetime",
        ),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC}}\n  t"), 7, "has no year", "year: 2026, or year: arrival"),
        (("epoch_s}}\n  t", "'%H:%M', zone: UTC, year: 1}}\n  t"), 7, "no day of the year", "strptime"),
        (("epoch_s}}\n  t", "epoch_s, year: 2026}}\n  t"), 7, "'year' is for stamps without one", "'%b %d"),
        (
            ("epoch_s}}\n  t", "'%Y-%m-%d', zone: UTC, year: 2026}}\n  t"),
            7,
            "without one, and %Y-%m-%d has it",
            "leave it out",
        ),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC, year: 0}}\n  t"), 7, "'year' must be 1 to 9999, not 0", ""),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC, year: now}}\n  t"), 7, "'year' must be a whole", ""),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC, year: arrival}}\n  t"), 7, "has no 'arrival'", "year: 2026"),
        (
            (
                "time: {field: ts, format: epoch_s}}\n  t",
                "time: t, arrival: {field: r, format: '%b %d', zone: UTC, year: arrival}}\n  t",
            ),
            7,
            "the arrival time cannot have the year of the arrival",
            "year: 2026",
        ),
        (
            ("epoch_s}}\n  t", "iso8601, zone: Europe/Athens, fold: third}}\n  t"),
            7,
            "'fold' must be one of first, second, order",
            "",
        ),
        (
            ("field: ts, format", "field: ts, fields: [a, b], format"),
            7,
            "both say where the time is",
            "one of",
        ),
        (
            ("field: ts, format", "fields: [a, b], format"),
            7,
            "joins text, and epoch_s is a number",
            "field: ts",
        ),
        (("field: ts, format: epoch_s", "fields: []"), 7, "'fields' is an empty list", ""),
        (("field: ts, format: epoch_s", "fields: [a, a]"), 7, "'fields' names 'a' twice", ""),
        (("field: ts, format: epoch_s", "field: '`a'"), 7, "a backquote too few", ""),
    ],
    "ranks": [
        (("id: id", "order: n, rank: 2"), 7, "'order' and 'rank' both say", "leave one of them out"),
        (("id: id", "rank: high"), 7, "'rank' must be a whole number", ""),
        (("id: id", "rank: 1.5"), 7, "'rank' must be a whole number", ""),
        (("id: id", f"rank: {2**63}"), 7, "'rank' does not fit 64 bits", ""),
    ],
    "patterns": [
        (("    select: stnm", "    selct: stnm"), 15, "pattern 'fire' has no key 'selct'", "mean 'select'?"),
        (("select: stnm", "select: stmn"), 15, "'select' must be one of stnm, stam, sc", "mean 'stnm'?"),
        (
            ("select: stnm", "select: sc"),
            15,
            "'maximal' does not know the selection policy 'sc'",
            "stam, stnm",
        ),
        (("engine: maximal", 'engine: ""'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'engine: {type: ""}'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'engine: "${ENGINE:-}"'), 16, "no engine named ''", "known: maximal"),
        (("engine: maximal", 'lateness: ""'), 16, "no lateness policy named ''", "known: accept, score"),
        (
            ("engine: maximal", "lateness: 10m"),
            16,
            "named '10m'",
            "write lateness: {type: accept, within: 10m}",
        ),
        (("engine: maximal", "slack: off"), 16, "no slack policy named 'off'", "write slack: none"),
        (("engine: maximal", "lateness: {type: accept, within: 0}"), 16, "'within' needs a unit: 0s", ""),
        (("> $limit", "> limit"), 13, "there is no variable 'limit'", "did you mean $limit?"),
        (("> $limit", "> ${limit}"), 13, "variable limit is not set", "write $limit for the parameter"),
        (("engine: maximal", "engine: maximl"), 16, "no engine named 'maximl'", "mean 'maximal'?"),
        (
            ("engine: maximal", "engine: [a]"),
            16,
            "engine must be a name, or a block with 'type'",
            "known: maximal",
        ),
        (
            ("engine: maximal", "engine: {type: maximal, depth: 3}"),
            16,
            "engine 'maximal' has no key 'depth'",
            "",
        ),
        (("engine: maximal", "lateness: {type: score, factor: x}"), 16, "'factor' must be a number", ""),
        (
            ("engine: maximal", "lateness: {type: score, weights: [1, 1, 1]}"),
            16,
            "'weights' must add up to 1",
            "",
        ),
        (
            ("engine: maximal", "results: {emit: late}"),
            16,
            "'emit' must be one of eager, complete, final,",
            "",
        ),
        (
            ("engine: maximal", "results: {emit: final}"),
            16,
            "'emit' asks for results that are final, but lateness policy 'accept' may",
            "write results: {emit: final, horizon: 10m}; or bound what is accepted: lateness: {type:",
        ),
        (
            ("engine: maximal", "lateness: {factor: 3}"),
            16,
            "lateness 'accept' has no key 'factor'",
            "it is an option of score: write type: score",
        ),
        (("engine: maximal", "recompute: exacd"), 16, "no recompute policy named 'exacd'", "mean 'exact'?"),
        (("engine: maximal", "results: {max_per_end: 0}"), 16, "'max_per_end' must be at least 1", ""),
        (("engine: maximal", "results: {max_per_end: many}"), 16, "'max_per_end' must be a whole number", ""),
        (("    query: |", "    qery: |"), 10, "pattern 'fire' needs 'query'", "PATTERN ... WITHIN"),
        (
            ("SEQ(GasLeak a", "SEQ(GasLeek a"),
            12,
            "no source gives events of type 'GasLeek'",
            "mean 'GasLeak'?",
        ),
        (("WHERE a.percentage", "WHERE x.percentage"), 13, "there is no variable 'x'", "known: a, b"),
        (("> $limit", "> $limt"), 13, "there is no parameter 'limt'", "mean 'limit'?"),
        (("30 seconds", "30 secondz"), 14, "unknown unit 'secondz'", "seconds"),
        (("WITHIN 30 seconds", "WITHIN seconds"), 14, "unexpected seconds", "expected a number"),
        (
            ("WHERE", "WHERE skip-till-any-match AND"),
            15,
            "'select' is stnm, but the query itself says stam",
            "",
        ),
        (("engine: maximal", "query: [a]"), 16, "'query' stands here a second time", "line 11"),
        (("    query: |", "    query: 5\n    x: |"), 11, "'query' must be text, not the number 5", ""),
        (("as: GasLeak,", "as: GasLeak, payload: [v],"), 13, "'percentage'", ""),
    ],
    "sinks": [
        (("{type: stdout}", "{to: lag}"), 18, "no connector named 'lag'", "mean 'log'?"),
        (("{type: stdout}", "{}"), 18, "sink 'out' needs 'to'", "known: log"),
        (("{type: stdout}", "{type: stdotu}"), 18, "no sink named 'stdotu'", "mean 'stdout'?"),
        (("{type: stdout}", "{type: absent}"), 18, "'absent' brings events in, but takes nothing out", ""),
        (("{type: stdout}", "{type: stdout, of: lat}"), 18, "'of' must be one of updates, late", "'late'?"),
        (
            ("{type: stdout}", "{type: stdout, events: all}"),
            18,
            "'events' must be one of full, ids, none",
            "",
        ),
        (("{type: stdout}", "{type: stdout, path: x}"), 18, "sink 'out' has no key 'path'", ""),
        (
            ("{type: stdout}", "{type: stdout, patterns: [fier]}"),
            18,
            "no pattern named 'fier'",
            "mean 'fire'?",
        ),
        (("{type: stdout}", "{type: file}"), 18, "sink 'out' needs 'path'", ""),
        (("{type: stdout}", "{to: log}"), 18, "sink 'out' needs 'channel'", ""),
        (("{type: stdout}", "stdout"), 18, "'out' must be a block of keys", "write out: {type: stdout}"),
        (("{type: stdout}", "{type: file, path: a, channel: b}"), 18, "both 'path' and 'channel'", ""),
        (
            ("{type: stdout}", "{type: file, path: a}\n  two: {to: log, channel: ./x/../a}"),
            19,
            "sinks 'out' and 'two' write the same file [conflict]",
            "",
        ),
        (("{type: stdout}", "{to: log, channel: gas.csv}"), 18, "a file that source 'gas' reads", ""),
        (
            ("{type: stdout}", "{to: log, channel: '{pattern}.csv'}"),
            18,
            "put in for {pattern}",
            "no templates",
        ),
        (("{type: stdout}", "{type: stdout, patterns: []}"), 18, "'patterns' is an empty list", ""),
        (
            ("{type: stdout}", "{type: stdout, of: late, patterns: [fire]}"),
            18,
            "says nothing about late events",
            "",
        ),
    ],
    "retention": [
        (("name: kitchen", "retention: {time: 10}"), 2, "'time' needs a unit: 10s", "or write 'auto'"),
        (("name: kitchen", "retention: {event: 10}"), 2, "'retention' has no key 'event'", "mean 'events'?"),
        (("name: kitchen", "retention: {events: 0}"), 2, "'events' must be at least 1", ""),
        (("name: kitchen", "retention: {bytes: 0}"), 2, "'bytes' must be at least 1", ""),
    ],
}


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"), [case for cases in MISTAKES.values() for case in cases]
)
def test_a_mistake_is_named_where_it_stands(
    check: Check, change: tuple[str, str], line: int, said: str, hint: str
) -> None:
    assert change[0] in GOOD
    loaded = check(GOOD.replace(*change, 1))
    assert loaded.config is None
    found = [p for p in loaded.problems if p.severity == "error" and p.place and p.place.line == line]
    assert any(said in str(p) and hint in p.hint for p in found), "\n".join(map(str, loaded.problems))


FOLLOWED = [
    ("{limit: 40}", "{limit: [1, 2]}"),
    ("{limit: 40}", "40"),
    ("{type: file}", "file"),
    ("{log: {type: file}}", "5"),
    ("as: GasLeak", "as: GasLeak, payload: {percentage: flot}"),
    ("as: GasLeak", "as: GasLeak, payload: [percentage, 5]"),
    ("$limit", "${limit}"),
    ("engine: maximal", "engine: ${ENGINE}"),
    ("engine: maximal", "results: {max_per_end: '${MOST}'}"),
    ("gas.csv", '"${FILE}"'),
    ("from: log", 'from: "${CONNECTOR}"'),
    ("as: GasLeak", 'as: "${TYPE}"'),
    ("as: GasLeak", 'as: GasLeak, key: "${KEY}"'),
    ("{type: stdout}", '{type: "${KIND}", path: x}'),
    ("{type: stdout}", '{type: stdout, patterns: ["${PATTERN}"]}'),
    ("engine: maximal", "results: {emit: final, horizon: -5s}"),
]


@pytest.mark.parametrize("change", FOLLOWED)
def test_what_follows_from_a_mistake_is_not_said(check: Check, change: tuple[str, str]) -> None:
    text = GOOD.replace("\n  log: {type: file}", " {log: {type: file}}") if "log:" in change[0] else GOOD
    assert change[0] in text
    [problem] = check(text.replace(*change, 1)).problems
    assert problem.severity == "error"


@pytest.mark.parametrize("kind", ["engine", "codec"])
def test_nothing_that_the_file_names_is_left_out_without_a_word(
    check: Check, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    read = Components.read

    def forgetful(self: Components, of: str, *args: Any, **more: Any) -> Any:
        return None if of == kind else read(self, of, *args, **more)

    monkeypatch.setattr(Components, "read", forgetful)
    loaded = check(GOOD)
    assert loaded.config is None
    assert [p.code for p in loaded.problems if p.severity == "error"] == ["not-read"]


def test_names_that_are_not_available_are_not_offered(check: Check) -> None:
    text = GOOD.replace("name: kitchen", "zzz: 1").replace("select: stnm", "zzz: 1")
    for problem in check(text).problems:
        assert problem.hint.startswith("known: ")
        assert "observers" not in problem.hint[7:].split(", ")


def test_a_connector_may_name_the_file_of_its_only_sink(check: Check) -> None:
    text = GOOD.replace("{type: file}", "{type: file, path: out}").replace("{type: stdout}", "{to: log}")
    config = check(text).config
    assert config is not None
    assert config.sinks[0].channel == "out"


def test_control_characters_reach_no_terminal(check: Check) -> None:
    for text in (GOOD.replace("kitchen", '"a\\e[31mb\\u202e"'), GOOD.replace("kitchen", "a\x1b[31mb")):
        [problem] = check(text).problems
        assert "\x1b" not in str(problem)
        assert "\u202e" not in str(problem)


def test_all_mistakes_are_named_at_once(check: Check) -> None:
    text = GOOD
    changes = (
        ("{type: file}", "{type: file, rot: x}"),
        ("gas:  {from: log", "gas:  {from: lag"),
        ("GasLeak a", "GasLeek a"),
        ("a.percentage", "x.percentage"),
        ("select: stnm", "selct: stnm"),
        ("engine: maximal", "engine: maximl"),
        ("{type: stdout}", "{to: lag}"),
    )
    for change in changes:
        text = text.replace(*change, 1)
    lines = [p.place.line for p in check(text).problems if p.place]
    assert lines == [5, 7, 12, 13, 15, 16, 18]


def test_a_problem_shows_the_line_with_a_caret(check: Check) -> None:
    [problem] = check(GOOD.replace("SEQ(GasLeak a", "SEQ(GasLeek a")).problems
    assert str(problem).splitlines()[1:3] == [
        "          PATTERN SEQ(GasLeek a, Temperature{2} b[])",
        "                      ^^^^^^^",
    ]


def test_a_file_in_one_long_line_is_shown_in_part(check: Check) -> None:
    text = json.dumps(yaml.safe_load(GOOD)).replace("GasLeak a", "GasLeek a")
    [problem] = check(text).problems
    _, shown, carets, _ = str(problem).splitlines()
    assert len(shown) < 140
    assert shown[carets.index("^") :].startswith("GasLeek a")


def test_a_file_that_is_not_there_is_a_problem(registry: Registry, tmp_path: Path) -> None:
    [problem] = load(tmp_path / "none.yaml", registry).problems
    assert str(problem) == (
        f"{tmp_path}/none.yaml: error: cannot be read: No such file or directory [unreadable-file]"
    )


@pytest.mark.parametrize("text", ["- 1\n", "5\n", "just text\n"])
def test_a_file_that_is_no_block_is_a_problem(check: Check, text: str) -> None:
    [problem] = check(text).problems
    assert "a pipeline is a block of keys, not" in problem.message


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (gas("from: log, channel: gas.csv, as: GasLeak, id: id"), "no-time"),
        (("type: file}", "type: file}\n  more: {type: broker, url: x}"), "unused-connector"),
        (("as: Temperature", "as: Humidity"), "unknown-type"),
        (
            ("patterns:", "  smoke: {from: log, channel: s.csv, as: Smoke, time: ts}\npatterns:"),
            "unused-type",
        ),
        (("as: GasLeak", "as: {field: t, map: {G: Gas}}"), "unmapped-type"),
        (("epoch_s}}\n  t", "epoch_s, zone: UTC}}\n  t"), "idle-zone"),
        (("epoch_s}}\n  t", "filetime, zone: Europe/Athens}}\n  t"), "idle-zone"),
        (("epoch_s}}\n  t", "epoch_s, fold: order}}\n  t"), "idle-fold"),
        (("epoch_s}}\n  t", "iso8601, zone: UTC, fold: second}}\n  t"), "idle-fold"),
        (("{limit: 40}", "{limit: 40, more: 1}"), "unused-parameter"),
        (("name: kitchen", "retention: {time: 10s}"), "short-retention"),
        (("a.percentage > $limit", "a.percentage > $limit AND 1 = 2"), "never-true"),
        (("a.percentage > $limit", "a.percentage > 1 AND $limit > 50"), "never-true"),
        (("{type: file}", "{type: file, path: x}"), "unused-option"),
        (("as: GasLeak", "max_future_skew: 5s, as: GasLeak"), "no-arrival"),
        (("Temperature{2} b[]", "Temperature+ b[]"), "growing-match"),
        (("Temperature{2} b[]", "Temperature{1,3} b[], !GasLeak c"), "growing-match"),
    ],
)
def test_what_may_surprise_is_a_warning(check: Check, change: tuple[str, str], code: str) -> None:
    loaded = check(GOOD.replace(*change, 1))
    assert code in [p.code for p in loaded.problems]


@pytest.mark.parametrize(("channel", "warned"), [("'m*.csv'", True), ("m.csv", False)])
def test_one_year_for_the_files_of_a_glob_is_a_warning(check: Check, channel: str, warned: bool) -> None:
    time = "{field: ts, format: '%b %d %H:%M:%S', zone: UTC, year: 2026}"
    loaded = check(GOOD.replace(*gas(f"from: log, channel: {channel}, as: GasLeak, time: {time}")))
    assert ("fixed-year" in [p.code for p in loaded.problems]) is warned
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("structure", "results"),
    [
        ("GasLeak a, Temperature+ b[], GasLeak c", "{emit: eager}"),
        ("GasLeak a, Temperature+ b[], GasLeak? c", "{emit: eager}"),
        ("GasLeak a, Temperature+ b[]", "{emit: complete}"),
        ("GasLeak a, Temperature+ b[]", "{emit: final, horizon: 1m}"),
    ],
)
def test_a_match_that_does_not_go_out_again_and_again_is_no_surprise(
    check: Check, structure: str, results: str
) -> None:
    text = GOOD.replace("GasLeak a, Temperature{2} b[]", structure)
    assert check(text.replace("engine: maximal", f"results: {results}")).problems == []


@pytest.mark.parametrize(
    ("lateness", "results"),
    [("{type: accept, within: 5s}", "{emit: final}"), ("accept", "{emit: final, horizon: 1m}")],
)
def test_what_is_final_is_told_by_a_bound_or_a_horizon(check: Check, lateness: str, results: str) -> None:
    text = GOOD.replace("engine: maximal", f"lateness: {lateness}\n    results: {results}")
    assert check(text).problems == []


def test_a_horizon_says_nothing_where_nothing_is_called_final(check: Check) -> None:
    (problem,) = check(GOOD.replace("engine: maximal", "results: {emit: eager, horizon: 1m}")).problems
    assert (problem.code, problem.severity) == ("unused-option", "warning")
    assert problem.message.startswith("'horizon' does nothing")


@pytest.mark.parametrize(
    ("channel", "more", "warned"),
    [
        ("home/+/gas", "", True),
        ("home/#", "", True),
        ("home/k1/gas", "", False),
        ("home/+/gas", ", id: id", False),
        ("home/+/gas", ", key: '$topic[1]'", False),
        ("+/gas", ", key: '$topic[0]'", False),
    ],
)
def test_many_channels_without_identity_are_a_warning(
    check: Check, channel: str, more: str, warned: bool
) -> None:
    text = GOOD.replace("{type: file}", "{type: broker, url: x}").replace("gas.csv", "gas", 1)
    text = text.replace(
        GAS.replace("gas.csv", "gas"), f"{{from: log, channel: {channel}, as: GasLeak, {TS}{more}}}"
    )
    loaded = check(text)
    assert ("no-identity" in [p.code for p in loaded.problems]) is warned
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("keys", "partition", "right"),
    [
        ("payload: [percentage, room.name]", "room", True),
        ("payload: [percentage], key: device", "device", True),
        ("payload: [percentage], key: '$topic[1]'", "key", True),
        ("payload: [percentage], id: id", "device", False),
        ("id: id", "anything", True),
        ("payload: {'*': any, percentage: float}", "anything", True),
        ("payload: ['*']", "anything", True),
        ("payload: [percentage, id.orig_h]", "id.orig_h", True),
        ("payload: [percentage, id.orig_h]", "`id.orig_h`", True),
        ("payload: [percentage, '`id.orig_h`']", "id.orig_h", True),
        ("payload: [percentage, '`id.orig_h`']", "`id.orig_h`", True),
        ("payload: [percentage, '`id.orig_h`']", "id.resp_h", False),
        ("payload: [percentage, '`x.v`']", "x", False),
        ("payload: [percentage], key: '`x.v`'", "x.v", True),
        ("payload: [percentage]", "id", True),
    ],
)
def test_attributes_are_known_where_the_payload_is_declared(
    check: Check, keys: str, partition: str, right: bool
) -> None:
    text = GOOD.replace(*gas(f"from: log, channel: a.csv, as: GasLeak, {TS}, {keys}"), 1)
    text = text.replace("seconds\n", f"seconds PARTITION BY {partition}\n")
    assert (check(text).config is not None) is right


def test_a_pipeline_without_sources_can_only_be_fed(check: Check) -> None:
    begin, end = GOOD.index("sources:"), GOOD.index("patterns:")
    loaded = check(GOOD[:begin] + GOOD[end:])
    assert "no-sources" in [p.code for p in loaded.problems]
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("patterns", "said"),
    [("", "a pipeline needs 'patterns'"), ("  {}\n", "there is no pattern in 'patterns'")],
)
def test_a_pipeline_without_patterns_is_refused(check: Check, patterns: str, said: str) -> None:
    begin, end = GOOD.index("  fire:"), GOOD.index("sinks:")
    loaded = check(GOOD[:begin] + patterns + GOOD[end:])
    assert loaded.config is None
    assert said in [p.message for p in loaded.problems]
