"""Make the database, and beside it collect static files and count the built-in catalogue (`paretoscope up`)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.family import DocumentKind

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
WITHOUT_DATABASE = "--without-database"


def count_catalogue() -> str:
    """Return how many built-in documents of which kind there are; the tests parse each of them."""
    from engines.documents.builtin import builtin_documents

    kinds: tuple[DocumentKind, ...] = ("hardware", "workload", "environment")
    counts = {kind: len(builtin_documents(kind)) for kind in kinds}
    return ", ".join(f"{count} {kind} {'document' if count == 1 else 'documents'}" for kind, count in counts.items())


def check_site() -> int:
    """Run Django's checks and collect static files: everything that needs no database."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("check", fail_level="ERROR", stdout=io.StringIO())
    call_command("collectstatic", interactive=False, verbosity=0)
    print(f"Database ready; built-in catalogue: {count_catalogue()}")
    return 0


def main() -> int:
    """Return 0 when the site can start; raises CommandError where it cannot.

    The database is made meanwhile in this process, everything else in one beside it.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "paretoscope.prepare", WITHOUT_DATABASE],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as beside:
        import django

        django.setup()
        from webapp.site.command_line import failures_explained
        from webapp.site.database_schema import migrate_database

        with failures_explained():
            migrate_database()
        said = beside.communicate()[0]
    print(said, end="")
    return beside.returncode


if __name__ == "__main__":
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management.base import CommandError

    try:
        sys.exit(check_site() if WITHOUT_DATABASE in sys.argv[1:] else main())
    except (CommandError, ImproperlyConfigured) as error:
        sys.exit(str(error))
