"""What a program has becomes events: dictionaries, tables, and events that are checked."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from limecep import Event, InvalidEvent, events

TEN = datetime(2026, 1, 5, 10, tzinfo=UTC)
US = 1_767_607_200_000_000


def test_a_dictionary_has_its_own_fields_and_attributes() -> None:
    (event,) = events(
        {"type": "Heat", "id": 7, "time": TEN, "arrival": "2026-01-05T10:00:03Z", "seq": 2, "source": "s",
         "room": "kitchen", "v": Decimal("1.5")}
    )  # fmt: skip
    assert (event.type, event.id, event.t_gen, event.t_arr) == ("Heat", "7", US, US + 3_000_000)
    assert (event.source, event.seq, event.payload) == ("s", 2, {"room": "kitchen", "v": 1.5})


def test_an_event_of_a_record_of_a_sink_is_the_event() -> None:
    shown = {"type": "A", "id": "a1", "time": "2026-01-05T10:00:00Z", "source": "s", "payload": {"time": 5}}
    (event,) = events([shown])
    assert (event.id, event.t_gen, event.payload) == ("a1", US, {"time": 5})
    with pytest.raises(InvalidEvent, match="has both 'payload' and 'v'"):
        events([{**shown, "v": 1}])


def test_without_id_equal_records_are_one_event_and_without_arrival_none_comes_before_the_latest() -> None:
    records = [{"type": "A", "time": t, "v": v} for t, v in ((5, 1), (3, 1), (5, 1.0), (6, 2))]
    made = events(records, format="epoch_s")
    assert made[0].id == made[2].id != made[3].id
    assert [e.t_arr // 1_000_000 for e in made] == [5, 5, 5, 6]


def test_fields_may_have_other_names() -> None:
    record = {"kind": "A", "ts": "5.25", "no": 3, "got": 6, "type": "steel"}
    (event,) = events([record], type_field="kind", time="ts", id="no", arrival="got", format="epoch_s")
    assert (event.type, event.id, event.t_gen, event.t_arr) == ("A", "3", 5_250_000, 6_000_000)
    assert event.payload == {"type": "steel"}
    assert events([record], type="B", time="got", format="epoch_s")[0].payload["kind"] == "A"


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"type": "A", "time": datetime(2026, 1, 5)}, "'time' has no time zone.*give the datetime a tzinfo"),
        ({"type": "A", "time": "2026-01-05T10:00:00"}, "'time' has no time zone"),
        ({"type": "A", "time": 5}, "'time' is the number 5: say its unit"),
        ({"type": "A", "tim": TEN}, "no time: 'time' is missing; it has 'type', 'tim'; did you mean 'tim'"),
        ({"time": TEN}, "no type: 'type' is missing; it has 'time', or say type='...' for all"),
        ({"type": 5, "time": TEN}, "'type' is no text: 5"),
        ({"type": "A", "time": TEN, "id": 1.5}, "'id' is no id: 1.5: give text or an integer"),
        ({"type": "A", "time": TEN, "seq": 2**63}, "'seq' does not fit 64 bits"),
        ({"type": "A", "time": TEN, "id": "x", "v": {1}}, r"\(id 'x'\): 'v' is a set"),
        ({"type": "A", "time": TEN, 5: 1}, "the field 5 has a name that is no text"),
        (5, "is a value of the type int, no event: give an Event, a dict"),
    ],
)
def test_what_cannot_become_an_event_is_named_with_its_field_and_a_way_out(record: Any, error: str) -> None:
    with pytest.raises(InvalidEvent, match=f"event 1 of those given.*{error}") as raised:
        events([{"type": "A", "time": TEN}, record])
    assert (raised.value.number, raised.value.given) == (1, record)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_events_are_checked_and_left_alone_where_nothing_is_wrong() -> None:
    fine = Event("A", "a1", 5, payload={"v": 1, "deep": {"x": [1]}})
    assert events([fine])[0] is fine
    odd: Any = Event("A", 7, TEN, TEN, payload={"v": Decimal("2.5"), "n": 1})  # type: ignore[arg-type]
    (event,) = events(odd)
    assert (event.id, event.t_gen, event.t_arr, event.payload) == ("7", US, US, {"v": 2.5, "n": 1})
    assert odd.id == 7
    for wrong, error in (
        (Event("A", "a", 1.5), "'t_gen' is no integer"),  # type: ignore[arg-type]
        (Event("A", "a", 5, payload={"v": b"x"}), "'v' is bytes"),
        (Event("A", "a", 5, payload=[1]), "'payload' is a value of the type list: give a dict"),  # type: ignore[arg-type]
        (Event(5, "a", 5), "'type' is no text"),  # type: ignore[arg-type]
    ):  # fmt: skip
        with pytest.raises(InvalidEvent, match=error):
            events([wrong])


@pytest.mark.parametrize("data", ["text", 5, None])
def test_what_holds_no_events_is_refused(data: Any) -> None:
    with pytest.raises(TypeError, match="holds no events: give an Event, a dict"):
        events(data)
    with pytest.raises(ValueError, match="unknown time format 'ms': did you mean 'epoch_ms'"):
        events([], format="ms")


def test_tables_of_all_libraries_give_the_same_events() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    arrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    stamps = ["2026-01-05T10:00:00.000001", "2026-01-05T10:00:01"]
    frame = pandas.DataFrame(
        {"ts": pandas.to_datetime(stamps, format="ISO8601"), "no": [1, 2], "v": [0.5, None]}
    )
    rows = numpy.array(
        [(stamps[0], 1, 0.5), (stamps[1], 2, numpy.nan)],
        dtype=[("ts", "datetime64[us]"), ("no", "int32"), ("v", "float64")],
    )
    found = [
        [
            (e.type, e.id, e.t_gen - US, e.payload)
            for e in events(table, type="R", time="ts", id="no", zone="UTC")
        ]
        for table in (
            frame,
            arrow.Table.from_pandas(frame),
            arrow.Table.from_pandas(frame).to_reader(),
            polars.DataFrame({"ts": frame["ts"].to_list(), "no": [1, 2], "v": [0.5, None]}),
            rows,
        )
    ]
    assert found == [[("R", "1", 1, {"v": 0.5}), ("R", "2", 1_000_000, {"v": None})]] * 5
    with pytest.raises(InvalidEvent, match=r"event 0 .*'ts' has no time zone.*zone='UTC'"):
        events(frame, type="R", time="ts", id="no")
    with pytest.raises(TypeError, match="has the column 'v' twice"):
        events(frame.rename(columns={"no": "v"}), type="R", time="ts", zone="UTC")
    with pytest.raises(TypeError, match=r"pandas.*Series holds no events"):
        events(frame["v"])
