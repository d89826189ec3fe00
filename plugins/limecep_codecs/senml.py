"""SenML packs in JSON (RFC 8428): lists of measurements, whose base values hold for those that follow."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from limecep.contracts.codec import Decoded, Record, Spelled, Undecodable
from limecep_codecs.json_codec import REFUSED, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_codecs.config import SenmlOptions

#: Times below are relative to now, in seconds (RFC 8428, 4.5.3).
ABSOLUTE_SECONDS = 2**28
#: The version that is understood.
VERSION = 10
#: Larger numbers are no measurements, and no floats.
_LARGEST = Decimal("1e300")
#: The labels of a measurement's value: a number, a text, true or false, and bytes in base64.
_VALUES = ("v", "vs", "vb", "vd")
_TEXTS = ("bn", "bu", "n", "u", "vs", "vd")
_NUMBERS = ("bt", "bv", "bs", "v", "s", "t", "ut")
_BASES = ("bn", "bt", "bu", "bv", "bs")
_KNOWN = frozenset((*_TEXTS, *_NUMBERS, "bver", "vb"))


class SenmlCodec:
    """Reads SenML (`limecep.contracts.codec`). A message is a pack, and each measurement in it a record.

    One that is not sound gives no record, and those beside it do. Numbers are added as they are spelled, so a
    base time and a time give the instant that was meant.
    """

    untyped: ClassVar[bool] = False
    holding: ClassVar[bool] = False

    def __init__(self, options: SenmlOptions, context: Context) -> None:
        self._decode = msgspec.json.Decoder(float_hook=Decimal).decode

    def decode(self, messages: Sequence[Message]) -> list[Decoded]:
        return [(m, record) for m in messages for record in self._records(m, _as_float)]

    def finish(self) -> list[Decoded]:
        return []

    def spelled(self, message: Message) -> list[Record]:
        # Those that are none keep their places.
        return [r if isinstance(r, dict) else {} for r in self._records(message, _as_spelled)]

    def _records(self, message: Message, number: Callable[[Any], Any]) -> list[Record | Undecodable]:
        if message.error:
            return [Undecodable(message.error)]
        try:
            pack = self._decode(message.value)
        except REFUSED as error:
            return [Undecodable(words(message.value, error))] if message.value.strip() else []
        if type(pack) is not list:
            return [Undecodable("not a SenML pack: it is no list of objects")]
        now = None if message.t_arr is None else Decimal(message.t_arr) / 1_000_000
        base: Record = {}
        found: list[Record | Undecodable] = []
        for place, entry in enumerate(pack, 1):
            made = _resolved(entry, base, now, number)
            if isinstance(made, str):
                found.append(Undecodable(f"measurement {place} of the pack: {made}"))
            elif made is not None:
                found.append(made)
        return found


def _resolved(
    entry: Any, base: Record, now: Decimal | None, number: Callable[[Any], Any]
) -> Record | str | None:
    """The record of an entry; None where it has base values alone; text where it is not sound.

    Args:
        entry: An object of the pack.
        base: The base values so far, to which those of the entry are added.
        now: When the message arrived, in seconds; None if nobody knows.
        number: Makes values of numbers.
    """
    if type(entry) is not dict:
        return "it is no object"
    if said := _problem(entry):
        return said
    base.update({label: entry[label] for label in _BASES if label in entry})
    values = [label for label in _VALUES if label in entry]
    if not values and "s" not in entry:
        return None if entry.keys() <= {*_BASES, "bver"} else "it has no value ('v', 'vs', 'vb', 'vd' or 's')"
    name = base.get("bn", "") + entry.get("n", "")
    if not name:
        return "it has no name ('n', or 'bn' before it)"
    record: Record = {"name": name, "bn": base.get("bn"), "n": entry.get("n")}
    record["unit"] = entry.get("u", base.get("bu"))
    time = base.get("bt", 0) + entry.get("t", 0)
    if time >= ABSOLUTE_SECONDS:
        record["time"] = number(time)
    elif now is not None:
        record["time"] = number(now + time)
    if values:
        value = entry[values[0]]
        record["value"] = number(value + base.get("bv", 0)) if values == ["v"] else value
    if "s" in entry or "bs" in base:
        record["sum"] = number(entry.get("s", 0) + base.get("bs", 0))
    if "ut" in entry:
        record["update"] = number(entry["ut"])
    return {label: value for label, value in record.items() if value is not None}


def _problem(entry: Record) -> str:
    """What is wrong with an entry; "" if nothing is."""
    for label in _TEXTS:
        if label in entry and type(entry[label]) is not str:
            return f"'{label}' is no text"
    for label in _NUMBERS:
        value: Any = entry.get(label, 0)
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
            return f"'{label}' is no number"
        if not -_LARGEST <= value <= _LARGEST:
            return f"'{label}' is too large"
    if type(entry.get("vb", True)) is not bool:
        return "'vb' is neither true nor false"
    if sum(label in entry for label in _VALUES) > 1:
        return "it has several values"
    version = entry.get("bver", VERSION)
    if type(version) is not int or version > VERSION:
        return f"version {version} of SenML is not known"
    # Such labels change what an entry means.
    odd = sorted(label for label in entry if label.endswith("_") and label not in _KNOWN)
    return f"'{odd[0]}' must be understood, and is not known" if odd else ""


def _as_float(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _as_spelled(value: Any) -> Any:
    return Spelled(format(value, "f")) if isinstance(value, Decimal) else value
