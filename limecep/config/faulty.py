"""Reports a plugin that fails while a pipeline is checked."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from limecep.errors import ContractBreach, Stopped, said
from limecep.host import Host
from limecep.problems import Problem
from limecep.registry import FILES, OWN, title
from limecep.spec import NoOptions
from limecep.whereabouts import frames_in, trace_from

if TYPE_CHECKING:
    from types import FrameType

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.config.nodes import Node
    from limecep.problems import Place

#: Where the code of nobody's plugin is: Python's own library, and limecep.
_OTHERS = (sysconfig.get_paths()["stdlib"], str(Path(__file__).parents[1]))

#: What is installed may stand within Python's own library.
_INSTALLED = sysconfig.get_paths()["purelib"]


def report(what: str, error: BaseException, where: Node, findings: Findings, module: str) -> None:
    """Reports what the options of a component should not raise, or give; an interruption goes on.

    Args:
        what: The component, for messages: `slack policy 'mine'`.
        error: What they raised, or the breach of their contract.
        where: The node to report it at.
        findings: Where problems go.
        module: The module of the options class.
    """
    _report(f"the options of {what}{_of(module)}", "raise", error, where, findings, module)


def report_of(
    component: ComponentConfig, error: BaseException, where: Node | Place, findings: Findings
) -> None:
    """Reports what a component should not raise, or give, that the check asks; an interruption goes on.

    Args:
        component: The component.
        error, where, findings: As of `report`.
    """
    spec = component.spec
    of = _of(spec.made_by[0]) or f" of {component.origin or 'a plugin'}"
    _report(f"{title(spec.kind)} '{spec.name}'{of}", "raises", error, where, findings, spec.made_by[0])


def report_function(
    components: Components, name: str, error: BaseException, where: Place, findings: Findings
) -> None:
    """Reports a function that fails when it is asked about its arguments; an interruption goes on.

    Args:
        components: The components there are.
        name: Its name.
        error, where, findings: As of `report`.
    """
    spec = components.look("function", name)
    assert spec is not None
    report_of(components.configured(spec, NoOptions()), error, where, findings)


def _report(
    who: str, raises: str, error: BaseException, where: Node | Place, findings: Findings, module: str
) -> None:
    if isinstance(error, (KeyboardInterrupt, Stopped)):
        raise error
    breach = isinstance(error, ContractBreach)
    did = str(error) if breach else f"{raises} {said(error)}"
    problem = Problem(
        code="faulty-plugin",
        message=f"{who} {did}",
        hint=mend(None if breach else error, module),
        # The kernel has found a breach: none of the plugin's code was running.
        trace="" if breach else trace(error, module),
    )
    findings.add(problem, where)


def mend(error: BaseException | None, module: str) -> str:
    """What to do about a mistake in a plugin, with the place where that is known.

    Args:
        error: What its code raised; None where it raised nothing.
        module: The module that the mistake is in.
    """
    place = "" if error is None else raised_at(error, module)
    if not place:
        place = str(getattr(sys.modules.get(module), "__file__", "") or "")
    at = f": {place}" if place else ""
    if module.startswith(FILES):
        return f"this is a mistake in the plugin{at}"
    return f"this is a mistake in the plugin; report it to its author{at}"


def raised_at(error: BaseException, module: str) -> str:
    """Where in the code of a plugin an error was raised, as `file:line`: the last place in the module, or in
    its package; else the last that is neither Python's nor limecep's; "" where there is none."""
    frames = [(f, n) for f, n in walk_tb(error.__traceback__) if not f.f_code.co_filename.startswith("<")]
    own = [(f, n) for f, n in frames if _is_of(f, module)]
    found = own or [(f, n) for f, n in frames if not _is_of_others(f)]
    return f"{found[-1][0].f_code.co_filename}:{found[-1][1]}" if found else ""


def trace(error: BaseException, module: str) -> str:
    """The traceback from the first frame on that is the plugin's; nothing where none is."""
    frames = frames_in(error)
    own = [n for n, f in enumerate(frames) if _is_of(f, module)]
    found = own or [n for n, f in enumerate(frames) if not _is_of_others(f)]
    return trace_from(error, found[0]) if found else ""


def _is_of(frame: FrameType, module: str) -> bool:
    """Whether a frame is of the package of a plugin's module."""
    package = module.partition(".")[0]
    return package != OWN and str(frame.f_globals.get("__name__")).partition(".")[0] == package


def _is_of_others(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith(_OTHERS) and not file.startswith(_INSTALLED)


def _of(module: str) -> str:
    """The plugin that a module is of, in words that follow the name of its component; "" for limecep's."""
    if module.startswith(FILES):
        return f" of {getattr(sys.modules.get(module), '__file__', 'a local plugin')}"
    package = module.partition(".")[0]
    plugins = (p for p in Host.load().plugins if p.module.partition(".")[0] == package)
    plugin = next((p for p in plugins if p.distribution != OWN), None)
    return "" if plugin is None else f" of {plugin}"
