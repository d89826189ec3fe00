"""The part of the suite of sources that is about those that cut text into lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.messages import drain, nothing_more
from limecep.testing.sources import Sources

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.source import Source


class LinesConformance(Sources):
    """What a source must do that has the capability `lines`."""

    def test_a_line_without_end_is_left_where_a_later_run_goes_on(
        self, context: Context, opened: list[Any]
    ) -> None:
        """It may be half written: the next run reads it whole, and says where it stood."""
        self._needs_lines()
        context.resumes = True
        channel = self.make_channel()
        first = self._begin(channel, context, opened, b"one\nha")
        came = drain(first, 1)
        nothing_more(first, 0.3)
        assert [m.value for m in came] == [b"one"]
        assert first.ended is not self.live
        first.close()
        self.publish_text(channel, b"lf\n")
        again = self.again(channel, context, opened, [came[0].position])
        (line,) = drain(again, 1)
        assert line.value == b"half"
        assert line.position != came[0].position

    def test_a_line_without_end_that_is_whole_is_not_left(self, context: Context, opened: list[Any]) -> None:
        """The codec knows; a live source may wait for the rest of it."""
        self._needs_lines()
        if self.live:
            pytest.skip("its input has no end")
        context.resumes, context.whole = True, lambda line: line == b"{}"
        source = self._begin(self.make_channel(), context, opened, b"one\n{}")
        assert [m.value for m in drain(source, 2)] == [b"one", b"{}"]

    def test_a_line_without_end_is_read_where_nothing_goes_on(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Else it would be lost."""
        self._needs_lines()
        if self.live:
            pytest.skip("its input has no end")
        source = self._begin(self.make_channel(), context, opened, b"one\nlast")
        assert [m.value for m in drain(source, 2)] == [b"one", b"last"]

    def test_text_of_another_encoding_comes_in_utf8(self, context: Context, opened: list[Any]) -> None:
        """Its lines end where the text has line ends, wherever bytes look like such."""
        self._needs_lines()
        # The bytes of U+0A0D read as line ends.
        for encoding, text in (("cp1252", "5 €"), ("utf-16", "\u0a0d"), ("utf-16-be", "\u0a0d")):
            context.encoding = encoding
            data = f"one\n{text}\n\nlast\n".encode(encoding)
            source = self._begin(self.make_channel(), context, opened, data)
            assert [m.value.decode(errors="replace") for m in drain(source, 4)] == ["one", text, "", "last"]

    def test_bytes_that_are_not_in_the_encoding_cost_their_line(
        self, context: Context, opened: list[Any]
    ) -> None:
        """Which comes, with an error."""
        self._needs_lines()
        context.encoding = "cp1252"
        source = self._begin(self.make_channel(), context, opened, b"one\nab\x81\nlast\n")
        came = drain(source, 3)
        assert [bool(m.error) for m in came] == [False, True, False]
        assert "cp1252" in came[1].error

    def _begin(self, channel: str, context: Context, opened: list[Any], data: bytes) -> Source:
        if not self.live:
            self.publish_text(channel, data)
        source = self.start(channel, context, opened)
        if self.live:
            self.publish_text(channel, data)
        return source

    def _needs_lines(self) -> None:
        if not self.lines:
            pytest.skip("its messages are no lines")
