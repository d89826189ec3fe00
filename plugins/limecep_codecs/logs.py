"""Formats of logs that many programs write: syslog, the access logs of web servers, NMEA 0183, logfmt.

Each is a function from a line to a record of text, or to why it is none. It takes time in proportion to the
line: what repeats in its regular expressions takes no character that may come next, and gives none back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limecep.contracts.codec import Undecodable
from limecep_codecs.nmea import nmea

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.contracts.codec import Record

_QUOTED = r'"((?:[^"\\]|\\.)*+)"'
_PRIORITY = r"<(?P<priority>\d{1,3})>"

#: `host ident user [time] "request" status bytes`, and what follows.
_ACCESS = re.compile(
    r"(?P<host>\S++) (?P<ident>\S++) (?P<user>[^\[]*+)\[(?P<time>[^\]]*+)\] "
    rf"{_QUOTED.replace('(', '(?P<request>', 1)} (?P<status>\d{{3}}) (?P<bytes>\d++|-)(?P<rest>(?: .*+)?)",
    re.DOTALL,
)
_COMBINED = re.compile(rf" {_QUOTED} {_QUOTED}(?: {_QUOTED})?")
_REQUEST = re.compile(r"(?P<method>[A-Z]++) (?P<path>\S++)(?: (?P<protocol>HTTP/[\d.]++))?")

_RFC3164 = re.compile(
    rf"(?:{_PRIORITY})?"
    r"(?P<time>[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d++)?|\d{4}-\d\d-\d\dT[^ ]++) "
    r"(?P<host>[^ ]++) (?P<message>.*+)",
    re.DOTALL,
)
_TAG = re.compile(r"(?P<app>[^ :\[]++)(?:\[(?P<pid>[^\]]*+)\])?: ?(?P<message>.*+)", re.DOTALL)
_RFC5424 = re.compile(
    rf"{_PRIORITY}(?P<version>[1-9]\d?) (?P<time>[^ ]++) (?P<host>[^ ]++) (?P<app>[^ ]++) (?P<pid>[^ ]++) "
    r'(?P<msgid>[^ ]++) (?P<data>-|(?:\[(?:[^\]"\\]|\\.|"(?:[^"\\]|\\.)*+")*+\])++)(?: (?P<message>.*+))?',
    re.DOTALL,
)
_ELEMENT = re.compile(r'\[(?P<id>[^ \]="]++)(?P<params>(?: [^ =\]"]++="(?:[^"\\]|\\.)*+")*+)\]')
_PARAM = re.compile(rf' ([^ =\]"]++)={_QUOTED}')
_ESCAPED = re.compile(r'\\(["\\\]])')

_PAIR = re.compile(r'\s*+([^\s="]++)(?:=("(?:[^"\\]|\\.)*+"(?=\s|\Z)|[^\s"]*+(?=\s|\Z)))?')

_NIL = frozenset(("", "-"))


def common(text: str) -> Record | Undecodable:
    """The Common Log Format of web servers."""
    return _access(text, "common", None)


def combined(text: str) -> Record | Undecodable:
    """The Combined Log Format: also the referer and the agent, and where nginx has it, for whom a proxy
    asked."""
    return _access(text, "combined", _COMBINED)


def _access(text: str, name: str, more: re.Pattern[str] | None) -> Record | Undecodable:
    found = _ACCESS.fullmatch(text)
    if found is None:
        return Undecodable(f'no access log ({name}): host ident user [time] "request" status bytes')
    record = found.groupdict()
    rest = record.pop("rest")
    if more is not None:
        following = more.fullmatch(rest)
        if following is None:
            return Undecodable(
                f'no access log ({name}): "referer" "agent" must follow after status and bytes'
            )
        record |= zip(("referer", "agent", "forwarded_for"), following.groups(), strict=True)
    elif rest:
        return Undecodable(f"no access log ({name}): more follows after status and bytes (see combined)")
    request = _REQUEST.fullmatch(record["request"])
    if request is not None:
        # Nothing else is in it.
        del record["request"]
        record |= request.groupdict()
    record["user"] = record["user"].rstrip()
    return _present(record)


def syslog(text: str) -> Record | Undecodable:
    """Syslog as RFC 5424 or RFC 3164 has it."""
    return rfc5424(text) if _RFC5424.match(text) else rfc3164(text)


def rfc3164(text: str) -> Record | Undecodable:
    """The older syslog, also as files have it: without the priority, or with the time in ISO 8601."""
    found = _RFC3164.fullmatch(text)
    if found is None:
        return Undecodable("no syslog (RFC 3164): <priority>time host app[pid]: message")
    record = found.groupdict()
    if (tagged := _TAG.fullmatch(record["message"])) is not None:
        record |= tagged.groupdict()
    return _with_priority(record)


def rfc5424(text: str) -> Record | Undecodable:
    """Syslog with structured data, whose parameters are the fields `ID.NAME`."""
    found = _RFC5424.fullmatch(text)
    if found is None:
        return Undecodable("no syslog (RFC 5424): <priority>1 time host app pid msgid data message")
    record = found.groupdict()
    data, message = record.pop("data"), record["message"]
    if message is not None:
        record["message"] = message.removeprefix("\ufeff")
    at = 0 if data != "-" else len(data)
    while at < len(data):
        element = _ELEMENT.match(data, at)
        if element is None:
            return Undecodable(f"no syslog (RFC 5424): its structured data at '{data[at : at + 20]}'")
        for name, value in _PARAM.findall(element["params"]):
            record[f"{element['id']}.{name}"] = _ESCAPED.sub(r"\1", value)
        at = element.end()
    return _with_priority(record)


def _with_priority(record: Record) -> Record | Undecodable:
    """With the facility and the severity that the priority stands for."""
    priority = record["priority"]
    if priority is not None:
        if int(priority) > 191:
            return Undecodable(f"no syslog: the priority {priority} is above 191")
        record["facility"], record["severity"] = str(int(priority) >> 3), str(int(priority) & 7)
    return _present(record)


def logfmt(text: str) -> Record | Undecodable:
    """Pairs of NAME=VALUE; a value may be quoted, a name without one is true."""
    record: Record = {}
    text, at, pairs = text.strip(), 0, False
    while at < len(text):
        found = _PAIR.match(text, at)
        if found is None or (found.end() < len(text) and not text[found.end()].isspace()):
            column = len(text) - len(text[at:].lstrip()) + 1
            return Undecodable(f'no logfmt at column {column}: NAME=VALUE, or NAME="VALUE"')
        name, value = found.groups()
        pairs = pairs or value is not None
        at = found.end()
        if value is None:
            value = "true"
        elif value[:1] == '"':
            value = _unquoted(value)
        if value:
            record[name] = value
    return record if pairs else Undecodable("no logfmt: there is no NAME=VALUE in it")


def _unquoted(quoted: str) -> str:
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        return msgspec.json.decode(quoted, type=str)
    except (msgspec.MsgspecError, ValueError):
        return quoted[1:-1]


def _present(record: Record) -> Record:
    return {name: value for name, value in record.items() if value is not None and value not in _NIL}


#: The formats by name.
PRESETS: dict[str, Callable[[str], Record | Undecodable]] = {
    "syslog": syslog,
    "rfc3164": rfc3164,
    "rfc5424": rfc5424,
    "common": common,
    "combined": combined,
    "nmea": nmea,
    "logfmt": logfmt,
}
