"""A plugin is asked what it brings: its hooks are called, once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pluggy

from limecep import hookspecs
from limecep.errors import said
from limecep.hookspecs import HOOKS
from limecep.problems import Problem, suggestion
from limecep.spec import WITHOUT, ComponentSpec, title
from limecep.vetting import another_contract, shortcomings

if TYPE_CHECKING:
    from limecep.registry import Plugin


def asked(module: Any, plugin: Plugin) -> Plugin:
    """The plugin with what its hooks return. What is no use is left out, each with a problem.

    Args:
        module: Holds the hooks.
        plugin: What is known of the plugin so far.
    """
    # One manager a plugin: what it registers before it fails touches no other.
    manager = pluggy.PluginManager("limecep")
    manager.add_hookspecs(hookspecs)
    specs: list[ComponentSpec] = []
    problems: list[Problem] = []

    def wrong(code: str, message: str, hint: str, where: Any = None) -> None:
        place = None
        if plugin.local:
            from limecep.whereabouts import place_of

            place = place_of(where, module)
        problems.append(Problem(code=code, message=f"{plugin}{message}", hint=hint, place=place))

    try:
        manager.register(module, plugin.name)
        manager.check_pending()
    except pluggy.PluginValidationError as e:
        unknown = [c.name for c in manager.get_hookcallers(module) or () if not c.has_spec()]
        if not unknown:
            wrong("plugin-hook", f" has a hook of another form: {said(e)}", "hooks take no arguments")
        else:
            hints = "; ".join(f"{name}: {suggestion(name, HOOKS)}" for name in unknown)
            where = getattr(module, unknown[0])
            wrong("plugin-hook", f" has unknown hooks: {', '.join(unknown)}", hints, where)
        return replace(plugin, status="failed", problems=tuple(problems))
    marked = {c.name for c in manager.get_hookcallers(module) or ()}
    unmarked = [name for name in HOOKS if callable(getattr(module, name, None)) and name not in marked]
    if unmarked:
        found = f" has hooks that are not marked: {', '.join(unmarked)}"
        wrong("plugin-hook", found, "write @limecep.hookimpl above each", getattr(module, unmarked[0]))
        return replace(plugin, status="failed", problems=tuple(problems))
    for hook, kind in HOOKS.items():
        if hook not in marked:
            continue
        where = getattr(module, hook)
        try:
            returned = getattr(manager.hook, hook)()
        except KeyboardInterrupt:
            raise
        except BaseException as e:
            wrong("plugin-broken", f": {hook} failed: {said(e)}", without(plugin), where)
            continue
        # pluggy leaves None out, so a hook that forgot to return gives nothing at all.
        brought = returned[0] if returned else None
        if not isinstance(brought, (list, tuple)) or not all(isinstance(s, ComponentSpec) for s in brought):
            wrong(
                "no-spec", f": {hook} returned {brought!r}", "it must return a list of ComponentSpec", where
            )
            continue
        for spec in brought:
            if other := another_contract(spec):
                wrong("plugin-contract", f": {other[0]}", other[1], where)
                continue
            short = shortcomings(spec)
            if spec.kind != kind:
                short.insert(0, f"kind is {spec.kind!r}, where {hook} brings {kind!r}")
            if short:
                wrong(
                    "incomplete-spec",
                    f": {title(kind)} '{spec.name}' is left out: {'; '.join(short)}",
                    "see limecep.ComponentSpec and limecep.option",
                    where,
                )
            else:
                specs.append(spec)
    failed = bool(problems) and not specs
    return replace(
        plugin, status="failed" if failed else "loaded", specs=tuple(specs), problems=tuple(problems)
    )


def without(plugin: Plugin) -> str:
    """What to do about a plugin that fails."""
    return "" if plugin.local else f"tell its author; {WITHOUT}={plugin.name} leaves it out"
