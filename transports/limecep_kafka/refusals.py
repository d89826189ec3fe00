"""Refusals: which errors of the brokers waiting does not change, what is refused, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from confluent_kafka import KafkaError

_OF_GROUP = KafkaError.GROUP_AUTHORIZATION_FAILED
_OF_TOPIC = KafkaError.TOPIC_AUTHORIZATION_FAILED
_OF_TRANSACTION = KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
_OF_CLUSTER = KafkaError.CLUSTER_AUTHORIZATION_FAILED
#: Errors about who the user is. Those of the library may pass, but not before anybody was let in.
_OF_USER = {KafkaError.SASL_AUTHENTICATION_FAILED, KafkaError._AUTHENTICATION}

FOR_GOOD = {
    _OF_CLUSTER,
    _OF_GROUP,
    _OF_TOPIC,
    _OF_TRANSACTION,
    KafkaError.INCONSISTENT_GROUP_PROTOCOL,
    KafkaError.INVALID_GROUP_ID,
    KafkaError.SASL_AUTHENTICATION_FAILED,
    KafkaError.UNSUPPORTED_SASL_MECHANISM,
}
#: Those that may pass, but not where nobody was ever let in.
AT_FIRST = {KafkaError._AUTHENTICATION, KafkaError._SSL}


@dataclass(kw_only=True)
class Claims:
    """What a client asks of the brokers, to be named where they refuse it.

    Attributes:
        user: The user it logs in as; "" where the settings of the client name none.
        group: Its consumer group.
        transactional_id: The id of its transactions.
        operation: What it does with topics, as access control lists name it.
    """

    user: str = ""
    group: str = ""
    transactional_id: str = ""
    operation: str = "READ"

    def refused(self, error: KafkaError, topic: str = "") -> str:
        """What is refused and why, and what to do, to be put behind "the brokers refuse".

        Args:
            error: What the brokers said.
            topic: The topic it is about, where that is known.
        """
        code, why = error.code(), error.str().removesuffix(".")
        who = f"the user '{self.user}'" if self.user else "the user"
        if code == _OF_GROUP and self.group:
            return f" the group '{self.group}': {why}; {who} needs READ on it{self._or_another}"
        if code == _OF_TOPIC:
            which = f"the topic '{topic}'" if topic else "a topic"
            return f" {which}: {why}; {who} needs {self.operation} on it"
        if code == _OF_TRANSACTION and self.transactional_id:
            return f" the transactional id '{self.transactional_id}': {why}; {who} needs WRITE on it"
        if code == _OF_CLUSTER and self.operation != "READ":
            return f": {why}; {who} needs WRITE on the topics of the sink"
        if code in _OF_USER and self.user:
            return f" {who}: {why}; are 'sasl.username', 'sasl.password' and 'sasl.mechanism' right?"
        return f": {why}"

    @property
    def _or_another(self) -> str:
        # The group of a transactional sink is not chosen.
        return "" if self.transactional_id else ", or 'group' names another"
