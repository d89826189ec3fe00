from __future__ import annotations

import math
import operator
import os
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.model.expression import (
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Logical,
    Membership,
    Unary,
)
from limecep.plan.expressions import rewritten
from limecep.plan.filters import signature, step_filter
from limecep.plan.source import Binding, compiled
from limecep.testing.functions import FUNCTIONS

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([10**400, -(10**400), 2**53 + 1, 0.5, 1.0, -0.0, math.inf, -math.inf, math.nan, 1e308]),
    st.sampled_from(["", "a", "1", "é", "\ud800", "it's", "{x}\\\n"]),
)
PAYLOADS = st.dictionaries(
    st.sampled_from(["v", "w", "id", "n"]),
    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.sampled_from(["v", "w"]), SCALARS),
)
LEAVES = st.one_of(
    SCALARS.map(Constant),
    st.sampled_from([("v",), ("w",), ("n", "v"), ("id",), ("n", "v", "w")]).map(lambda p: Attribute("a", p)),
)
COMPARED = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CALCULATED = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


def call(name, given):
    signature = FUNCTIONS[name].signature
    while not signature.takes(len(given)):
        given = given[:-1] if len(given) > signature.least else [*given, given[0]]
    return Call(FUNCTIONS[name], tuple(given))


def extended(inner):
    return st.one_of(
        st.builds(call, st.sampled_from(sorted(FUNCTIONS)), st.lists(inner, min_size=1, max_size=3)),
        st.builds(Unary, st.sampled_from(["-", "not", "abs"]), inner),
        st.builds(Binary, st.sampled_from([*COMPARED, *CALCULATED]), inner, inner),
        st.builds(
            Logical, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)
        ),
        st.builds(Membership, inner, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Membership, inner, st.lists(SCALARS.map(Constant), min_size=1, max_size=3).map(tuple)),
        st.builds(Between, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, extended, max_leaves=12)


def number(x):
    return isinstance(x, int | float) and not isinstance(x, bool)


def kind(x):
    return None if x is None else "number" if number(x) else type(x).__name__


def compare(symbol, x, y):
    kinds = {kind(x), kind(y)}
    if None not in kinds and len(kinds) > 1 and symbol in ("==", "!="):
        return symbol == "!="
    comparable = [{"number"}, {"str"}, *([{"bool"}] if symbol in ("==", "!=") else [])]
    if kinds not in comparable or x != x or y != y:
        return None
    return COMPARED[symbol](x, y)


def called(name, given):
    """What the functions of the kit give, missing where they are not called or raise."""
    x = given[0]
    if name == "otherwise":
        return given[1] if x is None else x
    if name == "spelled":
        empty = given[1] if len(given) > 1 else None
        if empty is not None and not isinstance(empty, str):
            return None
        try:
            return empty if x is None else str(x)
        except ValueError:
            return None
    if name == "spread":
        if not (isinstance(x, list) and x and all(number(v) and v == v for v in x)):
            return None
        try:
            apart = max(x) - min(x)
        except OverflowError:
            return None
        return apart if apart == apart else None
    if not all(number(v) and v == v for v in given):
        return None
    if name == "even":
        return None if isinstance(x, float) else x % 2 == 0
    if name == "largest":
        return max(given)
    try:
        return x * 2 if name == "doubled" else x + 0 / (x - 2)
    except (ZeroDivisionError, OverflowError):
        return None


def naive(node, event):
    """What a node means, spelt out step by step."""
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, Attribute):
        if node.path == ("id",) and "id" not in event.payload:
            return event.id
        value = event.payload
        for name in node.path:
            value = value.get(name) if isinstance(value, dict) else None
        return value
    if isinstance(node, Unary):
        x = naive(node.operand, event)
        if node.operator == "not":
            return (not x) if isinstance(x, bool) else None
        if not number(x) or x != x:
            return None
        return -x if node.operator == "-" else abs(x)
    if isinstance(node, Call):
        return called(node.function.name, [naive(a, event) for a in node.arguments])
    if isinstance(node, Binary):
        x, y = naive(node.left, event), naive(node.right, event)
        if node.operator in COMPARED:
            for side, other in ((node.left, y), (node.right, x)):
                if isinstance(side, Constant) and side.value is None:
                    return {"==": other is None, "!=": other is not None}.get(node.operator)
            return compare(node.operator, x, y)
        if not number(x) or not number(y):
            return None
        try:
            result = CALCULATED[node.operator](x, y)
        except (ZeroDivisionError, OverflowError):
            return None
        return result if result == result else None
    if isinstance(node, Logical):
        found = [v if isinstance(v := naive(o, event), bool) else None for o in node.operands]
        decisive = node.operator == "or"
        return decisive if decisive in found else None if None in found else not decisive
    if isinstance(node, Membership):
        found = [naive(Binary("==", node.operand, c), event) for c in node.choices]
        return True if True in found else None if None in found else False
    low, high = Binary(">=", node.operand, node.low), Binary("<=", node.operand, node.high)
    return naive(Logical("and", (low, high)), event)


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(node=EXPRESSIONS, payload=PAYLOADS)
def test_compiled_expressions_mean_what_they_say_and_never_raise(node, payload):
    event = Event(type="A", id="a", t_gen=0, payload=payload)
    expected = naive(node, event)
    counters = Counter()
    accepts = step_filter(["A"], "a", [node], counters).accepts
    refuses = step_filter(["A"], "a", [Unary("not", node)], counters).accepts
    assert accepts(event) is (expected is True)
    assert refuses(event) is (expected is False)
    assert counters["unknown"] == (0 if isinstance(expected, bool) else 2)


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(node=EXPRESSIONS, payload=PAYLOADS)
def test_values_below_a_comparison_are_computed_alike(node, payload):
    event = Event(type="A", id="a", t_gen=0, payload=payload)
    for wanted in (True, False):
        compared = Binary("==", node, Constant(wanted))
        accepts = compiled("event", [compared], Binding(given={("a", None): "event"}), Counter())
        assert accepts(event) is (naive(compared, event) is True)


@given(node=EXPRESSIONS)
def test_signatures_are_texts_that_do_not_know_the_variable(node):
    def renamed(n):
        if isinstance(n, Attribute):
            return Attribute("b", n.path)
        return n

    assert signature(node, "a") == signature(rewritten(node, renamed), "b")


def test_deep_nesting_compiles():
    node = Attribute("a", ("v",))
    for n in range(150):
        node = Logical("or" if n % 2 else "and", (node, Binary("==", Attribute("a", ("w",)), Constant(n))))
    deep_sum = Attribute("a", ("w",))
    for _ in range(300):
        deep_sum = Binary("+", deep_sum, Constant(1))
    accepts = step_filter(["A"], "a", [node, Binary(">", deep_sum, Constant(100))], Counter()).accepts
    assert accepts(Event(type="A", id="1", t_gen=0, payload={"w": 149, "v": True})) is True
    assert accepts(Event(type="A", id="1", t_gen=0, payload={"w": 1, "v": False})) is False


def test_many_groups_in_one_condition_compile():
    names = [f"b{n}" for n in range(25)]
    total = Attribute(names[0], ("v",))
    for name in names[1:]:
        total = Binary("+", total, Attribute(name, ("v",)))
    binding = Binding(groups={n: f"groups[{k}]" for k, n in enumerate(names)})
    holds = compiled("groups", [Binary(">", total, Constant(24))], binding, Counter())
    events = [(Event(type="B", id="1", t_gen=0, payload={"v": 1}),) for _ in names]
    assert holds(events)
    assert not holds([*events[:-1], (Event(type="B", id="2", t_gen=0),)])
    assert holds([*events[:-1], ()])


def test_a_shared_index_of_two_groups_runs_while_both_exist():
    binding = Binding(groups={"b": "groups[0]", "c": "groups[1]"})
    node = Binary("<", Attribute("b", ("v",), Current(0)), Attribute("c", ("v",), Current(1)))
    holds = compiled("groups", [node], binding, Counter())

    def group(*values):
        return [Event(type="X", id=str(v), t_gen=0, payload={"v": v}) for v in values]

    assert holds([group(1, 2, 9), group(0, 2, 3)])
    assert not holds([group(1, 3, 9), group(0, 2, 3)])
    assert holds([group(1, 2), group(5)])
