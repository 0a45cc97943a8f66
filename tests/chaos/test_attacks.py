"""What the site was attacked with, one after the other, on a real one: it answers others and stays small (`make chaos`)."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pytest
import requests

from engines.contract.designs import table_from_bytes, table_to_bytes
from engines.exchange.bundle import MAX_BUNDLE_BYTES, MAX_FILE_BYTES
from frontend.vendor import plotly_archive
from paretoscope.supervisor import children_of
from tests.support.bundles import Members, changed
from tests.support.long_networks import long_network, scenario
from tests.support.site import Site, running_site
from webapp.api.parsers import MAX_JSON_BYTES, MOST_CONTAINERS

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(900)]
MOST_MB = 700
MOST_GROWTH_MB, MOST_DELAY_S = 50, 0.2  # of bodies that are refused
BODIES = {
    "too many lists": '{"engine": "scar", "inputs": [' + "[]," * (MAX_JSON_BYTES // 3 - 20) + "[]]}",
    "mappings": '{"engine": "scar", "inputs": [' + ",".join(['{"a":123456789.5}'] * (MOST_CONTAINERS - 10)) + "]}",
    "values": '{"engine": "scar", "inputs": ["' + '","'.join(f"{number:x}" for number in range(260_000)) + '"]}',
    "text": json.dumps({"engine": "x" * (MAX_JSON_BYTES - 20)}),
}
PLOTLY = f"/assets/vendor/{plotly_archive().name.removesuffix('.xz')}"
# A run of a million equal designs: all of them are its front. The chunks are one chunk many times over.
MILLION = """
from webapp.runs.models import DesignChunk, Run
from engines.contract.designs import Designs, table_from_bytes, table_to_bytes
run = Run.objects.get(pk={run})
first = run.chunks.order_by("number").first()
designs = Designs.from_tables(table_from_bytes(bytes(first.scalars)), table_from_bytes(bytes(first.decisions)))
rows = designs.take([next(i for i, each in enumerate(designs.origin) if each != "baseline")] * 10_000)
scalars, decisions = table_to_bytes(rows.scalars_table()), table_to_bytes(rows.decisions_table())
run.chunks.all().delete()
for number in range(100):
    DesignChunk.objects.create(run=run, number=10_000 * (number + 1), first_index=10_000 * number, count=10_000,
                               step_number=1, scalars=scalars, decisions=decisions)
Run.objects.filter(pk=run.pk).update(design_count=1_000_000)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("attacked")) as found:
        found.make_first_exploration()
        yield found


@pytest.fixture(scope="module")
def person(site: Site) -> requests.Session:
    """Somebody who is signed in."""
    return site.sign_in("demo")


def web_processes(site: Site) -> tuple[int, ...]:
    process = site.services[0].process
    assert process is not None
    return process.pid, *children_of(process.pid)


def megabytes(site: Site) -> dict[str, float]:
    """What the web server's largest process holds now, and held at most."""
    found: list[dict[str, float]] = []
    for pid in web_processes(site):
        text = Path(f"/proc/{pid}/status").read_text()
        found.append({name: int(size) / 1024 for name, size in re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", text)})
    return max(found, key=lambda each: each["VmRSS"])


@pytest.fixture(autouse=True)
def _small_and_alive(site: Site) -> Iterator[None]:
    """After every attack the site answers, and its memory is printed and small."""
    yield
    assert requests.get(f"{site.url}/health/", timeout=60).json()["status"] == "ok"
    now = megabytes(site)
    print(f"web process: {now['VmRSS']:.0f} MB now, {now['VmHWM']:.0f} MB at most so far (limit {MOST_MB} MB)")
    assert now["VmRSS"] < MOST_MB


def test_one_file_under_many_addresses(site: Site) -> None:
    with requests.Session() as session:
        session.trust_env = False
        for number in range(520):
            answer = session.get(f"{site.url}{PLOTLY}?q={number}", timeout=60)
            assert answer.status_code == 200 and answer.headers["Content-Encoding"] == "gzip"


def test_half_sent_requests(site: Site) -> None:
    parts = urlsplit(site.url)
    with ExitStack() as stack:
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection((parts.hostname or "", parts.port or 0)))
            slow.sendall(b"GET /health/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        assert requests.get(f"{site.url}/health/", timeout=60).ok


def test_a_large_form_without_signing_in(site: Site) -> None:
    """The connection is answered after the first bytes: nothing of 599 MB is taken."""
    parts = urlsplit(site.url)
    client = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    client.putrequest("POST", "/accounts/login/")
    client.putheader("Content-Type", "multipart/form-data; boundary=x")
    client.putheader("Content-Length", "599000000")
    client.putheader("Cookie", "csrftoken=" + "a" * 32)
    client.endheaders(b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n')
    assert client.getresponse().status == 413
    client.close()


def test_forged_callbacks(site: Site, person: requests.Session) -> None:
    before = site.services[0].log.read_text().count("Traceback")
    dependencies = person.get(f"{site.url}/_dash-dependencies", timeout=60).json()
    for number, each in enumerate(dependencies):
        garbage: Any = (None, -1, [[]], {"a": {"b": [None]}}, "\ud800", "9" * 400)[number % 6]
        given = {
            key: [{"id": one["id"], "property": one["property"], "value": garbage} for one in each.get(key, [])]
            for key in ("inputs", "state")
        }
        body = {"output": each["output"], "outputs": [], "changedPropIds": [], **given}
        answer = person.post(
            f"{site.url}/_dash-update-component",
            json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
            timeout=60,
        )
        assert answer.status_code < 500, each["output"]
    assert site.services[0].log.read_text().count("Traceback") == before


def test_a_thousand_hostile_requests(site: Site, person: requests.Session) -> None:
    """The web server holds as much afterwards as before: addresses, callbacks and documents that it refuses leave nothing."""
    documents = (
        {"engine": "x" * 20_000},
        {"engine": "scar", "inputs": [[]] * 5_000},
        {"engine": "scar", "params": {}},
        [[[[]]]],
    )

    def refused(number: int) -> int:
        ways: tuple[Callable[[], requests.Response], ...] = (
            lambda: person.get(f"{site.url}/{number}/" + "y" * 3_000, timeout=60),
            lambda: person.get(f"{site.url}/runs/{10**9 + number}?design={'9' * 500}", timeout=60),
            lambda: person.post(
                f"{site.url}/_dash-update-component", json={"output": f"{number}.children"}, timeout=60
            ),
            lambda: person.post(f"{site.url}/api/v1/plan/", json=documents[number // 4 % len(documents)], timeout=60),
        )
        return ways[number % len(ways)]().status_code

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(refused, range(200)))  # what is loaded or kept once
        before = megabytes(site)["VmRSS"]
        statuses = set(pool.map(refused, range(200, 1200)))
    growth = megabytes(site)["VmRSS"] - before
    print(f"1000 hostile requests: {growth:.0f} MB more (limit {MOST_GROWTH_MB})")
    assert statuses <= {200, 302, 400, 403, 404, 429} and growth <= MOST_GROWTH_MB


def test_imports_that_are_no_runs(site: Site, person: requests.Session) -> None:
    """A hundred thousand steps; and one design in the middle that nobody could have made."""
    run = site.first_run.rpartition("/")[2]
    bundle = person.get(f"{site.url}/api/v1/runs/{int(run)}/bundle.zip", timeout=60).content

    def many_steps(manifest: dict[str, Any], members: Members) -> None:
        row = json.loads(members["steps.json"])[0]
        members["steps.json"] = json.dumps([row | {"number": number} for number in range(124_000)]).encode()

    answer = sent(site, person, changed(bundle, many_steps))
    assert answer.status_code == 400, answer.text[:500]
    answer = sent(site, person, changed(bundle, impossible_design))
    assert answer.status_code == 400 and answer.json()["field"].startswith("bundle.designs."), answer.text[:500]


def impossible_design(manifest: dict[str, Any], members: Members) -> None:
    """The middle design of the first chunk becomes the best in everything; what is said of the run agrees with that."""
    member = manifest["chunks"][0]["scalars"]
    table = table_from_bytes(members[member])
    for name in ("latency_s", "energy_j", "edp_js"):
        values = np.asarray(table[name]).copy()
        values[len(values) // 2] = 1e-12
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(values))
    members[member] = table_to_bytes(table)


def many_bytes(manifest: dict[str, Any], members: Members) -> None:
    """Close to the most that an import takes."""
    random = np.random.default_rng(1)
    for number in range(3):
        member = f"files/9{number:03d}.bin"
        members[member] = random.bytes(MAX_FILE_BYTES)
        file = {"name": f"large{number}", "media_type": "application/octet-stream", "step": 1, "member": member}
        manifest["files"].append(file)


def sent(site: Site, person: requests.Session, bundle: bytes) -> requests.Response:
    return person.post(f"{site.url}/api/v1/runs/import/", files={"file": ("run.zip", bundle)}, timeout=240)


def test_large_imports_at_once(site: Site, person: requests.Session) -> None:
    """They are in memory one after the other, however many come."""
    run = int(site.first_run.rpartition("/")[2])
    bundle = changed(person.get(f"{site.url}/api/v1/runs/{run}/bundle.zip", timeout=60).content, many_bytes)
    assert 190_000_000 < len(bundle) < MAX_BUNDLE_BYTES
    address, files = f"{site.url}/api/v1/runs/import/", {"file": ("run.zip", bundle)}
    body = person.prepare_request(requests.Request("POST", address, files=files))  # of which one copy is enough
    for pid in web_processes(site):
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # the largest size counts from here
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(person.send, body, timeout=240) for _ in range(3)]
        assert requests.get(f"{site.url}/health/", timeout=60).ok
        answers = [each.result() for each in asked]
    assert {each.status_code for each in answers} <= {201, 503}, [each.text[:300] for each in answers]
    assert 201 in {each.status_code for each in answers}
    assert megabytes(site)["VmHWM"] < MOST_MB, megabytes(site)


def test_a_front_of_a_million_designs(site: Site, person: requests.Session) -> None:
    run = int(site.first_run.rpartition("/")[2])
    site.python("manage.py", "shell", "--no-imports", "-c", MILLION.format(run=run))
    answer = person.get(f"{site.url}/api/v1/runs/{run}/front/", timeout=240).json()
    assert answer["front_count"] == 1_000_000 and answer["count"] == 20_000


def delays(site: Site, goes_on: Callable[[], bool]) -> list[float]:
    """How long others wait for an answer, one after the other."""
    found = []
    while goes_on():
        begin = time.perf_counter()
        assert requests.get(f"{site.url}/health/", timeout=60).ok
        found.append(time.perf_counter() - begin)
    return found


@pytest.mark.parametrize("kind", BODIES)
def test_large_bodies_that_are_refused(site: Site, person: requests.Session, kind: str) -> None:
    """Eight at once: the web server grows by little, and answers others."""

    def refused(body: str) -> bool:
        headers = {"Content-Type": "application/json"}
        answer = person.post(f"{site.url}/api/v1/plan/", body.encode(), headers=headers, timeout=120)
        return answer.status_code == 400 and len(answer.content) < 20_000

    assert refused('{"engine": "scar", "inputs": []}')  # what is loaded at the first question counts for no body
    begin = time.monotonic()
    quiet = delays(site, lambda: time.monotonic() < begin + 3)
    before = megabytes(site)["VmRSS"]
    for pid in web_processes(site):
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(refused, BODIES[kind]) for _ in range(24)]
        meanwhile = delays(site, lambda: not all(each.done() for each in asked))
    assert all(each.result() for each in asked)
    grown = megabytes(site)["VmHWM"] - before
    # Of ten nine, as other programs use the machine as well.
    usual, late = (float(np.quantile(each, 0.9)) for each in (quiet, meanwhile))
    print(
        f"{kind}: {grown:.0f} MB more; others wait {usual:.3f} s before, {late:.3f} s meanwhile, {max(meanwhile):.3f} s at most"
    )
    assert grown <= MOST_GROWTH_MB and late - usual <= MOST_DELAY_S


def test_many_plans_at_once(site: Site, person: requests.Session) -> None:
    """They may be told to come later; others are answered meanwhile."""
    for content in (long_network("long", 2000), scenario("twice", 2)):
        assert person.post(f"{site.url}/api/v1/documents/", json={"content": content}, timeout=60).status_code == 201
    problem = {"engine": "package-search", "inputs": {"hardware": "simba-3x3-het-sides", "workload": "twice"}}
    with ThreadPoolExecutor(20) as pool:
        # Equal ones would share one child.
        unlike = [problem | {"params": {"evaluations": 10_000 + each}} for each in range(40)]
        asked = [pool.submit(person.post, f"{site.url}/api/v1/plan/", json=each, timeout=240) for each in unlike]
        assert requests.get(f"{site.url}/health/", timeout=60).ok
        answers = [each.result() for each in asked]
    found = {each.status_code for each in answers}
    assert 200 in found and found <= {200, 503}, {each.text[:300] for each in answers}
