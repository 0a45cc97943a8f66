"""The search over a hundred thousand things on both databases: rare words, common ones, and several at once."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402

from benchmarks.report import Figure, median_ms, show, tell  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from webapp.items.registry import items  # noqa: E402
from webapp.runs.models import Run  # noqa: E402
from webapp.search.indexing import index  # noqa: E402
from webapp.search.service import found  # noqa: E402

THINGS = 100_000
LIMIT_MS = 200.0
QUERIES = {
    "a rare word": "title77777",
    "a common word": "schedule",
    "three words": "schedule board7 ann",
    "nothing": "zebra",
}


def fill() -> Any:
    """Return a hundred thousand runs of one person, whose titles share words."""
    ann = get_user_model().objects.create_user("ann")
    facts = {
        "project": ann.personal_project,
        "owner": ann,
        "engine": "scar",
        "engine_version": 1,
        "problem_hash": "0" * 64,
    }
    for start in range(0, THINGS, 1000):
        rows = [
            Run(title=f"Schedule title{number} on board{number % 100}", **facts)
            for number in range(start, start + 1000)
        ]
        Run.objects.bulk_create(rows)
    index("run", list(Run.objects.values_list("pk", flat=True)))
    return ann


def figures(kind: str) -> list[Figure]:
    """Return each query, asked of every kind as the field in the bar does."""
    ann = fill()
    tell(f"{THINGS} runs are stored and indexed on {kind}")
    return [
        Figure(
            f"search, {words} ({kind})",
            median_ms(lambda query=query: [found(ann, query, each, 6) for each in items("searchable")]),
            "ms",
            LIMIT_MS,
        )
        for words, query in QUERIES.items()
    ]


def main() -> int:
    """Measure on SQLite, and on PostgreSQL where there is one."""
    folder, measured = Path(tempfile.mkdtemp()), []
    with Templates(folder, None).sqlite(folder) as database, using(database.url):
        measured += figures("SQLite")
    try:
        with server() as found_server:
            templates = Templates(folder, found_server)
            with templates.postgresql(folder) as database, using(database.url):
                measured += figures("PostgreSQL")
            templates.close()
    except NoServerError as error:
        tell(str(error))
    return show(measured)


if __name__ == "__main__":
    sys.exit(main())
