"""The first requests of a web server come at once from many threads: every page is whole (`make chaos`)."""

from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import requests

from tests.support.site import Site, filled_data, running_site

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(1800)]
RESTARTS, LOADS, THREADS = 11, 200, 16  # the first start fills and signs in
PAGES = (
    "/", "/new", "/new?engine=hadas", "/new?engine=scar", "/survey", "/studies", "/studies/new", "/compare", "/compare?runs=1",
    "/reports", "/reports/edit", "/catalogue", "/catalogue/upload", "/catalogue/hardware/simba-3x3-nvdla",
    "/catalogue/workload/resnet50", "/hardware/new", "/scenarios/new", "/reproductions", "/reproductions/scar",
    "/reproductions/mapformer", "/changes", "/devices", "/deleted", "/workers", "/notices", "/runs/1", "/runs/1?tab=why",
)  # fmt: skip


def fault(site: Site, cookies: dict[str, str], router: str, address: str) -> str:
    """What is wrong with the page at an address, frame and content; "" for a whole one."""
    path, _, search = address.partition("?")
    given = {"pathname": path, "search": f"?{search}" if search else ""}
    body = {
        "output": router,
        "outputs": [{"id": "_pages_content", "property": "children"}, {"id": "_pages_store", "property": "data"}],
        "inputs": [{"id": "_pages_location", "property": name, "value": value} for name, value in given.items()],
        "changedPropIds": ["_pages_location.pathname"],
    }
    headers = {"X-CSRFToken": cookies["csrftoken"]}
    frame = requests.get(site.url + address, cookies=cookies, timeout=120)
    content = requests.post(
        f"{site.url}/_dash-update-component", json=body, cookies=cookies, headers=headers, timeout=120
    )
    if frame.status_code != 200 or content.status_code != 200:
        return f"{address}: {frame.status_code}, {content.status_code} {content.text[:200]}"
    children = content.json()["response"]["_pages_content"]["children"]
    return "" if children else f"{address} is blank"


def test_no_page_is_blank_after_a_restart(tmp_path: Path, session_folder: Path) -> None:
    os.environ["NO_PROXY"] = "127.0.0.1"
    filled, faults, cookies, router = filled_data(session_folder), [], {}, ""
    for restart in range(RESTARTS):
        with running_site(tmp_path / "site", None if restart else filled) as site:
            if not cookies:
                session = site.sign_in("demo")
                cookies = session.cookies.get_dict()
                dependencies = session.get(f"{site.url}/_dash-dependencies", timeout=60).json()
                router = next(each["output"] for each in dependencies if "_pages_content" in each["output"])
                continue  # its first requests were one after the other
            addresses = [PAGES[number % len(PAGES)] for number in range(LOADS)]
            random.Random(restart).shuffle(addresses)
            with ThreadPoolExecutor(THREADS) as pool:
                faults += list(pool.map(partial(fault, site, cookies, router), addresses))
            assert "loads modules" not in site.services[0].log.read_text()
    blank = [each for each in faults if each]
    print(f"{len(faults)} pages after {RESTARTS - 1} restarts from {THREADS} threads: {len(blank)} not whole")
    assert not blank, "\n".join(blank[:20])
