"""The codecs are codecs like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.testing.codec import CodecConformance
from limecep_codecs.cloudevents import CloudEvents
from limecep_codecs.config import (
    CloudEventsOptions,
    CsvOptions,
    JsonOptions,
    PlainOptions,
    RegexOptions,
    SenmlOptions,
    ZeekOptions,
)
from limecep_codecs.csv_codec import CsvCodec
from limecep_codecs.json_codec import JsonCodec
from limecep_codecs.plain import PlainCodec
from limecep_codecs.regex_codec import RegexCodec
from limecep_codecs.senml import SenmlCodec
from limecep_codecs.zeek import ZeekCodec

if TYPE_CHECKING:
    from limecep.contracts.context import Context


class TestJson(CodecConformance):
    samples = (
        (b'{"id": "a", "value": 1.50, "n": 10}', [{"id": "a", "value": 1.5, "n": 10}]),
        (b'[{"id": "b"}, {"at": {"x": 2.5}}]', [{"id": "b"}, {"at": {"x": 2.5}}]),
        (b" \r\n", []),
    )
    broken = (b"{", b"7", b'["a"]', b"\xff", b'{"a": nan}')

    def make_codec(self, context: Context) -> JsonCodec:
        return JsonCodec(JsonOptions(), context)


class TestJsonInside(CodecConformance):
    samples = (
        (
            b'{"data": {"items": [{"id": "a", "value": 1.5}, {"id": "b"}]}}',
            [{"id": "a", "value": 1.5}, {"id": "b"}],
        ),
        (b'[{"data": {"items": {"id": "c"}}}]', [{"id": "c"}]),
        (b'{"data": {"items": []}}', []),
    )
    broken = (b"{", b"{}", b'{"data": {"items": 7}}')

    def make_codec(self, context: Context) -> JsonCodec:
        return JsonCodec(JsonOptions(path="data.items"), context)


class TestJsonDocuments(CodecConformance):
    lines = True
    samples = (
        (b"{", []),
        (b'  "head": {"data": [7, "]}\\""],', []),
        (b'  "more": [', []),
        (b'  ]}, "data"', []),
        (b"  :", []),
        (b'  {"items": [', []),
        (b'    {"id": "a", "value": 1.50}, {"id": "b",', [{"id": "a", "value": 1.5}, {"id": "b", "n": [1]}]),
        (b'      "n": [', []),
        (b"        1", []),
        (b"      ]", []),
        (b"    },", []),
        (b"", []),
        (b'    {"id": "c"}', [{"id": "c"}]),
        (b"  ]},", []),
        (b'  "foot": 1.5}', []),
        (b'{"data": {"items": {"id": "d"}}} {"data": [{"items": []}, {', [{"id": "d"}]),
        (b'"items": [{"id": "e"}]}]}', [{"id": "e"}]),
    )
    broken = (b'{"data": {"items": [7]}}', b'{"data": ]}', b"\xff", b"x")

    def make_codec(self, context: Context) -> JsonCodec:
        return JsonCodec(JsonOptions(path="data.items"), context)


class TestJsonLines(TestJson):
    """The lines of a file that has a value in each, which its first line shows."""

    lines = True


class TestCsv(CodecConformance):
    samples = (
        (b"id,value,note", []),
        (b'a,1.50,"one, two"\r', [{"id": "a", "value": "1.50", "note": "one, two"}]),
        (b"", []),
        (b"b,,", [{"id": "b"}]),
        (b'c,2,"begins', [{"id": "c", "value": "2", "note": "begins\nand ends"}]),
        (b'and ends"', []),
        (b"d,3,4", [{"id": "d", "value": "3", "note": "4"}]),
    )
    broken = (b"a,b", b"a,b,c,d", b"\xff,1,2", b'a"b,"c"d,e')

    def make_codec(self, context: Context) -> CsvCodec:
        return CsvCodec(CsvOptions(), context)


class TestZeek(CodecConformance):
    samples = (
        (rb"#separator \x09", []),
        (b"#set_separator\t,", []),
        (b"#empty_field\t(empty)", []),
        (b"#unset_field\t-", []),
        (b"#path\tconn\r", []),
        (b"#fields\tts\tuid\tid.orig_p\tlocal\tbytes\ttunnels\tnote", []),
        (b"#types\ttime\tstring\tport\tbool\tcount\tset[string]\tstring", []),
        (
            rb"1409516196.337184"
            b"\tCk1\t49154\tT\t-\ta,b\t12\r",
            [
                {
                    "ts": 1409516196.337184,
                    "uid": "Ck1",
                    "id.orig_p": 49154,
                    "local": True,
                    "tunnels": ["a", "b"],
                    "note": "12",
                }
            ],
        ),
        (
            b"1409516197.5\tCk2\t80\tF\t5\t(empty)\t" + rb"a\x09b \xc3\xa9 \xff \\",
            [
                {
                    "ts": 1409516197.5,
                    "uid": "Ck2",
                    "id.orig_p": 80,
                    "local": False,
                    "bytes": 5,
                    "tunnels": [],
                    "note": "a\tb é \\xff \\",
                }
            ],
        ),
        (b"#fields\tts\tuid", []),
        (b"#types\ttime\tstring", []),
        (b"1409516198\tCk3", [{"ts": 1409516198.0, "uid": "Ck3"}]),
        (b"#close\t2014-08-31-13-16-40", []),
    )
    broken = (b"1\t2\t3", b"x\tCk", b"nan\tCk", b"\xff\tCk")

    def make_codec(self, context: Context) -> ZeekCodec:
        return ZeekCodec(ZeekOptions(), context)


class TestRegex(CodecConformance):
    samples = (
        (b"a took 1.50 ms", [{"who": "a", "ms": "1.50"}]),
        (b"b took  ms\r\n\nc took 7 ms", [{"who": "b"}, {"who": "c", "ms": "7"}]),
        (b"", []),
    )
    broken = (b"a", b"\xff took 1 ms")

    def make_codec(self, context: Context) -> RegexCodec:
        return RegexCodec(RegexOptions(pattern=r"(?P<who>\w+) took (?P<ms>\S*) ms"), context)


class TestLogfmt(CodecConformance):
    samples = ((b'a=1 b="x y"', [{"a": "1", "b": "x y"}]), (b" ", []), (b"c=2\r", [{"c": "2"}]))
    broken = (b"a", b'a="', b"\xff=1")

    def make_codec(self, context: Context) -> RegexCodec:
        return RegexCodec(RegexOptions(preset="logfmt"), context)


ATTRIBUTES = {"specversion": "1.0", "id": "1", "source": "/s", "type": "Smoke"}


class TestCloudEvents(CodecConformance):
    samples = (
        (
            b'{"specversion": "1.0", "id": "1", "source": "/s", "type": "Smoke", "data": {"value": 1.5}}',
            [{"value": 1.5, "ce": ATTRIBUTES}],
        ),
        (b'[{"specversion": "1.0", "id": "1", "source": "/s", "type": "Smoke"}]', [{"ce": ATTRIBUTES}]),
        (b"", []),
    )
    broken = (
        b"{}",
        b"7",
        b'{"specversion": "2.0", "id": "1", "source": "/s", "type": "T"}',
        b"\xff",
        b"[[]]",
    )

    def make_codec(self, context: Context) -> CloudEvents:
        return CloudEvents(CloudEventsOptions(), context)

    def make_encoder(self, context: Context) -> CloudEvents:
        return CloudEvents(CloudEventsOptions(), context)


class TestCloudEventsInHeaders(CodecConformance):
    samples = (
        (b'{"value": 1.5}', [{"value": 1.5, "ce": ATTRIBUTES}]),
        (b"[1]", [{"data": [1], "ce": ATTRIBUTES}]),
        (b"", [{"ce": ATTRIBUTES}]),
    )
    broken = (b"{", b"\xff")
    headers: ClassVar[tuple[tuple[str, bytes], ...]] = tuple(
        (f"ce_{name}", value.encode()) for name, value in ATTRIBUTES.items()
    )

    def make_codec(self, context: Context) -> CloudEvents:
        return CloudEvents(CloudEventsOptions(), context)


class TestPlain(CodecConformance):
    samples = (
        (b"21.50", [{"celsius": 21.5}]),
        (b" 7\n", [{"celsius": 7}]),
        (b"", []),
        (b"1e2", [{"celsius": 100.0}]),
    )
    broken = (b"on", b"true", b"\xff", b"nan", b"21,5")

    def make_codec(self, context: Context) -> PlainCodec:
        return PlainCodec(PlainOptions(field="celsius", kind="number"), context)


class TestSenml(CodecConformance):
    samples = (
        (
            b'[{"bn": "d:", "bt": 1.5e9, "bu": "V", "n": "a", "v": 1.50}, {"n": "b", "t": -0.5, "vs": "x"}]',
            [
                {"name": "d:a", "bn": "d:", "n": "a", "unit": "V", "time": 1.5e9, "value": 1.5},
                {"name": "d:b", "bn": "d:", "n": "b", "unit": "V", "time": 1499999999.5, "value": "x"},
            ],
        ),
        (b'[{"n": "c", "v": 3, "t": 1600000000}]', [{"name": "c", "n": "c", "time": 1600000000, "value": 3}]),
        (b" ", []),
    )
    broken = (b"{}", b"[7]", b"[", b'[{"n": "a"}]', b'[{"v": 1}]', b'[{"n": "a", "v": "1"}]', b"\xff")

    def make_codec(self, context: Context) -> SenmlCodec:
        return SenmlCodec(SenmlOptions(), context)
