"""The codec does what every codec must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.codec import CodecConformance
from limecep_mine.codec import MineCodec
from limecep_mine.config import MineOptions

if TYPE_CHECKING:
    from limecep.api import Context


class TestMineCodec(CodecConformance):
    samples = (
        (b"type=Smoke;id=s1;value=1.50", [{"type": "Smoke", "id": "s1", "value": "1.50"}]),
        (b" type = Smoke ; id = s2 \r\n\nid=s3", [{"type": "Smoke", "id": "s2"}, {"id": "s3"}]),
        (b"", []),
    )
    broken = (b"Smoke", b"=1", b"type=Smoke;", b"\xff=1")

    def make_codec(self, context: Context) -> MineCodec:
        return MineCodec(MineOptions(), context)
