"""Options of HTTP. Listing plugins imports this module, and not what checks options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep import option
from limecep.problems import Problem

if TYPE_CHECKING:
    from limecep_http.address import Address

#: Headers that the sink sets itself.
_OURS = ("content-length", "content-type", "host", "idempotency-key", "transfer-encoding")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """The connector of sources: where they listen."""

    listen: str = option(
        "127.0.0.1:8080",
        help="Where POSTs are taken: HOST:PORT. 127.0.0.1 is this machine alone, 0.0.0.0 every address of "
        "it. Port 0 is one that the system chooses, which the log names.",
        example="0.0.0.0:8080",
    )
    token: str = option(
        "",
        help="What clients send as `Authorization: Bearer TOKEN`; others are answered 401. Default: anyone "
        "who reaches the address may post.",
        example="${file:/run/secrets/token}",
    )
    tls_certificate: str = option(
        "",
        help="A file with the certificate to show, for https; default: plain http.",
        example="cep.pem",
        reads=True,
    )
    tls_key: str = option("", help="The file of its key.", example="cep.key", reads=True)
    max_body: int = option(
        1_048_576, help="The longest body; longer ones are answered 413.", unit="bytes", example="4MB"
    )
    queue: int = option(
        16_777_216,
        help="How much may wait to be worked on, bodies and 1 kB for each request; what is beyond is "
        "answered 503, with Retry-After.",
        unit="bytes",
        example="16MB",
    )
    timeout: int = option(
        30_000_000,
        help="How long a client waits for its answer at most, and the pipeline for a body; then the answer "
        "is 503, or 408.",
        unit="duration",
        example="30s",
    )

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        host, _, port = self.listen.rpartition(":")
        return host.removeprefix("[").removesuffix("]"), int(port)

    def __post_init__(self) -> None:
        host, colon, port = self.listen.rpartition(":")
        if not (host and colon and port.isascii() and port.isdecimal() and int(port) <= 65_535):
            raise ValueError("'listen' must be HOST:PORT, such as 127.0.0.1:8080")
        if not self.token.isascii() or any(c <= " " for c in self.token):
            raise ValueError("'token' must be ASCII without blanks: it is sent in a header")
        if bool(self.tls_certificate) != bool(self.tls_key):
            raise ValueError("'tls_key' and 'tls_certificate' belong together")
        if self.max_body < 1:
            raise ValueError("'max_body' must be at least 1 byte")
        if self.queue < self.max_body:
            raise ValueError("'queue' must be at least 'max_body'")
        if self.timeout < 100_000:
            raise ValueError("'timeout' must be at least 100ms")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong, or odd, with a path, and with who may post."""
        from limecep_http.paths import path_problem

        if said := path_problem(channel):
            return [Problem(code="bad-channel", message=f"'{channel}' is no path: {said}")]
        host = self.place[0]
        if not self.token and not (host.startswith("127.") or host in ("localhost", "::1")):
            return [
                Problem(
                    code="delivery",
                    message=f"anyone who reaches {self.listen} can post events",
                    hint="give the connector a 'token', or listen at 127.0.0.1 behind a server that knows "
                    "its clients",
                    severity="warning",
                )
            ]
        return []

    def reads(self, channel: str, other: str) -> bool:
        """Whether a path with wildcards means a path."""
        from limecep_http.paths import matcher

        return matcher(channel)(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSinkOptions:
    """The connector of sinks: whom they post to."""

    url: str = option(
        help="Where records are posted to: http://HOST/PATH or https://. A channel of the sink goes behind "
        "the path. Of the path nothing is ever shown, as it may be a secret.",
        example="https://hooks.example.com/alerts",
    )
    headers: dict[str, str] = option(
        {},
        help="Headers of every request. What they say is never shown.",
        example={"Authorization": "Bearer ${file:/run/secrets/hook}"},
    )
    timeout: int = option(
        10_000_000,
        help="How long the server may take to accept a connection, and to answer.",
        unit="duration",
        example="10s",
    )
    tls_ca: str = option(
        "",
        help="A file of certificates to trust, for https://; default: those of the system.",
        example="ca.pem",
        reads=True,
    )
    tls_certificate: str = option(
        "", help="A file with the certificate to show to the server.", example="cep.pem", reads=True
    )
    tls_key: str = option("", help="The file of its key.", example="cep.key", reads=True)
    on_unavailable: Literal["retry", "fail"] = option(
        "retry",
        help="What to do where the server cannot be reached, or answers 408, 425, 429 or 5xx: retry until it "
        "takes the record, or fail: end the run.",
    )
    retry_max: int = option(
        30_000_000,
        help="The longest wait between two tries; waits grow from half a second. A server may ask for a "
        "longer one (Retry-After), up to an hour.",
        unit="duration",
        example="30s",
    )

    @property
    def address(self) -> Address:
        """What the URL says."""
        from limecep_http.address import Address

        return Address.of(self.url)

    def __post_init__(self) -> None:
        address = self.address
        if (self.tls_ca or self.tls_certificate or self.tls_key) and address.scheme != "https":
            raise ValueError("'url' must be https:// where there are certificates")
        if bool(self.tls_certificate) != bool(self.tls_key):
            raise ValueError("'tls_key' and 'tls_certificate' belong together")
        for name, value in self.headers.items():
            if name.lower() in _OURS:
                raise ValueError(f"'headers' cannot set {name}: limecep does")
            if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
                raise ValueError(f"'headers': '{name}' is no name of a header")
            if not value.isascii() or not value.isprintable():
                raise ValueError(f"'headers': {name} must be printable ASCII")
            if name.lower() == "authorization" and address.user:
                raise ValueError("'headers' has Authorization, and the url has a user: leave one out")
        if self.timeout < 100_000:
            raise ValueError("'timeout' must be at least 100ms")
        if self.retry_max < 500_000:
            raise ValueError("'retry_max' must be at least 500ms")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with the channel of a sink, which may have gaps."""
        from limecep.output.template import template_problem
        from limecep_http.paths import target_problem

        if channel and (said := template_problem(channel, target_problem)):
            return [Problem(code="bad-channel", message=f"'{channel}' is no path: {said}")]
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSinkSettings:
    """What a sink that posts adds to the keys of every sink."""

    batch: int = option(
        1,
        help="The most records of a request. 1: a request a record, which is its body. More: the body is a "
        "JSON array, also of one record.",
        example=100,
    )

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise ValueError("'batch' must be at least 1")
