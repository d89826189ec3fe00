"""Conditions as Python source: they are compiled once and then run at the speed of code written by hand.

Truth is written in two halves, *is true* and *is false*, each an ordinary boolean; where neither holds, it is
unknown. So three-valued logic costs nothing: NOT swaps the halves, AND and OR stay what they are in Python
and stop as early. Everything below a comparison is computed first, into local names, in the outermost loop
where its parts are known.

What is unknown is counted. Where a condition is one test, the branch of that test which finds that values do
not compare does it. Where it is more, such a branch leaves a mark; only if there is one, and the condition is
not true, its other half says whether it is false or unknown. So this costs next to nothing where nothing is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Expression,
    Index,
    Logical,
    Membership,
    Parameter,
    Position,
    Unary,
)
from limecep.model.instants import Instant
from limecep.plan import values
from limecep.plan.expressions import is_null, is_one_test, references, spelled_out
from limecep.plan.stretch import Stretch
from limecep.plan.values import reading

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Deeper nesting of AND and OR goes through local names: Python's parser counts parentheses.
_MAX_DEPTH = 40

# What a test does where it is neither true nor false; as a value, it is no truth.
_COUNTED = "unknown()"
_MARKED = "(known := False)"

_UNARY = {"-": values.negative, "abs": values.absolute, "not": values.negation}
_LOGICAL = {"and": values.conjunction, "or": values.disjunction}


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How the variables of a condition are reached from the arguments of its function.

    Attributes:
        given: References (variable and index) whose event is an argument.
        groups: Source for the group of each variable. One that is not here took nothing.
        single: Variables whose group has exactly one event.
    """

    given: Mapping[tuple[str, Index], str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    single: frozenset[str] = frozenset()


def compiled(
    arguments: str, conditions: Iterable[Expression], binding: Binding, counters: Counter[str]
) -> Callable[..., bool]:
    """A function that is true iff all the conditions are, for all events their indices run over.

    Unknown is false. It never raises.

    Args:
        arguments: Its parameters as source, all positional.
        conditions: The conditions.
        binding: How their variables are reached from the arguments.
        counters: A call that is false because of something unknown adds one to `unknown`. What a function
            raises adds one to `raised_by_` and its name, a value of another kind one to `other_kind_by_` and
            its name; it is then missing.
    """

    names = global_names(counters)
    lines = [f"def condition({arguments}):"]
    for number, condition in enumerate(conditions):
        lines += Writer(condition, binding, names, f"{number}_").lines()
    lines.append("    return True")
    exec(compile("\n".join(lines), "<condition>", "exec"), names)
    made: Callable[..., bool] = names["condition"]
    return made


def global_names(counters: Counter[str]) -> dict[str, Any]:
    """What every source that is written needs by name, with the counters of `compiled`."""

    def unknown() -> None:
        counters["unknown"] += 1

    def note(figure: str) -> None:
        counters[figure] += 1

    return {
        "NUMBERS": values.NUMBERS,
        "ORDERED": values.ORDERED,
        "COMPARABLE": values.COMPARABLE,
        "Stretch": Stretch,
        "unlike": values.unlike,
        "Instant": Instant,
        "product": product,
        "dig": values.dig,
        "unknown": unknown,
        "note": note,
    }


class Writer:
    """Writes one condition: what goes before all loops (scope 0), inside those over the events of unindexed
    variables (scope 1), and inside the one over the shared index (scope 2)."""

    def __init__(self, condition: Expression, binding: Binding, names: dict[str, Any], prefix: str) -> None:
        self._condition = condition
        self._binding = binding
        self._names = names
        self._prefix = prefix
        self._scopes: tuple[list[str], list[str], list[str]] = ([], [], [])
        self._local: dict[str, str] = {}
        self._scope_of: dict[str, int] = {}
        self._each: dict[str, str] = {}
        self._unknown = _COUNTED if is_one_test(condition) else _MARKED

    def lines(self) -> list[str]:
        """The condition as lines of a function's body that return False where it fails."""
        shared = self._shared()
        truth = self._truth(self._condition, True, 0)
        failed = ["return False"]
        if self._unknown is _MARKED:
            self._scopes[0].insert(0, "known = True")
            failed.insert(0, f"if not (known or {self._truth(self._condition, False, 0)}): unknown()")
        groups = [self._group(v) for v in self._each]
        indent = "    "
        found = [indent + line for line in self._scopes[0]]
        if groups:
            source = groups[0] if len(groups) == 1 else f"product({', '.join(groups)})"
            found.append(f"{indent}for {', '.join(self._each.values())} in {source}:")
            indent += "    "
        found += [indent + line for line in self._scopes[1]]
        if shared:
            found.append(f"{indent}for i in {shared}:")
            indent += "    "
        found += [indent + line for line in self._scopes[2]]
        return [*found, f"{indent}if not ({truth}):", *(f"{indent}    {line}" for line in failed)]

    def value(self) -> tuple[list[str], str]:
        """The lines of a function's body, and the source of the value after them: of an expression without
        indices, in which a group has no `each`."""
        value = self._value(self._condition)
        return [f"    {line}" for line in self._scopes[0]], value

    def _shared(self) -> str:
        """The range of the shared index, counted from 0; empty text if there is none."""
        lows, highs = [], []
        for r in references(self._condition):
            if isinstance(r, Aggregate):
                if r.running:
                    lows.append(1)
                    highs.append(f"len({self._group(r.variable)})")
            elif isinstance(r.index, Current) and (r.variable, r.index) not in self._binding.given:
                before, after = max(-r.index.offset, 0), max(r.index.offset, 0)
                lows.append(before)
                highs.append(f"len({self._group(r.variable)})" + (f" - {after}" if after else ""))
        if not highs:
            return ""
        bounds = list(dict.fromkeys(highs))
        stop = bounds[0] if len(bounds) == 1 else f"min({', '.join(bounds)})"
        return f"range({max(lows)}, {stop})"

    # Truth: source of a boolean that says whether a node is true, or false.

    def _truth(self, node: Expression, wanted: bool, depth: int) -> str:
        match node:
            case Unary(operator="not"):
                return self._truth(node.operand, not wanted, depth)
            case Logical() if depth < _MAX_DEPTH:
                joined = " and " if (node.operator == "and") is wanted else " or "
                return f"({joined.join(self._truth(o, wanted, depth + 1) for o in node.operands)})"
            case Between():
                return self._truth(spelled_out(node), wanted, depth)
            case Membership():
                return self._member(node, wanted) or self._truth(spelled_out(node), wanted, depth)
            case Binary() if node.operator in values.COMPARISONS:
                operator = node.operator if wanted else values.INVERSE[node.operator]
                return self._comparison(operator, node.left, node.right)
            case Constant() if isinstance(node.value, bool):
                return str(node.value is wanted)
            case Logical() | Attribute() | Call():
                return self._is(self._value(node), wanted)
        return self._unknown  # a number, a text

    def _comparison(self, operator: str, left: Expression, right: Expression) -> str:
        if isinstance(left, Constant) and not is_null(right):
            operator, left, right = _turned(operator), right, left
        if isinstance(right, Constant):
            return self._against(operator, self._local_value(left), right.value)
        x, y = self._value(left), self._value(right)
        kinds = "COMPARABLE" if operator in ("==", "!=") else "ORDERED"
        alike = f"type({x}) is type({y}) in {kinds} or type({x}) in NUMBERS and type({y}) in NUMBERS"
        inverse = _compared(x, values.INVERSE[operator], y)
        other = self._of_other(operator, f"unlike({x}, {y})", f"not unlike({x}, {y})")
        return self._test(alike, _compared(x, operator, y), other, f"not {inverse}")

    def _against(self, operator: str, x: str, constant: Any) -> str:
        """A comparison with a constant, which says what the other side has to be."""
        if constant is None:
            return {"==": f"{x} is None", "!=": f"{x} is not None"}.get(operator, self._unknown)
        other = self._of_other(operator, f"{x} is not None", f"{x} is None")
        if isinstance(constant, bool) and operator in ("==", "!="):
            same = "is" if operator == "==" else "is not"
            return self._test(f"type({x}) is bool", f"{x} {same} {constant}", other)
        if isinstance(constant, bool):
            return self._unknown
        c = self._constant(constant)
        if isinstance(constant, str):
            return self._test(f"type({x}) is str", f"{x} {operator} {c}", other)
        odd = f"({x} != {x} or {c} != {c})" if constant != constant else f"{x} != {x}"
        return self._test(f"type({x}) in NUMBERS", _compared(x, operator, c), other, odd)

    def _member(self, node: Membership, wanted: bool) -> str:
        """IN a list of numbers, or of texts, as a look-up; empty text if it is another list."""
        choices = [c.value for c in node.choices if isinstance(c, Constant)]
        kinds = set(map(type, choices))
        alike = kinds == {str} or kinds <= values.NUMBERS
        if (
            is_null(node.operand)
            or len(choices) < len(node.choices)
            or not alike
            or any(c != c for c in choices)
        ):
            return ""
        x, listed = self._local_value(node.operand), self._name(frozenset(choices))
        other = self._of_other("==" if wanted else "!=", f"{x} is not None", f"{x} is None")
        if kinds == {str}:
            return self._test(f"type({x}) is str", f"{x} {'in' if wanted else 'not in'} {listed}", other)
        test = f"{x} in {listed}" if wanted else f"{x} == {x} and {x} not in {listed}"
        return self._test(f"type({x}) in NUMBERS", test, other, f"{x} != {x}")

    def _of_other(self, operator: str, unlike: str, uncertain: str) -> str:
        """A comparison of values that do not compare: `unlike` says that they are of different kinds,
        `uncertain` the opposite."""
        if operator == "==":
            return f"{uncertain} and {self._unknown}"
        return f"({unlike} or {self._unknown})" if operator == "!=" else self._unknown

    def _test(self, alike: str, test: str, other: str, odd: str = "") -> str:
        """A test of values: of those that are `alike`, and of others; `odd` says whether NaN is why it is not
        true."""
        if odd:
            test = f"({test} or {odd} and {self._unknown})"
        return f"({test} if {alike} else {other})"

    def _is(self, x: str, wanted: bool) -> str:
        """A value taken as a truth."""
        return f"({x} is {wanted} or {x} is not {not wanted} and {self._unknown})"

    # Values: the local name, or the literal, of what a node evaluates to.

    def _value(self, node: Expression) -> str:
        match node:
            case Constant():
                return self._constant(node.value)
            case Attribute():
                return self._attribute(node)
            case Aggregate():
                return self._aggregate(node)
            case Membership() | Between():
                return self._value(spelled_out(node))
            case Binary() if is_null(node.left) or is_null(node.right):
                tested = node.left if is_null(node.right) else node.right
                if node.operator not in ("==", "!="):
                    # It is missing, but of the events it names: where there are none, that says nothing.
                    self._value(tested)
                    return "None"
                x = self._local_value(tested)
                return self._computed(self._against(node.operator, x, None), x)
            case Binary():
                return self._call(
                    (values.COMPARISONS | values.ARITHMETIC)[node.operator], node.left, node.right
                )
            case Unary():
                return self._call(_UNARY[node.operator], node.operand)
            case Call(_, arguments):
                # Most conditions call none.
                from limecep.plan.calls import calling

                given = [self._value(n) for n in arguments]
                source, lines = calling(node, given, self._name, self._names)
                scope = max(self._scope_of.get(x, 0) for x in given)
                return self._emit(source, scope, lines)
            case Logical():
                return self._call(_LOGICAL[node.operator], *node.operands)
            case Parameter():
                raise AssertionError(f"parameter {node.name!r} is not bound")

    def _local_value(self, node: Expression) -> str:
        """As `_value`, but never a literal, of which Python would not let us ask `is`."""
        value = self._value(node)
        return self._emit(value, 0) if isinstance(node, Constant) else value

    def _attribute(self, node: Attribute) -> str:
        event = self._binding.given.get((node.variable, node.index))
        if event is not None:
            return self._emit(reading(event, node.path), 0)
        match node.index:
            case None if node.variable in self._binding.single:
                first = self._emit(f"{self._group(node.variable)}[0]", 0)
                return self._emit(reading(first, node.path), 0)
            case None:
                each = self._each.setdefault(node.variable, f"e{self._prefix}{len(self._each)}")
                return self._emit(reading(each, node.path), 1)
            case Current():
                group = self._group(node.variable)
                place = f"i{node.index.offset:+d}" if node.index.offset else "i"
                return self._emit(reading(f"{group}[{place}]", node.path), 2)
            case Position():
                n = node.index.number
                if n < -1 or n == 0:
                    return self._emit("None", 0)
                group = self._group(node.variable)
                event = f"{group}[{n - 1 if n > 0 else n}]"
                return self._emit(f"{reading(event, node.path)} if len({group}) >= {abs(n)} else None", 0)

    def _aggregate(self, node: Aggregate) -> str:
        group = self._group(node.variable)
        if node.function == "count" and not node.path:
            return self._emit("i", 2) if node.running else self._emit(f"len({group})", 0)
        # Most patterns count at most.
        from limecep.plan.aggregates import AGGREGATES, RUNNING

        listed = f"[{reading('e', node.path)} for e in {group}]"
        if not node.running:
            of_all = self._emit(f"None if type({group}) is Stretch else {listed}", 0)
            aggregate = f"{self._name(AGGREGATES[node.function])}({of_all})"
            return self._emit(
                f"{group}.over_{node.function}({node.path!r}) if {of_all} is None else {aggregate}", 0
            )
        prefixes = self._emit(f"{self._name(RUNNING[node.function])}({listed})", 0)
        return self._emit(f"{prefixes}[i]", 2)

    def _group(self, variable: str) -> str:
        return self._emit(self._binding.groups.get(variable, "()"), 0)

    def _call(self, called: Callable[..., Any], *nodes: Expression) -> str:
        arguments = [self._value(n) for n in nodes]
        return self._computed(f"{self._name(called)}({', '.join(arguments)})", *arguments)

    def _computed(self, source: str, *parts: str) -> str:
        return self._emit(source, max(self._scope_of.get(p, 0) for p in parts))

    def _emit(self, source: str, scope: int, lines: Sequence[str] = ("{name} = {source}",)) -> str:
        """The local name of what `source` gives, which is computed once, by these lines."""
        if source not in self._local:
            name = self._local[source] = f"v{self._prefix}{len(self._local)}"
            self._scope_of[name] = scope
            self._scopes[scope].extend(
                line.replace("{name}", name).replace("{source}", source) for line in lines
            )
        return self._local[source]

    def _constant(self, value: Any) -> str:
        if (
            value is None
            or type(value) in (bool, str)
            or (type(value) in values.NUMBERS and abs(value) < 2**53)
        ):
            return repr(value)
        return self._name(value)

    def _name(self, value: Any) -> str:
        """A global name for a value."""
        for name, known in self._names.items():
            if known is value:
                return name
        name = f"g{len(self._names)}"
        self._names[name] = value
        return name


def _compared(x: str, operator: str, y: str) -> str:
    """Python's comparison, but for `!=`, which like all others is not to be true of NaN."""
    return f"({x} < {y} or {x} > {y})" if operator == "!=" else f"{x} {operator} {y}"


def _turned(operator: str) -> str:
    """The comparison of the operands in the other order."""
    return operator.translate(str.maketrans("<>", "><"))
