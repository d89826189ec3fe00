"""`limecep plugins test`: whether a component keeps its contract."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from limecep.embedding.commands import Exit, Host
from limecep.embedding.documents import Block, Findings, SourceText, check_keys, keys, parse, read
from limecep.errors import ConfigurationError
from limecep.problems import Problem, suggestion
from limecep.spec import KINDS, ComponentSpec

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from limecep.registry import Registry
    from limecep.spec import Kind
    from limecep_scaffold.trials import Outcome

#: What the command line says of codecs, sources and sinks.
_TOLD = ("messages", "records", "broken", "channel", "publish", "receive")
#: How much is shown of why a test failed, in lines.
_LINES = 40


class TryCommand:
    """`limecep plugins test` (`limecep.contracts.command`).

    Args:
        registry: The components there are.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""
        parser.description = "Runs the conformance suite of limecep.testing against a component."
        parser.add_argument(
            "component",
            metavar="KIND/NAME",
            help="an installed component, such as slack/adaptive; one of a file, by its name or its class, "
            "slack/./mine.py:patient; or a class, slack/package.module:Class",
        )
        parser.add_argument("--options", metavar="YAML", default="", help='its options, such as "{wait: 2s}"')
        parser.add_argument(
            "--settings", metavar="YAML", default="", help="keys of a source's or sink's own block"
        )
        parser.add_argument(
            "--messages",
            metavar="PATH",
            type=Path,
            help="of a codec: a file of messages, or a folder of them",
        )
        parser.add_argument(
            "--records", metavar="FILE", type=Path, help="of a codec: a JSON list of records for each message"
        )
        parser.add_argument("--broken", metavar="PATH", type=Path, help="of a codec: what is no message")
        parser.add_argument(
            "--channel",
            metavar="NAME",
            default="",
            help="of a source or sink: what channels are called, with {n} for what tells them apart; of a "
            "table: where its rows are",
        )
        parser.add_argument(
            "--publish",
            metavar="COMMAND",
            default="",
            help="of a source: publishes the lines of its standard input to $CHANNEL (default: to a file)",
        )
        parser.add_argument(
            "--receive",
            metavar="COMMAND",
            default="",
            help="of a sink: prints the messages of $CHANNEL, a line each (default: those of a file)",
        )
        parser.add_argument(
            "--set",
            metavar="NAME=YAML",
            action="append",
            default=[],
            dest="attributes",
            help="an attribute of the suite, such as examples=50 or exact=false",
        )
        parser.add_argument(
            "--seconds", type=float, default=600.0, help="how long each test may take (default: 600)"
        )

    def execute(self, args: argparse.Namespace) -> int:
        """Runs the suite; says of each test whether it passed.

        Raises:
            RunFailure: The component cannot be imported.
        """
        try:
            return self._tried(args)
        except ConfigurationError as e:
            print(e, file=sys.stderr)
            return Exit.USAGE

    def _tried(self, args: argparse.Namespace) -> int:
        from limecep_scaffold.suites import SUITES
        from limecep_scaffold.trials import tried

        spec = self._spec(args.component)
        if spec.kind not in SUITES:
            print(f"limecep: there is no suite for components of the kind {spec.kind}", file=sys.stderr)
            return Exit.USAGE
        told = {name: getattr(args, name) for name in _TOLD}
        suite = self.suite(args.component, args.options, args.attributes, args.settings, **told)
        # pytest has a standard output of its own.
        outcomes = tried(suite, args.seconds, partial(_show, sys.stdout))
        failed = sum(o.outcome == "failed" for o in outcomes)
        skipped = sum(o.outcome == "skipped" for o in outcomes)
        passed = len(outcomes) - failed - skipped
        print(f"{spec.kind}/{spec.name}: {passed} passed, {failed} failed, {skipped} skipped")
        return Exit.FOUND_PROBLEMS if failed or not passed else Exit.FINE

    def suite(
        self, component: str, options: str, attributes: Sequence[str], settings: str = "", **told: Any
    ) -> Any:
        """The suite of a component.

        Args:
            component: The component, as the command takes it.
            options: Its options, as YAML.
            attributes: Attributes of the suite, each `NAME=YAML`.
            settings: Of a source or sink, the keys of its own block, as YAML.
            told: What else of `limecep_scaffold.suites.Asked` the command line says.

        Raises:
            ConfigurationError: The component cannot be had, or what was said is wrong.
            RunFailure: The component cannot be imported.
        """
        from limecep_scaffold.elsewhere import called
        from limecep_scaffold.suites import Asked, Unfit, suite_of

        spec = self._spec(component)
        self._registry.factory(spec)
        what = f"{spec.kind} '{spec.name}'"
        asked = Asked(
            options=_options("--options", options, spec.options, what),
            settings=_options("--settings", settings, spec.settings, what),
            given=dict(map(_attribute, attributes)),
            **told,
        )
        try:
            suite = suite_of(spec, self._registry, asked)
        except Unfit as e:
            raise _refused("bad-override", str(e), e.hint) from e
        suite.elsewhere = called(component, options, attributes)
        return suite

    def _spec(self, component: str) -> ComponentSpec:
        kind, slash, name = component.partition("/")
        if not slash or kind not in KINDS:
            hint = f"write {component} after its kind: slack/{component}" if ":" in component else ""
            raise _refused(
                "unknown-kind", f"'{component}' is not of the form KIND/NAME", hint or suggestion(kind, KINDS)
            )
        origin, colon, plain = name.rpartition(":")
        registry = self._registry
        if origin.endswith(".py"):
            registry = Host(registry.plugins).with_plugins(origin).registry
            of_file = [s for p in registry.plugins if p.distribution == origin for s in p.specs]
            # It may be called as its class is.
            called = [s for s in of_file if (s.kind, s.made_by[1]) == (kind, plain)]
            if called and not any((s.kind, s.name) == (kind, plain) for s in of_file):
                return called[0]
        if not colon or any(origin == p.distribution for p in registry.plugins):
            spec = registry.find(kind, name)
            if spec is None or registry.missing(spec) is not None:
                raise ConfigurationError([registry.problem(kind, name)])
            return spec
        if not all(word.isidentifier() for word in [*origin.split("."), plain]):
            known = "distribution:name, ./file.py:name or package.module:Class"
            raise _refused("unknown-component", f"'{name}' names no component", f"write {known}")
        same = [s for s in registry.specs(kind) if s.factory == name]
        made = ComponentSpec(
            kind=cast("Kind", kind),
            name="tried",
            factory=name,
            summary="A class.",
            distribution=origin.partition(".")[0],
        )
        return replace(same[0] if same else made, name=name)


def _options(where: str, text: str, form: type, what: str) -> Any:
    """Options or settings of a component."""
    findings = Findings()
    block = parse(SourceText(where, text if text.strip() else "{}"), findings)
    if block is not None and not isinstance(block, Block):
        raise _refused("wrong-type", f"{where} is no block of keys", f'write {where} "{{key: value}}"')
    if block is None:
        raise ConfigurationError(findings.sorted())
    check_keys(block, keys(form), what, findings)
    options: Any = read(block, form, what, findings)
    if findings.failed:
        raise ConfigurationError([p for p in findings.sorted() if p.severity == "error"])
    return options


def _attribute(text: str) -> tuple[str, Any]:
    """An attribute of a suite, as it is given on the command line."""
    import yaml

    name, equals, value = text.partition("=")
    try:
        known = yaml.safe_load(value)
    except yaml.YAMLError:
        equals = ""
    if not equals or not name.isidentifier():
        raise _refused("bad-override", f"'{text}' is not of the form NAME=YAML", "write --set examples=50")
    return name, tuple(known) if isinstance(known, list) else known


def _refused(code: str, message: str, hint: str) -> ConfigurationError:
    return ConfigurationError([Problem(code=code, message=message, hint=hint)])


def _show(stream: TextIO, outcome: Outcome) -> None:
    print(f"{outcome.outcome:7}  {outcome.test}", file=stream, flush=True)
    lines = outcome.why.splitlines()
    for line in lines[:_LINES]:
        print(f"         {line}", file=stream)
    if len(lines) > _LINES:
        print(f"         ... {len(lines) - _LINES} more lines", file=stream)
