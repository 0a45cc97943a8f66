"""Back a site up into one file, and put it back, so that whatever fails leaves what there was as it was.

Runs' files and documents' files are rows of the database like everything else (`webapp.runs.storage.files`), so that one snapshot
of it holds every file that it names: nothing can be deleted or added between the rows and the files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connections

from engines.contract.integer_format import many
from webapp import VERSION
from webapp.backups.archive import checksum, unpack, write_archive
from webapp.backups.errors import BackupError
from webapp.backups.manifest import FORMAT, KINDS, MEMBERS, PORTABLE, Manifest, State
from webapp.backups.postgresql import PostgresqlDatabase
from webapp.backups.sqlite import SqliteDatabase
from webapp.base.migration_names import compare_migrations
from webapp.runs.queue.workers import live_workers
from webapp.site.database_schema import database_label

# What `manage.py migrate` fills by itself, and what workers leave behind: no work of anybody.
_FILLED_BY_MIGRATE = {"django_content_type", "auth_permission", "runs_workerbeat"}


def database() -> SqliteDatabase | PostgresqlDatabase:
    """Return the site's. Raises BackupError where settings name none of the two kinds."""
    default = connections["default"]
    if default.vendor == "sqlite":
        return SqliteDatabase(default.settings_dict)
    if default.vendor == "postgresql":
        return PostgresqlDatabase(default.settings_dict)
    raise BackupError("DATABASE_URL names no database that can be backed up. Run `paretoscope check`.")


def present_state() -> State:
    """Return the present content of the site's database, as counts and migrations."""
    return database().state(_tables())


def back_up(target: Path) -> Manifest:
    """Write the site's present moment to `target`, which appears once it is complete; runs continue meanwhile.

    Raises:
        BackupError: there is such a file already, or the database or one of its programs cannot be had.
    """
    check_target(target)
    require_content(present_state())
    site = database()
    site.require_programs()
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        file, draft = Path(folder) / MEMBERS[site.kind], Path(folder) / "draft"
        state = site.snapshot(file, _tables())
        manifest = Manifest.model_validate(
            {
                **state.model_dump(),
                "format": FORMAT,
                "version": VERSION,
                "made_at": datetime.now(UTC),
                "database": site.kind,
                "size": file.stat().st_size,
                "sha256": checksum(file),
            }
        )
        write_archive(draft, manifest, file)
        check_target(target)
        draft.rename(target)
    return manifest


def check_target(target: Path) -> None:
    """Raise BackupError unless a backup may be written there."""
    if target.exists():
        raise BackupError(f"{target} exists already. Give another file name.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}.")


def require_content(state: State) -> None:
    """Raise BackupError where the database has no tables: it is new, or not the one that was meant."""
    if not state.migrations:
        raise BackupError(
            f"There is nothing to save: the database has no tables yet ({database_label()}). "
            "PARETOSCOPE_VAR and DATABASE_URL name the database (docs/settings.md)."
        )


def restore(archive: Path, *, replace: bool = False, dry_run: bool = False) -> tuple[Manifest, list[str]]:
    """Replace all data of the site with a backup; a failure leaves the data unchanged.

    Returns:
        The manifest, and the migrations that the backup lacked and was given.

    Raises:
        BackupError: the file is no whole backup, fits neither this version nor this database, workers are alive, or the
            site is not empty and `replace` does not say that it may go.
    """
    site = database()
    site.require_programs()
    if not archive.is_file():
        raise BackupError(f"There is no file {archive}.")
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.PARETOSCOPE_VAR) as folder:
        file = Path(folder) / MEMBERS[site.kind]
        manifest = unpack(archive, file)
        if manifest.database == PORTABLE:
            raise BackupError("This is an exported site: Import it with `paretoscope import_site`.")
        if manifest.database != site.kind:
            raise BackupError(
                f"This is a backup of {KINDS[manifest.database]}; DATABASE_URL names {KINDS[site.kind]}. "
                "A backup fits the kind of database that it was made from."
            )
        missing = missing_migrations(manifest.migrations)
        site.check(file, manifest)
        check_site(site.state(_tables()), replace=replace, dry_run=dry_run)
        if not dry_run:
            ready = site.migrated(file, _migrate) if missing else file
            connections["default"].close()
            site.restore(ready)
    return manifest, missing


def missing_migrations(applied: list[str]) -> list[str]:
    """Return the migrations of this version that are not `applied`. Raises BackupError where `applied` has unknown ones."""
    missing, newer = compare_migrations(applied)
    if newer:
        raise BackupError(
            f"The backup is of a newer version. This version lacks the migration {newer[0]}"
            f"{f' and {len(newer) - 1} more' if len(newer) > 1 else ''}."
        )
    return missing


def work_in(state: State) -> dict[str, int]:
    """Return the number of rows by table, for tables with data of users."""
    return {table: count for table, count in state.counts.items() if count and table not in _FILLED_BY_MIGRATE}


def check_site(state: State, *, replace: bool, dry_run: bool) -> None:
    """Raise BackupError unless the data may be replaced: no process uses the site, and it is empty or `replace` is set."""
    if not state.migrations:
        return
    if missing_migrations(state.migrations):
        raise BackupError("The site's own database is of an older version: run `paretoscope migrate` first.")
    if dry_run:  # the rest has to hold only when it is done
        return
    if alive := live_workers():
        raise BackupError(
            f"{many(len(alive), 'worker is', 'workers are')} alive ({alive[0].name}): stop workers and web servers first."
        )
    if (work := work_in(state)) and not replace:
        raise BackupError(
            f"The site is not empty: {many(sum(work.values()), 'row')} in {many(len(work), 'table')}. "
            "Back it up, then restore with --replace."
        )


def _tables() -> list[str]:
    return sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True) if model._meta.managed})


def _migrate(url: str) -> None:
    """Migrate in a process of its own: migrations that fill tables use the default database, which is another one here."""
    command = [
        sys.executable,
        str(settings.BASE_DIR / "manage.py"),
        "migrate",
        "--no-input",
        "--no-backup",
        "--verbosity=0",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "DATABASE_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"The backup of an older version cannot be migrated: {done.stderr.strip()[-600:]}")
