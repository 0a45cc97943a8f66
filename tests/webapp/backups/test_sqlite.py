"""Backups of SQLite."""

import sqlite3
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from tests.support.databases import LiveDatabase
from tests.webapp.backups.cases import SQLITE, stored
from webapp.backups import service, sqlite
from webapp.backups.errors import BackupError


@SQLITE
def test_restoring_gives_up_while_somebody_writes(
    site: Path, live_database: LiveDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.back_up(site)
    get_user_model().objects.create_user("late")
    before = stored()
    monkeypatch.setattr(sqlite, "_PATIENCE_S", 0.1)
    other = sqlite3.connect(live_database.url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(BackupError, match="Another process writes to the database"):
        service.restore(site, replace=True)
    other.close()
    assert stored() == before
