"""What functions take and give: read from annotations and from text."""

from __future__ import annotations

import math
from typing import Any, Optional

import pytest

from limecep.signature import Argument, Signature, apart, read, signature_of


def test_annotations_say_what_a_function_takes_and_gives() -> None:
    def function(text: str, start: int, length: int = 5) -> str | None:
        return text[start : start + length]

    assert signature_of(function) == Signature(
        arguments=(
            Argument("text", "str", missing=False),
            Argument("start", "int", missing=False),
            Argument("length", "int", missing=False),
        ),
        least=2,
        more=None,
        result="str",
    )


@pytest.mark.parametrize(
    "text",
    [
        "(x: float) -> float",
        "(x: str, y: str | None) -> bool",
        "(x: object, y: int = ..., z: bool = ...) -> int",
        "(x: float, *more: float) -> float",
        "(*values: object) -> object",
    ],
)
def test_a_signature_prints_as_it_is_read(text: str) -> None:
    assert str(read(text)) == text
    assert read(str(read(text))) == read(text)


def test_kinds_have_several_spellings() -> None:
    assert str(read("(x: int | float, y: Any, z: 'str') -> None | bool")) == (
        "(x: float, y: object, z: str) -> bool"
    )


def test_annotations_need_not_be_texts() -> None:
    namespace: dict[str, Any] = {"Any": Any}
    exec("def function(x: int | None, y: Any = object()) -> float: ...", namespace)
    assert str(signature_of(namespace["function"])) == "(x: int | None, y: object = ...) -> float"


def test_what_may_be_missing_is_said() -> None:
    signature = read("(x: str, y: str | None, *z: object) -> str")
    assert [signature.argument(n).missing for n in range(4)] == [False, True, True, True]


@pytest.mark.parametrize(
    ("text", "counts", "words"),
    [
        ("(x: str) -> str", {1}, "1 argument"),
        ("(x: str, y: str) -> str", {2}, "2 arguments"),
        ("(x: str, y: str = ...) -> str", {1, 2}, "1 or 2 arguments"),
        ("(x: str, y: str = ..., z: str = ...) -> str", {1, 2, 3}, "1 to 3 arguments"),
        ("(x: str, *y: str) -> str", {1, 2, 3, 4}, "1 argument or more"),
        ("(*y: str) -> str", {1, 2, 3, 4}, "1 argument or more"),
        ("(x: str, y: str, *z: str) -> str", {2, 3, 4}, "2 arguments or more"),
    ],
)
def test_the_number_of_arguments_is_known(text: str, counts: set[int], words: str) -> None:
    signature = read(text)
    assert {n for n in range(5) if signature.takes(n)} == counts
    assert signature.count == words


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("() -> str", "it must take an argument"),
        ("(x) -> str", "argument 'x' has no annotation"),
        ("(x: str)", "the value has no annotation"),
        ("(x: str) -> None", "the value is annotated 'None'"),
        ("(x: bytes) -> str", "argument 'x' is annotated 'bytes'"),
        ("(x: str | bool) -> str", "argument 'x' is annotated 'str | bool'"),
        ("(x: str, *, y: str) -> str", "argument 'y' can be given by name only"),
        ("(x: str, **y: str) -> str", "argument 'y' can be given by name only"),
        ("str -> str", "is not of the form"),
    ],
)
def test_what_no_query_can_give_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("|", r"\|")):
        read(text)


def test_functions_without_a_usable_signature_are_refused() -> None:
    async def later(x: str) -> str:
        return x

    def odd(x: Optional[str]) -> str:  # noqa: UP045
        return x or ""

    with pytest.raises(ValueError, match="nobody awaits it"):
        signature_of(later)
    with pytest.raises(ValueError, match="it has no signature that Python can tell"):
        signature_of(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="write 'str', 'int', "):
        signature_of(odd)


def initials(text: str, least: int = 1) -> str: ...


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(words: str, n: int = ...) -> str", ""),
        (
            "(text: str) -> str",
            "has the signature (text: str) -> str in its spec, and (text: str, least: int",
        ),
        ("(text: str, least: int) -> str", " in its annotations"),
        ("(text: str | None, least: int = ...) -> str", " in its annotations"),
        ("(text: str, least: int = ...) -> object", " in its annotations"),
        ("(text: str, least: int = ..., *more: int) -> str", " in its annotations"),
    ],
)
def test_what_a_spec_says_of_a_function_is_held_against_its_annotations(text: str, said: str) -> None:
    found = apart(read(text), initials)
    assert said in found
    assert bool(said) == bool(found)


def test_of_what_has_none_only_the_number_of_arguments_is_known() -> None:
    assert apart(read("(x: float) -> float"), math.sqrt) == ""
    assert apart(read("(*x: float) -> float"), print) == ""
    assert "cannot be called so: too many" in apart(read("(x: float, y: float) -> float"), math.sqrt)
    assert apart(read("(x: float) -> float"), type) == ""
