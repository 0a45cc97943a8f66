"""Make the database, and beside it collect static files and read the whole built-in catalogue once (`make up`)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.family import DocumentKind

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")
WITHOUT_DATABASE = "--without-database"


def check_catalogue() -> str:
    """Parse every built-in document. Returns how many of which kind there are; an error names file, key and value."""
    from engines.documents.builtin import builtin_documents
    from engines.documents.families import load

    kinds: tuple[DocumentKind, ...] = ("hardware", "workload", "environment")
    counts = []
    for kind in kinds:
        documents = builtin_documents(kind)
        for document in documents.values():
            load(document.content, kind)
        counts.append(f"{len(documents)} {kind} {'document' if len(documents) == 1 else 'documents'}")
    return ", ".join(counts)


def check_site() -> int:
    """Django's checks, static files and the catalogue: everything that needs no database."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("check", fail_level="ERROR", stdout=io.StringIO())
    call_command("collectstatic", interactive=False, verbosity=0)
    print(f"Database ready; built-in catalogue: {check_catalogue()}")
    return 0


def main() -> int:
    """Return 0 when the site can start; raises CommandError where it cannot.

    The database is made meanwhile in this process, everything else in one beside it.
    """
    with subprocess.Popen(
        [sys.executable, __file__, WITHOUT_DATABASE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
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
