"""limecep finds the plugin and has nothing to say against it. Needs the distribution installed."""

from __future__ import annotations

from importlib import import_module

from limecep.host import Host


def test_what_it_brings_is_found_and_can_be_imported() -> None:
    host = Host.load()
    [plugin] = [p for p in host.plugins if p.module == "limecep_mine.plugin"]
    assert plugin.problems == ()
    assert plugin.specs
    for spec in plugin.specs:
        assert host.registry.find(spec.kind, "mine") is spec
        module, _, name = spec.factory.partition(":")
        assert callable(getattr(import_module(module), name))
