"""The functions that queries may call: those that plugins bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from limecep.model.function import Function
    from limecep.registry import Registry


class Functions(Mapping[str, "Function | Problem"]):
    """The functions of a registry by their names, or a problem that says why one cannot be had. A function is
    imported when it is asked for.

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[str, Function | Problem] = {}

    def __getitem__(self, name: str) -> Function | Problem:
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._registry.names("function"))

    def __len__(self) -> int:
        return len(self._registry.names("function"))

    def _found(self, name: str) -> Function | Problem:
        # Most queries call none.
        from limecep.model.function import Function

        registry = self._registry
        spec = registry.find("function", name)
        if spec is None or registry.missing(spec) is not None:
            problem = registry.problem("function", name)
            known = registry.brought("function", name.rpartition(":")[2])
            if problem.code == "unknown-component" and not known:
                return self._unknown(name)
            return problem
        try:
            return Function(name, spec.takes, registry.factory(spec))
        except (RunFailure, ValueError) as e:
            return Problem(code="plugin-import", message=f"function '{name}' cannot be had: {e}")

    def _unknown(self, name: str) -> Problem:
        """What is said of a name that no function has, where some plugin that is left out may bring it."""
        from limecep.unfound import absent

        if not (missing := absent(self._registry)):
            raise KeyError(name)
        hint = f"{suggestion(name, self)}; {missing}".removeprefix("; ")
        return Problem(code="unknown-function", message=f"there is no function '{name}'", hint=hint)
