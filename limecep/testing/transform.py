"""The conformance suite for transforms: subclass it in a test module, and pytest runs it.

from limecep.testing.transform import TransformConformance

class TestMyTransform(TransformConformance):
    def make_transform(self, context):
        return MyTransform(MyOptions(), context)
"""

from __future__ import annotations

import copy
from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.transform import IDENTITY, Transform
from limecep.contracts.values import json_problem
from limecep.output.late_records import late_record
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded
from limecep.testing.spelling import check_spelling

if TYPE_CHECKING:
    from limecep.output.record import Record

_EVENT = {
    "type": "A",
    "id": "a1",
    "time": "2026-01-05T10:00:00Z",
    "source": "s",
    "payload": {"user": "ann", "value": 1.5, "at": {"room": "k1", "tags": ["x", None]}},
}
_MATCH = {
    "op": "emit",
    "match": "0123456789abcdef01234567",
    "revision": 1,
    "content": "76543210fedcba9876543210",
    "pattern": "p",
    "key": {"user": "ann"},
    "start": "2026-01-05T10:00:00Z",
    "end": "2026-01-05T10:00:00Z",
    "events": {"a": [_EVENT], "b": []},
    "cause": {"kind": "in_order", "event": "a1"},
    "detected": "2026-01-05T10:00:01Z",
    "latency": 0.5,
}


class TransformConformance(Bounded):
    """What every transform must do. A test class: subclass it and say how the transform is made."""

    def make_transform(self, context: Context) -> Any:
        """A new transform."""
        raise NotImplementedError("say how the transform is made")

    def records(self) -> list[Record]:
        """Records of every form that may come: override it to try others, too."""
        ids: Record = {
            **_MATCH,
            "events": {"a": ["a1"], "b": []},
            "key": None,
            "op": "retract",
            "revision": 2,
        }
        bare: Record = {name: value for name, value in _MATCH.items() if name != "events"}
        invalid = late_record("invalid", source="s", position="f:1", raw='{"user": "ann"', error="no JSON")
        late: Record = {"reason": "extremely_late", "event": _EVENT, "source": "s", "position": "f:2"}
        return copy.deepcopy([_MATCH, ids, bare, invalid, late])

    def test_it_leaves_what_it_is_given_as_it_is(self) -> None:
        """Other sinks and the log have the same record."""
        transform = self._made()
        for record in self.records():
            before = copy.deepcopy(record)
            transform.apply(record)
            assert record == before, "the record that was given was changed: change a copy"

    def test_what_it_gives_is_a_record_that_can_be_written(self) -> None:
        """A dict that JSON knows, or None."""
        transform = self._made()
        for record in self.records():
            made = transform.apply(record)
            assert made is None or isinstance(made, dict), f"gives {made!r}"
            assert not json_problem(made), json_problem(made)

    def test_records_are_known_again(self) -> None:
        """By what tells a record of the change log from others."""
        transform = self._made()
        for record in self.records():
            made = transform.apply(record)
            if made is not None:
                for name in IDENTITY:
                    assert made.get(name) == record.get(name), f"'{name}' tells records apart, and changed"

    def test_it_depends_on_the_record_alone(self) -> None:
        """After a crash a record comes once more, and a worker has others before it."""
        records = self.records()
        one, other = self._made(), self._made()
        forward = [one.apply(record) for record in records]
        backward = [other.apply(record) for record in records[::-1]][::-1]
        again = [one.apply(record) for record in records]
        assert forward == backward == again, "what was given before made a difference"

    def test_no_method_is_misspelt(self) -> None:
        """The kernel would not call it."""
        check_spelling(type(self._made()), Transform, ())

    def _made(self) -> Any:
        return self.make_transform(
            Context(label="sinks.s.through.1", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
        )
