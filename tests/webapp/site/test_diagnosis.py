"""`doctor`: what it finds with real servers, clocks and databases."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from packaging.requirements import Requirement

from tests.support.databases import LiveDatabase
from webapp.site import diagnosis


class _Program(BaseHTTPRequestHandler):
    answer = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def program(settings: Any) -> Iterator[type[_Program]]:
    """A program that answers at the address of the site."""
    with HTTPServer(("127.0.0.1", 0), _Program) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.PARETOSCOPE_PUBLIC_URL = f"http://127.0.0.1:{server.server_port}"
        yield _Program
        server.shutdown()


def test_the_address_is_of_this_site_of_another_program_or_of_none(program: type[_Program], settings: Any) -> None:
    program.answer = b'{"status": "ok"}'
    (ours,) = diagnosis._address()
    program.answer = b"<html>"
    (other,) = diagnosis._address()
    settings.PARETOSCOPE_PUBLIC_URL = "http://127.0.0.1:9"
    (none,) = diagnosis._address()
    assert [(each.state, each.text.partition(" http")[0]) for each in (ours, other, none)] == [
        ("ok", "The site answers at"), ("warning", "Another program answers at"), ("ok", "No program listens at"),
    ]  # fmt: skip


def test_a_proxy_before_this_machine_is_told(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.PARETOSCOPE_PUBLIC_URL = "http://127.0.0.1:8000"
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://proxy:3128")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    (found,) = diagnosis._proxies()
    assert (found.state, found.remedy) == ("warning", "Add 127.0.0.1 to NO_PROXY, for the client and the agent.")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (found,) = diagnosis._proxies()
    assert found.state == "ok"


def test_packages_of_other_versions_and_missing_ones_are_named() -> None:
    assert diagnosis._unmet(Requirement("django>=5")) == ""
    assert diagnosis._unmet(Requirement("django<2")).startswith("django<2 is needed, 5")
    assert diagnosis._unmet(Requirement("no-such-package")) == "no-such-package is missing"
    assert diagnosis._unmet(Requirement("no-such-package; python_version < '3'")) == ""


def test_the_database_and_its_clock(live_database: LiveDatabase, settings: Any) -> None:
    answers, clock = diagnosis._database()
    settings.PARETOSCOPE_GUESTS = True
    (guests,) = diagnosis._guests()
    assert (guests.state, guests.remedy) == ("warning", "Run `paretoscope gallery`.")
    settings.PARETOSCOPE_GUESTS = False
    assert "0 workers alive" in answers.text and (clock.state, clock.subject) == ("ok", "Clock")
    assert diagnosis._clock(-7.0, "database").remedy.startswith("Synchronise both clocks")
    MigrationRecorder(connection).record_unapplied("search", "0002_full_text")
    (older,) = diagnosis._database()
    assert (older.state, older.remedy) == ("error", "Run `paretoscope migrate`.")
    MigrationRecorder(connection).record_applied("runs", "9999_later")
    (newer,) = diagnosis._database()
    assert "is of a newer version: runs.9999_later" in newer.text


def test_errors_make_the_exit_status(
    settings: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings.PARETOSCOPE_VAR = tmp_path
    monkeypatch.setattr(diagnosis, "PYTHONS", ((3, 14), (3, 15)))
    monkeypatch.setattr(diagnosis, "_database", list)
    with pytest.raises(CommandError, match="1 error found"):
        call_command("doctor")
    assert "is not supported. Make the environment with Python" in capsys.readouterr().out
