"""The components there are: look-up by kind and name, and what to say when it fails."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure
from limecep.problems import Problem, suggestion
from limecep.spec import KINDS, ComponentSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Kinds as people say them, where that is not the word itself.
TITLES = {
    "lateness": "lateness policy",
    "slack": "slack policy",
    "recompute": "recompute policy",
    "results": "result policy",
    "state": "state store",
}


def title(kind: str) -> str:
    """A kind as people say it: `engine`, `lateness policy`."""
    return TITLES.get(kind, kind)


class Registry:
    """Specs by kind and name. Made by a host; a value, so that two can live side by side.

    Args:
        specs: The components. Of two with one kind and name the first counts.
        shadowed: What is wrong with a kind and name that more than one plugin brings.
        faulty: Why a plugin brings nothing, or less than it should, by the plugin's name.
        blocked: The plugins left out on request.
    """

    def __init__(
        self,
        specs: Iterable[ComponentSpec],
        *,
        shadowed: Mapping[tuple[str, str], Problem] = MappingProxyType({}),
        faulty: Mapping[str, Problem] = MappingProxyType({}),
        blocked: Iterable[str] = (),
    ) -> None:
        self._specs: dict[tuple[str, str], ComponentSpec] = {}
        for spec in specs:
            self._specs.setdefault((spec.kind, spec.name), spec)
        self._shadowed = shadowed
        self._faulty = faulty
        self._blocked = tuple(blocked)

    def find(self, kind: str, name: str) -> ComponentSpec | None:
        """The component of that kind and name; None where there is none, or more than one."""
        return None if (kind, name) in self._shadowed else self._specs.get((kind, name))

    def default(self, kind: str) -> ComponentSpec | None:
        """The component of a kind that is used where none is named; None unless there is just one."""
        found = self._defaults(kind)
        return found[0] if len(found) == 1 else None

    def _defaults(self, kind: str) -> list[ComponentSpec]:
        return [s for s in self.specs(kind) if s.default]

    def names(self, kind: str) -> list[str]:
        """The names there are of a kind, sorted."""
        return sorted(name for k, name in self._specs if k == kind)

    def specs(self, kind: str | None = None) -> list[ComponentSpec]:
        """The components of a kind, or all: in the order of `KINDS`, then by name."""
        order = list(KINDS)
        return sorted(
            (s for s in self._specs.values() if kind in (None, s.kind)),
            key=lambda s: (order.index(s.kind), s.name),
        )

    def missing(self, spec: ComponentSpec) -> str | None:
        """The first module that a component needs and that is not installed. Imports nothing."""
        return next((name for name in spec.requires if not _installed(name)), None)

    def problem(self, kind: str, name: str) -> Problem:
        """Why a component that `find` does not give, or that is `missing` a module, cannot be had."""
        if shadowed := self._shadowed.get((kind, name)):
            return shadowed
        if spec := self._specs.get((kind, name)):
            module = self.missing(spec)
            return Problem(
                code="missing-module",
                message=f"{title(kind)} '{name}' needs the module '{module}', which is not installed",
                hint=spec.install,
            )
        if fault := self._faulty.get(name):
            return Problem(
                code=fault.code,
                message=f"no {title(kind)} named '{name}': {fault.message}",
                hint=fault.hint,
            )
        return Problem(
            code="unknown-component",
            message=f"no {title(kind)} named '{name}'",
            hint="; ".join(filter(None, (suggestion(name, self.names(kind)), self._absent()))),
        )

    def no_default(self, kind: str) -> Problem:
        """Why `default` gives none."""
        several = " and ".join(f"'{s.name}'" for s in self._defaults(kind))
        return Problem(
            code="unknown-component",
            message=f"{f'{several} are both the' if several else 'no'} default {title(kind)}",
            hint="; ".join(filter(None, ("name one", suggestion("", self.names(kind)), self._absent()))),
        )

    def _absent(self) -> str:
        """The plugins that might have brought what is not there."""
        said = []
        if self._blocked:
            said.append(f"left out by LIMECEP_WITHOUT: {', '.join(self._blocked)}")
        if self._faulty:
            said.append(f"something is wrong with {', '.join(self._faulty)}: see 'limecep plugins list'")
        return "; ".join(said)

    def make(self, spec: ComponentSpec, *args: Any) -> Any:
        """Imports a component's factory and calls it with `args`.

        Raises:
            RunFailure: The factory cannot be imported.
        """
        return self.load(spec, spec.factory)(*args)

    def load(self, spec: ComponentSpec, reference: str) -> Any:
        """Imports what a spec names, `"package.module:name"`.

        Raises:
            RunFailure: It cannot be imported; the message says what to install where that helps.
        """
        module, _, attribute = reference.partition(":")
        what = f"{title(spec.kind)} '{spec.name}'"
        try:
            return getattr(importlib.import_module(module), attribute)
        except ImportError as e:
            absent = (e.name or "").partition(".")[0] in spec.requires
            hint = spec.install if absent else f"its distribution '{spec.distribution}' may need a reinstall"
            raise RunFailure(f"{what} cannot be imported: {e}\n    {hint}") from e
        except AttributeError as e:
            raise RunFailure(f"{what} cannot be made: module '{module}' has no '{attribute}'") from e


def _installed(name: str) -> bool:
    # What is imported already may have no spec to find, and a test double need not have one.
    return sys.modules.get(name) is not None or importlib.util.find_spec(name) is not None
