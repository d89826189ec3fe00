"""The host finds plugins and asks each what it brings. One that fails takes nothing else with it."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from limecep import API_VERSION
from limecep.asking import asked, without
from limecep.errors import said
from limecep.problems import Problem
from limecep.registry import Plugin, Registry
from limecep.spec import WITHOUT, ComponentSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["GROUP", "WITHOUT", "EntryPoint", "Host", "Plugin", "components"]

#: The entry-point group of plugins, the built-in ones included.
GROUP = "limecep"


class EntryPoint(Protocol):
    """What the host uses of `importlib.metadata.EntryPoint`."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def dist(self) -> Any: ...
    def load(self) -> Any: ...


class Host:
    """The plugins of this installation. A value: it keeps nothing in globals, and two may differ.

    Attributes:
        plugins: Every plugin found, in the order of their names.
        registry: The components.
    """

    def __init__(self, plugins: Iterable[Plugin]) -> None:
        self.plugins = tuple(plugins)
        self.registry = Registry(plugins=self.plugins)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything wrong with the plugins. A pipeline is refused only if it needs what failed."""
        from limecep.unfound import shadowed

        return (*(p for plugin in self.plugins for p in plugin.problems), *shadowed(self.registry))

    def with_plugins(self, *plugins: Any) -> Host:
        """One that has these, too, though nobody installed them.

        Args:
            plugins: Modules (or other objects) with hooks that `limecep.hookimpl` marks; classes that
                `limecep.component` marks, or that derive from the contract of their kind; component specs;
                paths of Python files that hold some of these.

        Raises:
            ConfigurationError: Something is wrong with one of them.
        """
        from limecep.local import brought

        return Host((*self.plugins, *brought(plugins)))

    @classmethod
    def load(
        cls, entry_points: Iterable[EntryPoint] | None = None, *, without: Iterable[str] | None = None
    ) -> Host:
        """Loads plugins, sorted by name.

        Args:
            entry_points: Those to load; by default all that are installed in the group `limecep`.
            without: Those to leave out (`name` or `distribution:name`); by default what the environment
                variable LIMECEP_WITHOUT lists.
        """
        if entry_points is None:
            entry_points = importlib.metadata.entry_points(group=GROUP)
        if without is None:
            without = os.environ.get(WITHOUT, "").split(",")
        return cls(_load_all(entry_points, {name.strip() for name in without}))

    def origin(self, spec: ComponentSpec) -> Plugin:
        """The plugin that brings a component of this host's registry."""
        return next(p for p in self.plugins if any(s is spec for s in p.specs))


def _load_all(entry_points: Iterable[EntryPoint], without: set[str]) -> Iterator[Plugin]:
    # By identity. Asked for name or version, a distribution reads all its metadata, its README too.
    known: dict[int, tuple[str, str, str]] = {}

    def described(dist: Any) -> tuple[str, str, str]:
        if id(dist) not in known:
            texts = (dist.name, dist.version, dist.locate_file("")) if dist else ("unknown", "", "")
            known[id(dist)] = (str(texts[0]), str(texts[1]), str(texts[2]))
        return known[id(dist)]

    seen: dict[str, Plugin] = {}
    for entry in sorted(entry_points, key=lambda e: (e.name, described(e.dist)[0], e.value)):
        distribution, version, path = described(entry.dist)
        plugin = Plugin(
            name=entry.name,
            module=entry.value.partition(":")[0].strip(),
            distribution=distribution,
            version=version,
            path=path,
        )
        if without & {plugin.name, plugin.full_name}:
            yield replace(plugin, status="blocked")
        elif first := seen.get(plugin.module):
            problem = Problem(
                code="duplicate-plugin",
                message=f"{plugin} names the module '{plugin.module}', as {first} does; it is loaded once",
                hint="remove one of the two entry points, or what was left of an earlier installation",
                severity="warning",
            )
            yield replace(plugin, status="skipped", problems=(problem,))
        else:
            seen[plugin.module] = plugin
            yield _load(entry, plugin)


def _load(entry: EntryPoint, plugin: Plugin) -> Plugin:
    def failed(code: str, message: str, hint: str) -> Plugin:
        return replace(
            plugin, status="failed", problems=(Problem(code=code, message=f"{plugin} {message}", hint=hint),)
        )

    try:
        module = entry.load()
    except ModuleNotFoundError as e:
        absent = e.name or ""
        if f"{plugin.module}.".startswith(f"{absent}."):
            return failed(
                "plugin-missing",
                f"is installed, but its module '{plugin.module}' is not there",
                f"pip install --force-reinstall '{plugin.distribution}'",
            )
        return failed(
            "plugin-import",
            f"imports '{absent}', which is not installed",
            f"install '{absent.partition('.')[0]}'; a plugin module should import nothing but limecep",
        )
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        return failed("plugin-broken", f"cannot be imported: {said(e)}", without(plugin))
    spoken = getattr(module, "limecep_api", API_VERSION)
    if spoken != API_VERSION:
        return failed(
            "plugin-api",
            f"is written for plugin interface {spoken!r}; this limecep speaks {API_VERSION}",
            f"pip install --upgrade limecep '{plugin.distribution}'",
        )
    return asked(module, plugin)


def components(registry: Registry | None, plugins: Sequence[Any]) -> Registry:
    """The components of a registry, by default of all that is installed, and those of more plugins.

    Args:
        registry: The registry.
        plugins: As `Host.with_plugins` takes them.

    Raises:
        ConfigurationError: Something is wrong with one of them.
    """
    registry = registry or Host.load().registry
    if not plugins:
        return registry
    from limecep.local import brought

    return registry.extended(brought(plugins))
