"""Sentences of NMEA 0183."""

from __future__ import annotations

import logging
from collections import Counter

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep_codecs.config import RegexOptions
from limecep_codecs.nmea import nmea
from limecep_codecs.regex_codec import RegexCodec

CONTEXT = Context(label="test", clock=ManualClock(), counters=Counter(), logger=logging.getLogger())


def test_times_and_dates_of_nmea_are_text_whatever_zeros_they_begin_with() -> None:
    assert RegexCodec(RegexOptions(preset="nmea"), CONTEXT).texts == {"time", "date"}
    assert RegexCodec(RegexOptions(preset="logfmt"), CONTEXT).texts == set()


def test_the_checksum_of_a_sentence_covers_all_of_it() -> None:
    body = "GPGLL,4916.45,N,12311.12,W,225444,A"
    right = 0
    for byte in body.encode():
        right ^= byte
    assert isinstance(nmea(f"${body}*{right:02X}"), dict)
    for place, char in enumerate(body):
        other = f"{body[:place]}{'9' if char != '9' else '8'}{body[place + 1 :]}"
        assert isinstance(nmea(f"${other}*{right:02X}"), Undecodable)
