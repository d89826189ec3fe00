"""The conformance suites for transports: subclass them in a test module, and pytest runs them.

from limecep.testing.transport import SinkConformance, SourceConformance

class TestMySource(SourceConformance):
    def make_channel(self): ...
    def publish(self, channel, messages): ...
    def make_source(self, channel, context): ...

What a transport does not have it says by an attribute of the class, and those cases skip. Where a fixture is
needed (a broker), an `autouse` fixture of the subclass puts it into an attribute.
"""

from __future__ import annotations

from limecep.testing.messages import Outgoing
from limecep.testing.sink_suite import SinkConformance
from limecep.testing.source_suite import SourceConformance

__all__ = ["Outgoing", "SinkConformance", "SourceConformance"]
