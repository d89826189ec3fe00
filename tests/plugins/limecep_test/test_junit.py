"""Results for CI servers."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from limecep_test import junit
from tests.plugins.limecep_test.conftest import case

if TYPE_CHECKING:
    from tests.plugins.limecep_test.conftest import House


def test_it_has_every_test_and_what_is_wrong_with_it(house: House) -> None:
    results = house.results(
        case("g3", "net: []", name="fine") + case("g3", "counts: {read: 2}", name='"a <b> \\e &"')
    )
    problems = house.prepared(case("x3", "net: []")).problems
    other = house.folder / "other.test.yaml"
    suites = ElementTree.fromstring(junit.written({house.file: results}, {other: problems}))
    first, second = suites
    assert [first.get(name) for name in ("name", "tests", "failures", "errors")] == [
        str(house.file),
        "2",
        "1",
        "0",
    ]
    fine, failed = first
    assert (fine.get("name"), fine.get("line"), len(fine)) == ("fine", "3", 0)
    assert failed.get("name") == "a <b> \ufffd &"
    (failure,) = failed
    assert failure.get("message") == "counts"
    assert failure.text == "counts: - expected, + got\n  - read: 2\n  + read: 1"
    assert (second.get("errors"), second[0][0].get("message")) == ("1", "no pattern uses an event type 'x'")


def test_nothing_is_a_report_too() -> None:
    assert len(ElementTree.fromstring(junit.written({}, {}))) == 0
