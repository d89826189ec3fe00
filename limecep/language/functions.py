"""The functions that queries may call: those that plugins bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep.model.function import Function
from limecep.problems import Problem, suggestion
from limecep.registry import OWN
from limecep.unfound import absent
from limecep.vetting import OF_THE_LANGUAGE

if TYPE_CHECKING:
    from limecep.registry import Registry


def function(registry: Registry, name: str) -> Function | Problem:
    """The function of a name, or why it cannot be had. It is imported.

    Args:
        registry: The components there are.
        name: The name, or `distribution:name`.
    """
    spec = registry.find("function", name)
    if spec is None or registry.missing(spec) is not None:
        problem = registry.problem("function", name)
        plain = name.rpartition(":")[2]
        if problem.code != "unknown-component" or registry.brought("function", plain):
            return problem
        near = suggestion(plain, [*OF_THE_LANGUAGE, *registry.names("function")])
        hint = "; ".join(filter(None, (near, absent(registry))))
        return Problem(code="unknown-function", message=f"there is no function '{name}'", hint=hint)
    try:
        made = Function(name, spec.takes, registry.factory(spec))
    except (RunFailure, ValueError) as e:
        return Problem(code="plugin-import", message=f"function '{name}' cannot be had: {e}")
    plugin = registry.origin(spec)
    if spec.signature and plugin is not None and plugin.distribution != OWN:
        from limecep.signature import apart

        if said := apart(spec.takes, registry.factory(spec)):
            hint = "this is a mistake in the plugin: both must say the same"
            return Problem(code="broken-contract", message=f"function '{name}' of {plugin} {said}", hint=hint)
    return made
