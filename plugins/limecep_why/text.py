"""An explanation as text for people."""

from __future__ import annotations

import re
import textwrap
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_json
from limecep.output.rows import duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_TIMES = ("start", "end", "time", "arrived", "told", "from", "to", "event_time")
_MARKS = {"emit": "+", "correct": "~", "retract": "-", "final": "="}
_RFC3339 = re.compile(r"\d{4,}-\d\d-\d\dT[\d:.]+Z")
#: Notes are broken into lines of this length.
_WIDTH = 100
#: Texts of the data are cut at this length, conditions at this.
_LONGEST, _WIDEST = 60, 200


def lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an explanation (`limecep_why.explanation.explanation`)."""
    times = Times(told)
    for line in _lines(told, times):
        yield _printable(line).rstrip()


class Times:
    """Writes times: without the day where all are of one.

    Args:
        told: An explanation.
    """

    def __init__(self, told: Mapping[str, Any]) -> None:
        days = {text[:10] for text in _all_times(told)}
        self.day = days.pop() if len(days) == 1 else ""

    def of(self, text: str) -> str:
        """Return a time, given in RFC 3339."""
        return text[11:].removesuffix("Z") if self.day else text.replace("T", " ").removesuffix("Z")


def _lines(told: Mapping[str, Any], times: Times) -> Iterator[str]:
    yield from _head(told, times)
    yield ""
    yield "events, in the order of event time"
    yield from _table(_event(e, times) for e in told["events"])
    yield ""
    yield "and in the order of arrival, with what each did"
    yield from _table(_arrival(a, times) for a in told["arrivals"])
    if told.get("conditions"):
        yield ""
        yield "conditions"
        for condition in told["conditions"]:
            yield from _condition(condition)
    for absence in told.get("absences", ()):
        yield ""
        yield from _absence(absence, times)
    yield ""
    yield "revisions"
    width = max(len(times.of(r["told"])) for r in told["revisions"] if "told" in r)
    for revision in told["revisions"]:
        yield from _revision(revision, times, width)
    yield ""
    yield "waited"
    for wait in told["waited"]:
        yield from _wait(wait, times)
    if told["notes"]:
        yield ""
    for note in told["notes"]:
        yield from textwrap.wrap(f"note: {note}", _WIDTH, subsequent_indent="      ")


def _head(told: Mapping[str, Any], times: Times) -> Iterator[str]:
    key = "  ".join(f"{name} {_value(value)}" for name, value in (told["key"] or {}).items())
    standing = {
        "live": f"live at revision {told['revision']}",
        "final": f"final at revision {told['revision']}",
        "retracted": f"retracted with revision {told['revision']}",
    }[told["standing"]]
    yield "  ".join(filter(None, [told["pattern"], key, told["match"], standing]))
    span = f"{times.of(told['start'])} to {times.of(told['end'])}, {_seconds(told['seconds'])}"
    if "within_seconds" in told:
        span += f" of {_seconds(told['within_seconds'])}"
    yield f"  {span}{f', on {times.day}' if times.day else ''} (UTC)"
    if "structure" in told:
        yield f"  {told['structure']}, {told['select']}"
    for name, value in told.get("values", {}).items():
        yield f"  {name} = {_value(value)}"


def _event(event: Mapping[str, Any], times: Times) -> tuple[str, ...] | str:
    if "more" in event:
        return _more(event)
    came = f"#{event['arrival']:,}" if "arrival" in event else ""
    if "delay_seconds" in event:
        delay = event["delay_seconds"]
        came += f" {'+' if delay >= 0 else '-'}{_seconds(abs(delay))}"
    marks = []
    if event["late"]:
        marks.append("late")
    if event.get("out_of_order"):
        marks.append(f"out of order, {_seconds(event['behind_seconds'])} behind")
    if event.get("copies"):
        marks.append(f"copies came: {event['copies']}")
    if "of_match" in event:
        marks.append(f"match {event['of_match']} of {event['derived_by']}")
    at = times.of(event["time"]) if "time" in event else ""
    named = (at, event["variable"], event.get("type", ""), _cut(event["id"]))
    return (*named, came.strip(), "; ".join(marks))


def _arrival(arrival: Mapping[str, Any], times: Times) -> tuple[str, ...] | str:
    if "more" in arrival:
        return _more(arrival)
    number = f"#{arrival['arrival']:,}" if arrival["arrival"] is not None else ""
    at = times.of(arrival["arrived"]) if "arrived" in arrival else ""
    if "id" in arrival:
        of = f"of {times.of(arrival['time'])}" if "time" in arrival else ""
        what = (arrival.get("type", ""), _cut(arrival["id"]), of)
    else:
        what = ("", "(time)", "")
    behind = arrival.get("behind_seconds", 0)
    did = arrival["did"] + (f" ({_seconds(behind)} behind)" if behind else "")
    return (number, at, *what, " ".join(arrival["variables"]), did)


def _condition(condition: Mapping[str, Any]) -> Iterator[str]:
    instances, text = condition["instances"], _cut(condition["condition"], _WIDEST)
    truth = _truth(condition["truth"])
    if not instances:
        yield f"  {text}  {truth}: there is nothing that it is about"
        return
    if len(instances) == 1:
        yield f"  {text}:  {_cut(instances[0]['text'], _WIDEST)}  {truth}"
        return
    yield f"  {text}:  {truth}"
    yield from (f"  {line}" for line in _table(_instance(i) for i in instances))


def _instance(instance: Mapping[str, Any]) -> tuple[str, ...] | str:
    if "more" in instance:
        return _more(instance)
    events = ", ".join(f"{e['variable']} {_cut(e['id'])}" for e in instance["events"])
    return (_cut(instance["text"], _WIDEST), _truth(instance["truth"]), events)


def _absence(absence: Mapping[str, Any], times: Times) -> Iterator[str]:
    span = f"{times.of(absence['from'])} to {times.of(absence['to'])}"
    yield f"absent  {absence['step']}  {absence['between']}: {span}"
    for text in absence["conditions"]:
        yield f"  of those with {text}"
    if "events" not in absence:
        yield "  what was there is not known here: it is derived, or only records were read"
        return
    if not absence["events"]:
        yield "  there was none"
    for event in absence["events"]:
        if "more" in event:
            yield f"  {_more(event)}"
            continue
        texts = "; ".join(f"{i['text']} {_truth(i['truth'])}" for i in event["instances"])
        if event.get("refused"):
            verdict = "refused as extremely late, so it does not count"
        else:
            verdict = "forbids the match" if event["hits"] else "does not forbid it"
        said = f"{event['type']} {_cut(event['id'])} of {times.of(event['time'])} {verdict}"
        yield f"  {said}{f': {texts}' if texts else ''}"


def _revision(revision: Mapping[str, Any], times: Times, width: int) -> Iterator[str]:
    if "more" in revision:
        yield f"  {_more(revision)}"
        return
    mark, op = _MARKS[revision["op"]], revision["op"]
    told = f"told {times.of(revision['told']):{width}}"
    cause = revision["cause"]
    why = cause["kind"].replace("_", " ")
    if cause["event"] is not None:
        name = " ".join(filter(None, [cause.get("type"), _cut(cause["event"])]))
        why += f": {name}" + (f" of {times.of(cause['time'])}" if "time" in cause else "")
    size = f"{revision['size']:,} event{'s' * (revision['size'] != 1)}"
    final = ", final" if revision.get("final") else ""
    if "earlier_unknown" in revision:
        yield f"  ... {revision['revision'] - 1:,} before, which are not known here"
    yield f"  {revision['revision']}  {mark} {op:<8} {told}  {size}{final}  ({why})"
    for name, sign in (("removed", "-"), ("added", "+"), ("revised", "~")):
        for event in revision.get(name, ()):
            if "more" in event:
                yield f"       {sign} {_more(event)}"
                continue
            of = f" of {times.of(event['time'])}" if "time" in event else ""
            said = f"{sign} {event['variable']} {_cut(event['id'])}{of}"
            yield f"       {said}{_said_anew(event.get('changed', {}))}"
    before = revision.get("values_before", {})
    for name, value in revision.get("values", {}).items() if before else ():
        if before.get(name) != value:
            yield f"       {name}: {_value(before.get(name))} -> {_value(value)}"


def _said_anew(changed: Mapping[str, Any]) -> str:
    parts = [
        f"{name} {_cut(_value(old))} -> {_cut(_value(new))}"
        for name, (old, new) in changed.items()
        # What a codec says of a record, as opposed to what is in it.
        if not name.startswith("_")
    ]
    return f": {', '.join(parts)}" if parts else ""


def _wait(wait: Mapping[str, Any], times: Times) -> Iterator[str]:
    said = f"revision {wait['revision']} told {times.of(wait['told'])}"
    if "event_time" in wait:
        happened, came = wait["after_event_seconds"], wait.get("after_arrival_seconds")
        if happened == came:
            said += f": {_after(happened, 'happened and came')}"
        else:
            said += f": {_after(happened, 'happened')}"
            said += "" if came is None else f", {_after(came, 'came')}"
    yield f"  {said}"
    if "event_time" in wait and not wait["for"]:
        yield "    it waited for nothing"
    for reason in wait["for"]:
        yield f"    {_RFC3339.sub(lambda t: times.of(t[0]), reason)}"


def _after(seconds: float, did: str) -> str:
    if seconds == 0:
        return f"when the last of its events {did}"
    return f"{_seconds(abs(seconds))} {'after' if seconds > 0 else 'before'} the last of its events {did}"


def _table(rows: Iterable[tuple[str, ...] | str]) -> Iterator[str]:
    """Rows with columns as wide as what they hold; a text goes across."""
    found = list(rows)
    cells = [row for row in found if not isinstance(row, str)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in found:
        if isinstance(row, str):
            yield f"  {row}"
            continue
        shown = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True) if width]
        yield "  " + "  ".join(shown).rstrip()


def _more(item: Mapping[str, Any]) -> str:
    return f"... {item['more']:,} more"


def _truth(truth: bool | None) -> str:
    return {True: "true", False: "FALSE", None: "UNKNOWN"}[truth]


def _seconds(seconds: float) -> str:
    return duration(timedelta(seconds=seconds))


def _value(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else to_json(value).decode()


def _cut(text: str, length: int = _LONGEST) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _printable(text: str) -> str:
    """Data must not move the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _all_times(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        for name, value in told.items():
            if name in _TIMES and isinstance(value, str):
                yield value
            elif name not in ("values", "key"):
                yield from _all_times(value)
    elif isinstance(told, list):
        for item in told:
            yield from _all_times(item)
