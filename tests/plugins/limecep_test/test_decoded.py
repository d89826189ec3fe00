"""Records of a test in the place of a codec's."""

from __future__ import annotations

from limecep.contracts.duties import misformed
from limecep.contracts.source import Message
from limecep.spec import NoOptions
from limecep_test.decoded import Decoded


def test_it_gives_a_new_record_each_time_with_its_types() -> None:
    codec = Decoded(NoOptions(), None)
    assert misformed(codec, "limecep.contracts.codec.Codec") == ""
    message = Message(b'{"a": 1, "b": {"c": null}, "d": "1"}', "", "")
    ((same, first),) = codec.decode([message])
    ((_, second),) = codec.decode([message])
    assert same is message
    assert first == second == {"a": 1, "b": {"c": None}, "d": "1"}
    assert first is not second
    assert codec.spelled(message) == [first]
    assert not codec.finish()
    assert not codec.holding
