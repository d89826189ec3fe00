"""`limecep plugins list`, `show` and `document`. They import no client library."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from limecep.cli import plugin_commands
from limecep.cli.exits import Exit
from limecep.cli.option_descriptions import ANSWERS, described
from limecep.host import Host
from limecep.problems import Problem, suggestion
from limecep.spec import KINDS
from limecep.unfound import install

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from limecep.registry import Registry
    from limecep.spec import ComponentSpec


def declare(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    listing = subparsers.add_parser("list", help="list every component that plugins bring")
    listing.add_argument("--format", choices=("text", "json"), default="text")
    _add_pipeline(listing)
    listing.set_defaults(execute=_list)
    documenting = subparsers.add_parser(
        "document", help="print a page of docs, with the options of components"
    )
    documenting.add_argument(
        "--from", metavar="DISTRIBUTION", dest="distribution", help="only those it brings"
    )
    documenting.set_defaults(execute=_document)
    showing = subparsers.add_parser("show", help="show a component with its options and an example")
    showing.add_argument("component", metavar="KIND/NAME", help="such as engine/maximal")
    _add_pipeline(showing)
    showing.set_defaults(execute=_show)
    host = Host.load()
    plugin_commands.add(subparsers, host.registry, below="plugins")
    parser.set_defaults(host=host)


def _add_pipeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pipeline", metavar="FILE", help="with the components that this pipeline brings along"
    )


def _host(args: argparse.Namespace) -> tuple[Host, list[Problem]]:
    """The plugins, and what is wrong with those of the pipeline."""
    if args.pipeline is None:
        return args.host, []
    # Listing what is installed reads no YAML.
    from limecep.config.plugins import host_of

    return host_of(args.pipeline, args.host)


def _list(args: argparse.Namespace) -> int:
    host, problems = _host(args)
    if args.format == "json":
        print(json.dumps(_listing(host, problems), indent=2))
        return Exit.FINE
    specs = host.registry.specs()
    left = max((len(s.name) for s in specs), default=0)
    for kind, meaning in KINDS.items():
        of_kind = [s for s in specs if s.kind == kind]
        if of_kind:
            print(f"{kind} - {meaning}")
        for spec in of_kind:
            print(f"  {spec.name:{left}}  {spec.summary}{_origin(host, spec)}{_needs(host.registry, spec)}")
    for plugin in host.plugins:
        if plugin.status == "blocked":
            print(f"left out: {plugin}", file=sys.stderr)
    for problem in (*problems, *host.problems):
        print(problem, file=sys.stderr)
    return Exit.FOUND_PROBLEMS if any(p.severity == "error" for p in problems) else Exit.FINE


def _origin(host: Host, spec: ComponentSpec) -> str:
    """What was installed to bring a component, where that is not limecep itself."""
    plugin = host.origin(spec)
    mine = plugin.distribution == "limecep"
    return "" if mine else f" [{plugin.distribution} {plugin.version}]".replace(" ]", "]")


def _needs(registry: Registry, spec: ComponentSpec) -> str:
    return f" [needs: {install(registry, spec)}]" if registry.missing(spec) else ""


def _listing(host: Host, problems: Sequence[Problem]) -> dict[str, Any]:
    return {
        "plugins": [
            {
                "name": plugin.name,
                "module": plugin.module,
                "distribution": plugin.distribution,
                "version": plugin.version,
                "path": plugin.path,
                "status": plugin.status,
                "local": plugin.local,
                "components": [
                    {
                        "kind": spec.kind,
                        "name": spec.name,
                        "summary": spec.summary,
                        "stability": spec.stability,
                        **({"results": spec.answers} if spec.kind == "engine" else {}),
                        **(
                            {"signature": f"{spec.signature or spec.takes}"}
                            if spec.kind == "function"
                            else {}
                        ),
                        "contract": spec.contract,
                        "missing": host.registry.missing(spec),
                        "install": install(host.registry, spec) if host.registry.missing(spec) else None,
                    }
                    for spec in plugin.specs
                ],
            }
            for plugin in host.plugins
        ],
        "problems": [
            {"code": p.code, "severity": p.severity, "message": p.message, "hint": p.hint}
            for p in (*problems, *host.problems)
        ],
    }


def _of_kind(spec: ComponentSpec) -> dict[str, str]:
    """What only components of its kind have."""
    if spec.kind == "engine":
        return {"results": spec.answers}
    return {"signature": f"{spec.signature or spec.takes}"} if spec.kind == "function" else {}


def _show(args: argparse.Namespace) -> int:
    host, problems = _host(args)
    for problem in problems:
        print(problem, file=sys.stderr)
    kind, slash, name = args.component.partition("/")
    if not slash or kind not in KINDS:
        problem = Problem(
            code="unknown-kind",
            message=f"'{args.component}' is not of the form KIND/NAME",
            hint=", ".join(f"{kind}/{n}" for n in host.registry.names(kind)) or suggestion(kind, KINDS),
        )
        print(problem, file=sys.stderr)
        return Exit.USAGE
    spec = host.registry.find(kind, name)
    if spec is None:
        print(host.registry.problem(kind, name), file=sys.stderr)
        return Exit.USAGE
    plugin = host.origin(spec)
    print(f"{kind}/{name} - {spec.summary}")
    print(f"{spec.stability}, from {plugin}")
    if kind == "engine":
        print(f"gives {ANSWERS[spec.answers]}")
    if kind == "function":
        print(f"takes and gives: {spec.name}{spec.signature or spec.takes}")
    if host.registry.missing(spec):
        print(f"needs: {install(host.registry, spec)}")
    # What brings messages in or takes them out has a connector, which several sources or sinks may share.
    of = "connector" if kind in ("source", "sink") else kind
    _print_options(f"options of the {of}", spec.options)
    _print_options(f"options of the {kind}", spec.settings)
    if spec.example:
        print("\nexample")
        print("\n".join(f"  {line}" for line in spec.example.strip("\n").splitlines()))
    return Exit.FINE


def _document(args: argparse.Namespace) -> int:
    # Listing does without what this needs.
    from limecep.cli.option_tables import of_components

    host: Host = args.host
    wanted = args.distribution
    specs = host.registry.specs()
    print(of_components(s for s in specs if wanted in (None, host.origin(s).distribution)))
    return Exit.FINE


def _print_options(heading: str, options: type) -> None:
    found = described(options)
    if found:
        print(f"\n{heading}")
    for option in found:
        default = "required" if option.default is None else f"default {option.default}"
        print(f"  {option.name} ({option.type}, {default})")
        print(f"      {option.help}")
        if option.example:
            print(f"      for example {option.name}: {option.example}")
