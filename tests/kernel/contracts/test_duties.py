"""What a class lacks of its contract is known before a component is made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.contracts.codec import Codec
from limecep.contracts.duties import ENCODER, MADE_WITH, contracts_of, incomplete, lacking
from limecep.contracts.engine import Engine
from limecep.contracts.lateness import LatenessPolicy
from limecep.contracts.results import ResultPolicy
from limecep.contracts.sink import Sink
from limecep.contracts.slack import SlackPolicy
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.protocols import PROTOCOLS

if TYPE_CHECKING:
    from collections.abc import Callable


def told(kind: Any, factory: Any, *capabilities: str) -> str:
    spec = ComponentSpec(
        kind=kind, name="mine", factory=factory, summary="x", capabilities=frozenset(capabilities)
    )
    return "; ".join(lacking(spec, factory, c) for c in contracts_of(spec, factory))


class Lateness:
    """Keeps its contract."""

    learns = False
    by_window = False

    def __init__(self, plan: Any, options: Any, context: Any) -> None: ...

    def assess(self, event: Any, statistics: Any) -> Any: ...

    def horizon(self, statistics: Any) -> Any: ...


class Bare:
    """What slack policies are made with."""

    def __init__(self, plan: Any, options: Any, context: Any) -> None: ...


def test_what_limecep_brings_keeps_its_contracts() -> None:
    registry = Host.load().registry
    specs = [s for s in registry.specs() if s.kind in PROTOCOLS and registry.missing(s) is None]
    assert {s.kind for s in specs} == PROTOCOLS.keys()
    for spec in specs:
        try:
            factory = registry.factory(spec)
        except RunFailure:
            # Its client library is not installed here.
            continue
        found = [lacking(spec, factory, c) for c in contracts_of(spec, factory)]
        assert [*filter(None, found)] == [], spec.name


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_contracts_say_what_their_components_are_made_with(kind: str) -> None:
    module, _, name = PROTOCOLS[kind].rpartition(".")
    said = re.search(r"Factory\(([^)]*)\)", getattr(import_module(module), name).__doc__)
    assert said is not None
    assert tuple(re.split(r",\s+", said[1])) == MADE_WITH[kind]


def test_a_member_that_is_not_there_is_named_with_the_contract() -> None:
    assert told("lateness", Lateness) == ""

    class Half(Bare):
        learns = True

        def asess(self, event: Any, statistics: Any) -> Any: ...

    lacks = "'by_window', 'assess' (it has 'asess'), 'horizon'"
    assert told("lateness", Half) == f"breaks limecep.contracts.lateness.LatenessPolicy: it has no {lacks}"


def test_what_a_contract_itself_has_is_no_member_unless_it_may_do_nothing() -> None:
    class Quiet(Sink):
        def __init__(self, channel: Any, settings: Any, options: Any, context: Any) -> None: ...

    class Silent(Bare, Engine):
        results = "maximal"

    class Deciding(Bare, ResultPolicy): ...

    assert told("sink", Quiet) == "breaks limecep.contracts.sink.Sink: it has no 'counts_only', 'send'"
    assert told("engine", Silent) == "breaks limecep.contracts.engine.Engine: it has no 'matches'"
    lacks = "'promise', 'passes', 'across_keys', 'emit', 'announces', 'decide'"
    assert told("results", Deciding).endswith(f"it has no {lacks}")


def by_hand(policy: Any) -> None:
    policy.learns = False


class InInit(Bare):
    def __init__(self, plan: Any, options: Any, context: Any) -> None:
        self.learns, self.by_window = False, True

    assess, horizon = Lateness.assess, Lateness.horizon


class Elsewhere(InInit):
    def __init__(self, plan: Any, options: Any, context: Any) -> None:
        self.by_window = False
        by_hand(self)


class ByText(InInit):
    def __init__(self, plan: Any, options: Any, context: Any) -> None:
        for name in ("learns", "by_window"):
            setattr(self, name, False)


class Handing(Bare):
    def __getattr__(self, name: str) -> Any:
        return getattr(Lateness(None, None, None), name)


@dataclass
class Fields:
    plan: Any
    options: Any
    context: Any
    learns: bool = False
    by_window: bool = False
    assess, horizon = Lateness.assess, Lateness.horizon


@pytest.mark.parametrize("kind", [InInit, Elsewhere, ByText, Handing, Fields])
def test_what_an_object_may_yet_be_given_is_looked_for_when_it_is_made(kind: type) -> None:
    assert told("lateness", kind) == ""
    made = kind(None, None, None)
    assert incomplete(made, PROTOCOLS["lateness"]) == ""
    vars(made).pop("by_window", None)
    if kind in (InInit, Elsewhere, ByText):
        assert incomplete(made, PROTOCOLS["lateness"]).endswith("it has no 'by_window'")


class ForNothing(Bare):
    def wait(self) -> int: ...


class ForMore(Bare):
    def wait(self, statistics: Any, clock: Any) -> int: ...


class NotCalled(Bare):
    wait = 5


class NotAwaited(Bare):
    async def wait(self, statistics: Any) -> int: ...


class Unmade:
    def wait(self, statistics: Any) -> int: ...


class Derived(SlackPolicy):
    def wait(self, statistics: Any) -> int: ...


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (ForNothing, "it has 'wait(self)', which is called with (self, statistics)"),
        (ForMore, "it has 'wait(self, statistics, clock)', which is called with (self, statistics)"),
        (NotCalled, "it has 5 as 'wait', which is called"),
        (NotAwaited, "it has 'async def wait', which nobody awaits"),
        (Unmade, "it is made with (plan, options, context), and takes ()"),
        (Derived, "it is made with (plan, options, context), and takes ()"),
    ],
)
def test_a_form_that_cannot_be_called_is_told(kind: type, said: str) -> None:
    assert told("slack", kind) == f"breaks limecep.contracts.slack.SlackPolicy: {said}"


def around(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*given: Any) -> Any:
        return function(*given, None)

    return call


class Wrapped(Bare):
    wait = around(ForMore.wait)


class Static(Bare):
    @staticmethod
    def wait(statistics: Any, least: int = 0) -> int: ...


class OfClass(Bare):
    @classmethod
    def wait(cls, *given: Any) -> int: ...


@pytest.mark.parametrize("kind", [Wrapped, Static, OfClass])
def test_any_form_that_can_be_called_is_fine(kind: type) -> None:
    assert told("slack", kind) == ""


def test_what_is_read_must_be_no_method_and_what_is_done_must_not_be_put_off() -> None:
    class Reading(Lateness):
        def learns(self) -> bool: ...  # type: ignore[override]

    class Putting:
        counts_only = False

        def __init__(self, *given: Any) -> None: ...

        def open(self) -> None: ...

        def send(self, records: Any) -> Any:
            yield from records

        flush = close = open

    assert told("lateness", Reading).endswith(
        "it has a method 'learns', which is read and not called: mark it with @property"
    )
    assert told("sink", Putting).endswith("a 'yield' in 'send', so that nothing is done when it is called")


def test_what_is_optional_has_its_form_where_it_is_there() -> None:
    class Remembering(Lateness):
        def remembered(self, known: Any) -> Any: ...

        def recall(self, known: Any) -> None: ...

    class Counting(Bare, Codec):
        untyped = False
        holding = False

        def __init__(self, options: Any, context: Any) -> None: ...

        def decode(self, messages: Any) -> Any: ...

        def finish(self) -> Any: ...

        def spelled(self, message: Any) -> Any: ...

        def counted(self, more: Any) -> Any: ...

    assert told("codec", Counting).endswith("it has 'counted(self, more)', which is called with (self)")
    assert told("lateness", Remembering).endswith(
        "has 'remembered(self, known)', which is called with (self)"
    )


def test_an_engine_says_in_its_spec_what_it_gives() -> None:
    class Mine(Bare):
        results = "all"

        def matches(self, end: Any, view: Any) -> Any: ...

        def count(self, end: Any, view: Any) -> None: ...

    assert told("engine", Mine, "all") == ""
    assert "gives the results 'all', and its spec says 'maximal'" in told("engine", Mine)


def test_an_engine_with_a_rule_tells_it() -> None:
    class Mine(Bare):
        results = "rule"

        def matches(self, end: Any, view: Any) -> Any: ...

        def count(self, end: Any, view: Any) -> None: ...

        def keeps(self, matches: Any) -> Any: ...

    assert told("engine", Mine, "rule").endswith("it has a rule, and no 'rule'")


def test_what_is_true_or_false_is_nothing_else() -> None:
    class Mine(Lateness):
        learns = "no"  # type: ignore[assignment]

    assert told("lateness", Mine).endswith("it has 'no' as 'learns', which is neither True nor False")
    made = Lateness(None, None, None)
    vars(made)["by_window"] = 1
    assert incomplete(made, PROTOCOLS["lateness"]).endswith(
        "it has 1 as 'by_window', which is neither True nor False"
    )


def test_a_result_policy_gives_one_of_the_words_there_are() -> None:
    class Deciding(Bare):
        promise = "same"
        passes = ("emit",)
        across_keys = announces = False
        emit = "later"
        horizon, skip = "10m", "next"

        def decide(self, changes: Any, moment: Any) -> Any: ...

    found = told("results", Deciding)
    assert "it has 'same' as 'promise', which is none of equal, superset, subset" in found
    assert "it has ('emit',) as 'passes', which is no frozenset of emit, retract" in found
    assert "it has 'later' as 'emit', which is none of eager, complete, slack, final" in found
    assert "it has '10m' as 'horizon', which is neither None nor a span of whole microseconds" in found
    assert "it has 'next' as 'skip', which is neither None nor a Skip" in found


def test_what_only_makes_messages_owes_nothing_else() -> None:
    class Envelope:
        content_type = "text/plain"

        def __init__(self, options: Any, context: Any) -> None: ...

    said = f"breaks {ENCODER}: it has no 'encode'"
    assert told("codec", Envelope, "envelope") == said
    assert "has no 'untyped'" in told("codec", Envelope)


def test_of_a_function_that_makes_components_only_its_arguments_are_known() -> None:
    def make(plan: Any, options: Any, context: Any) -> Any: ...

    assert told("slack", make) == ""
    assert told("slack", lambda plan: plan).endswith(
        "it is made with (plan, options, context), and takes (plan)"
    )
    assert told("function", len) == ""


def test_lateness_policies_that_derive_from_the_contract_may_leave_out_what_may_be_none() -> None:
    class Mine(Bare, LatenessPolicy):
        learns = by_window = False

        def assess(self, event: Any, statistics: Any) -> Any: ...

    assert told("lateness", Mine) == ""
