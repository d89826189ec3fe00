"""Formats of logs that are known by name."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.clock import ManualClock, Stopwatch
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.contracts.source import Message
from limecep_codecs.config import RegexOptions
from limecep_codecs.logs import PRESETS
from limecep_codecs.regex_codec import RegexCodec

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def read(*lines: str | bytes, **options: Any) -> list[Any]:
    codec = RegexCodec(RegexOptions(**options), CONTEXT)
    sent = [
        Message(line if isinstance(line, bytes) else line.encode(), "f", f"f:{n}")
        for n, line in enumerate(lines, 1)
    ]
    return [record.error if isinstance(record, Undecodable) else record for _, record in codec.decode(sent)]


# -- formats --------------------------------------------------------------------------------------------

ACCESS = '10.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif?x=1 HTTP/1.0" 200 2326'
OF_ACCESS = {
    "host": "10.0.0.1",
    "user": "frank",
    "time": "10/Oct/2000:13:55:36 -0700",
    "method": "GET",
    "path": "/a.gif?x=1",
    "protocol": "HTTP/1.0",
    "status": "200",
    "bytes": "2326",
}


@pytest.mark.parametrize(
    ("preset", "line", "record"),
    [
        ("common", ACCESS, OF_ACCESS),
        ("combined", f'{ACCESS} "http://a/" "Moz \\"5\\""',
         {**OF_ACCESS, "referer": "http://a/", "agent": 'Moz \\"5\\"'}),
        ("combined", f'{ACCESS} "-" "-" "10.9.9.9"', {**OF_ACCESS, "forwarded_for": "10.9.9.9"}),
        ("common", '::1 id jo doe [t] "\\x16\\x03" 400 -',
         {"host": "::1", "ident": "id", "user": "jo doe", "time": "t", "request": "\\x16\\x03",
          "status": "400"}),
        ("syslog", "<34>Oct 11 22:14:15 mymachine su: 'su root' failed",
         {"priority": "34", "facility": "4", "severity": "2", "time": "Oct 11 22:14:15", "host": "mymachine",
          "app": "su", "message": "'su root' failed"}),
        ("rfc3164", "Jan  5 03:04:05 box sshd[17]: Accepted: x",
         {"time": "Jan  5 03:04:05", "host": "box", "app": "sshd", "pid": "17", "message": "Accepted: x"}),
        ("rfc3164", "2026-01-05T10:00:00.5+01:00 box no tag here",
         {"time": "2026-01-05T10:00:00.5+01:00", "host": "box", "message": "no tag here"}),
        ("syslog", "<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 "
                   '[ex@32473 iut="3" eventSource="App\\"lication\\]"][other] \ufeffAn event',
         {"priority": "165", "facility": "20", "severity": "5", "version": "1",
          "time": "2003-10-11T22:14:15.003Z", "host": "mymachine.example.com", "app": "evntslog",
          "msgid": "ID47", "ex@32473.iut": "3", "ex@32473.eventSource": 'App"lication]',
          "message": "An event"}),
        ("rfc5424", "<0>1 - - - - - -", {"priority": "0", "facility": "0", "severity": "0", "version": "1"}),
        ("logfmt", 'at=info msg="a \\"b\\" c=d" dur=1.50ms n=7 ok empty= q="" url=http://x/?a=b',
         {"at": "info", "msg": 'a "b" c=d', "dur": "1.50ms", "n": "7", "ok": "true",
          "url": "http://x/?a=b"}),
        ("nmea", "$GPGGA,123519,4807.038,N,01131.000,W,1,08,0.9,545.4,M,46.9,M,,*55",
         {"talker": "GP", "sentence": "GGA", "time": "123519", "latitude": "48.1173",
          "longitude": "-11.5166667", "quality": "1", "satellites": "8", "hdop": "0.9", "altitude": "545.4",
          "f10": "M", "f3": "N", "f5": "W", "f11": "46.9", "f12": "M"}),
        ("nmea", "$GPRMC,003519.5,A,4807.038,S,01131.000,E,022.4,084.4,230394,003.1,W*6F",
         {"talker": "GP", "sentence": "RMC", "time": "003519.5", "status": "A", "latitude": "-48.1173",
          "f4": "S", "longitude": "11.5166667", "f6": "E", "speed_knots": "22.4", "course": "84.4",
          "date": "230394", "f10": "3.1", "f11": "W", "utc": "1994-03-23T00:35:19.5Z"}),
        ("nmea", "$GPZDA,201530.00,04,07,2002,00,00*60",
         {"talker": "GP", "sentence": "ZDA", "time": "201530.00", "day": "4", "month": "7", "year": "2002",
          "f5": "0", "f6": "0", "utc": "2002-07-04T20:15:30.00Z"}),
        ("nmea", "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C",
         {"talker": "AI", "sentence": "VDM", "f1": "1", "f2": "1", "f4": "B",
          "f5": "177KQJ5000G?tO`K>RA1wUbN0TKH", "f6": "0"}),
        ("nmea", "$PGRME,-15.0,M*37", {"talker": "P", "sentence": "GRME", "f1": "-15.0", "f2": "M"}),
    ],
)  # fmt: skip
def test_formats_that_are_known(preset: str, line: str, record: dict[str, str]) -> None:
    assert read(line, preset=preset) == [record]


@pytest.mark.parametrize(
    ("preset", "line", "said"),
    [
        ("common", "x", 'no access log (common): host ident user [time] "request" status bytes'),
        ("common", f'{ACCESS} "-" "-"', "no access log (common): more follows after status and bytes"),
        ("combined", ACCESS, 'no access log (combined): "referer" "agent" must follow'),
        ("syslog", "hello", "no syslog (RFC 3164)"),
        ("rfc3164", "<192>Oct 11 22:14:15 a b: c", "no syslog: the priority 192 is above 191"),
        ("rfc5424", "<34>Oct 11 22:14:15 a b: c", "no syslog (RFC 5424)"),
        (
            "rfc5424",
            '<34>1 - - - - - [a b="c"][d e] x',
            "no syslog (RFC 5424): its structured data at '[d e]'",
        ),
        ("logfmt", "just words", "no logfmt: there is no NAME=VALUE in it"),
        ("logfmt", 'a=1 b="x', "no logfmt at column 5"),
        ("logfmt", 'a="x"y', "no logfmt at column 1"),
        ("nmea", "$GPGGA,1*00", "its checksum is *00, and should be *"),
        ("nmea", "$GPGGA,123519,4807.038", "no NMEA 0183: it ends without checksum"),
        ("nmea", "GPGGA,1", "no NMEA 0183: $HEAD"),
        ("nmea", "$GPGLL,x,N,1,E*12", "its latitude is 'x'"),
    ],
)
def test_lines_that_are_none_say_why(preset: str, line: str, said: str) -> None:
    (found,) = read(line, preset=preset)
    assert found.startswith(said)


#: What repeats in lines that are to keep a format busy, and how long they are.
PIECES = (
    "a",
    " ",
    '"',
    "\\",
    "[",
    '["',
    '[a b="',
    "<1",
    "$A,",
    "= ",
    'a="',
    "0",
    ",",
    "a a",
    '\\"',
    "=a",
    "[a]",
)
LONG = 100_000


@pytest.mark.parametrize("preset", PRESETS)
def test_no_line_keeps_a_format_busy(preset: str) -> None:
    heads = {
        "rfc5424": "<1>1 - - - - - ", "syslog": "<1>1 - - - - - [", "rfc3164": "Oct 11 22:14:15 a ",
        "common": 'a b c [t] "', "combined": f'{ACCESS} "', "nmea": "$GP", "logfmt": "a=",
    }  # fmt: skip
    for piece in PIECES:
        watch = Stopwatch()
        for head in ("", heads[preset]):
            line = head + piece * (LONG // len(piece))
            read(line, line + "\x00", preset=preset)
        assert watch.seconds < 2, piece


BITS = [*'<>[]"\\= :,*$-a1.', "Oct 11 22:14:15", "GPRMC", ACCESS, "\ufeff", "é"]


@given(st.sampled_from([*PRESETS]), st.lists(st.sampled_from(BITS), max_size=12))
def test_whatever_a_line_is_it_is_a_record_of_text_or_says_why_not(preset: str, pieces: list[str]) -> None:
    for what in read("".join(pieces), preset=preset):
        assert isinstance(what, (str, dict))
        if isinstance(what, dict):
            assert all(type(value) is str and value for value in what.values())
