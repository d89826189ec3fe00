"""Which suite a component is tried with."""

from __future__ import annotations

import pytest

from limecep.host import Host
from limecep.spec import KINDS, ComponentSpec
from limecep_scaffold.trials import NEEDING, SUITES, suite_of


def test_every_kind_that_has_a_suite_is_known() -> None:
    assert {*SUITES, *NEEDING} == {*KINDS} - {"runner", "command"}


def test_an_engine_is_asked_for_the_selection_policies_that_it_knows() -> None:
    spec = ComponentSpec(
        kind="engine", name="x", factory="m:X", summary="x", capabilities=frozenset({"sc", "stam"})
    )
    assert suite_of(spec, lambda *_: None, {}).selects == ("stam", "sc")  # type: ignore[attr-defined]
    assert suite_of(spec, lambda *_: None, {"selects": ("sc",)}).selects == ("sc",)  # type: ignore[attr-defined]
    known = Host.load().registry.find("recompute", "paper")
    assert known is not None
    with pytest.raises(ValueError, match="the suite has no 'exactly'; it has exact, examples"):
        suite_of(known, lambda *_: None, {"exactly": True})
