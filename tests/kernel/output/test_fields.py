"""The fields of records are known by name."""

from __future__ import annotations

import inspect
import re

from limecep.output import late_records, render, repeating
from limecep.output.fields import OF_LATE, OF_UPDATES


def test_every_field_that_a_record_is_given_is_known_and_no_other() -> None:
    """The names that the code writes into records."""
    record = re.compile(r'record\["(\w+)"\] =|^ {12}"(\w+)":|\| \{"(\w+)"|"(\w+)": times', re.MULTILINE)
    written = [inspect.getsource(render.Renderer), inspect.getsource(repeating)]
    found = {name for text in written for names in record.findall(text) for name in names if name}
    assert found | {"values", "values_before"} == OF_UPDATES
    late = re.findall(r'"(\w+)"(?::|\] =)', inspect.getsource(late_records.late_record))
    assert set(late) == OF_LATE
