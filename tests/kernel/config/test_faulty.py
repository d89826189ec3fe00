"""A plugin whose options fail is reported with the place of the mistake."""

from __future__ import annotations

from limecep.config.faulty import report
from limecep.config.findings import Findings
from limecep.config.nodes import Scalar
from limecep.config.text import SourceText, TextOrigin


def test_the_exception_and_where_it_was_raised_are_told() -> None:
    findings = Findings()
    where = Scalar(value="x", text="x", origin=TextOrigin(SourceText("p.yaml", "x"), 0, 1, None, "x"))
    try:
        raise KeyError("mine")
    except KeyError as error:
        report("sink 'x'", error, where, findings)
    (problem,) = findings.sorted()
    assert problem.message == "the options of sink 'x' raise KeyError: 'mine'"
    assert f"{__file__}:" in problem.hint
