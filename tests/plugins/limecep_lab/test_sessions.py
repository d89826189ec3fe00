"""The session of a job, and how it ends."""

from __future__ import annotations

import logging

import pytest

from limecep_lab import sessions


@pytest.mark.parametrize("name", [None, "py4j.clientserver", "py4j.java_gateway"])
def test_what_an_interrupt_breaks_on_the_way_to_java_is_not_logged(
    name: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger(name)
    with sessions.quiet_when_interrupted():
        try:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt:
                logger.exception("KeyboardInterrupt while sending command.")
                raise BrokenPipeError from None
        except BrokenPipeError:
            logger.exception("Exception occurred while shutting down connection")
    assert caplog.messages == []


def test_what_breaks_by_itself_on_the_way_to_java_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with sessions.quiet_when_interrupted():
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            logging.getLogger("py4j.clientserver").exception("the connection is gone")
    assert caplog.messages == ["the connection is gone"]
