"""limecep finds the plugin and has nothing to say against it. Needs the distribution installed."""

from __future__ import annotations

from limecep.host import Host
from limecep_by_type.policy import ByType


def test_the_policy_is_found_by_its_name() -> None:
    host = Host.load()
    assert [p for plugin in host.plugins if plugin.name == "by_type" for p in plugin.problems] == []
    spec = host.registry.find("lateness", "by_type")
    assert spec is not None
    assert spec.factory == f"{ByType.__module__}:{ByType.__qualname__}"
