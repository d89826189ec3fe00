"""The components of an assembly: makes them, and tells of an error whose it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from limecep.errors import ComponentFailure, ContractBreach, Stopped, words
from limecep.registry import OWN
from limecep.vetting import awaited

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from limecep.contracts.context import Context
    from limecep.registry import Registry
    from limecep.runtime.blame import Made
    from limecep.spec import ComponentSpec


class Components:
    """Makes components, and knows them.

    Args:
        registry: The components there are.

    Attributes:
        disabled: Why those were disabled that others go on without, by their label.
    """

    def __init__(self, registry: Registry) -> None:
        self.disabled: dict[str, str] = {}
        self._registry = registry
        # Those that were made last, by label and kind.
        self._made: dict[tuple[str, str], tuple[ComponentSpec, Any]] = {}
        self._owners: dict[tuple[str, str], str] = {}

    def make(self, spec: ComponentSpec, context: Context, *args: Any) -> Any:
        """Makes a component of a spec, with a context after other arguments."""
        self._made[context.label, spec.kind] = spec, None
        try:
            component = self._registry.make(spec, *args, context)
        except (KeyboardInterrupt, Stopped):
            raise
        except BaseException as error:
            if type(error) is TypeError and self._named(error) is error:
                # None of its code has run.
                how = f"limecep.contracts.{spec.kind} says which arguments it is made with"
                raise ComponentFailure(f"{self.words(context.label, spec.kind, error)}: {how}", "") from error
            if not isinstance(error, Exception) and self._named(error) is error:
                # Such as SystemExit: it would end the process without a word.
                raise ComponentFailure(self.words(context.label, spec.kind, error), "") from error
            self.blame(error)
        own = getattr(component, "guarded", component)
        self._made[context.label, spec.kind] = spec, own
        if names := awaited(type(own)):
            self.blame(ContractBreach(component, f"has 'async def {names[0]}', which nobody awaits"))
        plugin = self._registry.origin(spec)
        if plugin is not None and plugin.distribution != OWN:
            self._check(context.label, spec, component)
        return component

    def calls(self, label: str, spec: ComponentSpec) -> None:
        """The conditions of a place in the pipeline call a function: it is known by name where it hangs."""
        self._made[label, f"function {spec.name}"] = spec, self._registry.factory(spec)

    def _check(self, label: str, spec: ComponentSpec, component: Any) -> None:
        """A component that was made has all that its contract asks for. What its class says was checked with
        the configuration; what it sets of itself shows only now."""
        from limecep.contracts.duties import contracts_of, incomplete

        for contract in contracts_of(spec, component):
            if said := incomplete(component, contract):
                raise ComponentFailure(self.words(label, spec.kind, ContractBreach(component, said)), "")

    def blame(self, error: BaseException) -> NoReturn:
        """Raises an error anew, one that a component should not have raised in words that name it."""
        told = self._named(error)
        if told is error:
            raise error
        raise told from error

    def _named(self, error: BaseException) -> BaseException:
        # Where a component has left no file to be opened, it cannot be imported.
        with suppress(OSError):
            # Most runs do without.
            from limecep.runtime.blame import blamed

            return blamed(error, self._all())
        return error

    def words(self, label: str, kind: str, error: BaseException) -> str:
        """What the component of a kind has raised, or done, in words that name it."""
        from limecep.runtime.blame import Made, done, owner

        if (label, kind) not in self._owners:
            self._owners[label, kind] = owner(Made(label, *self._made[label, kind]))
        return f"{self._owners[label, kind]} {done(error)}"

    def disable(self, context: Context, error: BaseException) -> str:
        """A component of a place in the pipeline has failed, and others go on: tells that once, and gives the
        reason in words."""
        told = self._named(error)
        self.disabled[context.label] = reason = words(told)
        shown = {"traceback": told.where} if isinstance(told, ComponentFailure) else {}
        context.logger.error("disabled after an error, others go on (on_error)", reason=reason, **shown)
        return reason

    def running(self, frames: Sequence[FrameType]) -> str:
        """Which component runs in these frames, the outermost first, in words; "" if none does."""
        from limecep.runtime.blame import running

        return running(frames, self._all())

    def _all(self) -> list[Made]:
        from limecep.runtime.blame import Made

        return [Made(label, *made) for (label, _), made in self._made.items()]
