"""Where a broker is."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

#: The ports of MQTT without and with TLS.
PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A broker's address, read from a URL such as `mqtts://user:password@host:8883`."""

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = ""

    @classmethod
    def of(cls, url: str) -> Address:
        """Reads a URL.

        Raises:
            ValueError: It is not the address of a broker; the message begins with the key `url`.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            # What Python says of it quotes a part, which may be one of the password.
            raise ValueError(
                "'url' is no address: the port must be a number up to 65535, and in a password / ? # % @ are "
                "written %2F %3F %23 %25 %40"
            ) from None
        if parts.scheme not in PORTS or not parts.hostname or _beyond(parts) or not _name(parts.hostname):
            raise ValueError("'url' must be mqtt://HOST:PORT or mqtts://HOST:PORT")
        return cls(
            host=parts.hostname,
            port=port or PORTS[parts.scheme],
            tls=parts.scheme == "mqtts",
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def _beyond(parts: SplitResult) -> bool:
    return parts.path not in ("", "/") or bool(parts.query or parts.fragment)


def _name(host: str) -> bool:
    """Whether the system can look a host up at all."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True
