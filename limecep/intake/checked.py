"""What a codec gives, looked at where something is wrong with it: nobody would know whose mistake that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import Undecodable
from limecep.errors import ContractBreach, LimecepError
from limecep.intake.reader import Batch, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.codec import Codec, Decoded


class CheckedReader(Reader):
    """As every reader; where it cannot use what the codec of a plugin gave, it names that."""

    def _map(self, decoded: Sequence[Decoded]) -> Batch:
        try:
            return super()._map(decoded)
        except (ContractBreach, LimecepError):
            raise
        except Exception:
            sound(self._codec, decoded)
            raise


def sound(codec: Codec, decoded: Any) -> Sequence[Decoded]:
    """What a codec gave, if it is what a codec may give.

    Raises:
        ContractBreach: It is not.
    """
    try:
        each = iter(decoded)
    except TypeError:
        raise ContractBreach(codec, f"gave {decoded!r} where messages with their records are due") from None
    for pair in each:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], (dict, Undecodable)):
            raise ContractBreach(codec, f"gave {pair!r} where a message with its record is due")
    found: Sequence[Decoded] = decoded
    return found
