"""Backups of PostgreSQL."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connections

from tests.webapp.backups.cases import stored
from webapp.backups import service
from webapp.backups.errors import BackupError

POSTGRESQL = pytest.mark.parametrize("live_database", ["postgresql"], indirect=True)


@POSTGRESQL
def test_a_restore_that_fails_half_way_leaves_all(site: Path) -> None:
    service.back_up(site)
    get_user_model().objects.create_user("late")
    with connections["default"].cursor() as cursor:
        cursor.execute("CREATE TABLE foreign_one (run bigint REFERENCES runs_run (id))")
    before = stored()
    with pytest.raises(BackupError, match="foreign_one"):
        service.restore(site, replace=True)
    assert stored() == before


@POSTGRESQL
def test_missing_programs_are_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError, match="pg_dump and pg_restore cannot be found"):
        service.back_up(site)
    assert not site.exists()
