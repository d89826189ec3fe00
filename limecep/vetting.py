"""What every component spec must say before it is let in."""

from __future__ import annotations

import dataclasses
import re
from inspect import iscoroutinefunction
from typing import Any

from limecep.spec import CONTRACTS, KINDS, OLDEST, ComponentSpec, NoOptions, title

#: What a component may be called: words that are text in YAML, too.
NAME = re.compile(r"(?!(null|true|false)$)[a-z][a-z0-9]*(_[a-z0-9]+)*")
#: What is called of components of some kind, whoever waits for what they do.
_CALLED = (
    *("open", "close", "send", "flush", "begin", "poll", "commit", "decode", "finish", "wait", "assess"),
    *("apply", "decide", "matches", "reach", "rows"),
)
#: What queries call already: no function of a plugin can have such a name.
OF_THE_LANGUAGE = ("count", "sum", "avg", "min", "max", "collect", "first", "last", "abs", "any", "duration")
_NO_SIGNATURE = "its signature is not of the form '(text: str, start: int) -> str'"
_SIGNATURE = re.compile(r"\(.+\) -> .+")
_REFERENCE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")


def shortcomings(spec: ComponentSpec) -> list[str]:
    """What is missing from a spec or wrong with it, in words for the plugin's author; empty if nothing is."""
    found = []
    if spec.kind not in KINDS:
        found.append(f"kind {spec.kind!r} is not one of {', '.join(KINDS)}")
    if not NAME.fullmatch(spec.name):
        found.append(f"name {spec.name!r} is not lower_snake_case, or no text in YAML")
    if not (callable(spec.factory) or _REFERENCE.fullmatch(spec.factory)):
        found.append(f"factory {spec.factory!r} is not of the form 'package.module:Class'")
    if spec.format_of and not _REFERENCE.fullmatch(spec.format_of):
        found.append(f"format_of {spec.format_of!r} is not of the form 'package.module:function'")
    if spec.broker and not _REFERENCE.fullmatch(spec.broker):
        found.append(f"broker {spec.broker!r} is not of the form 'package.module:Class'")
    found += _of_function(spec) if spec.kind == "function" else []
    if isinstance(spec.requires, str):
        found.append(f"requires is the text {spec.requires!r}: give a tuple of modules")
    if not isinstance(spec.capabilities, frozenset | set):
        found.append(f"capabilities {spec.capabilities!r} is no set of texts: frozenset({{'all'}})")
    if not spec.summary.strip():
        found.append("summary is empty")
    elif "\n" in spec.summary:
        found.append("summary has more than one line")
    found += [
        f"requires names {name!r}: give the top-level module {name.partition('.')[0]!r}"
        for name in spec.requires
        if "." in name
    ]
    return found + _of_options("options", spec.options) + _of_options("settings", spec.settings)


def another_contract(spec: ComponentSpec) -> tuple[str, str] | None:
    """What is wrong with the version of the contract that a spec is written for, and what to do about it;
    None if nothing is."""
    written, kind = spec.contract, spec.kind
    if not isinstance(written, int | None):
        said = f"{title(kind)} '{spec.name}' has {written!r} as its contract, no whole number"
        return said, f"write contract={CONTRACTS.get(kind, 1)}"
    if written is None or kind not in CONTRACTS or OLDEST[kind] <= written <= CONTRACTS[kind]:
        return None
    known = f"{OLDEST[kind]} to {CONTRACTS[kind]}" if OLDEST[kind] < CONTRACTS[kind] else f"{CONTRACTS[kind]}"
    said = f"{title(kind)} '{spec.name}' is written for contract {written}; this limecep understands {known}"
    if written > CONTRACTS[kind]:
        return said, "pip install --upgrade limecep"
    moved = "upgrade its distribution; its author finds in docs/plugins.md, Versions, how to move"
    return said, f"{moved}, and then writes contract={CONTRACTS[kind]}"


def awaited(kind: type) -> list[str]:
    """The members of a component's class that would have to be awaited. Components are called: what such a
    call gives is dropped, and nothing done."""
    return [name for name in _CALLED if iscoroutinefunction(getattr(kind, name, None))]


def _of_function(spec: ComponentSpec) -> list[str]:
    if spec.name in OF_THE_LANGUAGE:
        return [f"queries have a {spec.name!r} of their own"]
    if {spec.options, spec.settings} != {NoOptions}:
        return ["a function takes no options: what it depends on are its arguments"]
    if isinstance(spec.factory, str):
        # It is read when the function is called, as most are not.
        return [] if _SIGNATURE.fullmatch(spec.signature) else [_NO_SIGNATURE]
    try:
        _ = spec.takes
    except ValueError as e:
        return [str(e)]
    return []


def _of_options(what: str, options: Any) -> list[str]:
    if not (isinstance(options, type) and dataclasses.is_dataclass(options)):
        return [f"{what} {options!r} is not a dataclass"]
    found = []
    if not options.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        found.append(f"{what} {options.__name__} is not frozen")
    for field in dataclasses.fields(options):
        if not field.kw_only:
            found.append(f"option {field.name!r} is not keyword-only")
        if not field.metadata.get("help"):
            found.append(f"option {field.name!r} has no help")
    return found
