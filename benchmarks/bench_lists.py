"""Lists of ten thousand runs on both databases: Home, and REST by page and by cursor; and what permissions add to a page.

Server time: from the request to the whole answer, through Django's middleware and Dash, in one process and without a network.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.test import Client  # noqa: E402

from benchmarks.many_runs import ALL, RUNS, fill  # noqa: E402
from benchmarks.report import Figure, median_ms, show, tell  # noqa: E402
from frontend.bridge import get_app  # noqa: E402
from tests.support.callbacks import ask  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402
from tests.support.permission_queries import permission_queries  # noqa: E402
from tests.support.postgresql import NoServerError, server  # noqa: E402
from webapp.runs.models import Run  # noqa: E402

LIMIT_MS = 150.0
MOST_QUERIES = 3


def figures(kind: str) -> list[Figure]:
    """Return the lists as somebody sees them from whom one project is hidden."""
    client = Client()
    client.force_login(fill())
    settings.ALLOWED_HOSTS = ["testserver"]
    tell(f"{ALL:,} runs are stored on {kind}, {RUNS:,} of them to be seen")
    asked = {
        "REST, first page": "/api/v1/runs/",
        "REST, a page of 500": "/api/v1/runs/?page_size=500",
        "REST, last page": f"/api/v1/runs/?page={RUNS // 50}",
        "REST, by cursor": "/api/v1/runs/?cursor=&page_size=100",
        "REST, filtered": "/api/v1/runs/?status=failed&mine=1",
    }
    lists = {name: lambda address=address: _got(client, address) for name, address in asked.items()}
    lists["Home, frame"] = lambda: _got(client, "/")
    lists["Home, one engine"] = lambda: _content(client, "/", "?engine=scar&show=Done")
    lists["Home, content"] = lambda: _content(client, "/")
    run = Run.objects.filter(project__memberships__user__username="ann").latest("pk")
    pages: dict[str, Callable[[], Any]] = {
        **lists,
        "page of a run": lambda: _content(client, f"/runs/{run.pk}"),
        "Studies": lambda: _content(client, "/studies"),
        "Catalogue": lambda: _content(client, "/catalogue"),
        "Team": lambda: _content(client, "/team"),
    }
    most = max((len(permission_queries(work)), name) for name, work in pages.items())
    return [
        *(Figure(f"{RUNS:,} runs: {name} ({kind})", median_ms(work), "ms", LIMIT_MS) for name, work in lists.items()),
        Figure(f"queries for permission, most of a page: {most[1]} ({kind})", most[0], "", MOST_QUERIES),
    ]


def _got(client: Client, address: str) -> None:
    cache.clear()  # how often one may ask is no part of this
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address}: {answer.status_code}")
    if address.startswith("/api/") and not json.loads(answer.content)["results"]:
        raise SystemExit(f"{address}: an empty list")


def _content(client: Client, path: str, query: str = "") -> None:
    """What Dash puts into the frame at a path."""
    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))
    where = {"_pages_location.pathname": path, "_pages_location.search": query}
    answer = ask(client, router, where, {}, "_pages_location.pathname")
    if answer.status_code != 200:
        raise SystemExit(f"{path}: {answer.status_code}")


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
