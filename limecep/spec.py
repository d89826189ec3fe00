"""Component specs: what a plugin says about each component it brings.

One spec drives everything about its component: YAML parsing and defaults, `limecep check`,
`limecep plugins list/show`, the JSON Schema, the option tables of the docs.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.signature import Signature

Kind = Literal[
    "source", "sink", "codec", "time", "engine", "lateness", "slack", "recompute", "results",
    "function", "table", "transform", "state", "observer", "runner", "command",
]  # fmt: skip

#: Every kind of component, with what it is, in the order of `limecep plugins list`.
KINDS: dict[str, str] = {
    "source": "brings messages in",
    "sink": "takes updates out",
    "codec": "turns a message into records",
    "time": "reads times that are written in a way of their own",
    "engine": "finds the matches that end with an event",
    "lateness": "decides whether a late event is still used",
    "slack": "decides how long a recomputation waits",
    "recompute": "decides which end events a late event may touch",
    "results": "decides which differences go out, and when",
    "function": "computes a value in a condition",
    "table": "brings the rows in which conditions look values up",
    "transform": "changes records on their way to a sink",
    "state": "keeps a pipeline's state across crashes",
    "observer": "is told how a pipeline is doing",
    "runner": "runs a pipeline somewhere",
    "command": "adds a sub-command to limecep",
}

#: The version of the contract of each kind. It rises where an old component would no longer do.
CONTRACTS: dict[str, int] = dict.fromkeys(KINDS, 1)
#: The oldest version of each that this limecep understands.
OLDEST: dict[str, int] = dict.fromkeys(KINDS, 1)

#: Kinds as people say them, where that is not the word itself.
TITLES = {
    "time": "time format",
    "lateness": "lateness policy",
    "slack": "slack policy",
    "recompute": "recompute policy",
    "results": "result policy",
    "state": "state store",
}

#: The distribution whose plugins come with the kernel.
OWN = "limecep"
#: The environment variable with the plugins to leave out: `name` or `distribution:name`, commas between.
WITHOUT = "LIMECEP_WITHOUT"


def title(kind: str) -> str:
    """A kind as people say it: `engine`, `lateness policy`."""
    return TITLES.get(kind, kind)


def option(default: Any = dataclasses.MISSING, *, help: str, example: Any = None, **more: Any) -> Any:
    """A field of an options dataclass, with its meaning.

    Args:
        default: The default; none means that the option must be given.
        help: What it means, with its unit, as shown by `limecep plugins show` and the docs.
        example: A value to show.
        more: Passed on as metadata: `choices` (the values allowed), `unit` (`duration`, `bytes`, `percent`:
            how text such as `30s`, `64MB`, `10%` is read: durations become integer microseconds, percentages
            fractions, bytes integers), `name` (the key in YAML, where it cannot be a Python name), `reads`
            (for connectors: whether it names a file that should be there).

    What is wrong with values that are each right by themselves an options class says in `__post_init__`,
    with a ValueError whose message begins with the key it is about: `'low' must be less than 'high'`.
    """
    metadata = {"help": help, "example": example, **more}
    if isinstance(default, (list, dict, set)):
        value = default
        return field(default_factory=lambda: type(value)(value), metadata=metadata)
    if default is dataclasses.MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """For components that take no options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentSpec:
    """What a plugin says about one component.

    Args:
        kind: One of `KINDS`.
        name: The name in YAML, `lower_snake_case`; unique within the kind.
        factory: `"package.module:Class"`, imported when the component is used and not before; or the class
            itself, for components that need no installation (`limecep.local`). It is called
            `Class(..., options, context)`; `limecep.contracts` says for each kind what comes first. Of a
            function it is the function.
        options: A frozen keyword-only dataclass whose fields are made by `option`. What such an
            instance may say besides, such as `bounded` or `vet`, before the component is made, is a protocol
            each in `limecep.contracts.options`, listed by kind in its `OPTIONAL`.
        settings: For sources and sinks, another such dataclass: the keys of the source's or sink's own block
            that the component takes (`options` are those of its connector). The same
            protocols are looked for in them.
        summary: One line: what it does.
        default: Whether it is used where a pipeline names none of its kind.
        example: A YAML block that uses it.
        requires: Top-level names of modules it needs beyond limecep's own, such as `("some_client",)`.
        extra: The extra of its distribution that installs them.
        distribution: The distribution to name in the install hint.
        stability: What a user may expect of its options.
        format_of: `"package.module:function"` for a source, or a table, that knows the codec by the channel's
            name: given the channel it returns the codec's name, or "" if the name does not tell.
        broker: `"package.module:Class"` for a source whose broker can be run on this machine, for trials and
            tests (`limecep.contracts.broker`).
        signature: For a function named by text: what it takes and gives, as Python writes it,
            `(text: str, start: int, length: int = ...) -> str`.
        levels: For a source: what separates the levels of a channel, for `$topic[n]`.
        contract: The version of the kind's contract that it is written for (`CONTRACTS`); None: the present
            one, whichever that is where it runs. A component that says it is refused where it would not do.
        capabilities: Words the kernel knows: `finite`, a source that ends by itself (but where its settings
            have a true attribute `live`); `lines`, a source of the lines of a text, which it gives in UTF-8
            whatever `Context.encoding` is; `channel`, a sink or a table that must be told a channel (a
            path, a topic); `messages` and `checked`, a table (`limecep.contracts.table`);
            `encodes`, a sink that reads the records it is sent and changes none (others get copies);
            `envelope`, a codec that makes messages of records, too; `stnm`, `stam`, `sc`, the selection
            policies an engine knows (none of them: all); `all`, an engine that gives all matches, not only
            those contained in no other; `rule`, one that gives those of them that a rule of its own keeps;
            `picks`, one that finds the match a pattern picks by `limecep.plan.picked`, where that can.
    """

    kind: Kind
    name: str
    factory: str | Callable[..., Any]
    summary: str
    options: type = NoOptions
    settings: type = NoOptions
    default: bool = False
    example: str = ""
    requires: tuple[str, ...] = ()
    extra: str = ""
    distribution: str = "limecep"
    stability: Literal["alpha", "beta", "stable"] = "beta"
    format_of: str = ""
    broker: str = ""
    signature: str = ""
    levels: str = "/"
    contract: int | None = None
    capabilities: frozenset[str] = frozenset()

    @property
    def made_by(self) -> tuple[str, str]:
        """The module and the name of the factory."""
        if isinstance(self.factory, str):
            module, _, name = self.factory.partition(":")
            return module, name
        # A partial is of whoever made it, and an object that is called of its class.
        made: Any = self.factory.func if isinstance(self.factory, partial) else self.factory
        made = made if hasattr(made, "__qualname__") else type(made)
        return str(made.__module__), made.__qualname__

    @property
    def takes(self) -> Signature:
        """Of a function: what it takes and gives.

        Raises:
            ValueError: It does not say that, or says what no query can give.
        """
        # Most pipelines call none.
        from limecep.signature import read, signature_of

        if self.signature or isinstance(self.factory, str):
            return read(self.signature)
        return signature_of(self.factory)

    @property
    def answers(self) -> Literal["all", "maximal", "rule"]:
        """Of an engine: which matches it gives, as `Engine.results`."""
        return "rule" if "rule" in self.capabilities else "all" if "all" in self.capabilities else "maximal"

    @property
    def install(self) -> str:
        """The command that installs what `requires` names."""
        what = f"{self.distribution}[{self.extra}]" if self.extra else self.distribution
        return f"pip install '{what}'"
