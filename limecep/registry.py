"""The components there are: look-up by kind and name, and what to say when it fails."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from limecep.errors import RunFailure
from limecep.spec import KINDS, OWN, ComponentSpec, title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.local import PluginFile
    from limecep.problems import Problem

__all__ = ["FILES", "OWN", "Plugin", "Registry", "title"]

#: What the names of modules begin with that are files of pipelines (`limecep.local`).
FILES = "limecep_file_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One plugin that was found.

    Attributes:
        name: The name of its entry point; of a local plugin that of its file.
        module: The module that holds its hooks.
        distribution: What was installed to bring it, in which `version`, and in which folder (`path`); of a
            local plugin its file, as the pipeline names it.
        status: `blocked` is left out on request; `skipped`: another entry point names the same module.
        specs: The components it brings, those included that another plugin brings too.
        problems: What is wrong with it.
        local: Whether a pipeline brings it along, so that it is not installed.
        file: The file that it then is, if it is one (`limecep.local.PluginFile`).
    """

    name: str
    module: str
    distribution: str
    version: str
    path: str
    status: Literal["loaded", "failed", "blocked", "skipped"] = "loaded"
    specs: tuple[ComponentSpec, ...] = ()
    problems: tuple[Problem, ...] = ()
    local: bool = False
    file: PluginFile | None = None

    def __str__(self) -> str:
        if self.local:
            return f"the local plugin '{self.distribution}'"
        return f"plugin '{self.name}' of {self.distribution} {self.version}".rstrip()

    @property
    def full_name(self) -> str:
        """Tells it from a plugin of that name in another distribution."""
        return f"{self.distribution}:{self.name}"

    def qualified(self, name: str) -> str:
        """The name of a component that tells it from one of that name in another distribution."""
        return f"{self.distribution}:{name}"


#: Brings the components that no plugin is known of.
_NOBODY = Plugin(name="", module="", distribution="", version="", path="")


class Registry:
    """Specs by kind and name. A value, so that two can live side by side.

    Args:
        specs: Components whose plugins do not matter. Of two with one kind and name the first counts.
        plugins: Plugins, with the components that they bring.

    Attributes:
        plugins: The plugins.
    """

    def __init__(self, specs: Iterable[ComponentSpec] = (), *, plugins: Iterable[Plugin] = ()) -> None:
        self.plugins = tuple(plugins)
        self._loose = tuple(specs)
        self._brought: dict[tuple[str, str], list[tuple[Plugin, ComponentSpec]]] = {}
        for spec in self._loose:
            self._brought.setdefault((spec.kind, spec.name), [(_NOBODY, spec)])
        for plugin in self.plugins:
            for spec in plugin.specs:
                self._brought.setdefault((spec.kind, spec.name), []).append((plugin, spec))

    def extended(self, plugins: Iterable[Plugin]) -> Registry:
        """One that has the components of more plugins, too."""
        return Registry(self._loose, plugins=(*self.plugins, *plugins))

    def with_specs(self, specs: Iterable[ComponentSpec]) -> Registry:
        """One that has these components, too, of which no plugin matters."""
        return Registry((*specs, *self._loose), plugins=self.plugins)

    def brought(self, kind: str, name: str) -> list[tuple[Plugin, ComponentSpec]]:
        """The components of that kind and name, each with its plugin."""
        return self._brought.get((kind, name), [])

    def find(self, kind: str, name: str) -> ComponentSpec | None:
        """The component of that kind and name; None where there is none, or more than one.

        Args:
            kind: The kind.
            name: The name, or `distribution:name` where several distributions bring one of that name.
        """
        origin, _, plain = name.rpartition(":")
        found = [s for p, s in self.brought(kind, plain) if origin in ("", p.distribution)]
        return found[0] if len(found) == 1 else None

    def origin(self, spec: ComponentSpec) -> Plugin | None:
        """The plugin that brings a component; None where that is not known."""
        found = (p for p, s in self.brought(spec.kind, spec.name) if s is spec and p is not _NOBODY)
        return next(found, None)

    def default(self, kind: str) -> ComponentSpec | None:
        """The component of a kind that is used where none is named; None unless there is just one."""
        found = self._defaults(kind)
        return found[0] if len(found) == 1 else None

    def _defaults(self, kind: str) -> list[ComponentSpec]:
        return [s for s in self.specs(kind) if s.default]

    def names(self, kind: str) -> list[str]:
        """The names there are of a kind, sorted."""
        return sorted(name for k, name in self._brought if k == kind)

    def specs(self, kind: str | None = None) -> list[ComponentSpec]:
        """The components of a kind, or all: in the order of `KINDS`, then by name."""
        order = list(KINDS)
        return sorted(
            (brought[0][1] for (k, _), brought in self._brought.items() if kind in (None, k)),
            key=lambda s: (order.index(s.kind), s.name),
        )

    def missing(self, spec: ComponentSpec) -> str | None:
        """The first module that a component needs and that is not installed. Imports nothing."""
        return next((name for name in spec.requires if not _installed(name)), None)

    def problem(self, kind: str, name: str) -> Problem:
        """Why a component that `find` does not give, or that is `missing` a module, cannot be had."""
        from limecep.unfound import problem

        return problem(self, kind, name)

    def no_default(self, kind: str) -> Problem:
        """Why `default` gives none."""
        from limecep.unfound import no_default

        return no_default(self, kind, self._defaults(kind))

    def make(self, spec: ComponentSpec, *args: Any) -> Any:
        """Imports a component's factory and calls it with `args`.

        Raises:
            RunFailure: The factory cannot be imported.
        """
        return self.factory(spec)(*args)

    def factory(self, spec: ComponentSpec) -> Any:
        """What makes a component.

        Raises:
            RunFailure: It cannot be imported.
        """
        return self.load(spec, spec.factory) if isinstance(spec.factory, str) else spec.factory

    def load(self, spec: ComponentSpec, reference: str) -> Any:
        """Imports what a spec names, `"package.module:name"`.

        Raises:
            RunFailure: It cannot be imported; the message says what to install where that helps.
        """
        module, _, attribute = reference.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as e:
            from limecep.unfound import not_imported

            raise RunFailure(not_imported(self, spec, module, attribute, e)) from e


def _installed(name: str) -> bool:
    # What is imported already may have no spec to find, and a test double need not have one.
    return sys.modules.get(name) is not None or importlib.util.find_spec(name) is not None
