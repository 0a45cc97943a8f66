"""`migrate`: a backup first where somebody's work is in a SQLite file of an older version."""

from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.webapp.backups.cases import SQLITE
from webapp.backups import service
from webapp.backups.management.commands import migrate
from webapp.runs.models import Run


@pytest.fixture
def older(site: Path, settings: Any, tmp_path: Path) -> Path:
    """The data folder of a site whose database is of an older version."""
    settings.PARETOSCOPE_VAR = tmp_path
    call_command("migrate", "webhooks", "zero", verbosity=0)
    return tmp_path


@SQLITE
def test_an_upgrade_writes_a_backup_that_brings_the_former_site_back(older: Path) -> None:
    missing = service.missing_migrations(before := service.present_state().migrations)
    assert missing
    call_command("migrate", verbosity=0, stdout=(told := StringIO()))
    (file,) = (older / "backups").glob("before-upgrade-*.tar.gz")
    assert f"PARETOSCOPE_VAR=FOLDER paretoscope restore {file}" in told.getvalue()
    Run.objects.update(title="changed since")
    made, added = service.restore(file, replace=True)
    assert (made.migrations, added) == (before, missing)
    assert Run.objects.get().title == "Toy run"
    call_command("migrate", verbosity=0)  # nothing is missing: nothing to go back to
    assert len(list((older / "backups").iterdir())) == 1


@SQLITE
def test_without_a_backup_nothing_is_migrated_unless_asked_for(older: Path) -> None:
    (older / "backups").touch()  # no folder can be made there
    with pytest.raises(CommandError, match=r"nothing was migrated\. .*backups.* `migrate --no-backup`"):
        call_command("migrate", verbosity=0)
    assert service.missing_migrations(service.present_state().migrations)
    call_command("migrate", no_backup=True, verbosity=0)
    assert not service.missing_migrations(service.present_state().migrations)


@SQLITE
def test_two_upgrades_within_a_second_make_two_backups(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = [datetime(2026, 1, 1, microsecond=each, tzinfo=UTC) for each in (1, 2)]
    monkeypatch.setattr(service, "back_up", Path.touch)
    for moment in moments:
        monkeypatch.setattr(migrate, "datetime", SimpleNamespace(now=lambda zone, moment=moment: moment))
        call_command("migrate", "webhooks", "zero", verbosity=0, stdout=StringIO())
    assert len(list((older / "backups").iterdir())) == 2
