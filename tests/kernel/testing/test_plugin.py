"""The suite for what plugins bring: the built-in ones pass it, and it finds what is misspelt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest

from limecep import ComponentSpec, option
from limecep.contracts import options
from limecep.contracts.spelling import names
from limecep.host import Host, Plugin
from limecep.testing.plugin import PluginConformance
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from limecep.spec import Kind

HOST = Host.load()


@dataclass(frozen=True, slots=True, kw_only=True)
class Misspelt:
    bound: int = option(1, help="A key of YAML, which is spelt as its author likes.")
    is_bounded: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelt(Misspelt):
    bounded: ClassVar[bool] = True


class Running:
    def overdues(self) -> float:
        return 0.0


def suite(spec: ComponentSpec, monkeypatch: pytest.MonkeyPatch) -> PluginConformance:
    """The suite of a plugin that brings that."""
    made = PluginConformance()
    plugin = Plugin(name="mine", module="mine", distribution="mine", version="1", path="", specs=(spec,))
    monkeypatch.setattr(made, "_loaded", lambda: (HOST, plugin))
    return made


def spec(kind: Kind, options: type) -> ComponentSpec:
    return ComponentSpec(
        kind=kind, name="mine", factory=f"{__name__}:Running", summary="Is.", options=options
    )


@pytest.mark.parametrize("module", [p.module for p in HOST.plugins if p.module.startswith("limecep_")])
def test_what_is_built_in_passes(module: str) -> None:
    made = type("Made", (PluginConformance,), {"module": module})()
    made.test_it_brings_something_and_nothing_is_wrong_with_it()
    if any(HOST.registry.missing(s) for p in HOST.plugins if p.module == module for s in p.specs):
        pytest.skip("something that it requires is not installed")
    made.test_what_it_brings_is_found_and_can_be_imported()
    made.test_no_optional_ability_is_misspelt()


def test_what_options_may_say_is_told_where_it_is_misspelt(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="'is_bounded' of Misspelt: did you mean 'bounded'"):
        suite(spec("lateness", Misspelt), monkeypatch).test_no_optional_ability_is_misspelt()
    suite(spec("lateness", Spelt), monkeypatch).test_no_optional_ability_is_misspelt()
    suite(spec("slack", Misspelt), monkeypatch).test_no_optional_ability_is_misspelt()


def test_so_is_the_ability_of_a_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="'overdues' of Running: did you mean 'overdue'"):
        suite(spec("runner", Spelt), monkeypatch).test_no_optional_ability_is_misspelt()


@pytest.mark.parametrize("kind", options.OPTIONAL)
def test_nothing_that_options_may_say_is_taken_for_a_misspelling_of_another(kind: Kind) -> None:
    for ability in options.OPTIONAL[kind]:
        check_spelling(type("Some", (), dict.fromkeys(names([ability]))), object, options.OPTIONAL[kind])
