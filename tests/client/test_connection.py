"""Requests: what is repeated and for how long, what a refusal says, lists page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from paretoscope_client import (
    ConflictError,
    NotAllowedError,
    NotFoundError,
    NotSignedInError,
    Paretoscope,
    RefusedError,
    TooManyRequestsError,
    UnreachableError,
)
from paretoscope_client.connection import Connection
from tests.client.conftest import connected
from tests.support.stored_runs import People
from webapp.api.models import StartedOnce
from webapp.runs.models import Run

Answers = Iterator[httpx.Response | Exception]


class Line(httpx.BaseTransport):
    """A line to the site that breaks as told; what it does not break goes through.

    Attributes:
        before: called instead of the site; None lets the request through.
        after: called with the site's answer.
    """

    def __init__(self, site: Paretoscope) -> None:
        self._site = site.connection._http._transport
        self.asked: list[httpx.Request] = []
        self.before: list[Callable[[], httpx.Response] | None] = []
        self.after: list[Callable[[], None] | None] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if self.before and (instead := self.before.pop(0)):
            return instead()
        response = self._site.handle_request(request)
        if self.after and (then := self.after.pop(0)):
            response.read()
            then()
        return response


def broken(kind: type[httpx.TransportError]) -> Callable[[], Any]:
    def fail() -> Any:
        raise kind("The line is cut.")

    return fail


def status(code: int, **headers: str) -> Callable[[], httpx.Response]:
    return lambda: httpx.Response(code, headers={name.replace("_", "-"): text for name, text in headers.items()})


@pytest.fixture
def line(site: Paretoscope) -> Line:
    return Line(site)


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def patient(line: Line, site: Paretoscope, slept: list[float]) -> Paretoscope:
    """The same site over that line; its pauses are noted and not waited for."""
    token = site.connection._http.headers["Authorization"].removeprefix("Token ")
    found = Paretoscope("http://testserver/", token, transport=line)
    found.connection = Connection("http://testserver/", token, transport=line, patience_s=20, sleep=slept.append)
    found.engines()
    line.asked.clear()
    return found


def test_it_waits_as_long_as_the_site_says(patient: Paretoscope, line: Line, slept: list[float]) -> None:
    line.before = [status(429, Retry_After="7"), status(503, Retry_After="2")]
    assert patient.engines()
    assert slept == [7.0, 2.0] and len(line.asked) == 3


def test_it_gives_up_after_its_patience(patient: Paretoscope, line: Line, slept: list[float]) -> None:
    line.before = [status(429, Retry_After="15")] * 9
    with pytest.raises(TooManyRequestsError) as raised:
        patient.engines()
    assert slept == [15.0, 5.0] and raised.value.status == 429


def test_the_sites_own_limit_is_waited_for(
    patient: Paretoscope, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real throttle, and the real header that says when it ends."""
    monkeypatch.setattr("webapp.api.throttling.PrincipalThrottle.rate", "2/min", raising=False)
    patient.engines()
    with pytest.raises(TooManyRequestsError):
        patient.engines()
    assert sum(slept) == 20.0


def test_a_start_whose_answer_got_lost_is_sent_again_and_starts_one_run(patient: Paretoscope, line: Line) -> None:
    line.after = [broken(httpx.ReadError)]
    run = patient.explore("toy", seed=5)
    assert len(line.asked) == 2 and Run.objects.get().pk == run.number
    assert patient.explore("toy", seed=5).number != run.number, "each call has a key of its own"
    assert patient.explore("toy", key="mine").number == patient.explore("toy", key="mine").number


def test_a_start_that_is_still_at_work_is_waited_for(patient: Paretoscope, slept: list[float]) -> None:
    first = patient.explore("toy", key="mine")
    StartedOnce.objects.update(made=None)
    with pytest.raises(ConflictError, match="is in progress"):
        patient.explore("toy", key="mine")
    assert set(slept) == {2.0} and sum(slept) == 20.0
    StartedOnce.objects.update(made=first.number)
    assert patient.explore("toy", key="mine").number == first.number


def test_other_changes_are_not_sent_twice(patient: Paretoscope, line: Line) -> None:
    run = patient.explore("toy")
    line.after = [broken(httpx.ReadError)]
    with pytest.raises(UnreachableError, match="may have been done"):
        run.stop()
    assert run.refresh().status == "stopped"
    line.before = [broken(httpx.ConnectError)]
    run.stop()  # it never left this machine: once more


def test_a_site_that_never_answered_is_named_at_once(slept: list[float]) -> None:
    away = httpx.MockTransport(lambda request: broken(httpx.ConnectError)())
    connection = Connection("http://nowhere:1", "pts_x", transport=away, sleep=slept.append)
    with pytest.raises(UnreachableError, match=r"nowhere:1.* does not answer: The line is cut"):
        connection.get("engines/")
    assert slept == []


def test_an_address_that_leads_elsewhere_is_named_and_gets_no_token(patient: Paretoscope, line: Line) -> None:
    line.before = [status(301, Location="https://elsewhere/api/v1/engines/")]
    with pytest.raises(UnreachableError, match="https://elsewhere/"):
        patient.engines()
    assert {request.url.host for request in line.asked} == {"testserver"}


def test_a_page_in_place_of_an_answer_is_named(patient: Paretoscope, line: Line) -> None:
    line.before = [lambda: httpx.Response(200, text="<html>"), lambda: httpx.Response(400, text="<html>")]
    with pytest.raises(UnreachableError, match="does not answer with JSON"):
        patient.engines()
    with pytest.raises(RefusedError, match=r"Bad Request \(400\)"):
        patient.engines()


def test_the_address_is_one() -> None:
    with pytest.raises(ValueError, match="http://"):
        Paretoscope("127.0.0.1:8000", "pts_x")


def test_a_refusal_has_the_field_and_what_it_takes(site: Paretoscope) -> None:
    with pytest.raises(RefusedError) as raised:
        site.explore("toy", params={"steps": 0})
    error = raised.value
    assert (error.status, error.field, error.got) == (400, "params.steps", 0)
    assert error.accepted and "1" in error.accepted and error.field in str(error)


def test_every_kind_of_refusal_is_a_kind_of_error(site: Paretoscope, people: People) -> None:
    with pytest.raises(NotFoundError):
        site.run(10**6)
    with pytest.raises(NotAllowedError, match="scope"):
        connected(people.viewer, scope="read").explore("toy")
    with pytest.raises(NotSignedInError):
        Paretoscope("http://testserver", "pts_unknown", transport=site.connection._http._transport).engines()
    run = site.explore("toy")
    with pytest.raises(ConflictError):
        run.go_on()


def test_a_list_is_asked_for_page_by_page(patient: Paretoscope, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [patient.explore("toy", seed=seed).number for seed in range(5)]
    line.asked.clear()
    found = [run["id"] for run in patient.connection.entries("runs/", {"page_size": 2, "engine": "toy"})]
    assert found == numbers[::-1] and len(line.asked) == 3
    assert all(request.url.params["engine"] == "toy" for request in line.asked)
    newer: list[int] = []
    seen = []
    for entry in patient.connection.entries("runs/", {"page_size": 2}):
        seen.append(entry["id"])
        newer.append(patient.explore("toy").number)
    assert seen == numbers[::-1], "none is missed and none comes twice while new ones are made"
    assert next(patient.runs(mine=True)).number == newer[-1]


def test_a_download_that_breaks_off_leaves_nothing(
    stored_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = stored_run()

    def breaks(self: httpx.Response, *_: object) -> Iterator[bytes]:
        yield b"half"
        raise httpx.ReadError("The line is cut.")

    with monkeypatch.context() as patch:
        patch.setattr(httpx.Response, "iter_bytes", breaks)
        with pytest.raises(UnreachableError, match="broke off"):
            run.save("designs.csv", tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert run.save("designs.csv", tmp_path).read_text().startswith('"design"')
