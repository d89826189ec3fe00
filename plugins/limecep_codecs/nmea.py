"""NMEA 0183: the sentences of ships' instruments and of receivers of satellites."""

from __future__ import annotations

import re
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING

from limecep.contracts.codec import Undecodable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.codec import Record

_SENTENCE = re.compile(r"[$!](?P<body>(?P<head>[A-Z0-9]{3,10}+)(?:,[^*$!]*+)?)(?:\*(?P<sum>[0-9A-Fa-f]{2}))?")
_NUMBER = re.compile(r"-?\d++(?:\.\d*+)?", re.ASCII)
_POSITION = re.compile(r"(\d{1,3}?)(\d\d(?:\.\d*+)?)", re.ASCII)
_DATE = re.compile(r"(\d\d)(\d\d)(\d\d)", re.ASCII)
_TIME = re.compile(r"(\d\d)(\d\d)(\d\d(?:\.\d++)?)", re.ASCII)

#: The fields of sentences that are met most, in their order. Of a latitude or longitude comes its hemisphere
#: next. What has no name is called f1, f2, ... by its place, as are the fields of other sentences.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "GGA": ("time", "latitude", "", "longitude", "", "quality", "satellites", "hdop", "altitude"),
    "GLL": ("latitude", "", "longitude", "", "time", "status", "mode"),
    "RMC": ("time", "status", "latitude", "", "longitude", "", "speed_knots", "course", "date"),
    "VTG": ("course", "", "course_magnetic", "", "speed_knots", "", "speed_kmh", "", "mode"),
    "ZDA": ("time", "day", "month", "year"),
    "HDT": ("heading",),
    "HDG": ("heading",),
    "MWV": ("wind_angle", "reference", "wind_speed", "wind_unit", "status"),
    "DPT": ("depth", "offset"),
    "DBT": ("depth_feet", "", "depth"),
    "MTW": ("water_celsius",),
    "VHW": ("heading", "", "heading_magnetic", "", "speed_knots", "", "speed_kmh"),
    "ROT": ("rate_of_turn", "status"),
}  # fmt: skip
#: Those that are text although they have digits alone.
TEXTS = frozenset(("time", "date"))


def nmea(text: str) -> Record | Undecodable:
    """A sentence whose checksum is right. Latitude and longitude are in degrees, south and west below 0; with
    a date and a time there is `utc`, in ISO 8601."""
    found = _SENTENCE.fullmatch(text.strip())
    if found is None:
        return Undecodable("no NMEA 0183: $HEAD,FIELD,...*CHECKSUM")
    if found["sum"] is None:
        return Undecodable("no NMEA 0183: it ends without checksum")
    made = reduce(xor, found["body"].encode())
    if made != int(found["sum"], 16):
        return Undecodable(f"its checksum is *{found['sum']}, and should be *{made:02X}")
    head, *values = found["body"].split(",")
    talker, sentence = ("P", head[1:]) if head[0] == "P" else (head[:-3], head[-3:])
    record: Record = {"talker": talker, "sentence": sentence}
    names = _FIELDS.get(sentence, ())
    for n, value in enumerate(values):
        name = (names[n] if n < len(names) else "") or f"f{n + 1}"
        if not value:
            continue
        if name in ("latitude", "longitude"):
            value = _degrees(value, values[n + 1] if n + 1 < len(values) else "")
            if not value:
                return Undecodable(f"its {name} is '{values[n]}'")
        elif name not in TEXTS and _NUMBER.fullmatch(value):
            value = _plain(value)
        record[name] = value
    if (utc := _utc(record)) is not None:
        record["utc"] = utc
    return record


def _plain(number: str) -> str:
    """A number as JSON spells it: without zeros before it."""
    sign, digits = ("-", number[1:]) if number[0] == "-" else ("", number)
    digits = digits.lstrip("0")
    return sign + (digits if digits[:1].isdigit() else f"0{digits}")


def _degrees(value: str, hemisphere: str) -> str:
    """Degrees of `4807.038,N`: two digits of minutes before the point, what is before them are degrees. "" if
    it is none."""
    found = _POSITION.fullmatch(value)
    if found is None or hemisphere not in ("N", "S", "E", "W"):
        return ""
    degrees = int(found[1]) + float(found[2]) / 60
    return f"{-degrees if hemisphere in 'SW' else degrees:.7f}".rstrip("0").rstrip(".")


def _utc(record: Record) -> str | None:
    """Date and time of RMC and ZDA, where they are there."""
    time = _TIME.fullmatch(record.get("time", ""))
    if record["sentence"] == "ZDA" and {"day", "month", "year"} <= record.keys():
        date = f"{record['year']:0>4}-{record['month']:0>2}-{record['day']:0>2}"
    elif (given := _DATE.fullmatch(record.get("date", ""))) is not None:
        century = 19 if int(given[3]) >= 80 else 20
        date = f"{century}{given[3]}-{given[2]}-{given[1]}"
    else:
        return None
    return None if time is None else f"{date}T{time[1]}:{time[2]}:{time[3]}Z"
