"""How a broker is trusted, and what is shown to it."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from pathlib import Path

    from limecep_mqtt.config import BrokerOptions


class _Locked(Exception):
    """The key is encrypted, and there is no password for it."""


def tls_context(options: BrokerOptions, root: Path) -> ssl.SSLContext:
    """The context of connections to a broker.

    Args:
        options: Which files hold the certificates and the key.
        root: The folder that relative paths are below.

    Raises:
        RunFailure: A file is missing or cannot be used; which, and why.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if options.tls_ca:
            file = _readable("tls_ca", root / options.tls_ca)
            try:
                context.load_verify_locations(file)
            except ssl.SSLError:
                raise ValueError(f"'tls_ca': {file} holds no certificate in PEM form") from None
        else:
            context.load_default_certs()
        if options.tls_certificate:
            _show(context, options, root)
    except ValueError as error:
        raise RunFailure(f"the certificates for {options.address} cannot be used: {error}") from None
    return context


def _show(context: ssl.SSLContext, options: BrokerOptions, root: Path) -> None:
    certificate = _readable("tls_certificate", root / options.tls_certificate)
    key = _readable("tls_key", root / options.tls_key)
    asked = []

    def password() -> str:
        # Without it the library would ask at the terminal, and wait.
        if not options.tls_key_password:
            raise _Locked
        asked.append(True)
        return options.tls_key_password

    try:
        context.load_cert_chain(certificate, key, password)
    except _Locked:
        raise ValueError(f"'tls_key': {key} is encrypted; its password is 'tls_key_password'") from None
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError(f"'tls_key': {key} is not the key of {certificate}") from None
        if asked:
            raise ValueError(f"'tls_key_password' does not open {key}") from None
        raise ValueError(f"{certificate} holds no certificate in PEM form, or {key} no key") from None


def _readable(name: str, path: Path) -> Path:
    """The path, if there is such a file: what the library raises does not name it."""
    try:
        path.open("rb").close()
    except OSError as error:
        raise ValueError(f"'{name}': {error.strerror or error}: {path}") from None
    return path
