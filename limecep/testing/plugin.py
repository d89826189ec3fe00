"""The conformance suite for plugins, whatever they bring: subclass it in a test module, and pytest runs it.
The plugin's distribution must be installed.

from limecep.testing.plugin import PluginConformance

class TestMyPlugin(PluginConformance):
    module = "limecep_mine.plugin"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.contracts import options, runner
from limecep.host import Host
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from limecep.host import Plugin


class PluginConformance(Bounded):
    """What every plugin must do. A test class: subclass it and say which plugin.

    Attributes:
        module: The module that the plugin's entry point names.
    """

    module: ClassVar[str]

    def test_it_brings_something_and_nothing_is_wrong_with_it(self) -> None:
        """As `limecep plugins list` has it."""
        _, plugin = self._loaded()
        assert plugin.problems == ()
        assert plugin.specs

    def test_what_it_brings_is_found_and_can_be_imported(self) -> None:
        """By kind and name; modules that it requires are installed."""
        host, plugin = self._loaded()
        for spec in plugin.specs:
            assert host.registry.find(spec.kind, spec.name) is spec
            assert callable(host.registry.factory(spec))

    def test_no_optional_ability_is_misspelt(self) -> None:
        """The kernel would not find it: nothing that options and settings may say, and none of a runner. The
        suites of other kinds look at components."""
        host, plugin = self._loaded()
        for spec in plugin.specs:
            if spec.kind == "runner":
                check_spelling(host.registry.factory(spec), runner.Runner, runner.OPTIONAL)
            for said in (spec.options, spec.settings):
                check_spelling(said, object, options.OPTIONAL.get(spec.kind, ()))

    def _loaded(self) -> tuple[Host, Plugin]:
        host = Host.load()
        [plugin] = [p for p in host.plugins if p.module == self.module]
        return host, plugin
