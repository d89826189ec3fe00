"""docs/errors.md: every mistake that `limecep check` can name, with what it says.

Run as a program, this module prints the page anew.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from limecep import ComponentSpec, Pipeline, cli, option
from limecep.cli import check
from limecep.cli.accounting import accounting
from limecep.host import Host
from limecep.registry import Registry

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/errors.md"

GOOD = """\
version: 1
name: kitchen
params: {limit: 40}
connectors:
  log: {type: file}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     time: ts, id: id, payload: [percentage, room]}
  temp: {from: log, channel: temp.csv, as: Temperature, time: {field: ts, format: epoch_s}}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature{2} b[])
      WHERE a.percentage > $limit AND b[i+1].celsius > b[i].celsius
      WITHIN 30 seconds
    select: stnm
    engine: maximal
sinks:
  out: {type: stdout}
"""
GAS = "id,ts,percentage,room\ng1,2026-01-05T10:00:00Z,62,k1\n"
GAS_JSON = '{"id": "g1", "ts": "2026-01-05T10:00:00Z", "percentage": 62, "room": ["k1", "k2"]}\n'
TEMP = "ts,celsius,room\n1767607205,24.1,k1\n1767607210,27,k1\n"
BROKER = "{type: mqtt, url: 'mqtt://localhost', id: id,"
SOURCE = "{from: log, channel: temp.csv, as: Temperature, time: {field: ts, format: epoch_s}}"
TAIL = GOOD[GOOD.index("  temp: ") :]
TAILS = GOOD[GOOD.index("    select") :]
QUERY = GOOD[GOOD.index("      PATTERN") : GOOD.index("    select")]


@dataclass(frozen=True)
class Mistake:
    """What is put in the place of what, what is set besides, and the files of which samples are taken."""

    code: str
    old: str = ""
    new: str | bytes = ""
    overrides: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    def data(self) -> bytes:
        assert self.old in GOOD
        if isinstance(self.new, bytes):
            return GOOD.encode().replace(self.old.encode(), self.new, 1)
        return (GOOD.replace(self.old, self.new, 1) if self.old else self.new or GOOD).encode()


def query(code: str, text: str) -> Mistake:
    return Mistake(code, QUERY, "".join(f"      {line}\n" for line in text.split("\n")))


def returned(code: str, values: str) -> Mistake:
    """A mistake in RETURN."""
    return query(code, f"PATTERN SEQ(GasLeak a, Temperature+ b[])\nWITHIN 30 seconds\nRETURN {values}")


def sampled(
    code: str, old: str = "", new: str = "", *, gas: str | None = None, temp: str | None = None
) -> Mistake:
    """One that samples of the sources show; a file that is "" is not there."""
    files = (("gas.csv", GAS if gas is None else gas), ("temp.csv", TEMP if temp is None else temp))
    return Mistake(code, old, new, files=tuple(file for file in files if file[1]))


def asked(condition: str) -> tuple[str, str]:
    return "b[i+1].celsius > b[i].celsius", condition


def where(code: str, condition: str, structure: str = "SEQ(GasLeak a, Temperature+ b[])") -> Mistake:
    return query(code, f"PATTERN {structure}\nWHERE {condition}\nWITHIN 30 seconds")


LIMITS = "room,max,since\nk1,40,2026-01-01T00:00:00Z\nk2,55,2026-01-01T00:00:00Z\n"


def tabled(
    code: str,
    condition: str = "a.percentage > limits[a.room].max",
    *,
    rows: str = LIMITS,
    more: str = "",
    key: str = "room",
    channel: str = "limits.csv",
    structure: str = "SEQ(GasLeak a, Temperature b)",
) -> Mistake:
    """One about a table of limits."""
    block = f"tables:\n  limits: {{from: files, channel: {channel}, key: {key}{more}}}\n"
    text = f"      PATTERN {structure}\n      WHERE {condition}\n      WITHIN 30 seconds\n"
    new = f"{block}{GOOD[GOOD.index('connectors') : GOOD.index(QUERY)]}{text}"
    old = GOOD[GOOD.index("connectors") : GOOD.index(QUERY) + len(QUERY)]
    files = [("gas.csv", GAS), ("temp.csv", TEMP), *([(channel, rows)] if rows else [])]
    return Mistake(code, old, new, files=tuple(files))


MISTAKES: dict[str, list[Mistake]] = {
    "The file": [
        Mistake("empty", new="# nothing yet\n"),
        Mistake("not-yaml", "{limit: 40}", "{limit: 40"),
        Mistake("not-utf8", "kitchen", b"k\xfcche"),
        Mistake("duplicate-key", "name: kitchen", "name: kitchen\nname: hall"),
        Mistake("wrong-key", "{limit: 40}", "{[limit]: 40}"),
        Mistake("unknown-tag", "kitchen", "!name kitchen"),
        Mistake("merge-key", "name: kitchen", "<<: {name: kitchen}"),
        Mistake("recursive-alias", "{limit: 40}", "&all {limit: *all}"),
        Mistake("too-large", "{limit: 40}", "\n" + "".join(
            f"  {name}: &{name} [{', '.join([f'*{below}'] * 40 if below else ['1'] * 40)}]\n"
            for below, name in zip(["", *"abc"], "abcd", strict=True)
        ).rstrip()),
    ],
    "Keys and values": [
        Mistake("unknown-key", "select: stnm", "selct: stnm"),
        Mistake("missing-key", "channel: gas.csv,  ", ""),
        Mistake("wrong-type", "name: kitchen", "name: 5"),
        Mistake("wrong-version", "version: 1", "version: 2"),
        Mistake("bad-value", "select: stnm", "select: stmn"),
        Mistake("bad-quantity", "id: id, payload", "id: id, every: 5, payload"),
        Mistake("bad-name", "  fire:", "  gas fire:"),
        Mistake("conflict", "gas:  {from: log", "gas:  {from: log, type: file"),
    ],
    "The environment and `--set`": [
        Mistake("unset-variable", "gas.csv", '"${GAS_FILE}"'),
        Mistake("bad-reference", "gas.csv", '"${GAS-FILE}"'),
        Mistake("unreadable-file", "gas.csv", '"${file:secrets/gas}"'),
        Mistake("bad-override", overrides=("params.limit",)),
        Mistake("unknown-name", overrides=("patterns.fier.select=stam",)),
    ],
    "Components": [
        Mistake("unknown-component", "engine: maximal", "engine: maximl"),
        Mistake("plugin-missing", "name: kitchen", "name: kitchen\nplugins: [./mine.py]"),
        Mistake("missing-module", "log: {type: file}", "log: {type: broker}"),
        Mistake("unknown-connector", "gas:  {from: log", "gas:  {from: lag"),
        Mistake("unused-option", "log: {type: file}", "log: {type: file, path: fires.jsonl}"),
        Mistake("unused-connector", "log: {type: file}", "log: {type: file}\n  more: {type: file}"),
        Mistake("no-horizon", "engine: maximal", "results: {emit: final}"),
        Mistake("unsupported-select", "stnm\n    engine: maximal", "sc\n    engine: mine"),
        Mistake("unruly-absence", f"{QUERY}    select: stnm\n    engine: maximal",
                "      PATTERN SEQ(GasLeak a, !Temperature t) WHERE a.percentage > $limit WITHIN 30 seconds\n"
                "    engine: best"),
    ],
    "Sources and sinks": [
        Mistake("missing-format", "gas.csv", "gas.log"),
        Mistake("bad-field", "id: id, payload", "id: '$topc[1]', payload"),
        Mistake("bad-time-format", "epoch_s", "epoch_x"),
        Mistake("missing-zone", "epoch_s", "'%Y-%m-%d %H:%M:%S'"),
        Mistake("bad-zone", "epoch_s", "iso8601, zone: Europe/Athen"),
        Mistake("idle-zone", "epoch_s", "epoch_s, zone: UTC"),
        Mistake("idle-fold", "epoch_s", "iso8601, zone: UTC, fold: order"),
        Mistake("no-year", "epoch_s", "'%b %d %H:%M:%S', zone: UTC, year: arrival"),
        Mistake("fixed-year", SOURCE, f"{BROKER} channel: temp, as: Temperature,\n"
                "         time: {field: ts, format: '%b %d %H:%M:%S', zone: UTC, year: 2026}}"),
        Mistake("no-time", "time: ts, id: id", "id: id"),
        Mistake("no-arrival", "as: GasLeak,     ", "as: GasLeak, max_future_skew: 5s,"),
        Mistake("no-identity", "{from: log, channel: temp.csv,", "{type: live, channel: home/+/temp,"),
        Mistake("bad-channel", "{from: log, channel: temp.csv,", f"{BROKER} channel: home/#/temp,"),
        Mistake("echo", TAIL, TAIL.replace("{from: log,", BROKER).replace("temp.csv", "home/#").replace(
            "{type: stdout}", "{type: mqtt, url: 'mqtt://localhost', channel: home/fires}")),
        Mistake("delivery", "{from: log, channel: temp.csv,", f"{BROKER} channel: home/temp,"),
        Mistake("no-sources", GOOD[GOOD.index("sources:") : GOOD.index("patterns:")], ""),
        Mistake("unused-type", "as: GasLeak,     ", "as: {field: type, map: {g: GasLeak, s: Smoke}},"),
        Mistake("unmapped-type", "as: GasLeak,     ", "as: {field: type, map: {g: Gas}},"),
        Mistake("unused-parameter", "{limit: 40}", "{limit: 40, window: 30}"),
        Mistake("growing-match", "Temperature{2}", "Temperature+"),
        Mistake("costly-condition", QUERY,
                "      PATTERN SEQ(Temperature+ b, GasLeak a)\n"
                "      WHERE a.percentage > $limit AND a.percentage > avg(b.celsius)\n"
                "      WITHIN 30 seconds\n"),
        Mistake("many-matches", "select: stnm", "select: stam"),
        Mistake("exponential-matches", "Temperature{2}", "Temperature+", ("patterns.fire.select=stam",)),
        Mistake("short-retention", "name: kitchen", "retention: {time: 10s}"),
        Mistake("no-finals", "{type: stdout}", "{type: kafka, brokers: localhost, channel: c, mode: final}"),
        Mistake("missing-file", "{type: stdout}",
                "{type: mqtt, url: 'mqtts://localhost', channel: alerts, tls_ca: ca.pem}"),
        Mistake("unknown-pattern", "{type: stdout}", "{type: stdout, patterns: [fier]}"),
        Mistake("idle-repeat", "sinks:\n  out: {type: stdout}",
                "  acked: {query: PATTERN SEQ(GasLeak k) WITHIN 1 second PARTITION BY room}\n"
                "sinks:\n  out: {type: stdout, repeat: {every: 10m, until: acked}}"),
        Mistake("unfilled-gap", "{type: stdout}",
                "{type: kafka, brokers: localhost, channel: 'alerts.{values.room}'}"),
        Mistake("unhidden-value", f"WITHIN 30 seconds\n{TAILS}",
                f"WITHIN 30 seconds\n      RETURN a.room AS place\n{TAILS}".replace(
                    "{type: stdout}", "{type: stdout, through: [{type: mask, fields: [room]}]}")),
        Mistake("recorded-repeat", "{type: stdout}", "{type: stdout, repeat: {every: 10m}}"),
        Mistake("untold-events", "{type: stdout}",
                "{type: stdout, events: ids, through: [{type: message, text: 'gas in {a.room}'}]}"),
        Mistake("unknown-field", "{type: stdout}",
                "{type: stdout, through: [{type: keep, fields: [pattern, valeus]}]}"),
        Mistake("derive-cycle", QUERY,
                "      PATTERN SEQ(GasLeak a, !Fire b)\n      WHERE a.percentage > $limit\n"
                "      WITHIN 30 seconds\n    derive: {as: Fire}\n"),
        Mistake("idle-outbox", "{type: stdout}", "{type: stdout, outbox: {bytes: 1MB}}"),
    ],
    "Reading a query": [
        query("missing-pattern", "SEQ(GasLeak a, Temperature b) WITHIN 30 seconds"),
        query("misspelt-keyword", "PATTERN SEQ(GasLeak a)\nWEHRE a.percentage > 5\nWITHIN 30 seconds"),
        query("missing-within", "PATTERN SEQ(GasLeak a)"),
        query("clause-order", "PATTERN SEQ(GasLeak a)\nWITHIN 30 seconds\nWHERE a.percentage > 5"),
        returned("unnamed-value", "avg(b.celsius)"),
        query("unknown-unit", "PATTERN SEQ(GasLeak a) WITHIN 30 secondz"),
        query("bad-duration", "PATTERN SEQ(GasLeak a) WITHIN 0.5 us"),
        query("unexpected-end", "PATTERN SEQ(GasLeak a) WITHIN 30"),
        query("syntax", "PATTERN SEQ(GasLeak a)\nWHERE a.percentage >\nWITHIN 30 seconds"),
        query("unclosed-bracket", "PATTERN SEQ(GasLeak a\nWITHIN 30 seconds"),
        query("unmatched-bracket", "PATTERN SEQ(GasLeak a)) WITHIN 30 seconds"),
        where("unclosed-quote", "a.room = 'kitchen"),
        where("bad-escape", r"a.room = '\k'"),
        where("bad-number", "a.percentage > 1e999"),
        where("foreign-operator", "a.percentage > 40 || a.room = 'k1'"),
        where("comparison-chain", "5 < a.percentage < 40"),
        query("misplaced-structure", "PATTERN SEQ(GasLeak a, OR(GasLeak b, GasLeak c)) WITHIN 30 seconds"),
        query("keyword-as-name", "PATTERN SEQ(GasLeak in) WITHIN 30 seconds"),
        query("two-quantifiers", "PATTERN SEQ(GasLeak+ a+) WITHIN 30 seconds"),
        query("missing-quantifier", "PATTERN SEQ(GasLeak a[]) WITHIN 30 seconds"),
        where("missing-attribute", "a > 40"),
        where("unknown-function", "cuont(b) > 3"),
        where("bad-argument", "avg(b) > 3"),
        where("bad-index", "b[j+1].celsius > b[j].celsius"),
        where("misplaced-partition", "a.percentage > 40 OR [room]"),
        where("too-deep", "a.percentage" + " + 1" * 120 + " > 5"),
    ],
    "What a query means": [
        query("unknown-type", "PATTERN SEQ(GasLeek a) WITHIN 30 seconds"),
        where("unknown-variable", "x.percentage > 40"),
        where("unknown-attribute", "a.percent > 40"),
        where("argument-value", "hour(a.time, 'Europe/Atlantis') > 3"),
        where("argument-kind", "lower(5) = 'x'"),
        where("value-kind", "length(a.room) = 'k1'"),
        where("unknown-parameter", "a.percentage > $limt"),
        query("duplicate-variable", "PATTERN SEQ(GasLeak a, Temperature a) WITHIN 30 seconds"),
        query("negated-elsewhere",
              "PATTERN OR(SEQ(GasLeak a, Temperature b), SEQ(GasLeak a, !Temperature b))\nWITHIN 30 seconds"),
        query("negated-quantifier", "PATTERN SEQ(GasLeak a, !Temperature+ b) WITHIN 30 seconds"),
        query("only-negated", "PATTERN SEQ(!GasLeak a, !Temperature b) WITHIN 30 seconds"),
        query("empty-quantifier", "PATTERN SEQ(GasLeak{3,2} a) WITHIN 30 seconds"),
        query("too-many-orders",
              f"PATTERN AND({', '.join(f'GasLeak {v}' for v in 'abcdefgh')}) WITHIN 30 seconds"),
        where("mixed-index", "b[i+1].celsius > b.celsius"),
        where("two-negated", "a.percentage > c.celsius", "SEQ(!GasLeak a, GasLeak b, !Temperature c)"),
        where("negated-group", "count(a) > 1", "SEQ(!GasLeak a, Temperature b)"),
        where("never-compared", "a[i+1].percentage > a[i].percentage"),
        where("never-there", "a[2].percentage > 40"),
        where("constant-count", "count(a) = 1"),
        where("never-true", "$limit > 50"),
        where("text-attribute", "a.id = 17"),
        where("order-of-null", "a.percentage > null"),
        query("empty-window", "PATTERN SEQ(GasLeak a, Temperature b) WITHIN 0 seconds"),
        query("negated-in-and", "PATTERN AND(GasLeak a, !Temperature b) WITHIN 30 seconds"),
        query("variable-in-partition", "PATTERN SEQ(GasLeak a) WITHIN 30 seconds PARTITION BY a.room"),
        returned("group-value", "b.celsius AS heat"),
        returned("index-value", "b[i].celsius AS heat"),
        query("negated-value",
              "PATTERN SEQ(!GasLeak a, Temperature b)\nWITHIN 30 seconds\nRETURN a.room AS room"),
        returned("value-twice", "a.room AS room, last(b).room AS room"),
    ],
    "Tables": [
        tabled("unread-table", rows=""),
        tabled("bad-row", rows=LIMITS + "k3,60\n"),
        tabled("duplicate-row", rows=LIMITS + "k1,45,2026-02-01T00:00:00Z\n"),
        tabled("empty-table", rows="room,max,since\n"),
        tabled("table-rows", rows='{"room": "k1", "max": NaN}\n', channel="limits.jsonl"),
        tabled("unknown-column", "a.percentage > limits[a.room].maximum"),
        tabled("unused-table", "a.percentage > 40"),
        tabled("unknown-table", "a.percentage > limit[a.room].max"),
        tabled("table-key", "a.percentage > limits.max"),
        tabled("absent-row", "a.percentage > limits['k3'].max"),
        tabled("no-end-event", "a.percentage > limits['k1'].max", more=", from_time: since",
               structure="SEQ(GasLeak a, Temperature? b)"),
    ],
    "What `--sample` finds": [
        sampled("unreadable-source", gas=""),
        sampled("empty-source", temp="ts,celsius,room\n"),
        sampled("all-invalid", temp=TEMP.replace(",", ";")),
        sampled("some-invalid", temp=TEMP + "soon,29,k1\n"),
        sampled("unconverted", "[percentage, room]", "{percentage: float, room: str}",
                gas=GAS.replace("62", "high")),
        Mistake("clock-change", "epoch_s}", "iso8601, zone: Europe/Athens}", files=(
            ("gas.csv", GAS), ("temp.csv", "ts,celsius\n2026-10-25T03:30:00,24\n2026-10-25T05:30:00,27\n"))),
        sampled("absent-field", "[percentage, room]", "{percentage: float, rom: str}"),
        sampled("unnamed-type", "as: Temperature", "as: {field: kind}",
                temp="ts,kind,celsius\n1767607205,Temperature,24.1\n1767607210,Smoke,\n"),
        sampled("odd-time", "format: epoch_s", "format: epoch_ms"),
        sampled("absent-type", "as: Temperature", "as: {field: kind}",
                temp="ts,kind,celsius\n1767607205,Temprature,24.1\n"),
        sampled("absent-attribute", *asked("b[i+1].Celsius > b[i].celsius")),
        Mistake("no-key", "WITHIN 30 seconds\n", "WITHIN 30 seconds PARTITION BY room\n",
                ("sources.gas.format=json",), (("gas.csv", GAS_JSON), ("temp.csv", TEMP))),
        sampled("kinds-differ", *asked("b[i].room > 20")),
        sampled("mixed-kinds", temp=TEMP + "1767607215,off,k1\n"),
    ],
}  # fmt: skip
ALL = [m for mistakes in MISTAKES.values() for m in mistakes]

#: Why a run may have found nothing, by code: the query, and what `limecep run` reads.
RUN = """\
version: 1
sources:
  s: {type: file, channel: s.csv, as: {field: type}, time: ts, key: room}
patterns:
  fire: {query: "PATTERN %s"}
"""
FIRE = "SEQ(GasLeak a, Smoke b)"
ROWS = (
    "GasLeak,2026-01-05T10:00:00Z,k1,62 GasLeak,2026-01-05T10:00:05Z,k1,70 Smoke,2026-01-05T10:00:10Z,k1,12"
)
REASONS: dict[str, tuple[str, str]] = {
    "never-held": (f"{FIRE} WHERE a.level > 80 WITHIN 30 s", ROWS),
    "keys-differ": (f"{FIRE} WITHIN 30 s PARTITION BY room", ROWS.replace("10Z,k1", "10Z,K1")),
    "too-few": ("SEQ(GasLeak{3} a[], Smoke b) WITHIN 30 s", ROWS),
    "never-in-order": ("SEQ(Smoke b, GasLeak a) WITHIN 30 s", ROWS),
    "same-time": (f"{FIRE} WITHIN 30 s", ROWS[ROWS.index(" ") :].replace("00:10Z", "00:05Z")),
    "short-window": (f"{FIRE} WITHIN 30 ms", ROWS),
    "never-fulfilled": (f"{FIRE} WHERE b.level > a.level WITHIN 30 s", ROWS),
}

#: Codes that no pipeline file can cause: those of dictionaries given by a program, of parameters given to a
#: plan, of mistakes in limecep itself, and of plugins, which `limecep plugins list` names, and those that
#: stand in the file of a local plugin.
ELSEWHERE = {
    "not-data", "parameter-value", "shadowed-component", "plugin-import", "plugin-broken",
    "plugin-api", "not-read", "all-late", "plugin-hook", "no-spec", "incomplete-spec", "duplicate-plugin",
    "plugin-kind", "plugin-empty", "plugin-contract", "faulty-plugin", "broken-contract",
    "mistaken-function", "misspelt-member", "misspelt-options",
}  # fmt: skip


#: What is written like a code.
NO_CODES = {
    "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "skip-till-any-match", "skip-till-next-match",
    "strict-contiguity",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    url: str = option("", help="Where it is.")


class WithMore:
    """The components there are, a live source, one whose module is not installed, and an engine that knows no
    strict contiguity."""

    @staticmethod
    def load() -> Any:
        there = Host.load().registry.specs()
        broker = ComponentSpec(
            kind="source", name="broker", factory="x:X", summary="x", requires=("no_such",), extra="broker"
        )
        live = ComponentSpec(kind="source", name="live", factory="x:X", summary="x", options=Live)
        mine = ComponentSpec(
            kind="engine", name="mine", factory="x:X", summary="x", capabilities=frozenset({"stnm", "stam"})
        )
        best = ComponentSpec(
            kind="engine", name="best", factory="x:X", summary="x", capabilities=frozenset({"rule"})
        )
        return type("H", (), {"registry": Registry([*there, broker, live, mine, best])})


def said(mistake: Mistake) -> str:
    """What `limecep check kitchen.yaml` says about a mistake."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(out):
        Path("kitchen.yaml").write_bytes(mistake.data())
        for name, text in mistake.files:
            Path(name).write_text(text)
        more = ["--sample", "100"] if mistake.files else []
        cli.main(["check", "kitchen.yaml", *more, *(a for o in mistake.overrides for a in ("--set", o))])
    # Where files were looked for is somewhere else each time.
    return re.sub(r"/\S+(?=/\w+\.csv\))", "/kitchen", out.getvalue())


def problem(mistake: Mistake) -> str:
    """The part of it that is about the mistake itself."""
    text = said(mistake)
    found = re.search(
        rf"^(?:kitchen\.yaml|--set)[^\n]* \[{mistake.code}\]\n(?:    [^\n]*\n)*", text, re.MULTILINE
    )
    assert found, f"{mistake.code} is not in\n{text}"
    return found.group()


def reason(code: str) -> str:
    """The line with which a run tells why it found nothing."""
    query_, rows = REASONS[code]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "fire.yaml").write_text(RUN % query_)
        Path(folder, "s.csv").write_text("\n".join(["type,ts,room,level", *rows.split()]) + "\n")
        pipeline = Pipeline.from_yaml(Path(folder, "fire.yaml"), overrides=["sinks={o: {type: none}}"])
        pipeline.run()
        pipeline.close()
    report = pipeline.report()
    (found,) = report["patterns"]["fire"]["why_none"]
    assert found["code"] == code
    return next(line for line in accounting(report).splitlines() if line.startswith("why none"))


INTRODUCTION = """\
# Errors

`limecep check FILE...` names everything that is wrong with pipelines at once, and `limecep run` refuses them
with the same words. Every problem has a place (`file:line:column`), the line with a caret, a code in
brackets, and where possible what to do. Warnings do not stop a run.

`limecep check FILE --sample 1000` also reads up to so many records of each source that ends by itself, and
says beforehand what a run would say at its end: attributes that no event has, values that do not compare,
records that are invalid. What is live, or can be read only once, is left alone, which it says.

This page has an example for every code. `limecep schema` gives editors a JSON Schema, so that most of what
concerns keys and values is seen while it is written.
"""


NOTHING = """\
## Why a run found nothing

A run tells at its end of every pattern without a match what may be the reason: types and attributes that
never came and kinds that do not compare, as above, or what only events in order can tell. The report has the
reasons under `why_none` of the pattern, each with its code. Up to 10,000 events of each type are looked at.

Under `suspicions` the report has what a pattern could never know, also one that found something: attributes
that no event of a step has, kinds that do not compare, attributes of several kinds. A negated step with such
a condition is never in the way of a match. A terminal shows these as `warning`. Under `absent_fields` of a
source the report has the `key` and the fields of `payload` that no record has.
"""


def page() -> str:
    parts = [INTRODUCTION]
    for title, mistakes in MISTAKES.items():
        parts.append(f"## {title}\n")
        parts += [f"### {m.code}\n\n```text\n{problem(m)}```\n" for m in mistakes]
    parts.append(NOTHING)
    parts += [f"### {code}\n\n```text\n{reason(code)}\n```\n" for code in REASONS]
    return "\n".join(parts)


@pytest.fixture(autouse=True)
def _with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "Host", WithMore)


@pytest.mark.parametrize("mistake", ALL, ids=lambda m: m.code)
def test_the_page_shows_what_is_said(mistake: Mistake) -> None:
    section = re.search(
        rf"^### {mistake.code}\n\n```text\n(.*?)```$", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    assert section, f"docs/errors.md says nothing of {mistake.code}"
    assert problem(mistake) == section.group(1)


def test_the_page_has_nothing_else() -> None:
    assert re.findall(r"^### (.*)$", PAGE.read_text(), re.MULTILINE) == [*(m.code for m in ALL), *REASONS]


@pytest.mark.parametrize("code", REASONS)
def test_the_page_shows_what_is_said_at_the_end(code: str) -> None:
    assert f"### {code}\n\n```text\n{reason(code)}\n```\n" in PAGE.read_text()


def test_every_code_that_there_is_has_an_example() -> None:
    rooms = ("config", "diagnosis", "language", "plan")
    files = [p for f in rooms for p in (ROOT / "limecep" / f).glob("*.py")]
    files += [ROOT / f"limecep/{name}.py" for name in ("asking", "host", "local", "unfound")]
    quoted = {q for p in files for q in re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', p.read_text())}
    codes = quoted - NO_CODES
    assert len(codes) > 60
    assert codes - {m.code for m in ALL} - REASONS.keys() - ELSEWHERE == set()


def test_a_right_file_is_fine() -> None:
    assert said(Mistake("")) == "kitchen.yaml: ok\n"


if __name__ == "__main__":
    check.Host = WithMore  # type: ignore[misc,assignment]
    print(page(), end="")
