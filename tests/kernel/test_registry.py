"""The registry: look-up, and what it says of what is not there."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from limecep import ComponentSpec
from limecep.errors import RunFailure
from limecep.problems import Problem
from limecep.registry import Registry


def spec(kind: str = "engine", name: str = "mine", **changes: Any) -> ComponentSpec:
    return ComponentSpec(
        **{"kind": kind, "name": name, "factory": "collections:Counter", "summary": "Does it.", **changes}
    )


NEEDY = spec("sink", "kafka", requires=("json", "no_such_module_here"), extra="kafka")


def test_specs_come_by_kind_and_then_by_name() -> None:
    registry = Registry([spec("slack", "b"), spec("engine", "z"), spec("slack", "a"), spec("source", "y")])
    assert [(s.kind, s.name) for s in registry.specs()] == [
        ("source", "y"),
        ("engine", "z"),
        ("slack", "a"),
        ("slack", "b"),
    ]
    assert [s.name for s in registry.specs("slack")] == ["a", "b"]
    assert registry.names("slack") == ["a", "b"]
    assert registry.names("codec") == []


def test_an_unknown_name_comes_with_a_suggestion() -> None:
    problem = Registry([spec(name="maximal"), spec(name="nfa")]).problem("engine", "maximl")
    assert problem == Problem(
        code="unknown-component", message="no engine named 'maximl'", hint="did you mean 'maximal'?"
    )


def test_a_name_like_no_other_comes_with_what_there_is() -> None:
    assert (
        Registry([spec(name="maximal"), spec(name="nfa")]).problem("engine", "qqq").hint
        == "known: maximal, nfa"
    )


def test_the_default_of_a_kind_is_the_one_whose_spec_says_so() -> None:
    nfa, maximal = spec(name="nfa"), spec(name="maximal", default=True)
    assert Registry([nfa, maximal]).default("engine") is maximal


def test_without_a_default_or_with_two_one_is_to_be_named() -> None:
    none, two = Registry([spec()]), Registry([spec(name="a", default=True), spec(name="b", default=True)])
    assert (none.default("engine"), two.default("engine")) == (None, None)
    assert none.no_default("engine") == Problem(
        code="unknown-component", message="no default engine", hint="name one; known: mine"
    )
    assert two.no_default("engine").message == "'a' and 'b' are both the default engine"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("lateness", "no lateness policy named"),
        ("results", "no result policy named"),
        ("sink", "no sink named"),
    ],
)
def test_kinds_are_named_as_people_say_them(kind: str, said: str) -> None:
    assert Registry([]).problem(kind, "x").message.startswith(said)


def test_a_missing_module_is_named_with_the_command_that_installs_it() -> None:
    registry = Registry([NEEDY])
    assert registry.find("sink", "kafka") is NEEDY
    assert registry.missing(NEEDY) == "no_such_module_here"
    assert registry.problem("sink", "kafka") == Problem(
        code="missing-module",
        message="sink 'kafka' needs the module 'no_such_module_here', which is not installed",
        hint="pip install 'limecep[kafka]'",
    )


def test_what_is_installed_is_not_missing_and_not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    assert Registry([]).missing(spec(requires=("json", "this"))) is None
    assert "this" not in sys.modules


def test_a_module_without_a_spec_of_its_own_counts_as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "made_up_module", ModuleType("made_up_module"))
    assert Registry([]).missing(spec(requires=("made_up_module",))) is None


def test_make_imports_the_factory_and_calls_it() -> None:
    assert Registry([]).make(spec(), "aab") == {"a": 2, "b": 1}


def test_make_says_what_to_install_where_a_required_module_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "needs_a_client.py").write_text("import no_such_module_here.client\n")
    monkeypatch.syspath_prepend(tmp_path)
    needy = spec(factory="needs_a_client:Sink", requires=("no_such_module_here",), extra="kafka")
    with pytest.raises(RunFailure, match=r"pip install 'limecep\[kafka\]'"):
        Registry([needy]).make(needy)


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        ("no_such_module_here:X", "engine 'mine' cannot be imported: No module named 'no_such_module_here'"),
        ("collections:NoSuchThing", "module 'collections' has no 'NoSuchThing'"),
    ],
)
def test_make_says_what_is_wrong_with_a_factory(factory: str, said: str) -> None:
    with pytest.raises(RunFailure, match=said):
        Registry([]).make(spec(factory=factory))


def test_what_a_factory_raises_is_not_taken_for_a_failed_import() -> None:
    with pytest.raises(TypeError):
        Registry([]).make(spec(), 1, 2, 3)
