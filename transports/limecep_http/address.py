"""Where records are posted to, and what of it may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

#: The ports of HTTP without and with TLS.
PORTS = {"http": 80, "https": 443}
#: What is shown in the place of a secret.
MASK = "***"
#: Shorter parts of an address are not masked in what a server answers: they would hide its words.
_SHORTEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A web address. Path and query may be what admits to a webhook, so both count as secret.

    Attributes:
        path: The path, which begins with a slash, or "".
        query: The query, without its question mark.
    """

    scheme: str
    host: str
    port: int
    path: str = ""
    query: str = ""
    user: str = ""
    password: str = ""

    @classmethod
    def of(cls, url: str) -> Address:
        """Reads a URL.

        Raises:
            ValueError: It is no address to post to; the message begins with the key `url`, and quotes none
                of it.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            # What Python says of it quotes a part, which may be a secret.
            raise ValueError(
                "'url' is no address: the port must be a number up to 65535, and in a password / ? # % @ are "
                "written %2F %3F %23 %25 %40"
            ) from None
        if parts.scheme not in PORTS or not parts.hostname or parts.fragment or not url.isascii():
            raise ValueError("'url' must be http://HOST/PATH or https://HOST/PATH, in ASCII")
        if any(c <= " " or c == "\x7f" for c in url):
            raise ValueError("'url' must have neither blanks nor control characters: write %20")
        return cls(
            scheme=parts.scheme,
            host=parts.hostname,
            port=port or PORTS[parts.scheme],
            path=parts.path,
            query=parts.query,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )

    def target(self, channel: str) -> str:
        """What a request asks for: the path with a channel below it, and the query."""
        path = f"{self.path.rstrip('/')}/{channel.lstrip('/')}" if channel else self.path or "/"
        return f"{path}?{self.query}" if self.query else path

    def shown(self, channel: str) -> str:
        """The address in words for the user, without its secrets."""
        beyond = "/..." if self.path.strip("/") or self.query else ""
        return f"{self}{beyond}/{channel.lstrip('/')}" if channel else f"{self}{beyond}"

    @property
    def secrets(self) -> list[str]:
        """What is not to be shown, also where a server says it."""
        parts = [self.path.strip("/"), *self.path.split("/"), self.query]
        parts += [pair.partition("=")[2] for pair in self.query.split("&")]
        parts += [unquote(part) for part in parts]
        return [part for part in parts if len(part) >= _SHORTEST] + [p for p in (self.password,) if p]

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def masked(text: str, secrets: list[str]) -> str:
    """A text without secrets."""
    # The longest first: one may be part of another.
    for secret in sorted(set(secrets), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text
