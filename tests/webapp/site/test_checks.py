from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.db import connection

from tests.support.databases import LiveDatabase
from tests.webapp.site.cases import ROOT
from webapp.site import checks

PRODUCTION = {
    "PARETOSCOPE_SECURE": "1",
    "PARETOSCOPE_PROXIES": "1",
    "PARETOSCOPE_PUBLIC_URL": "https://paretoscope.example.org",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "paretoscope.example.org",
    "CSRF_TRUSTED_ORIGINS": "https://paretoscope.example.org",
    "DATABASE_URL": "postgresql://paretoscope:a-password@127.0.0.1/paretoscope",
    "BROKER_URL": "redis://127.0.0.1:6379/0",
    "EMAIL_URL": "smtp+tls://me:a-password@mail.example.org",
    "DEBUG": "0",
}
# Setting -> a value that a deployer should not leave, and what names it.
BAD = {
    "DEBUG": ("1", "DEBUG"),
    "SECRET_KEY": ("changeme", "SECRET_KEY"),
    "PARETOSCOPE_SECURE": ("0", "SESSION_COOKIE_SECURE"),
    "ALLOWED_HOSTS": ("*", "ALLOWED_HOSTS has *"),
    "PARETOSCOPE_PUBLIC_URL": ("http://paretoscope.example.org", "PARETOSCOPE_PUBLIC_URL is http://"),
}


def check(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {
        name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"
    }  # of browser tests
    variables = {**given, "DJANGO_SETTINGS_MODULE": "webapp.site.settings", **environment}
    command = [sys.executable, "manage.py", "check", *options]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=200)


def test_check_reports_every_bad_variable_with_a_hint() -> None:
    found = check(
        DATABASE_URL="mysql://me:secret@x/y",
        PARETOSCOPE_RUN_MEMORY_MB="much",
        BROKER_URL="pigeon://loft",
        PARETOSCOPE_CLUSTER_OUTAGE="hope",
    )
    assert found.returncode == 1
    for text in (
        "DATABASE_URL cannot be used",
        "PARETOSCOPE_RUN_MEMORY_MB",
        "a whole number from 256",
        "PARETOSCOPE_CLUSTER_OUTAGE cannot be used: it must be one of COMPUTE, WAIT",
        "HINT",
        "'pigeon'",
    ):
        assert text in found.stderr
    assert "secret" not in found.stderr


def test_a_deployment_with_the_settings_of_the_documentation_is_clean(tmp_path: Path) -> None:
    found = check("--deploy", "--fail-level", "WARNING", **PRODUCTION, PARETOSCOPE_VAR=str(tmp_path))
    assert found.returncode == 0 and "no issues" in found.stdout, found.stderr


def test_each_bad_setting_of_a_deployment_is_named(tmp_path: Path) -> None:
    """Check the settings that do not hide each other at once: a start of Django takes a second."""
    told = check(
        "--deploy", **{**PRODUCTION, **{name: value for name, (value, _) in BAD.items()}}, PARETOSCOPE_VAR=str(tmp_path)
    )
    for name in BAD.keys() - {"PARETOSCOPE_PUBLIC_URL"}:
        assert BAD[name][1] in told.stderr, told.stderr
    address = {"PARETOSCOPE_PUBLIC_URL": BAD["PARETOSCOPE_PUBLIC_URL"][0]}
    told = check("--deploy", "--fail-level", "WARNING", **{**PRODUCTION, **address}, PARETOSCOPE_VAR=str(tmp_path))
    assert told.returncode == 1 and BAD["PARETOSCOPE_PUBLIC_URL"][1] in told.stderr
    assert told.stderr.count("paretoscope.W") == 1 and "security.W" not in told.stderr


def test_a_broker_that_does_not_answer_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    from webapp.site.celery import app

    assert checks.check_broker_reachable(databases=["default"]) == []
    assert checks.check_broker_reachable(databases=None) == []
    silent = app.connection_for_write("redis://127.0.0.1:1/0")
    monkeypatch.setattr(app, "connection_for_write", lambda: silent)
    (found,) = checks.check_broker_reachable(databases=["default"])
    assert found.id == "paretoscope.W001" and found.hint and not found.is_serious()


def test_the_settings_of_the_tests_pass_the_checks() -> None:
    assert [message for message in run_checks() if message.is_serious()] == []


@pytest.mark.parametrize(
    ("url", "silent", "ids"),
    [
        ("", 1, []),
        ("tcp://a:1", 10, []),
        ("redis://a:1", 0, ["paretoscope.E003"]),
        ("tcp://a:1", 9, ["paretoscope.E004"]),
    ],
)
def test_the_address_of_a_cluster_is_looked_at(settings: Any, url: str, silent: int, ids: list[str]) -> None:
    settings.EXECUTOR_URL, settings.PARETOSCOPE_CLUSTER_OUTAGE = url, "WAIT"
    settings.PARETOSCOPE_RUN_SILENT_MINUTES = silent
    assert [found.id for found in checks.check_executor()] == ids


@pytest.mark.parametrize(("value", "ids"), [("on", []), ("off", ["paretoscope.W004"])])
def test_a_database_that_forgets_commits_is_warned_of(live_database: LiveDatabase, value: str, ids: list[str]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"SET synchronous_commit = {value}")
    found = [each.id for each in checks.check_commits_are_kept(["default"])]
    assert found == (ids if connection.vendor == "postgresql" else [])


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ({"PARETOSCOPE_PROXIES": 0}, "W005"),
        ({"PARETOSCOPE_SECURE": False}, "W006"),
        ({"ALLOWED_HOSTS": ["other.example.org"]}, "W007"),
        ({"PARETOSCOPE_MAIL_RUNS_MINUTES": 5}, "W008"),
        ({}, ""),
    ],
)
def test_settings_that_contradict_each_other_are_named(settings: Any, given: dict[str, Any], number: str) -> None:
    agreeing = {
        "PARETOSCOPE_SECURE": True,
        "PARETOSCOPE_PROXIES": 1,
        "PARETOSCOPE_PUBLIC_URL": "https://site.example.org",
        "ALLOWED_HOSTS": ["site.example.org"],
        "PARETOSCOPE_SENDS_MAIL": False,
        "PARETOSCOPE_MAIL_RUNS_MINUTES": 0,
    }
    for name, value in (agreeing | given).items():
        setattr(settings, name, value)
    found = checks.check_contradictions()
    assert [each.id for each in found] == ([f"paretoscope.{number}"] if number else [])
    assert all(name in f"{each.msg} {each.hint}" for each in found for name in given)
