"""Whatever is done to a right file, what comes is problems with places, never a traceback."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import Block
from limecep.config.text import SourceText

if TYPE_CHECKING:
    from conftest import Check

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))

GOOD = """\
version: 1
name: kitchen
params: {limit: 40}
connectors:
  log: {type: file, root: "${ROOT:-.}"}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     id: id, time: {field: ts, format: epoch_s}}
  temp: {from: log, channel: temp.csv, as: Temperature, id: [a, b], time: &t {field: ts, format: "%Y%z"}}
  more: {type: file, channel: m.csv, as: {field: t, map: {A: B}}, time: *t, payload: {v: float}, every: 5s}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature+ b[])
      WHERE a.percentage > $limit AND b[i+1].value > b[i].value
      WITHIN 30 seconds
    select: stnm
    lateness: {type: score, weights: [0.5, 0.25, 0.25]}
    results: {emit: eager, max_per_end: 5}
sinks:
  out: {type: stdout, events: ids}
  late: {to: log, channel: x, of: late}
retention: {time: 10m}
"""

_MARKS = "{}[]:,#&*!|>'\"%@`-?$\\\n\t \r\0~é\u2028\ufeff"
_WORDS = (
    "${", "${X}", "$${", ": ", "- ", "---\n", "<<: *t", "&t ", "*t", "!!int ", "null", "true", "1.5", "-1",
    "0x1F", ".nan", '""', "''", "${X:-}", "[]", "{}", "{a: 1}", "30s", "10%", "SEQ(", "WITHIN ", "b[i].",
)  # fmt: skip
_TOKENS = st.sampled_from([*_MARKS, *_WORDS])
_EDIT = st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), st.lists(_TOKENS, max_size=3).map("".join))


def edited(edits: list[tuple[int, int, str]]) -> str:
    text = GOOD
    for start, length, by in edits:
        text = text[:start] + by + text[start + length :]
    return text


def named(text: str, key: str) -> set[str]:
    """What a block of a file names."""
    root = parse(SourceText("kitchen.yaml", text.removeprefix("\ufeff")), Findings())
    block = root.get(key) if isinstance(root, Block) else None
    return set(block.entries) if isinstance(block, Block) else set()


def test_a_right_file_names_what_is_in_its_configuration(check: Check) -> None:
    config = check(GOOD).config
    assert config is not None
    assert named(GOOD, "patterns") == {"fire"} == {p.name for p in config.patterns}
    assert named(GOOD, "sources") == {"gas", "temp", "more"} == {s.name for s in config.sources}
    assert named(GOOD, "sinks") == {"out", "late"} == {s.name for s in config.sinks}


@settings(
    max_examples=EXAMPLES // 2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(_EDIT, min_size=1, max_size=4).map(edited))
def test_every_problem_of_a_damaged_file_has_a_place_in_it(check: Check, text: str) -> None:
    loaded = check(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert (loaded.config is None) == any(p.severity == "error" for p in loaded.problems)
    if loaded.config is not None:
        for key in ("patterns", "sources", "sinks"):
            assert named(text, key) <= {c.name for c in getattr(loaded.config, key)}
    for problem in loaded.problems:
        assert problem.message
        assert problem.place is not None
        assert problem.place.file.endswith("kitchen.yaml")
        assert 1 <= problem.place.line <= len(lines)
        assert 1 <= problem.place.column <= len(lines[problem.place.line - 1]) + 1
        assert problem.place.text == lines[problem.place.line - 1]
        assert str(problem)


@settings(
    max_examples=EXAMPLES // 6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=60), st.integers(0, len(GOOD)))
def test_bytes_that_are_no_text_are_problems_too(check: Check, data: bytes, at: int) -> None:
    loaded = check(GOOD.encode()[:at] + data + GOOD.encode()[at:])
    assert all(p.place is not None and p.place.line >= 1 for p in loaded.problems)
