from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep.config.document import parse
from limecep.config.environment import substitute
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Node, Scalar, plain_value
from limecep.config.text import SourceText

if TYPE_CHECKING:
    from limecep.problems import Problem


def substituted(text: str, root: Path = Path(), **environment: str) -> tuple[Node, list[Problem]]:
    findings = Findings()
    node = parse(SourceText("f.yaml", text), findings)
    assert node is not None
    return substitute(node, environment, root, findings), findings.sorted()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${X}", 17),
        ("a${X}b", "a17b"),
        ("'${X}'", "17"),
        ("${NONE:-1883}", 1883),
        ("${EMPTY:-x}", "x"),
        ("${EMPTY}", None),
        ("${NONE:-}", None),
        ('"${NONE:-mqtt://h:1}"', "mqtt://h:1"),
        ("'${NONE:-${X}}'", "17"),
        ("'${NONE:-{a}}'", "{a}"),
        ("${X:?must be there}", 17),
        ("$X and $limit", "$X and $limit"),
        ("'$${X}'", "${X}"),
        ("$$", "$$"),
        ("[1, '${X}']", [1, "17"]),
    ],
)
def test_references_are_replaced(text: str, value: object) -> None:
    node, problems = substituted(f"a: {text}", X="17", EMPTY="")
    assert problems == []
    assert plain_value(node) == {"a": value}


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("x ${BROKERR}", "environment variable BROKERR is not set [unset-variable]", 6),
        ("x ${BROKERR}", "did you mean 'BROKER'?", 6),
        ("'${NONE:?set the broker}'", "environment variable NONE: set the broker", 5),
        ("x ${NONE", "'${' is not closed", 6),
        ("'" + "${A:-" * 1000 + "}" * 1000 + "'", "defaults stand in defaults too deeply", 105),
        ("'${}'", "'${}' is no reference to the environment", 5),
        ("'${A-b}'", "write ${NAME}", 5),
        ("'${file:nowhere}'", "the file 'nowhere' cannot be read: No such file or directory", 5),
    ],
)
def test_references_that_fail_have_a_place(text: str, said: str, column: int) -> None:
    _, problems = substituted(f"a: {text}", BROKER="x")
    [problem] = problems
    assert said in str(problem)
    assert problem.place is not None
    assert (problem.place.line, problem.place.column) == (1, column)


def test_a_secret_comes_from_a_file_below_the_folder(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret\n")
    node, problems = substituted("a: '${file:password}'", tmp_path)
    assert (plain_value(node), problems) == ({"a": "s3cret"}, [])


def test_a_secret_that_is_not_text_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "password").write_bytes(b"\xff")
    _, [problem] = substituted("a: '${file:password}'", tmp_path)
    assert "it is not UTF-8 text" in problem.message


def test_places_behind_a_reference_are_still_those_of_the_file() -> None:
    node, _ = substituted("a: |\n  ${LONG} x\n  SEQ(B b)\n", LONG="something much longer")
    assert isinstance(node, Block)
    scalar = node.get("a")
    assert isinstance(scalar, Scalar)
    start = scalar.text.index("B b")
    place = scalar.origin.place(start, start + 3)
    assert (place.line, place.column, place.width) == (3, 7, 3)


def test_keys_are_not_touched() -> None:
    node, _ = substituted("'${X}': 1", X="17")
    assert plain_value(node) == {"${X}": 1}
