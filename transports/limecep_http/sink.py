"""The sink that posts to a webhook."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from limecep.encoding import to_canonical_json
from limecep.output.template import Template
from limecep_http.courier import Courier, Post

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_http.config import HttpSinkOptions, HttpSinkSettings

#: Bytes of the digests that are keys.
_DIGEST_BYTES = 12


class HttpSink:
    """Posts records, each alone or some in a JSON array (`limecep.contracts.sink`). The channel stands
    behind the path of the url, and may have gaps."""

    counts_only: ClassVar[bool] = False

    def __init__(
        self, channel: str, settings: HttpSinkSettings, options: HttpSinkOptions, context: Context
    ) -> None:
        self._channel = Template(channel, _escaped, "/").channel
        self._encode = context.encoder.encode
        self._content_type = context.encoder.content_type
        self._batch = settings.batch
        self._courier = Courier(options, context)

    def open(self) -> None:
        """Begins to post. Whether the server is there shows with the first record."""
        self._courier.start()

    def send(self, records: Sequence[Record]) -> None:
        """Posts the records in order. Waits while too many are not taken.

        Raises:
            RunFailure: The server refuses, or cannot be reached and is not to be waited for.
        """
        channel, encode = self._channel, self._encode
        if self._batch == 1:
            for record in records:
                self._courier.post(
                    Post(channel(record), encode(record), self._content_type, key_of(record), 1)
                )
            return
        begin = 0
        while begin < len(records):
            # What goes to one place together stays in order.
            place, end = channel(records[begin]), begin + 1
            while end < len(records) and end - begin < self._batch and channel(records[end]) == place:
                end += 1
            self._courier.post(self._together(place, records[begin:end]))
            begin = end

    def flush(self) -> None:
        """Returns when the server has taken everything.

        Raises:
            RunFailure: The server refuses, or cannot be reached and is not to be waited for.
        """
        self._courier.flush()

    def close(self) -> None:
        """Flushes, and ends the connection.

        Raises:
            RunFailure: Not everything was taken.
        """
        self._courier.close()

    def _together(self, place: str, records: Sequence[Record]) -> Post:
        body = b"[" + b",".join(map(self._encode, records)) + b"]"
        # An array of CloudEvents has a media type of its own.
        content_type = self._content_type.replace("cloudevents+json", "cloudevents-batch+json")
        return Post(
            place, body, content_type, _digest("\n".join(map(key_of, records)).encode()), len(records)
        )


def key_of(record: Record) -> str:
    """What tells a record from others, the same whenever it is sent: match, revision and operation, and how
    often it was repeated; of the late output a digest."""
    if "op" in record:
        again = f"/{record['repeat']}" if "repeat" in record else ""
        return f"{record['match']}/{record['revision']}/{record['op']}{again}"
    return _digest(to_canonical_json(record))


def _digest(value: bytes) -> str:
    return blake2b(value, digest_size=_DIGEST_BYTES).hexdigest()


def _escaped(value: str) -> str:
    """A value as one level of a path."""
    # Servers take these two for a way through the folders.
    return {".": "%2E", "..": "%2E%2E"}.get(value) or quote(value, safe="")
