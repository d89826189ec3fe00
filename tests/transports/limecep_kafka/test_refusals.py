"""A refusal names what is refused and what the user needs, as far as that is known."""

from __future__ import annotations

import pytest
from confluent_kafka import KafkaError

from limecep_kafka.refusals import FOR_GOOD, Claims

TRANSACTIONAL = Claims(user="joe", group="p.sinks.out", transactional_id="p.sinks.out", operation="WRITE")


ANOTHER = ", or 'group' names another"


@pytest.mark.parametrize(
    ("claims", "code", "topic", "said"),
    [
        (Claims(group="g"), "GROUP", "", f" the group 'g': no; the user needs READ on it{ANOTHER}"),
        (Claims(), "GROUP", "", ": no"),
        (TRANSACTIONAL, "GROUP", "", " the group 'p.sinks.out': no; the user 'joe' needs READ on it"),
        (Claims(user="joe"), "TOPIC", "t", " the topic 't': no; the user 'joe' needs READ on it"),
        (TRANSACTIONAL, "TOPIC", "", " a topic: no; the user 'joe' needs WRITE on it"),
        (
            TRANSACTIONAL,
            "TRANSACTIONAL_ID",
            "",
            " the transactional id 'p.sinks.out': no; the user 'joe' needs WRITE on it",
        ),
        (Claims(), "TRANSACTIONAL_ID", "", ": no"),
        (Claims(operation="WRITE"), "CLUSTER", "", ": no; the user needs WRITE on the topics of the sink"),
        (Claims(), "CLUSTER", "", ": no"),
    ],
)
def test_what_is_refused_is_named(claims: Claims, code: str, topic: str, said: str) -> None:
    number = getattr(KafkaError, f"{code}_AUTHORIZATION_FAILED")
    assert number in FOR_GOOD
    # Some brokers end with a full stop.
    assert claims.refused(KafkaError(number, "no."), topic) == said


@pytest.mark.parametrize("code", [KafkaError.SASL_AUTHENTICATION_FAILED, KafkaError._AUTHENTICATION])
def test_a_user_that_is_refused_is_named(code: int) -> None:
    error = KafkaError(code, "no")
    assert Claims().refused(error) == ": no"
    right = "are 'sasl.username', 'sasl.password' and 'sasl.mechanism' right?"
    assert Claims(user="joe").refused(error) == f" the user 'joe': no; {right}"
