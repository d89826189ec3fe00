"""Why a component cannot be had, in words for the user: asked only where one was not found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.problems import Problem, suggestion
from limecep.spec import KINDS, OWN, WITHOUT, title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.registry import Plugin, Registry
    from limecep.spec import ComponentSpec


def problem(registry: Registry, kind: str, name: str) -> Problem:
    """Why a registry gives no component of a kind and name, or one that cannot be used."""
    origin, _, plain = name.rpartition(":")
    brought = registry.brought(kind, plain)
    named = [(plugin, spec) for plugin, spec in brought if origin in ("", plugin.distribution)]
    if len(named) > 1:
        return _several(kind, plain, [plugin for plugin, _ in named])
    if not named and (faults := list(dict.fromkeys(_faults(registry, kind, plain, origin)))):
        said = "; ".join(fault.message for fault in faults)
        return Problem(
            code=faults[0].code,
            message=f"no {title(kind)} named '{name}': {said}",
            hint="; ".join(dict.fromkeys(fault.hint for fault in faults if fault.hint)),
        )
    if brought and not named:
        return Problem(
            code="unknown-component",
            message=f"'{origin}' brings no {title(kind)} named '{plain}'",
            hint=f"write {_either(kind, (plugin.qualified(plain) for plugin, _ in brought))}",
        )
    if named:
        spec = named[0][1]
        return Problem(
            code="missing-module",
            message=f"{title(kind)} '{plain}' needs the module '{registry.missing(spec)}', which is not "
            "installed",
            hint=install(registry, spec),
        )
    return Problem(
        code="unknown-component",
        message=f"no {title(kind)} named '{name}'",
        hint="; ".join(filter(None, (suggestion(name, registry.names(kind)), absent(registry)))),
    )


def _faults(registry: Registry, kind: str, name: str, origin: str) -> Iterator[Problem]:
    """What is wrong with the plugins that might have brought a component: one problem of each.

    Args:
        registry: The components there are.
        kind, name: Those of the component.
        origin: The distribution that is to bring it; "" for any.
    """
    for plugin in registry.plugins:
        if origin not in ("", plugin.distribution):
            continue
        # What is wrong with a component names it; else the plugin may have its name.
        named_so = [p for p in plugin.problems if f": {title(kind)} '{name}' " in p.message]
        for fault in (named_so or (plugin.problems if plugin.name == name else ()))[:1]:
            if fault.severity == "error":
                yield fault


def no_default(registry: Registry, kind: str, defaults: Sequence[ComponentSpec]) -> Problem:
    """Why a registry has no default component of a kind.

    Args:
        registry: The components there are.
        kind: The kind.
        defaults: Those whose specs say that they are it.
    """
    several = " and ".join(f"'{s.name}'" for s in defaults)
    return Problem(
        code="unknown-component",
        message=f"{f'{several} are both the' if several else 'no'} default {title(kind)}",
        hint="; ".join(filter(None, ("name one", suggestion("", registry.names(kind)), absent(registry)))),
    )


def shadowed(registry: Registry) -> list[Problem]:
    """A problem for every kind and name that more than one component has."""
    return [
        _several(kind, name, [plugin for plugin, _ in brought])
        for kind in KINDS
        for name in registry.names(kind)
        if len(brought := registry.brought(kind, name)) > 1
    ]


def _several(kind: str, name: str, plugins: Sequence[Plugin]) -> Problem:
    if kind == "command" or len({plugin.distribution for plugin in plugins}) < len(plugins):
        # No file names a command, and one distribution tells nothing apart.
        hint = "choose by leaving out the other, "
        hint += " or ".join(f"{WITHOUT}={plugin.full_name}" for plugin in plugins[::-1])
    else:
        hint = (
            f"say which one is meant: write {_either(kind, (plugin.qualified(name) for plugin in plugins))}"
        )
    return Problem(
        code="shadowed-component",
        message=f"{title(kind)} '{name}' is brought by {' and by '.join(map(str, plugins))}",
        hint=hint,
    )


def _either(kind: str, names: Iterable[str]) -> str:
    # In queries, such a name stands in backquotes.
    quote = "`" if kind == "function" else "'"
    return " or ".join(f"{quote}{name}{quote}" for name in names)


def absent(registry: Registry) -> str:
    """The plugins that might have brought what is not there."""
    said = []
    if blocked := [p.name for p in registry.plugins if p.status == "blocked"]:
        said.append(f"left out by {WITHOUT}: {', '.join(blocked)}")
    faulty = [p for p in registry.plugins if any(f.severity == "error" for f in p.problems)]
    if local := [p.distribution for p in faulty if p.local]:
        # That stands beside this: the list of what is installed has none of it.
        said.append(f"something is wrong with {', '.join(local)}, as is said of it")
    if installed := [p.name for p in faulty if not p.local]:
        said.append(f"something is wrong with {', '.join(installed)}: see 'limecep plugins list'")
    return "; ".join(said)


def install(registry: Registry, spec: ComponentSpec) -> str:
    """What to do so that the modules are there that a component requires.

    Args:
        registry: The components there are.
        spec: The component.
    """
    plugin = registry.origin(spec)
    if plugin is None or plugin.distribution == OWN or spec.distribution != OWN:
        return spec.install
    # The spec says nothing of its distribution.
    if spec.extra and not plugin.local:
        return replace(spec, distribution=plugin.distribution).install
    return f"install what brings {', '.join(map(repr, spec.requires))}, which {plugin} needs"


def not_imported(registry: Registry, spec: ComponentSpec, module: str, name: str, error: Exception) -> str:
    """Why what a spec names cannot be imported.

    Args:
        registry: The components there are.
        spec: The spec.
        module, name: What it names.
        error: What Python said.
    """
    what = f"{title(spec.kind)} '{spec.name}'"
    if not isinstance(error, ImportError):
        return f"{what} cannot be made: module '{module}' has no '{name}'"
    absent = (error.name or "").partition(".")[0] in spec.requires
    plugin = registry.origin(spec)
    distribution = spec.distribution if plugin is None else plugin.distribution
    hint = install(registry, spec) if absent else f"its distribution '{distribution}' may need a reinstall"
    return f"{what} cannot be imported: {error}\n    {hint}"
