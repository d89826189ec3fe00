"""limecep finds the plugin and has nothing to say against it. Needs the distribution installed."""

from __future__ import annotations

from limecep.host import Host
from limecep_top.engine import TopEngine


def test_the_engine_is_found_by_its_name() -> None:
    host = Host.load()
    assert [p for plugin in host.plugins if plugin.name == "top" for p in plugin.problems] == []
    spec = host.registry.find("engine", "top")
    assert spec is not None
    assert spec.factory == f"{TopEngine.__module__}:{TopEngine.__qualname__}"
