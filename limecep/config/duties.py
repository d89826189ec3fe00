"""Components of plugins that lack something of their contract, found before anything is opened."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from limecep.config.faulty import mend, trace
from limecep.contracts.duties import contracts_of, lacking, odd_names
from limecep.contracts.options import OPTIONAL
from limecep.contracts.spelling import misspelt
from limecep.errors import RunFailure, said
from limecep.problems import Problem
from limecep.registry import FILES
from limecep.spec import CONTRACTS, title
from limecep.whereabouts import place_of

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.nodes import Node
    from limecep.registry import Plugin, Registry
    from limecep.spec import ComponentSpec


def check_duties(
    spec: ComponentSpec,
    plugin: Plugin,
    registry: Registry,
    where: Node,
    findings: Findings,
    contract: str = "",
) -> None:
    """Reports what a component lacks of its contract. Imports it.

    Args:
        spec: The component.
        plugin: The plugin that brings it.
        registry: Imports it.
        where: Where the pipeline names it.
        findings: Where problems go.
        contract: The one contract that counts there, if it is not that of the kind.
    """
    if spec.contract not in (None, CONTRACTS[spec.kind]):
        return
    who = f"{title(spec.kind)} '{spec.name}' of {plugin}"
    try:
        factory = registry.factory(spec)
    except RunFailure as error:
        said_so, _, hint = str(error).partition("\n")
        shown = trace(error.__cause__ or error, spec.made_by[0])
        findings.add(Problem(code="plugin-import", message=said_so, hint=hint.strip(), trace=shown), where)
        return
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        module = spec.made_by[0]
        message = f"{who} cannot be imported: {said(error)}"
        hint, shown = mend(error, module), trace(error, module)
        findings.add(Problem(code="plugin-broken", message=message, hint=hint, trace=shown), where)
        return
    for options in (spec.options, spec.settings):
        if found := misspelt(options, object, OPTIONAL.get(spec.kind, ())):
            said_so = f"the options of {who} seem to be misspelt: {found}"
            findings.warning("misspelt-options", said_so, where, _hint(options, spec))
    for asked in [contract] if contract else contracts_of(spec, factory):
        if found := lacking(spec, factory, asked):
            findings.error("broken-contract", f"{who} {found}", where, _hint(factory, spec))
        elif found := odd_names(factory, asked):
            said_so = f"{who} seems to be misspelt: {found}"
            findings.warning("misspelt-member", said_so, where, _hint(factory, spec))


def _hint(factory: Any, spec: ComponentSpec) -> str:
    place = place_of(factory, sys.modules.get(spec.made_by[0]))
    at = "" if place is None else f": {place.file}:{place.line}"
    name = getattr(factory, "__qualname__", spec.made_by[1])
    if spec.made_by[0].startswith(FILES):
        return f"mend {name}{at}"
    return f"this is a mistake in the plugin; report it to its author{at}"
