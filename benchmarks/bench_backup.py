"""Backup and restore of a site with one gigabyte of files, on both databases; random bytes, which nothing packs."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.db import transaction  # noqa: E402

from benchmarks.report import Figure, show, tell  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from webapp.backups.service import back_up, restore  # noqa: E402
from webapp.runs.storage.files import put_content  # noqa: E402

FILES, FILE_BYTES = 100, 10_000_000
BACKUP_LIMIT_S = 60.0


def seconds(action: Callable[[], object]) -> float:
    """Return how long `action` takes."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def figures(kind: str, folder: Path) -> list[Figure]:
    """Return a backup, and a restore of it in the place of what it was made from."""
    for _ in range(FILES):
        with transaction.atomic():
            put_content(os.urandom(FILE_BYTES))
    tell(f"{FILES * FILE_BYTES / 1e9:g} GB are stored on {kind}")
    archive = folder / f"{kind}.tar.gz"
    return [
        Figure(f"backup of 1 GB ({kind})", seconds(lambda: back_up(archive)), "s", BACKUP_LIMIT_S),
        Figure(f"restore of 1 GB ({kind})", seconds(lambda: restore(archive, replace=True)), "s"),
    ]


def main() -> int:
    """Measure on SQLite, and on PostgreSQL where there is one."""
    with tempfile.TemporaryDirectory() as name:
        folder, measured = Path(name), []
        with Templates(folder, None).sqlite(folder) as database, using(database.url):
            measured += figures("SQLite", folder)
        try:
            with server() as found_server:
                templates = Templates(folder, found_server)
                with templates.postgresql(folder) as database, using(database.url):
                    measured += figures("PostgreSQL", folder)
                templates.close()
        except NoServerError as error:
            tell(str(error))
    return show(measured)


if __name__ == "__main__":
    sys.exit(main())
