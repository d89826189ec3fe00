"""The host finds plugins and asks each what it brings. One that fails takes nothing else with it."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import pluggy

from limecep import API_VERSION, hookspecs
from limecep.hookspecs import HOOKS
from limecep.problems import Problem, suggestion
from limecep.registry import Registry, title
from limecep.spec import ComponentSpec
from limecep.vetting import shortcomings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: The entry-point group of plugins, the built-in ones included.
GROUP = "limecep"

#: The environment variable with the plugins to leave out: `name` or `distribution:name`, commas between.
WITHOUT = "LIMECEP_WITHOUT"


class EntryPoint(Protocol):
    """What the host uses of `importlib.metadata.EntryPoint`."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def dist(self) -> Any: ...
    def load(self) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One plugin that was found.

    Attributes:
        name: The name of its entry point.
        module: The module that holds its hooks.
        distribution: What was installed to bring it, in which `version`, and in which folder (`path`).
        status: `blocked` is left out on request; `skipped`: another entry point names the same module.
        specs: The components it brings, those included that another plugin brings too.
        problems: What is wrong with it.
    """

    name: str
    module: str
    distribution: str
    version: str
    path: str
    status: Literal["loaded", "failed", "blocked", "skipped"] = "loaded"
    specs: tuple[ComponentSpec, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __str__(self) -> str:
        return f"plugin '{self.name}' of {self.distribution} {self.version}".rstrip()

    @property
    def full_name(self) -> str:
        """Tells it from a plugin of that name in another distribution."""
        return f"{self.distribution}:{self.name}"


class Host:
    """The plugins of this installation. A value: it keeps nothing in globals, and two may differ.

    Attributes:
        plugins: Every plugin found, in the order of their names.
        problems: Everything wrong with them. A pipeline is refused only if it needs what failed.
        registry: The components.
    """

    def __init__(self, plugins: Iterable[Plugin]) -> None:
        self.plugins = tuple(plugins)
        shadowed = _shadowed(self.plugins)
        self.problems = (*(p for plugin in self.plugins for p in plugin.problems), *shadowed.values())
        self.registry = Registry(
            (spec for plugin in self.plugins for spec in plugin.specs),
            shadowed=shadowed,
            faulty={
                plugin.name: problem
                for plugin in self.plugins
                for problem in plugin.problems[:1]
                if problem.severity == "error"
            },
            blocked=[p.name for p in self.plugins if p.status == "blocked"],
        )

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
    seen: dict[str, Plugin] = {}
    for entry in sorted(entry_points, key=lambda e: (e.name, _distribution(e), e.value)):
        plugin = Plugin(
            name=entry.name,
            module=entry.value.partition(":")[0].strip(),
            distribution=_distribution(entry),
            version=str(entry.dist.version) if entry.dist else "",
            path=str(entry.dist.locate_file("")) if entry.dist else "",
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


def _distribution(entry: EntryPoint) -> str:
    return str(entry.dist.name) if entry.dist else "unknown"


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
    except (Exception, SystemExit) as e:
        return failed("plugin-broken", f"cannot be imported: {_said(e)}", _without(plugin))
    spoken = getattr(module, "limecep_api", API_VERSION)
    if spoken != API_VERSION:
        return failed(
            "plugin-api",
            f"is written for plugin interface {spoken!r}; this limecep speaks {API_VERSION}",
            f"pip install --upgrade limecep '{plugin.distribution}'",
        )
    # One manager a plugin: what it registers before it fails touches no other.
    manager = pluggy.PluginManager("limecep")
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(module, plugin.name)
        manager.check_pending()
    except pluggy.PluginValidationError as e:
        unknown = [c.name for c in manager.get_hookcallers(module) or () if not c.has_spec()]
        if not unknown:
            return failed("plugin-hook", f"has a hook of another form: {_said(e)}", "hooks take no arguments")
        hints = (f"{name}: {suggestion(name, HOOKS)}" for name in unknown)
        return failed("plugin-hook", f"has unknown hooks: {', '.join(unknown)}", "; ".join(hints))
    marked = {c.name for c in manager.get_hookcallers(module) or ()}
    unmarked = [name for name in HOOKS if callable(getattr(module, name, None)) and name not in marked]
    if unmarked:
        return failed(
            "plugin-hook",
            f"has hooks that are not marked: {', '.join(unmarked)}",
            "write @limecep.hookimpl above each",
        )
    return _ask(manager, plugin)


def _ask(manager: pluggy.PluginManager, plugin: Plugin) -> Plugin:
    """The plugin with what its hooks return. What is no use is left out, each with a problem."""
    specs: list[ComponentSpec] = []
    problems: list[Problem] = []

    def wrong(code: str, message: str, hint: str) -> None:
        problems.append(Problem(code=code, message=f"{plugin}: {message}", hint=hint))

    for hook, kind in HOOKS.items():
        try:
            returned = getattr(manager.hook, hook)()
        except Exception as e:
            wrong("plugin-broken", f"{hook} failed: {_said(e)}", _without(plugin))
            continue
        if not manager.hook.__dict__[hook].get_hookimpls():
            continue
        # pluggy leaves None out, so a hook that forgot to return gives nothing at all.
        brought = returned[0] if returned else None
        if not isinstance(brought, (list, tuple)) or not all(isinstance(s, ComponentSpec) for s in brought):
            wrong("no-spec", f"{hook} returned {brought!r}", "it must return a list of ComponentSpec")
            continue
        for spec in brought:
            short = shortcomings(spec)
            if spec.kind != kind:
                short.insert(0, f"kind is {spec.kind!r}, where {hook} brings {kind!r}")
            if short:
                wrong(
                    "incomplete-spec",
                    f"{title(kind)} '{spec.name}' is left out: {'; '.join(short)}",
                    "see limecep.ComponentSpec and limecep.option",
                )
            else:
                specs.append(spec)
    failed = bool(problems) and not specs
    return replace(
        plugin, status="failed" if failed else "loaded", specs=tuple(specs), problems=tuple(problems)
    )


def _shadowed(plugins: Sequence[Plugin]) -> dict[tuple[str, str], Problem]:
    """A problem for every kind and name that more than one component has."""
    brought: dict[tuple[str, str], list[Plugin]] = {}
    for plugin in plugins:
        for spec in plugin.specs:
            brought.setdefault((spec.kind, spec.name), []).append(plugin)
    return {
        (kind, name): Problem(
            code="shadowed-component",
            message=f"{title(kind)} '{name}' is brought by {' and by '.join(map(str, owners))}",
            hint="choose by leaving out the other, "
            + " or ".join(f"{WITHOUT}={plugin.full_name}" for plugin in owners[::-1]),
        )
        for (kind, name), owners in brought.items()
        if len(owners) > 1
    }


def _without(plugin: Plugin) -> str:
    return f"tell its author; {WITHOUT}={plugin.name} leaves it out"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
