from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.checks import run_checks

from tests.webapp.site.cases import ROOT
from webapp.site import checks


def check(**environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "webapp.site.settings", **environment}
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)


def test_check_reports_every_bad_variable_with_a_hint() -> None:
    found = check(DATABASE_URL="mysql://me:secret@x/y", PARETOSCOPE_RUN_MEMORY_MB="much", BROKER_URL="pigeon://loft")
    assert found.returncode == 1
    for text in (
        "DATABASE_URL cannot be used",
        "PARETOSCOPE_RUN_MEMORY_MB",
        "a whole number from 256",
        "HINT",
        "'pigeon'",
    ):
        assert text in found.stderr
    assert "secret" not in found.stderr


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
