"""The survey of one network on every board, the pages of boards, and the size of boards and networks that come with the product.

Processor time of this process, so that other load does not count. A page is the way from the request to the whole answer, through
Django's middleware and Dash and without a network, each for the first time. The survey runs as the first of the process.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

os.environ["PARETOSCOPE_VAR"] = tempfile.mkdtemp(prefix="paretoscope-bench-")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.test import Client  # noqa: E402

from benchmarks.report import Figure, show, tell  # noqa: E402
from engines.documents.builtin import builtin_documents  # noqa: E402
from engines.survey.survey import answer  # noqa: E402
from engines.survey.survey_result import SOCS  # noqa: E402
from engines.workloads.builtins import ZOO, builtin_networks  # noqa: E402
from frontend.bridge import get_app  # noqa: E402
from tests.support.callbacks import ask  # noqa: E402
from tests.support.databases import Templates, using  # noqa: E402

NETWORK = "resnet50"
SURVEY_LIMIT_S, PAGE_LIMIT_S, DATA_LIMIT_MB = 3.0, 0.5, 5.0
HARDWARE = Path(__file__).resolve().parent.parent / "hardware"
_DATA = (".csv", ".yaml")


def boards() -> dict[str, Mapping[str, Any]]:
    """Return slug -> content of every board."""
    found = {slug: document.content for slug, document in builtin_documents("hardware").items()}
    return {slug: content for slug, content in found.items() if content["schema"] == SOCS}


def survey_s(contents: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the seconds of a survey of one network on these boards."""
    question = {"network": builtin_networks()[NETWORK], "devices": list(contents.items()), "calibrations": []}
    begun = time.process_time()
    answer(question)
    return time.process_time() - begun


def page_s(client: Client, slug: str) -> float:
    """Return the seconds of the page of a board."""
    router = next(output for output in get_app().callback_map if output.startswith(".._pages_content"))
    where = {"_pages_location.pathname": f"/catalogue/hardware/{slug}", "_pages_location.search": ""}
    begun = time.process_time()
    response = ask(client, router, where, {}, "_pages_location.pathname")
    if response.status_code != 200:
        raise SystemExit(f"{slug}: {response.status_code}")
    return time.process_time() - begun


def data_mb() -> float:
    """Return the size of the files of boards and networks."""
    files = [path for folder in (HARDWARE, ZOO) for path in folder.rglob("*") if path.suffix in _DATA]
    return sum(path.stat().st_size for path in files) / 1e6


def main() -> int:
    """Print the figures."""
    contents = boards()
    first_s, again_s = survey_s(contents), survey_s(contents)
    tell(f"{len(contents)} boards, {len(builtin_networks())} networks")
    settings.ALLOWED_HOSTS = ["testserver"]
    folder = Path(tempfile.mkdtemp())
    with Templates(folder, None).sqlite(folder) as database, using(database.url):
        client = Client()
        client.force_login(User.objects.create_user("ann"))
        page_s(client, next(iter(contents)))  # the first page of a process loads the application
        pages = {slug: page_s(client, slug) for slug in contents}
    slowest = max(pages, key=pages.__getitem__)
    return show(
        [
            Figure(f"survey of {NETWORK} on {len(contents)} boards, first in a process", first_s, "s", SURVEY_LIMIT_S),
            Figure(f"survey of {NETWORK} on {len(contents)} boards, again", again_s, "s"),
            Figure(f"page of the slowest board ({slowest})", pages[slowest], "s", PAGE_LIMIT_S),
            Figure("page of a board, median", median(pages.values()), "s"),
            Figure("data of boards and networks", data_mb(), "MB", DATA_LIMIT_MB),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
