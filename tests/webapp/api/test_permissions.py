"""Permissions of every URL of the interface. A new URL is tested without being added here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import transaction
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone
from rest_framework.test import APIClient

from tests.support.remembered import forget_runs
from tests.support.shared_rows import shared_rows
from tests.support.stored_runs import People, finished_run
from tests.support.toy_engine import toys_offered
from tests.webapp.api.conftest import client_of
from tests.webapp.measuring.conftest import MACHINE, as_agent
from webapp.annotations.notes import write
from webapp.api.tokens import make_token
from webapp.api.urls import urlpatterns
from webapp.measuring.devices import register
from webapp.measuring.models import AgentDevice
from webapp.reports import service as reports
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink
from webapp.sharing.service import make_link
from webapp.studies import service as studies
from webapp.studies.models import Study
from webapp.webhooks.models import Webhook
from webapp.webhooks.outbox import ping
from webapp.webhooks.service import make_webhook

# Name of the address, method, converters of its path.
Case = tuple[str, str, tuple[str, ...]]
METHODS = ("get", "post", "patch", "put", "delete")
BODIES = {
    "plan": {"engine": "toy"},
    "runs": {"engine": "toy"},
    "run": {"wish": "stop"},
    "documents": {"content": {"schema": "network/1"}},
    "document-official": {"wish": "promote", "reason": "For tests"},
    "studies": {"engine": "toy"},
    "studies-plan": {"engine": "toy"},
    "study": {"wish": "stop"},
    "reports": {"title": "Which?", "text": "Ours"},
    "report": {"text": "Ours"},
    "reproduction": {"quick": True},
    "tokens": {"name": "Another"},
    "evaluate": {"decisions": [{"x": [0, 0, 0]}]},
    "notes": {"text": "Look at this"},
    "note": {"text": "Look again"},
    "tags-of": {"tags": ["paper"]},
    "webhooks": {"url": "https://example.org/hook", "events": ["run.done"]},
    "webhook": {"active": False},
    "device": {"revoked": False},
    "device-measurements": {"networks": ["digits-chain"]},
    "run-measurements": {"designs": [0], "device": 0},
}
# Everything else is a view of one project's run or study.
SHARED = {
    "engines",
    "engine",
    "projects",
    "documents",
    "document",
    "document-versions",
    "document-yaml",
    "document-values",
    "document-measured",
    "document-official",
    "document-differences",
    "workload-layers",
    "workload-dataflows",
    "workload-units",
    "workload-survey",
    "calibrations-fit",
    "measured-values",
    "documents-upload",
    "run-import",
    "schemas",
    "json-schema",
    "schema-example",
    "changes",
    "changes-csv",
    "deleted",
    "restore",
    "tags",
    "favourites",
    "search",
    "limits",
    "plan",
    "runs",
    "studies",
    "studies-plan",
    "reports",
    "tokens",
    "token",
    "webhooks",
    "devices",
    "reproductions",
    "reproduction",
    "reproduction-csv",
}


def patterns(entries: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for entry in entries:
        if isinstance(entry, URLResolver):
            yield from patterns(entry.url_patterns)
        elif hasattr(entry.callback, "view_class") and not entry.callback.view_class.__module__.startswith(
            "drf_spectacular"
        ):
            yield entry


def for_agents(pattern: URLPattern) -> bool:
    """Whether agents ask it, or pull workers: `views/test_agents.py` and `tests/webapp/runs/pull` have their rules."""
    return any(getattr(pattern.callback.view_class, name, False) for name in ("for_agents", "for_workers"))


def cases_of(agents: bool) -> list[Case]:
    """Return the cases of agents, or all others."""
    found = []
    for pattern in patterns(urlpatterns):
        if for_agents(pattern) is not agents:
            continue
        view = pattern.callback.view_class
        found += [
            (pattern.name, method, tuple(pattern.pattern.converters)) for method in METHODS if hasattr(view, method)
        ]
    return found


CASES = cases_of(agents=False)
KNOWN = {"run_id": 0, "number": 0, "design": 0, "name": "toy", "kind": "hardware", "slug": "simba-3x3-nvdla", "file": "notes.txt",
         "family": "soc", "workload": "resnet50", "method": "seesaw"}  # fmt: skip
# What the toy engine calls its results. It makes no documents of a design: who may see the run is told that there are none.
RESULTS = {"result-csv": "remark", "design-result-csv": "energy"}
NONE_THERE = "design-document"
# Converters of an enclosing include() are not part of the inner pattern.
STUDY_URLS = {name for name, _, converters in CASES if "study_id" in converters}
REPORT_URLS = {name for name, _, converters in CASES if "report_id" in converters}
# Of what is said about a run: its notes, one of them, tags, a star.
TALK_URLS = {"notes", "note", "tags-of", "favourite"}
# What belongs to the maintainers of one project.
WEBHOOK_URLS = {name for name, _, converters in CASES if "webhook" in converters}
DEVICE_URLS = {name for name, _, converters in CASES if "device" in converters}
RUN_URLS = {name for name, _, _ in CASES} - SHARED - STUDY_URLS - REPORT_URLS - TALK_URLS - WEBHOOK_URLS - DEVICE_URLS
FOREIGN_URLS = RUN_URLS | STUDY_URLS | REPORT_URLS | TALK_URLS | WEBHOOK_URLS | DEVICE_URLS
# What changes something; `plan`, `studies-plan` and `evaluate` store nothing.
RUNNING = {
    (name, "post")
    for name in (
        "runs",
        "run-continue",
        "studies",
        "study-continue",
        "reproduction",
        "device-measurements",
        "run-measurements",
    )
} | {(name, "patch") for name in ("run", "study")}
TOKENS = {("tokens", "post"), ("token", "delete")}
TALKING = {("notes", "post"), ("note", "patch"), ("note", "delete"), ("tags-of", "put")}
# A star is one's own, so a viewer may have one.
STARS = {("favourite", "put"), ("favourite", "delete")}
REPORTING = {("reports", "post"), ("report", "patch"), ("report", "delete")}
STORING = (
    {("device", "patch"), ("device", "delete"), ("run", "delete"), ("study", "delete"), ("documents", "post")}
    | REPORTING
    | TOKENS
    | TALKING
    | STARS
)
CONNECTING = {(name, method) for name, method, _ in CASES if name in WEBHOOK_URLS | {"webhooks"}}


@pytest.fixture(scope="module")
def run_of_module(
    people_of_module: Callable[[], People], django_db_blocker: Any
) -> Iterator[Callable[[], tuple[People, Run]]]:
    """A run in the project of the people, for all tests: each of them only asks for it."""

    def make() -> tuple[People, Run]:
        people = people_of_module()
        with toys_offered():
            return people, finished_run(people, steps=3, designs_per_step=4)

    with shared_rows(django_db_blocker, make) as copied:
        yield copied


@pytest.fixture
def run(run_of_module: Callable[[], tuple[People, Run]], db: None) -> Run:
    return run_of_module()[1]


def study_of(run: Run) -> Study:
    """A study of two cells in the run's project."""
    study: Study = studies.create(run.owner, {"engine": "toy", "seeds": [1, 2]}, project=run.project)
    return study


def webhook_of(run: Run) -> Webhook:
    """A webhook of the run's project."""
    return make_webhook(run.owner, run.project, "https://example.org/hook", ["run.done"])[0]


def _address(name: str, converters: tuple[str, ...], run: Run, user: Any) -> str:
    arguments = {key: KNOWN[key] for key in converters if key in KNOWN}
    if name in RESULTS:
        arguments["name"] = RESULTS[name]
    if name == "token":
        arguments["token"] = make_token(user, "Laptop")[0].pk if user is not None else 1
    if name in RUN_URLS:
        arguments["run_id"] = run.pk
    if name in STUDY_URLS:
        arguments["study_id"] = study_of(run).pk
    if name in REPORT_URLS:
        arguments["report_id"] = reports.write(run.owner, "Ours", f"[[front run={run.pk}]]", run.project).pk
    if name == "note":
        arguments["note"] = write(run.owner, "run", run.pk, "Mine").note.pk
    elif name in TALK_URLS:
        arguments |= {"kind": "run", "number": run.pk}
    if name in DEVICE_URLS:
        arguments["device"] = register(as_agent(run.owner, run.project_id), "Test box", MACHINE)[0].pk
    if name in WEBHOOK_URLS:
        hook = webhook_of(run)
        arguments["webhook"] = hook.pk
        if "delivery" in converters:
            arguments["delivery"] = ping(hook).pk
    return reverse(f"api:{name}", kwargs=arguments)


def _status(user: object | None, case: Case, run: Run, client: APIClient | None = None) -> int:
    name, method, converters = case
    kind = "multipart" if name in ("documents-upload", "run-import", "calibrations-fit", "measured-values") else "json"
    data = BODIES.get(name, {})
    if name == "run-measurements":
        data = {**data, "device": register(as_agent(run.owner, run.project_id), "Test box", MACHINE)[0].pk}
    body = {} if method == "get" else {"data": data, "format": kind}
    address = _address(name, converters, run, user)
    if (name, method) == ("device", "delete"):
        AgentDevice.objects.update(revoked=timezone.now())
    return getattr(client or client_of(user), method)(address, **body).status_code


def for_every_case(check: Callable[[Case], None]) -> None:
    """`check` every URL and method, each with the rows as they were; all that are wrong are named.

    One test each would take as long for making and forgetting tests as for asking.
    """
    wrong = []
    for case in CASES:
        forget_runs()
        cache.clear()
        with transaction.atomic():
            try:
                check(case)
            except AssertionError as error:
                wrong.append(f"{case[1]} {case[0]}: {error}")
            transaction.set_rollback(True)
    assert wrong == []


def test_it_finds_the_urls() -> None:
    assert {"run", "designs", "explain", "schedule", "designs-csv", "provenance"} <= RUN_URLS
    assert {"study", "study-continue", "study-table", "study-table-csv", "study-statistics"} == STUDY_URLS
    assert len(CASES) >= 37


def test_it_asks_the_anonymous_to_sign_in(run: Run) -> None:
    def check(case: Case) -> None:
        assert _status(None, case, run) == 401

    for_every_case(check)


def test_it_shows_strangers_nothing_of_a_run(run: Run, people: People) -> None:
    def check(case: Case) -> None:
        status = _status(people.stranger, case, run)
        assert status == 404 if case[0] in FOREIGN_URLS else status in (200, 201, 204, 400)

    for_every_case(check)


def test_administrators_are_strangers_in_projects(run: Run) -> None:
    def check(case: Case) -> None:
        status = _status(get_user_model().objects.create_superuser("root"), case, run)
        assert status == 404 if case[0] in FOREIGN_URLS else status != 403

    for_every_case(check)


def test_it_answers_nobody_who_comes_by_a_link(run: Run) -> None:
    """Whether the link holds or is over: pages take links, this interface takes accounts."""

    def check(case: Case) -> None:
        name, method, converters = case
        guest = APIClient()
        guest.get("/" + make_link(run.owner, "run", run.pk, 7).address.split("/", 3)[3])
        assert guest.get(f"/runs/{run.pk}").status_code == 200
        address = _address(name, converters, run, None)
        assert getattr(guest, method)(address).status_code == 401
        ShareLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
        assert getattr(guest, method)(address).status_code == 401

    for_every_case(check)


def test_it_lets_viewers_read_only(run: Run, people: People) -> None:
    def check(case: Case) -> None:
        status = _status(people.viewer, case, run)
        changing = case[0] in FOREIGN_URLS - {"evaluate"} and case[1] != "get" and case[:2] not in STARS
        if changing or case[0] in WEBHOOK_URLS:  # `evaluate` stores nothing
            assert status == 403
        else:
            assert status in ((404,) if case[0] == NONE_THERE else (200, 201, 204, 400))

    for_every_case(check)


@pytest.mark.parametrize("role", ["owner", "editor"])
def test_it_serves_editors(run: Run, people: People, role: str) -> None:
    def check(case: Case) -> None:
        if role == "editor" and case[0] in WEBHOOK_URLS:
            assert _status(people.editor, case, run) == 403
            return
        # 409: a finished run cannot go on; 400: the body of `documents` is no document, and `search` is asked for no words.
        # A note is its author's: an editor who is not may neither change nor delete it.
        foreign = case[0] == "note" and case[1] != "get" and role == "editor"
        assert _status(getattr(people, role), case, run) in {
            "note": (403,) if foreign else (200, 204), "notes": (200, 201), "favourite": (204,), "device": (200, 204),
            "run-continue": (409,), "documents-upload": (400,), "run-import": (400,), "run-bundle": (200, 409),
            "measured-values": (200, 400), "calibrations-fit": (400,),
            NONE_THERE: (404,), "reports": (200, 201), "report": (200, 204),
            "documents": (200, 400), "document-official": (400,), "runs": (200, 201), "studies": (200, 201), "study": (200, 204),
            "reproduction": (200, 201), "tokens": (200, 201), "token": (204,), "run": (200, 204), "restore": (400,),
            "search": (400,), "run-measurements": (200, 400), "webhooks": (200, 201), "webhook": (200, 204), "webhook-test": (201,),
        }.get(case[0], (200,))  # fmt: skip

    for_every_case(check)


@pytest.mark.parametrize("scope", ["read", "run", "elsewhere"])
def test_a_token_does_what_its_scope_says(run: Run, people: People, scope: str) -> None:
    """`elsewhere`: a token of another project than the run's."""

    def check(case: Case) -> None:
        said = {"project": people.owner.personal_project.slug} if scope == "elsewhere" else {"scope": scope}
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {make_token(people.owner, 'Cluster', **said)[1]}")
        status, (name, method, _) = _status(people.owner, case, run, client), case
        if name in FOREIGN_URLS and scope == "elsewhere":
            assert status == 404
        elif (
            ((name, method) in CONNECTING and scope != "elsewhere")
            or (name, method) in TOKENS | (RUNNING if scope == "read" else set())
            or ((name, method) in STORING and scope != "elsewhere")
        ):
            assert status == 403
        else:
            assert status in ((404,) if name == NONE_THERE else (200, 201, 204, 400, 409))

    for_every_case(check)


@pytest.mark.parametrize("project", ["lab", "nowhere"])
def test_it_hides_whether_a_foreign_project_exists(people: People, project: str) -> None:
    stranger = client_of(people.stranger)
    assert stranger.post("/api/v1/runs/", {"engine": "toy", "project": project}, format="json").status_code == 404


def test_it_refuses_viewers_a_run_in_the_project(people: People) -> None:
    viewer = client_of(people.viewer)
    answer = viewer.post("/api/v1/runs/", {"engine": "toy", "project": "lab"}, format="json")
    assert answer.status_code == 403
    assert "editor" in answer.json()["message"]


def test_it_ignores_inactive_accounts(run: Run, people: People) -> None:
    client = client_of(people.owner)
    people.owner.is_active = False
    people.owner.save()
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 401
