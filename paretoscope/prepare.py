"""Make the database, collect static files and count the built-in catalogue; with `--demo` make the first runs too."""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.family import DocumentKind

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
DEMO = "--demo"
WAIT_FOR_WORKERS_S = 60


def count_catalogue() -> str:
    """Return a sentence with the number of built-in documents of each kind. Tests, not this count, parse them."""
    from engines.documents.builtin import builtin_documents

    kinds: tuple[DocumentKind, ...] = ("hardware", "workload", "environment")
    counts = {kind: len(builtin_documents(kind)) for kind in kinds}
    return ", ".join(f"{count} {kind} {'document' if count == 1 else 'documents'}" for kind, count in counts.items())


def main(arguments: list[str]) -> int:
    """Prepare the site, with `--demo` until its first runs are done, and return 0; raise CommandError if it cannot start.

    Processes that wait for `PARETOSCOPE_START_AFTER` continue as soon as the site can start.
    """
    import django

    django.setup()
    from django.conf import settings
    from django.core import checks
    from django.core.management import call_command

    from webapp.site.checks import SETTINGS
    from webapp.site.command_line import failures_explained, run
    from webapp.site.database_schema import migrate_database

    # The web server loads every page and says what is wrong there; checks that load them too would double its start.
    tags = [SETTINGS, checks.Tags.caches, checks.Tags.files, checks.Tags.models, checks.Tags.templates]
    call_command("check", tags=tags, fail_level="ERROR", stdout=io.StringIO())
    with failures_explained():
        migrate_database()
        call_command("collectstatic", interactive=False, verbosity=0)
    print(f"Database ready; built-in catalogue: {count_catalogue()}", flush=True)
    if settings.PARETOSCOPE_START_AFTER:
        Path(settings.PARETOSCOPE_START_AFTER).touch()
    gc.enable()
    if DEMO not in arguments:
        return 0
    return run(["paretoscope", "demo", "--wait-for-workers", f"{WAIT_FOR_WORKERS_S}"])


if __name__ == "__main__":
    gc.disable()  # modules stay: looking through them for what may go takes a tenth of loading them
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management.base import CommandError

    try:
        sys.exit(main(sys.argv[1:]))
    except (CommandError, ImproperlyConfigured) as error:
        sys.exit(str(error))
