"""A plugin is asked what it brings; `test_host.py` asks installed ones."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from limecep import hookimpl
from limecep.asking import asked
from limecep.registry import Plugin


@hookimpl
def nothing() -> None:
    """Brings nothing."""


@pytest.mark.parametrize("local", [True, False])
def test_a_hook_of_a_local_plugin_is_told_with_its_place_and_without_a_word_to_an_author(local: bool) -> None:
    plugin = Plugin(name="p", module="m", distribution="d", version="", path="", local=local)
    found = asked(SimpleNamespace(limecep_engines=nothing, limecep_sinks=hookimpl(lambda: 1 / 0)), plugin)
    problems = {p.code: p for p in found.problems}
    assert found.status == "failed"
    assert (problems["no-spec"].place is not None) == local
    assert (problems["plugin-broken"].hint == "") == local
