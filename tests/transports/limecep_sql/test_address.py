"""Addresses are read, and shown without their secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from limecep_sql.address import address_of, arguments_of, shown, url_problem


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("sqlite:///data/a.db", "data/a.db"),
        ("postgresql://u:s3cret@h:5433/plant?sslmode=require", "postgresql://h:5433/plant"),
        ("postgresql+psycopg://u:s3cret@h/plant", "postgresql://h/plant"),
    ],
)
def test_it_is_shown_without_user_password_and_settings(url: str, text: str) -> None:
    assert shown(url) == text
    assert url_problem(url) == ""


@pytest.mark.parametrize("url", ["", "s3cret", "postgresql://h:s3cret/x", "sqlite://", "sqlite:///:memory:"])
def test_what_is_no_address_is_told_without_quoting_it(url: str) -> None:
    assert url_problem(url)
    assert "s3cret" not in url_problem(url)


def test_a_file_is_below_the_folder_of_the_pipeline() -> None:
    assert address_of("sqlite:///a.db", Path("/home/x")).database == "/home/x/a.db"
    assert address_of("sqlite:////b.db", Path("/home/x")).database == "/b.db"


def test_the_driver_is_that_of_the_extra() -> None:
    address = address_of("postgresql://h/x", Path())
    assert address.drivername == "postgresql+psycopg"
    assert arguments_of(address, "limecep p")["application_name"] == "limecep p"
    assert arguments_of(address_of("mysql+pymysql://h/x", Path()), "limecep p") == {}
