"""Which optional abilities a component only nearly has."""

from __future__ import annotations

from typing import Any, Protocol

import pytest

from limecep.contracts import codec, engine, runner, sink, source
from limecep.contracts.lateness import LatenessPolicy
from limecep.contracts.remembering import Remembering
from limecep.contracts.spelling import names
from limecep.testing.spelling import check_spelling

KINDS = [(codec, codec.Codec), (engine, engine.Engine), (sink, sink.Sink), (source, source.Source)]


class Misspelt:
    def seeek(self, positions: object) -> None: ...

    def remember(self) -> None: ...

    def _parts(self) -> None: ...


def test_an_ability_that_is_misspelt_is_told_with_what_may_be_meant() -> None:
    with pytest.raises(AssertionError, match="'seeek' of Misspelt: did you mean 'seek'"):
        check_spelling(Misspelt(), source.Source, source.OPTIONAL)
    with pytest.raises(AssertionError, match="did you mean 'remembered'"):
        check_spelling(Misspelt(), LatenessPolicy, [Remembering])


@pytest.mark.parametrize(
    ("name", "contract", "optional", "meant"),
    [
        ("remmembered", LatenessPolicy, [Remembering], "remembered"),
        ("beginn", sink.Sink, sink.OPTIONAL, "begin"),
        ("matches_off", engine.Engine, engine.OPTIONAL, "matches_of"),
        ("overdu", runner.Runner, runner.OPTIONAL, "overdue"),
    ],
)
def test_a_letter_too_many_or_too_few_is_told(name: str, contract: type, optional: Any, meant: str) -> None:
    with pytest.raises(AssertionError, match=f"nobody asks for '{name}' of Some: did you mean '{meant}'"):
        check_spelling(type("Some", (), {name: None})(), contract, optional)


def test_helpers_of_other_names_are_nobodys_business() -> None:
    helpers = ("window", "describe", "score", "reset", "flush_all", "by_key", "is_late", "counts")
    for contract, optional in ((sink.Sink, sink.OPTIONAL), (LatenessPolicy, [Remembering])):
        check_spelling(type("Some", (), dict.fromkeys(helpers))(), contract, optional)


def test_an_attribute_may_be_misspelt_too() -> None:
    class Fast:
        def __init__(self) -> None:
            self.speeds = 1.0

    with pytest.raises(AssertionError, match="did you mean 'speed'"):
        check_spelling(Fast(), source.Source, source.OPTIONAL)


def test_who_has_an_ability_may_have_something_of_a_similar_name() -> None:
    class Both(Misspelt):
        def seek(self, positions: object) -> None: ...

    check_spelling(Both(), source.Source, source.OPTIONAL)


def test_half_of_an_ability_is_told_with_what_it_lacks() -> None:
    class Half:
        def remembered(self) -> object: ...

        def restore(self, known: object) -> None: ...

    with pytest.raises(AssertionError, match="Half has 'remembered' of Remembering, but no 'recall'"):
        check_spelling(Half(), LatenessPolicy, [Remembering])


class Giving(Protocol):
    def give(self) -> None: ...

    def close(self) -> None: ...


class Taking(Protocol):
    def take(self) -> None: ...

    def close(self) -> None: ...


def test_what_two_abilities_ask_for_is_half_of_neither_that_is_whole() -> None:
    class Takes:
        def take(self) -> None: ...

        def close(self) -> None: ...

    check_spelling(Takes(), object, [Giving, Taking])


def test_what_every_component_of_a_kind_has_is_half_of_no_ability() -> None:
    class Plain:
        def close(self) -> None: ...

    check_spelling(Plain(), source.Source, [Giving])


@pytest.mark.parametrize(("kind", "contract"), KINDS, ids=lambda k: k.__name__.rpartition(".")[2])
def test_no_ability_is_taken_for_a_misspelling_of_another(kind: object, contract: type) -> None:
    optional: tuple[type, ...] = kind.OPTIONAL  # type: ignore[attr-defined]
    for ability in optional:
        some = type("Some", (), dict.fromkeys({*names([ability]), *names([contract])}))
        check_spelling(some(), contract, optional)
