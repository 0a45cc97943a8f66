"""Make the database, collect static files and read the whole built-in catalogue once, in one process (`make up`)."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract import DocumentKind

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.site.settings")


def check_catalogue() -> str:
    """Parse every built-in document. Returns how many of which kind there are; an error names file, key and value."""
    from engines.builtin import builtin_documents
    from engines.workloads.loader import load_scenario
    from hardware.loader import load_package

    loaders: dict[DocumentKind, Callable[[Mapping[str, Any]], object]] = {
        "hardware": load_package,
        "workload": load_scenario,
    }
    counts = []
    for kind, load in loaders.items():
        documents = builtin_documents(kind)
        for document in documents.values():
            load(document.content)
        counts.append(f"{len(documents)} {kind} documents")
    return ", ".join(counts)


def main() -> int:
    """0 when the site can start."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("check", fail_level="ERROR", stdout=io.StringIO())
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    print(f"Database ready; built-in catalogue: {check_catalogue()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
