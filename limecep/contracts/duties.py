"""What the class of a component lacks of its contract: members that it must have, in the form that is called.

The contracts themselves say which these are. What is optional (`OPTIONAL`) may be left out; where it is
there, it has the form of its protocol.
"""

from __future__ import annotations

import dis
import inspect
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from limecep.contracts import changes
from limecep.contracts.engine import Ruling
from limecep.contracts.remembering import Remembering
from limecep.contracts.results import EMITS, EVERYTHING, PROMISES, ResultPolicy
from limecep.contracts.shown import shown
from limecep.contracts.spelling import misspelt
from limecep.protocols import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType

    from limecep.spec import ComponentSpec

#: What makes messages of records, in the place of a codec.
ENCODER = "limecep.contracts.codec.Encoder"
#: What a component of each kind is made with.
MADE_WITH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("source", "sink"), ("channel", "settings", "options", "context")),
    **dict.fromkeys(("codec", "time", "transform", "state", "observer"), ("options", "context")),
    **dict.fromkeys(("engine", "lateness", "slack", "recompute", "results"), ("plan", "options", "context")),
    "table": ("channel", "options", "context"),
    "runner": ("config", "registry", "options"),
    "command": ("registry",),
}
#: What policies may be able to do besides: their own modules do not say, so that a run imports less.
_OF_POLICIES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("lateness", "slack", "recompute"), (Remembering,)),
    "results": (Remembering, *changes.OPTIONAL),
}
#: Who has one of these may have any attribute.
_ANY_NAME = {"setattr", "__setattr__", "__dict__", "vars"}
_NOTHING = object()


def contracts_of(spec: ComponentSpec, factory: Any) -> list[str]:
    """The contracts that a component owes, by their full names.

    Args:
        spec: Its spec.
        factory: What makes it, or the component.
    """
    if spec.kind not in PROTOCOLS:
        return []
    if spec.kind == "codec" and "envelope" in spec.capabilities:
        # Who only makes messages decodes none.
        return [PROTOCOLS["codec"], ENCODER] if hasattr(factory, "decode") else [ENCODER]
    return [PROTOCOLS[spec.kind]]


def lacking(spec: ComponentSpec, factory: Any, contract: str) -> str:
    """What a component lacks of a contract, in words that follow its name; "" where nothing is known to be
    lacking.

    Args:
        spec: Its spec.
        factory: What makes it: a class, of which attributes may yet be set, or a function, of which nothing
            more is known than what it takes.
        contract: The contract.
    """
    found = [*_made_with(factory, MADE_WITH[spec.kind])]
    if isinstance(factory, type):
        found += _of_class(factory, contract)
        found += _of_engine(spec, factory)
    return _told(contract, found)


def incomplete(component: Any, contract: str) -> str:
    """What a component that was made lacks of a contract, in words that follow its name; "" if nothing."""
    return _told(contract, [*_of_class(type(component), contract, component)])


def misformed(component: Any, contract: str) -> str:
    """Which members of an object cannot be called, or read, as a contract says, in words that follow its
    name; "" if none. Those that it has not are not missed."""
    return "; ".join(f"it {said}" for said in _forms(type(component), contract, component))


def _told(contract: str, found: list[str]) -> str:
    return f"breaks {contract}: it {'; it '.join(found)}" if found else ""


def _of_engine(spec: ComponentSpec, kind: type) -> Iterator[str]:
    """What of an engine does not go with its spec."""
    if spec.kind != "engine":
        return
    results = inspect.getattr_static(kind, "results", None)
    if isinstance(results, str) and (said := other_results(spec, results)):
        yield said
    if spec.answers == "rule":
        absent = [name for name in _members(Ruling) if not _has(kind, name, _NOTHING)]
        if absent:
            yield f"has a rule, and no {', '.join(map(repr, absent))}"


def other_results(spec: ComponentSpec, results: object) -> str:
    """What is wrong with the `results` of an engine; "" if nothing is."""
    if results == spec.answers:
        return ""
    said = f"gives the results {shown(results)}, and its spec says {shown(spec.answers)}"
    return f"{said}: name it among 'capabilities', where 'maximal' goes without saying"


def _made_with(factory: Any, given: tuple[str, ...]) -> Iterator[str]:
    taken = _signature(factory)
    if getattr(getattr(factory, "__init__", None), "__module__", "") == "typing":
        # That of a protocol, which takes nothing after all.
        taken = inspect.Signature()
    if taken is not None and not _fits(taken, given):
        yield f"is made with ({', '.join(given)}), and takes {_plain(taken)}"


def _of_class(kind: type, contract: str, component: Any = _NOTHING) -> Iterator[str]:
    """What is wrong with the members of a class.

    Args:
        kind: The class.
        contract: The full name of the protocol.
        component: An object of it, if it was made.
    """
    protocol = _protocol(contract)
    members = {name: _has(kind, name, component) for name in _members(protocol)}
    if absent := ", ".join(_absent(kind, name, protocol) for name, there in members.items() if not there):
        yield f"has no {absent}"
    yield from _forms(kind, contract, component)


def _absent(kind: type, name: str, protocol: type) -> str:
    """A member that a class has not, with one of its own that was probably meant to be it."""
    own = {n for c in kind.__mro__[:-1] if not _is_contract(c) for n in vars(c) if not n.startswith("_")}
    near = get_close_matches(name, sorted(own.difference(_members(protocol))), n=1, cutoff=0.8)
    return f"'{name}' (it has '{near[0]}')" if near else f"'{name}'"


def odd_names(kind: Any, contract: str) -> str:
    """Which member of a class is nearly one of an optional ability, or half of one, in words; "" if none."""
    protocol = _protocol(contract)
    return misspelt(kind, protocol, _optional(protocol)) if isinstance(kind, type) else ""


def _optional(protocol: type) -> tuple[type, ...]:
    """The protocols of what a component of a contract may be able to do besides."""
    module = protocol.__module__
    found: tuple[type, ...] = getattr(import_module(module), "OPTIONAL", ())
    return found + _OF_POLICIES.get(module.rpartition(".")[2], ())


def _protocol(contract: str) -> type:
    module, _, name = contract.rpartition(".")
    protocol: type = getattr(import_module(module), name)
    return protocol


def _forms(kind: type, contract: str, component: Any = _NOTHING) -> Iterator[str]:
    """What is wrong with the form of the members that a class has. The arguments are as of `_of_class`."""
    protocol = _protocol(contract)
    there = [name for name in _members(protocol) if _has(kind, name, component)]
    yield from filter(None, (_misformed(kind, name, protocol) for name in there))
    yield from _odd_values(protocol, kind, component)
    for optional in _optional(protocol):
        names = _members(optional)
        if all(hasattr(kind, name) for name in names):
            yield from filter(None, (_misformed(kind, name, optional) for name in names))


def _members(protocol: type) -> list[str]:
    """The public members of a protocol, in their order."""
    names = (n for c in protocol.__mro__[:-1] for n in (*vars(c).get("__annotations__", ()), *vars(c)))
    return list(dict.fromkeys(n for n in names if not n.startswith("_")))


def _has(kind: type, name: str, component: Any) -> bool:
    if component is not _NOTHING and name in getattr(component, "__dict__", ()):
        return True
    owner = next((c for c in kind.__mro__ if name in vars(c)), None)
    if owner is not None:
        return not _is_stub(owner, name)
    if any("__getattr__" in vars(c) or "__getattribute__" in vars(c) for c in kind.__mro__[:-1]):
        return component is _NOTHING or hasattr(component, name)
    return component is _NOTHING and name in getattr(kind, "__dataclass_fields__", _set_in(kind, name))


def _is_stub(owner: type, name: str) -> bool:
    """Whether a member is but that of a contract, which does nothing, where something must be given or done.
    What may give None, and is handed nothing, or says to be left so, may stay as it is there."""
    if not _is_contract(owner):
        return False
    member = vars(owner)[name]
    function = getattr(member, "fget", getattr(member, "__func__", member))
    if getattr(function, "__isabstractmethod__", False):
        return True
    given = getattr(function, "__annotations__", {}).get("return")
    return given is not None and not str(given).endswith("None")


def _is_contract(kind: type) -> bool:
    return kind.__module__.startswith("limecep.contracts.")


def _set_in(kind: type, name: str) -> Iterable[str]:
    """The name, if an attribute of it is set in the methods of a class, or beside them."""
    classes = [c for c in kind.__mro__[:-1] if c.__module__ != "typing" and not _is_contract(c)]
    own = [c for member in (v for k in classes for v in vars(k).values()) for c in _codes(member)]
    if any(_ANY_NAME.intersection(c.co_names) for c in own):
        return (name,)
    modules = [vars(sys.modules[m]) for m in {c.__module__ for c in classes} if m in sys.modules]
    beside = [c for member in (v for m in modules for v in m.values()) for c in _codes(member)]
    return (name,) if any(_sets(c, name) for c in (*own, *beside)) else ()


def _codes(function: Any) -> Iterator[CodeType]:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    # What Python puts into a class that derives from a protocol is none of its own.
    if inspect.iscode(code) and getattr(function, "__module__", "") != "typing":
        yield from _nested(code)


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _nested(constant)


def _sets(code: CodeType, name: str) -> bool:
    return name in code.co_names and any(
        i.opname == "STORE_ATTR" and i.argval == name for i in dis.get_instructions(code)
    )


def _misformed(kind: type, name: str, protocol: type) -> str:
    """What is wrong with the form of a member that a class has; "" if nothing is known to be."""
    asked = next((vars(c)[name] for c in protocol.__mro__ if name in vars(c)), None)
    there = inspect.getattr_static(kind, name, _NOTHING)
    if there is _NOTHING or there is asked:
        return ""
    if asked is None or isinstance(asked, property):
        if inspect.isfunction(there):
            return f"has a method '{name}', which is read and not called: mark it with @property"
        return ""
    if not (callable(there) or hasattr(type(there), "__get__")):
        return f"has {shown(there)} as '{name}', which is called"
    function = there.__func__ if isinstance(there, (staticmethod, classmethod)) else there
    if not inspect.isfunction(function):
        return ""
    called = getattr(asked, "__func__", asked)
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return f"has 'async def {name}', which nobody awaits"
    if inspect.isgeneratorfunction(function) and called.__annotations__.get("return") == "None":
        return f"has a 'yield' in '{name}', so that nothing is done when it is called"
    return _miscalled(name, function, called, bound=not isinstance(there, staticmethod))


def _miscalled(name: str, function: Any, called: Any, *, bound: bool) -> str:
    """What is wrong with what a method takes; "" if nothing is.

    Args:
        name: Its name.
        function: The method, as a function.
        called: That of the contract.
        bound: Whether it is given its object, or its class.
    """
    taken = _signature(function)
    given = list(inspect.signature(called).parameters.values())[1:]
    place = [p.name for p in given if p.kind is not p.KEYWORD_ONLY]
    by_name = [p.name for p in given if p.kind is p.KEYWORD_ONLY]
    if taken is None or _fits(taken, ["self", *place] if bound else place, by_name):
        return ""
    said = ", ".join(["self"] * bound + place + [f"{n}=..." for n in by_name])
    return f"has '{name}{_plain(taken)}', which is called with ({said})"


def _plain(taken: inspect.Signature) -> str:
    """A signature without its annotations."""
    parameters = [p.replace(annotation=p.empty) for p in taken.parameters.values()]
    return str(taken.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def _signature(function: Any) -> inspect.Signature | None:
    try:
        # What stands around a function says what it takes.
        return inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        # That of compiled code may not be known.
        return None


def _fits(taken: inspect.Signature, place: Iterable[str], by_name: Iterable[str] = ()) -> bool:
    try:
        taken.bind(*place, **dict.fromkeys(by_name))
    except TypeError:
        return False
    return True


def _odd_values(protocol: type, kind: type, component: Any) -> Iterator[str]:
    """What is wrong with attributes whose value a class has, or an object of it: properties may give any."""
    for name in _members(protocol):
        value = getattr(component, "__dict__", {}).get(name, inspect.getattr_static(kind, name, _NOTHING))
        if value is _NOTHING or hasattr(type(value), "__get__"):
            continue
        if said := _odd(protocol, name, value):
            yield f"has {shown(value)} as '{name}', which is {said}"


def _odd(protocol: type, name: str, value: Any) -> str:
    """What is wrong with a value; "" if nothing is known to be."""
    if _is_truth(protocol, name):
        return "" if isinstance(value, bool) else "neither True nor False"
    if protocol is not ResultPolicy:
        return ""
    if known := {"emit": EMITS, "promise": PROMISES}.get(name):
        return "" if value in known else f"none of {', '.join(known)}"
    if name == "passes" and not (isinstance(value, frozenset) and value <= EVERYTHING):
        return f"no frozenset of {', '.join(sorted(EVERYTHING))}"
    if name == "horizon" and not (value is None or (type(value) is int and value >= 0)):
        return "neither None nor a span of whole microseconds"
    if name == "skip" and value is not None:
        # Most have none.
        from limecep.contracts.skips import skip_problem

        return skip_problem(value)
    return ""


def _is_truth(protocol: type, name: str) -> bool:
    """Whether a contract has a boolean under a name."""
    member = vars(protocol).get(name)
    if isinstance(member, property):
        return member.fget is not None and member.fget.__annotations__.get("return") == "bool"
    return "bool" in str(vars(protocol).get("__annotations__", {}).get(name, ""))
