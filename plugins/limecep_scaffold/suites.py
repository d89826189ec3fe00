"""The suites of components, made of what the command line says."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args

from limecep.contracts.options import VettingPipelines
from limecep.model.pattern import Select
from limecep.testing.bounded import Bounded
from limecep_scaffold.samples import decoded, messages, samples
from limecep_scaffold.sides import Reading, Writing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep.spec import ComponentSpec

#: By kind: the class of the suite, and the method that makes a component.
SUITES = {
    "engine": ("limecep.testing.engine:EngineConformance", "make_engine"),
    "lateness": ("limecep.testing.lateness:LatenessConformance", "make_policy"),
    "slack": ("limecep.testing.slack:SlackConformance", "make_policy"),
    "recompute": ("limecep.testing.recompute:RecomputeConformance", "make_policy"),
    "results": ("limecep.testing.results:ResultsConformance", "make_policy"),
    "time": ("limecep.testing.time:TimeConformance", "make_format"),
    "function": ("limecep.testing.function:FunctionConformance", "make_function"),
    "table": ("limecep.testing.table:TableConformance", "make_table"),
    "transform": ("limecep.testing.transform:TransformConformance", "make_transform"),
    "observer": ("limecep.testing.observer:ObserverConformance", "make_observer"),
    "state": ("limecep.testing.state:StateConformance", "make_store"),
    "codec": ("limecep.testing.codec:CodecConformance", "make_codec"),
    "source": ("limecep.testing.transport:SourceConformance", "make_source"),
    "sink": ("limecep.testing.transport:SinkConformance", "make_sink"),
    "runner": ("limecep.testing.runner:RunnerConformance", "make_runner"),
    "command": ("limecep.testing.command:CommandConformance", ""),
}


class Unfit(Exception):
    """A suite cannot be made of what was said.

    Args:
        message: What is missing or wrong.
        hint: What to do.
    """

    def __init__(self, message: str, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line says.

    Attributes:
        options: Options of the component.
        settings: Of a source or sink, the settings of its own block.
        given: Attributes of the suite that are to be otherwise.
        messages, records, broken: Of a codec: where its messages are, the records that they are, and what is
            no message.
        channel: Of a source or sink: what its channels are called, with `{n}` for what tells one from others;
            of a table where its rows are.
        publish, receive: Commands of a shell that write and read a channel; "" for files.
    """

    options: Any
    settings: Any
    given: Mapping[str, Any]
    messages: Path | None = None
    records: Path | None = None
    broken: Path | None = None
    channel: str = ""
    publish: str = ""
    receive: str = ""


def suite_of(spec: ComponentSpec, registry: Registry, asked: Asked) -> Any:
    """The suite of a component.

    Args:
        spec: The component.
        registry: The components there are.
        asked: What the command line says.

    Raises:
        Unfit: The suite needs more, or has no such attribute.
    """
    reference, method = SUITES[spec.kind]
    module, _, name = reference.partition(":")
    base = getattr(import_module(module), name)
    known = sorted(
        n
        for n in dir(base)
        if not n.startswith(("_", "test_", "pytest_", "elsewhere")) and not callable(getattr(base, n))
    )
    for attribute in asked.given:
        if attribute not in known:
            has = ", ".join(known) or "nothing to set"
            raise Unfit(
                f"the suite has no '{attribute}'; it has {has}", "--set takes the attributes of the suite"
            )

    def make(*arguments: Any) -> Any:
        if spec.kind == "function":
            # Nothing is made of it.
            return registry.factory(spec)
        *before, context = arguments
        return registry.make(spec, *before, asked.options, context)

    members: dict[str, Any] = {method: staticmethod(make)} if method else {}
    bases: tuple[type, ...] = (base,)
    if spec.kind == "engine":
        selects = tuple(s for s in get_args(Select) if s in spec.capabilities)
        members |= {"selects": selects} if selects else {}
    elif spec.kind == "function":
        members["declared"] = spec.signature
    elif spec.kind == "table":
        members |= _table(spec, registry, asked)
    elif spec.kind == "codec":
        members |= _codec(make, asked)
    elif spec.kind in ("source", "sink"):
        side, more = _side(spec, asked)
        members |= {**more, method: staticmethod(_transport(spec, registry, asked))}
        bases = (side, base)
    elif spec.kind == "runner":
        members = _runner(spec, registry, asked.options)
    elif spec.kind == "command":
        members = {"spec": spec}
    return type("TestComponent", bases, {**members, **asked.given})


def _codec(make: Any, asked: Asked) -> dict[str, Any]:
    if asked.messages is None:
        raise Unfit(
            "the suite for codecs needs messages with the records that they are",
            "give --messages FILE with a message a line, or a folder with a message a file, and --records "
            "FILE with a JSON list of records for each (without it: what the codec gives for each)",
        )
    try:
        sent = messages(asked.messages)
        seconds = asked.given.get("call_seconds", Bounded.call_seconds)
        known = decoded(make, sent, seconds) if asked.records is None else samples(sent, asked.records)
        return {"samples": known, "broken": () if asked.broken is None else tuple(messages(asked.broken))}
    except (OSError, ValueError) as e:
        raise Unfit(str(e), "see 'limecep plugins test --help'") from e


def _table(spec: ComponentSpec, registry: Registry, asked: Asked) -> dict[str, Any]:
    if "channel" in spec.capabilities and not asked.channel:
        hint = "give --channel, such as limits.csv; --set absent=nowhere.csv tries one that is not there"
        raise Unfit("the suite needs to know where rows are", hint)
    members: dict[str, Any] = {"channel": asked.channel}
    if "messages" in spec.capabilities:
        known = registry.load(spec, spec.format_of)(asked.channel) if spec.format_of else ""
        codec = registry.find("codec", str(known)) if known else registry.default("codec")
        if codec is None:
            raise Unfit(f"nothing is known of the format of '{asked.channel}'", "let its name tell")
        members["make_codec"] = staticmethod(lambda context: registry.make(codec, codec.options(), context))
    return members


def _side(spec: ComponentSpec, asked: Asked) -> tuple[type, dict[str, Any]]:
    """The other side of the channels of a source or sink."""
    reads = spec.kind == "source"
    command = asked.publish if reads else asked.receive
    if not command and (spec.broker or spec.requires):
        option = "--publish" if reads else "--receive"
        does = "takes lines on its standard input" if reads else "prints the messages, a line each"
        raise Unfit(
            f"{spec.kind} '{spec.name}' needs a broker, and the suite somebody on its other side",
            f"start a broker, name it in --options, and give {option} COMMAND, which {does} ($CHANNEL is the "
            "channel); --channel 'trial-{n}' names the channels",
        )
    if not (command or asked.channel or reads or "channel" in spec.capabilities):
        raise Unfit(
            f"sink '{spec.name}' does not say that it has a channel, where the suite could look",
            "give --channel '{n}' if its channel is a file, or --receive COMMAND, which prints the messages",
        )
    members: dict[str, Any] = {"name": asked.channel or "{n}", "command": command}
    if reads:
        live = "finite" not in spec.capabilities or bool(getattr(asked.settings, "live", False))
        members |= {"live": live, "remembers": live, "lines": "lines" in spec.capabilities}
    return (Writing if reads else Reading), members


def _transport(spec: ComponentSpec, registry: Registry, asked: Asked) -> Any:
    def make(channel: str, context: Any) -> Any:
        return registry.make(spec, channel, asked.settings, asked.options, context)

    return make


def _runner(spec: ComponentSpec, registry: Registry, options: Any) -> dict[str, Any]:
    def make(config: PipelineConfig, components: Registry) -> Any:
        return registry.make(spec, config, components, options)

    def objection(config: PipelineConfig) -> str:
        found = options.vet(config) if isinstance(options, VettingPipelines) else ()
        return "; ".join(problem.message for _, problem in found if problem.severity == "error")

    return {"make_runner": staticmethod(make), "objection": staticmethod(objection)}
