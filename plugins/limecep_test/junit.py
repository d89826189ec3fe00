"""Results as JUnit's XML, which CI servers show."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from limecep.problems import Problem
    from limecep_test.cases import Result


def written(results: Mapping[Path, Sequence[Result]], refused: Mapping[Path, Sequence[Problem]]) -> bytes:
    """The report.

    Args:
        results: By file.
        refused: What is wrong with files that cannot be used.
    """
    suites = ElementTree.Element("testsuites")
    for path, done in results.items():
        failed = [r for r in done if not r.passed]
        seconds = sum(r.seconds for r in done)
        suite = _suite(suites, path, tests=len(done), failures=len(failed), errors=0, seconds=seconds)
        for result in done:
            place = result.case.place
            case = _case(suite, path, result.case.name, result.seconds, place.line)
            if not result.passed:
                message = ", ".join(d.what for d in result.differences)
                failure = ElementTree.SubElement(case, "failure", message=_clean(message))
                failure.text = _clean("\n".join(result.lines()))
    for path, problems in refused.items():
        suite = _suite(suites, path, tests=1, failures=0, errors=1, seconds=0.0)
        case = _case(suite, path, "the file can be used", 0.0, 0)
        error = ElementTree.SubElement(case, "error", message=_clean(problems[0].message))
        error.text = _clean("\n".join(map(str, problems)))
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _suite(
    suites: ElementTree.Element, path: Path, *, tests: int, failures: int, errors: int, seconds: float
) -> ElementTree.Element:
    return ElementTree.SubElement(
        suites,
        "testsuite",
        name=str(path),
        tests=str(tests),
        failures=str(failures),
        errors=str(errors),
        time=f"{seconds:.3f}",
    )


def _case(
    suite: ElementTree.Element, path: Path, name: str, seconds: float, line: int
) -> ElementTree.Element:
    more = {"line": str(line)} if line else {}
    return ElementTree.SubElement(
        suite,
        "testcase",
        {"classname": str(path), "name": _clean(name), "time": f"{seconds:.3f}", "file": str(path), **more},
    )


def _clean(text: str) -> str:
    """A text without what XML cannot hold."""
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in text)
