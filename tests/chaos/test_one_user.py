"""One person asks for as much as the limits allow, in a real site on SQLite; another one's requests are answered meanwhile.

Prints how long those took: the 95th percentile of a quiet site, and beside the attack.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.exchange.bundle import MAX_FILE_BYTES, MAX_LOG_LINES, MAX_STEPS
from tests.support.bundles import Members, changed
from tests.support.long_networks import long_network, scenario
from tests.support.site import Site, running_site

pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(600)]
_TOKEN = (
    "from django.contrib.auth.models import User; from webapp.api.tokens import make_token; "
    "print('token', make_token(User.objects.get(username={name!r}), 'chaos')[1])"
)


@dataclass
class Answer:
    status: int
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Person:
    """Somebody with a token."""

    site: Site
    token: str

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Answer:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        request = urllib.request.Request(f"{self.site.url}/api/v1/{path}", body or None, headers, method=method)
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return Answer(answer.status, answer.read(), time.monotonic() - began)
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read(), time.monotonic() - began)

    def send(self, path: str, document: Any) -> Answer:
        return self.ask("POST", path, json.dumps(document).encode())

    def upload(self, path: str, data: bytes) -> Answer:
        disposition = b'Content-Disposition: form-data; name="file"; filename="run.zip"'
        form = b"--between-the-parts\r\n" + disposition + b"\r\n\r\n" + data + b"\r\n--between-the-parts--\r\n"
        return self.ask("POST", path, form, "multipart/form-data; boundary=between-the-parts")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site")) as found:
        found.make_first_exploration()
        found.add_users("mallory")
        yield found


def person(site: Site, name: str) -> Person:
    words = site.python("manage.py", "shell", "--no-imports", "-c", _TOKEN.format(name=name))
    return Person(site, words.split()[-1])


def ended_run(someone: Person) -> int:
    """The number of the first exploration, once it has ended."""
    for _ in range(300):
        (run, *_rest) = someone.ask("GET", "runs/").json["results"]
        if run["status"] not in ("queued", "running"):
            return int(run["id"])
        time.sleep(0.5)
    raise AssertionError("The first exploration does not end.")


class Bystander(threading.Thread):
    """Reads, plans and writes a few times a second until `done` is set."""

    def __init__(self, someone: Person, run: int) -> None:
        super().__init__()
        self.done = threading.Event()
        self.answers: list[Answer] = []
        document = {"engine": "scar", "inputs": {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-1"}}
        self._asks: list[Callable[[], Answer]] = [
            lambda: someone.ask("GET", "runs/"),
            lambda: someone.ask("PATCH", f"runs/{run}/", b'{"wish": "stop"}'),  # a write, though nothing changes
            lambda: someone.send("plan/", document),
        ]

    def run(self) -> None:
        while not self.done.is_set():
            for ask in self._asks:
                self.answers.append(ask())
                time.sleep(0.1)

    def p95_s(self) -> float:
        return float(np.percentile([answer.seconds for answer in self.answers], 95))


def beside(someone: Person, run: int, work: Callable[[], Any]) -> tuple[Any, Bystander]:
    bystander = Bystander(someone, run)
    bystander.start()
    try:
        return work(), bystander
    finally:
        bystander.done.set()
        bystander.join()


def told(words: str, bystander: Bystander) -> None:
    """Print what another person's requests took, every one of which was answered."""
    slowest = max(answer.seconds for answer in bystander.answers)
    print(
        f"beside {words}: {len(bystander.answers)} requests of another person, p95 {bystander.p95_s():.3f} s (limit 1 s), "
        f"slowest {slowest:.3f} s",
        flush=True,
    )
    refused = [answer.body[:200] for answer in bystander.answers if answer.status != 200]
    assert not refused, refused[:3]


def worst_bundle(bundle: bytes) -> bytes:
    """Make the largest bundle: as many steps, lines and bytes as an import takes."""

    def change(manifest: dict[str, Any], members: Members) -> None:
        for name, most in (("steps", MAX_STEPS), ("log", MAX_LOG_LINES)):
            row = json.loads(members[f"{name}.json"])[0]
            members[f"{name}.json"] = json.dumps([{**row, "number": number} for number in range(1, most + 1)]).encode()
        random = np.random.default_rng(1)
        for number in range(2):
            member = f"files/9{number:03d}.bin"
            members[member] = random.bytes(MAX_FILE_BYTES)
            file = {"name": f"large{number}", "media_type": "application/octet-stream", "step": 1, "member": member}
            manifest["files"].append(file)

    return changed(bundle, change)


def store(someone: Person, content: dict[str, Any]) -> Answer:
    return someone.send("documents/", {"content": content})


def test_the_worst_that_one_person_may_ask_for_leaves_others_their_turn(site: Site, tmp_path: Path) -> None:
    demo, mallory = person(site, "demo"), person(site, "mallory")
    run = ended_run(demo)
    told("a quiet site", beside(demo, run, lambda: time.sleep(10))[1])

    bundle = worst_bundle(demo.ask("GET", f"runs/{run}/bundle.zip").body)
    imported, beside_import = beside(demo, run, lambda: mallory.upload("runs/import/", bundle))
    assert imported.status == 201, imported.body[:500]
    assert imported.json["status"] == "done"
    print(f"an import of {len(bundle) / 1e6:.0f} MB: {imported.seconds:.1f} s")
    told("the import", beside_import)

    assert store(mallory, long_network("long", 9000)).status == 201
    refused = store(mallory, scenario("often", 26))
    assert refused.status == 400 and "together" in refused.json["accepted"], refused.body[:500]
    problem = {"engine": "package-search", "inputs": {"hardware": "simba-3x3-het-sides", "workload": "twice"}}

    def ten_at_once() -> list[int]:
        assert store(mallory, scenario("twice", 2)).status == 201
        answers: list[int] = []
        unlike = [
            problem | {"params": {"evaluations": 10_000 + each}} for each in range(10)
        ]  # equal ones share one child
        threads = [
            threading.Thread(target=lambda own=each: answers.append(mallory.send("plan/", own).status))
            for each in unlike
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(answers)

    statuses, beside_plans = beside(demo, run, ten_at_once)
    assert 503 in statuses and not any(status in (500, 502, 504) for status in statuses), statuses

    told("plans", beside_plans)
