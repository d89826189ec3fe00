"""limecep finds the plugin and has nothing to say against it. Needs the distribution installed."""

from __future__ import annotations

from limecep.testing.plugin import PluginConformance


class TestPlugin(PluginConformance):
    module = "limecep_mine.plugin"
