"""Whatever stands in a file, on the command line or in the environment: `check` says what is wrong, and what
it passes can be put together."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from limecep import cli
from limecep.cli.exits import Exit
from limecep.host import Host
from limecep.runtime.pipeline import Pipeline

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))

GOOD = """\
version: 1
name: kitchen
params: {limit: 40, door: 'x'}
connectors:
  log: {type: file, root: "${ROOT:-.}"}
sources:
  gas:  {from: log, channel: gas.csv, as: GasLeak, id: id, time: {field: ts, format: epoch_s}, speed: 2}
  temp: {from: log, channel: t.jsonl, as: Temperature, id: [a, b], time: {field: ts, format: "%Y%z"}, key: r}
  more: {type: file, channel: m, format: {type: csv, delimiter: ;}, as: {field: t, map: {A: B}}, time: ts}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, !Door d, Temperature+ b[], (GasLeak OR B){2,3} c)
      WHERE a.percentage > $limit AND b[i+1].v > b[i].v AND avg(b.v) < 5 OR NOT c[1].x IN (1, $door)
      WITHIN 1 h 30 seconds PARTITION BY room
    select: stnm
    engine: maximal
    lateness: {type: accept, within: 10m}
    results: {emit: eager, max_per_end: 5}
sinks:
  out: {type: stdout, events: ids, format: rows}
  late: {to: log, channel: x, of: late}
retention: {time: 10m, events: 5}
"""
_PIECES = [
    *"{}[]:,#&*!|>'\"%@`-?$\\\n\t \r\0~é\u2028\ufeff()+<=/.;0",
    "${", "${X}", "${X:-", "${file:y}", "$${", ": ", "- ", "---\n", "<<: ", "&t ", "*t", "!!int ", "null",
    "true", "1.5", "-1", "1e999", "0x1F", ".nan", "{a: 1}", "30s", "10%", "9" * 500, "PATTERN ", "SEQ(",
    "OR(", "AND(", "WHERE ", "NOT ", "WITHIN ", "PARTITION BY ", "b[i].", "b[i+1].v", "[..i-1]", "count(",
    "avg(b.v)", "$limit", "first(b)", "{2,1}", "*", "IS NULL", "BETWEEN", "skip-till-any-match AND ",
    "type: ", "maximal", "file",
]  # fmt: skip
_EDITS = st.lists(
    st.tuples(
        st.integers(0, len(GOOD)),
        st.integers(0, 12),
        st.lists(st.sampled_from(_PIECES), max_size=3).map("".join),
    ),
    min_size=1,
    max_size=4,
)
#: Where the query begins, and how long it is.
_QUERY = GOOD.index("PATTERN")
_QUERY_LENGTH = GOOD.index("    select") - _QUERY


#: Found once: it is the same for every file, and takes as long as all the rest.
HOST = Host.load()


def edited(edits: list[tuple[int, int, str]]) -> bytes:
    text = GOOD
    for start, length, by in edits:
        text = text[:start] + by + text[start + length :]
    return text.encode()


def in_query(edits: list[tuple[int, int, str]]) -> bytes:
    return edited([(_QUERY + start % _QUERY_LENGTH, length, by) for start, length, by in edits])


def checked(data: bytes, overrides: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """How `limecep check` ends, and what it says."""
    said = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, environment),
        mock.patch.object(Host, "load", return_value=HOST),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        file = Path(folder) / "kitchen.yaml"
        file.write_bytes(data)
        code = cli.main(["check", str(file), *(f"--set={o}" for o in overrides)])
        if code == Exit.FINE:
            # All is made that finds matches, and nothing is written.
            Pipeline.from_yaml(file, overrides=overrides).report()
    return code, said.getvalue()


def only_problems(data: bytes, overrides: list[str], environment: dict[str, str]) -> None:
    code, said = checked(data, overrides, environment)
    assert code in (Exit.FINE, Exit.FOUND_PROBLEMS), said
    assert "Traceback" not in said
    assert (": error: " in said) == (code == Exit.FOUND_PROBLEMS)


@settings(max_examples=EXAMPLES // 5, deadline=None)
@given(_EDITS.map(edited) | _EDITS.map(in_query) | st.binary(max_size=200))
def test_no_file_is_too_much_for_it(data: bytes) -> None:
    only_problems(data, [], {})


_NAMES = st.sampled_from(
    ["X", "ROOT", "params.limit", "patterns.fire.engine", "sources.gas", "sinks", "", "a..b"]
)
_VALUES = st.lists(st.sampled_from(_PIECES), max_size=4).map(lambda v: "".join(v).replace("\0", ""))


@settings(max_examples=EXAMPLES // 6, deadline=None)
@given(
    st.lists(st.builds("{}={}".format, _NAMES, _VALUES) | _VALUES, max_size=3),
    st.dictionaries(st.sampled_from(["X", "ROOT"]), _VALUES, max_size=2),
)
def test_no_command_line_and_no_environment_is_too_much_for_it(
    overrides: list[str], environment: dict[str, str]
) -> None:
    only_problems(GOOD.replace("limit: 40", "limit: '${X:-40}'").encode(), overrides, environment)


def test_what_is_edited_here_is_fine_before() -> None:
    code, said = checked(GOOD.encode(), [], {})
    assert code == Exit.FINE, said
