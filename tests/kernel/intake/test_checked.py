"""What a codec gave is looked at where something is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.codec import Undecodable
from limecep.contracts.source import Message
from limecep.errors import ContractBreach
from limecep.intake.checked import sound

MESSAGE = Message(b"", "c", "c:1")


def test_records_with_their_messages_are_given_on() -> None:
    given: Any = [(MESSAGE, {}), (MESSAGE, Undecodable("odd"))]
    assert sound(None, given) is given  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, 5, [{}], [(MESSAGE,)], [(MESSAGE, "record")]])
def test_anything_else_is_a_breach(given: Any) -> None:
    with pytest.raises(ContractBreach, match="due"):
        sound(None, given)  # type: ignore[arg-type]
