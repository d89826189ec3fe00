"""What is different on a terminal."""

from __future__ import annotations

import io

import pytest

from limecep.output.terminal import coloured, erase, lively


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "term", "no_color", "is_lively", "is_coloured"),
    [
        (Screen(), "xterm", None, True, True),
        (Screen(), None, None, True, True),
        (Screen(), "xterm", "", True, True),
        (Screen(), "xterm", "1", True, False),
        (Screen(), "dumb", None, False, False),
        (io.StringIO(), "xterm", None, False, False),
        (io.StringIO(), "dumb", "1", False, False),
    ],
)
def test_a_terminal_is_written_over_and_takes_colours_unless_it_cannot_or_must_not(
    stream: io.StringIO,
    term: str | None,
    no_color: str | None,
    is_lively: bool,
    is_coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("TERM", term), ("NO_COLOR", no_color)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert (lively(stream), coloured(stream)) == (is_lively, is_coloured)
    assert erase(stream) == ("\r\x1b[K" if is_lively else "")
