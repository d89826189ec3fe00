"""Which file cannot be used for TLS, and why."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from limecep.errors import RunFailure
from limecep_mqtt.config import BrokerOptions
from limecep_mqtt.tls import tls_context

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    for name in ("own", "other"):
        openssl(
            "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem",
        )  # fmt: skip
    openssl("pkey", "-in", "own.key", "-aes256", "-passout", "pass:geheim", "-out", "locked.key")
    (folder / "text").write_text("no certificate")
    return folder


LOCKED = {"tls_certificate": "own.pem", "tls_key": "locked.key"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tls_ca": "gone.pem"}, "'tls_ca': No such file or directory: {0}/gone.pem"),
        ({"tls_ca": "text"}, "'tls_ca': {0}/text holds no certificate in PEM form"),
        (
            {"tls_certificate": "gone.pem", "tls_key": "own.key"},
            "'tls_certificate': No such file or directory: {0}/gone.pem",
        ),
        (
            {"tls_certificate": "own.pem", "tls_key": "gone.key"},
            "'tls_key': No such file or directory: {0}/gone.key",
        ),
        (
            {"tls_certificate": "own.pem", "tls_key": "text"},
            "{0}/own.pem holds no certificate in PEM form, or {0}/text no key",
        ),
        (
            {"tls_certificate": "own.pem", "tls_key": "other.key"},
            "'tls_key': {0}/other.key is not the key of {0}/own.pem",
        ),
        (LOCKED, "'tls_key': {0}/locked.key is encrypted; its password is 'tls_key_password'"),
        ({**LOCKED, "tls_key_password": "falsch"}, "'tls_key_password' does not open {0}/locked.key"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_key(
    options: dict[str, str], said: str, files: Path
) -> None:
    with pytest.raises(RunFailure) as failed:
        tls_context(BrokerOptions(url="mqtts://h", **options), files)
    assert str(failed.value) == f"the certificates for h:8883 cannot be used: {said.format(files)}"


def test_an_encrypted_key_is_opened_with_its_password(files: Path) -> None:
    options = BrokerOptions(url="mqtts://h", tls_ca="own.pem", tls_key_password="geheim", **LOCKED)
    assert len(tls_context(options, files).get_ca_certs()) == 1
