"""Problems are collected, each once, and given by place."""

from __future__ import annotations

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.text import SourceText
from limecep.problems import Place, Problem


def at(line: int, column: int = 1, file: str = "f.yaml") -> Place:
    return Place(file=file, line=line, column=column)


def test_errors_fail_and_warnings_do_not() -> None:
    findings = Findings()
    assert not findings.failed
    findings.warning("odd", "it is odd", at(1), "look at it")
    assert not findings.failed
    findings.error("bad", "it is bad", at(2), "mend it")
    assert findings.failed
    assert findings.sorted() == [
        Problem(code="odd", message="it is odd", hint="look at it", severity="warning", place=at(1)),
        Problem(code="bad", message="it is bad", hint="mend it", severity="error", place=at(2)),
    ]


def test_they_are_given_by_file_line_and_column_and_first_those_without_a_place() -> None:
    findings = Findings()
    places = [at(2, 1), at(1, 9), at(1, 2), at(9, 9, "e.yaml"), None]
    for place in places:
        findings.error("bad", "it is bad", place)
    assert [p.place for p in findings.sorted()] == places[::-1]


def test_the_same_problem_counts_once_and_the_same_warning_elsewhere_is_told_with_it() -> None:
    findings = Findings()
    for line in (3, 3, 7):
        findings.error("bad", "it is bad", at(line))
        findings.warning("odd", "it is odd", at(line))
    assert [(p.code, p.place, p.also) for p in findings.sorted()] == [
        ("bad", at(3), ()),
        ("odd", at(3), (at(7),)),
        ("bad", at(7), ()),
    ]


def test_a_node_stands_for_its_place() -> None:
    findings = Findings()
    node = parse(SourceText("f.yaml", "\n  x\n"), findings)
    findings.error("bad", "it is bad", node)
    [problem] = findings.sorted()
    assert str(problem.place) == "f.yaml:2:3"
