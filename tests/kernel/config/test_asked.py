"""Options of plugins that fail when they are read or asked are reported as mistakes of the plugin."""

from __future__ import annotations

from asyncio import CancelledError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import option
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.local import component
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable


def failing(how: str) -> Any:
    """What an options class may do wrong."""
    if how == "exits":
        raise SystemExit(0)
    if how == "cancels":
        raise CancelledError
    if how == "is interrupted":
        raise KeyboardInterrupt
    if how == "raises":
        raise KeyError("mine")
    return {
        "gives a number": 5,
        "gives nothing": None,
        "gives text": "no",
        "gives numbers": [5],
        "gives no problem": [("", "wrong")],
        "gives no key": [(5, Problem(code="x", message="x"))],
    }[how]


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeWrong:
    how: str = option(help="How.")

    def __post_init__(self) -> None:
        failing(self.how)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWrong:
    how: str = option(help="How.")

    def vet(self, plan: Any) -> Iterable[tuple[str, Problem]]:
        found: Any = failing(self.how)
        return found  # type: ignore[no-any-return]


@component("slack", "made", options=MadeWrong)
class Made:
    """A policy."""

    def __init__(self, *given: Any) -> None: ...

    def wait(self, statistics: Any) -> int:
        return 0


@component("slack", "asked", options=AskedWrong)
class Asked(Made):
    """A policy."""


@component("sink", "told", options=AskedWrong)
class Told:
    """A sink."""

    counts_only = True

    def __init__(self, *given: Any) -> None: ...

    def open(self) -> None: ...

    def send(self, records: Any) -> None: ...

    flush = close = open


@pytest.mark.parametrize(
    "how",
    [
        *("exits", "cancels", "raises", "gives a number", "gives nothing", "gives text", "gives numbers"),
        *("gives no problem", "gives no key"),
    ],
)
@pytest.mark.parametrize("name", ["made", "asked", "told"])
def test_a_plugin_whose_options_fail_is_named_with_its_place(name: str, how: str) -> None:
    if name == "made" and how.startswith("gives"):
        pytest.skip("nobody looks at what it gives")
    problems = problems_of(name, how)
    assert [p.code for p in problems] == ["faulty-plugin"]
    assert f"'{name}'" in problems[0].message or name == "made"
    assert "report it to its author" in problems[0].hint
    assert __file__ in problems[0].hint
    assert how.startswith("gives") == (", where " in problems[0].message)


@component("function")
def odd(text: str, how: str) -> bool:
    """A function."""
    return text == how


odd.vet = lambda text, how: failing(how)  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["exits", "cancels", "raises", "gives a number", "gives numbers"])
def test_a_function_that_cannot_say_what_is_wrong_with_its_arguments_is_named(how: str) -> None:
    (problem,) = problems_of("function", how)
    assert problem.code == "faulty-plugin"
    assert problem.message.startswith(f"function 'odd' of {__name__} ")
    assert problem.place is not None
    assert problem.place.text[problem.place.column - 1 :].startswith("odd(x.name, ")
    assert (f"in {failing.__name__}" in problem.trace) == (not how.startswith("gives"))


@pytest.mark.parametrize("name", ["made", "asked", "function"])
def test_an_interruption_is_no_mistake_of_theirs(name: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        problems_of(name, "is interrupted")


def problems_of(name: str, how: str) -> list[Problem]:
    registry = Host.load().with_plugins(Made, Asked, Told, odd).registry
    own = {"type": name, "how": how}
    called = f"WHERE odd(x.name, '{how}') " if name == "function" else ""
    document = {
        "version": 1,
        "patterns": {
            "p": {
                "query": f"PATTERN SEQ(A x) {called}WITHIN 1 s",
                **({"slack": own} if name in ("made", "asked") else {}),
            }
        },
        **({"sinks": {"o": {**own, "channel": "c"}}} if name == "told" else {}),
    }
    return [p for p in load_dict(document, registry).problems if p.severity == "error"]
