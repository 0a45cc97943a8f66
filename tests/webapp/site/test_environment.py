"""Typed readers of the environment, and the checks that report what they refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.webapp.site.cases import ROOT
from webapp.site.environment import Environment, last_address, secret_key


def test_values_are_typed() -> None:
    found = Environment({"A": "yes", "B": "7", "C": " x , y,", "D": ""})
    assert found.flag("A", False) is True and found.flag("D", True) is True
    assert found.integer("B", 1, 0, 9) == 7 and found.integer("D", 3, 0, 9) == 3
    assert found.words("C", ()) == ("x", "y") and found.words("D", ("z",)) == ("z",)
    assert found.problems == [] and found.names == ["A", "D", "B", "D", "C", "D"]


@pytest.mark.parametrize(
    ("read", "accepted"),
    [
        (lambda e: e.flag("X", False), "one of 1, true"),
        (lambda e: e.integer("X", 5, 1, 9), "a whole number from 1 to 9"),
        (lambda e: e.words("X", ("a",), ("a", "b")), "words out of a, b"),
        (lambda e: e.choice("X", "INFO", ("INFO", "DEBUG")), "one of INFO, DEBUG"),
    ],
)
def test_a_value_that_cannot_be_used_is_noted_and_the_default_taken(read: Any, accepted: str) -> None:
    found = Environment({"X": "77"})
    default = read(Environment({}))
    assert read(found) == default
    assert found.problems[0].name == "X" and found.problems[0].got == "77" and accepted in found.problems[0].accepted


@pytest.mark.parametrize("value", ["--5", "²", "1.5", "five", "10"])
def test_what_is_no_whole_number_within_bounds_is_noted(value: str) -> None:
    found = Environment({"X": value})
    assert found.integer("X", 3, 1, 9) == 3 and found.problems[0].got == value


def test_links_lead_to_where_the_site_last_answered(tmp_path: Path) -> None:
    assert last_address(tmp_path) == "http://127.0.0.1:8000"
    (tmp_path / "address").write_text("http://127.0.0.1:8765\n")
    assert last_address(tmp_path) == "http://127.0.0.1:8765"


def test_database_urls() -> None:
    def read(url: str) -> dict[str, Any]:
        return Environment({"DATABASE_URL": url}).database("DATABASE_URL", Path("/data/default.sqlite3"))

    assert read("")["NAME"] == "/data/default.sqlite3" and read("sqlite:////a/b.sqlite3")["NAME"] == "/a/b.sqlite3"
    assert read("sqlite:////a/b.sqlite3")["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    found = read("postgresql://me:p%40ss@db.example:5433/team?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "me", "p@ss", "db.example", "5433", "team",
    )  # fmt: skip
    assert found["OPTIONS"]["sslmode"] == "require" and found["OPTIONS"]["pool"]["max_size"] >= 8


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "postgresql://host", "sqlite://", "postgresql://h:port/x"])
def test_a_bad_database_url_is_noted_without_its_password(url: str) -> None:
    found = Environment({"DATABASE_URL": url})
    assert found.database("DATABASE_URL", Path("/x"))["ENGINE"] == "django.db.backends.dummy"
    assert found.problems[0].got == "(hidden)"


def test_the_secret_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    key = secret_key(tmp_path / "key")
    assert len(key) > 60 and secret_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0 and [p.name for p in tmp_path.iterdir()] == ["key"]


def test_every_variable_is_documented() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    assert documented == set(settings.ENVIRONMENT.names)


@pytest.mark.parametrize(
    ("value", "taken"), [("", True), ("x" * 16, True), ("x" * 15, False), ("with a space inside it", False)]
)
def test_a_short_token_is_refused_and_never_shown(value: str, taken: bool) -> None:
    found = Environment({"PARETOSCOPE_METRICS_TOKEN": value})
    assert found.token("PARETOSCOPE_METRICS_TOKEN", 16) == (value if taken else "")
    assert [problem.got for problem in found.problems] == ([] if taken else ["(hidden)"])
