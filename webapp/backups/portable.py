"""A whole site from one kind of database to the other, in one file: from SQLite to PostgreSQL as a team grows, and back."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from engines.contract.integer_format import many
from webapp import VERSION
from webapp.backups import service
from webapp.backups.archive import checksum, unpack, write_archive
from webapp.backups.errors import BackupError
from webapp.backups.manifest import FORMAT, KINDS, MEMBERS, PORTABLE, Manifest
from webapp.backups.rows import read_rows, write_rows
from webapp.runs.queue.workers import live_workers


def export_site(target: Path) -> Manifest:
    """Write every row of the site to `target`, which appears once it is complete.

    Raises:
        BackupError: there is such a file, workers are alive, or the database has other migrations than this version.
    """
    service.check_target(target)
    state = service.present_state()
    service.require_content(state)
    _require_migrations(state.migrations, "The site's database")
    _require_quiet()
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        file, draft = Path(folder) / MEMBERS[PORTABLE], Path(folder) / "draft"
        counts = write_rows(file)
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            made_at=datetime.now(UTC),
            database=PORTABLE,
            size=file.stat().st_size,
            sha256=checksum(file),
            migrations=service.present_state().migrations,
            counts=counts,
        )
        write_archive(draft, manifest, file)
        service.check_target(target)
        draft.rename(target)
    return manifest


def import_site(archive: Path, *, replace: bool = False, dry_run: bool = False) -> Manifest:
    """Replace all data of this site with the export of another one; a failure leaves this site unchanged.

    Raises:
        BackupError: the file is no whole export, or of another version; workers are alive; or the site is not empty and
            `replace` does not say that it may go.
    """
    if not archive.is_file():
        raise BackupError(f"There is no file {archive}.")
    with tempfile.TemporaryDirectory(prefix=".import-", dir=settings.PARETOSCOPE_VAR) as folder:
        file = Path(folder) / MEMBERS[PORTABLE]
        manifest = unpack(archive, file)
        if manifest.database != PORTABLE:
            raise BackupError(f"This is a backup of {KINDS[manifest.database]}: Restore it with `paretoscope restore`.")
        _require_migrations(manifest.migrations, "The exported site")
        state = service.present_state()
        if not state.migrations:
            raise BackupError("The site has no tables yet: run `paretoscope migrate` first.")
        service.check_site(state, replace=replace, dry_run=dry_run)
        if not dry_run and read_rows(file) != manifest.counts:
            raise BackupError("The rows of the file differ from its manifest.")
    return manifest


def _require_quiet() -> None:
    if alive := live_workers():
        raise BackupError(
            f"{many(len(alive), 'worker is', 'workers are')} alive ({alive[0].name}). "
            "Stop workers and web servers first."
        )


def _require_migrations(applied: list[str], whose: str) -> None:
    if missing := service.missing_migrations(applied):
        raise BackupError(
            f"{whose} is of an older version: it lacks the migration {missing[0]}. Update it and run `paretoscope migrate` there."
        )
