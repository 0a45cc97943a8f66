"""Every page, callback and address of the site, asked for by everybody. What is new and has no rule here fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import dash
import pytest
from django.core.cache import cache
from django.urls import URLPattern, URLResolver, get_resolver

from engines.reproduction.reproductions import reproducible_engines
from frontend.bridge import get_app
from frontend.guests import COMPUTING, READERS, ROUTER, VISITOR_PAGES, VISITOR_READERS, called_by
from frontend.live import direct
from tests.support.callbacks import ask, is_pattern, key_of, page_at
from tests.support.permission_queries import permission_queries
from tests.support.shared_rows import shared_rows
from tests.support.subjects import HARMLESS, MEMBERS, SUBJECTS, WITH_ACCOUNT, Subjects, make_world, stored_in
from tests.support.toy_engine import toys_offered

pytestmark = pytest.mark.django_db
NOBODY = 99_999


@pytest.fixture(scope="module")
def world_of_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[], Subjects]]:
    def make() -> Subjects:
        with toys_offered():
            return make_world()

    with shared_rows(django_db_blocker, make) as copied:
        yield copied


@pytest.fixture
def world(world_of_module: Callable[[], Subjects], db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> Subjects:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    cache.clear()
    return world_of_module()


# -- pages ------------------------------------------------------------------------------------------------------------

# Pages that are the same for everybody with an account.
OPEN_PAGES = {
    "/", "/new", "/studies", "/studies/new", "/compare", "/catalogue", "/catalogue/upload", "/catalogue/calibrate", "/hardware/new",
    "/scenarios/new", "/reproductions", "/import-run", "/team", "/changes", "/deleted", "/devices", "/move", "/notices", "/survey",
    "/reports", "/reports/edit", "/reports/add", "/workers", "/about", "/gallery", "/glossary", "/language-models",
    "/measured-values/import",
}  # fmt: skip
# Template -> address of what belongs to the project, and of what is not there.
OWNED_PAGES: dict[str, Callable[[Subjects], tuple[str, str]]] = {
    "/runs/<run_id>": lambda world: (f"/runs/{world.run.pk}", f"/runs/{NOBODY}"),
    "/studies/<study_id>": lambda world: (f"/studies/{world.study.pk}", f"/studies/{NOBODY}"),
    "/compare/<number>": lambda world: (f"/compare/{world.comparison.pk}", f"/compare/{NOBODY}"),
    "/reports/<number>": lambda world: (f"/reports/{world.report.pk}", f"/reports/{NOBODY}"),
    "/team/<slug>": lambda world: ("/team/lab", "/team/none"),
    "/catalogue/hardware/<name>": lambda world: ("/catalogue/hardware/lab/board", "/catalogue/hardware/lab/none"),
}
SHARED_PAGES = {"/runs/<run_id>", "/studies/<study_id>", "/compare/<number>", "/reports/<number>"}
# Documents that every site brings along, the same for everybody; those of projects are asked for by the same function as hardware.
BUILT_IN_PAGES = {
    "/catalogue/workload/<name>": "/catalogue/workload/resnet50",
    "/catalogue/calibration/<name>": "/catalogue/calibration/none",
    "/catalogue/environment/<name>": "/catalogue/environment/none",
    "/catalogue/data/<name>": "/catalogue/data/none",
    "/reproductions/<method>": "/reproductions/scar",
}


def pages() -> list[str]:
    get_app()
    found = [str(page["path_template"] or page["path"]) for page in dash.page_registry.values()]
    return [path for path in found if not path.endswith("not-found-404")]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_pages_without_an_object(world: Subjects, subject: str) -> None:
    client = world.client(subject)
    for path in OPEN_PAGES:
        opened = subject in WITH_ACCOUNT or (subject == "guest" and path in VISITOR_PAGES)
        assert client.get(path).status_code == (200 if opened else 302), path
    for path in BUILT_IN_PAGES.values():
        assert client.get(path).status_code in ((200, 404) if subject in WITH_ACCOUNT else (302,)), path


def test_every_page_has_a_rule() -> None:
    assert set(pages()) == OPEN_PAGES | set(OWNED_PAGES) | set(BUILT_IN_PAGES)


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("template", OWNED_PAGES)
def test_pages_of_a_project(world: Subjects, template: str, subject: str) -> None:
    there, gone = OWNED_PAGES[template](world)
    client = world.client(subject)
    opened = subject in MEMBERS or (subject == "link" and template in SHARED_PAGES)
    hidden = 404 if subject in WITH_ACCOUNT else 302
    assert client.get(there).status_code == (200 if opened else hidden)
    assert client.get(gone).status_code == hidden
    gallery = f"/runs/{world.gallery.pk}"
    assert client.get(gallery).status_code == (200 if subject in (*WITH_ACCOUNT, "guest") else 302)
    if subject in WITH_ACCOUNT and not opened:
        texts = [json.dumps(page_at(client, path).json()).replace(path, "PATH") for path in (there, gone)]
        assert plain(texts[0], world) == plain(texts[1], world), "the page tells no more than that there is none"


def plain(text: str, world: Subjects) -> str:
    """Without what names the thing that was asked for."""
    numbers = "|".join(
        str(each)
        for each in (
            *(NOBODY, world.run.pk, world.study.pk, world.comparison.pk),
            *(world.report.pk, world.other.pk, world.note.pk),
        )
    )
    return re.sub(rf"\b(?:{numbers}|lab/board|lab/none|lab|none|board)\b", "N", text)


# -- callbacks --------------------------------------------------------------------------------------------------------

# Callbacks that no link may call: whole features, and what changes something on pages that links open.
MEMBERS_FEATURES = (
    "frontend.components.shell.shell_live", "frontend.pages.home", "frontend.pages.new", "frontend.pages.study.listing",
    "frontend.pages.study.new", "frontend.pages.catalogue", "frontend.pages.hardware_form", "frontend.pages.calibration",
    "frontend.pages.upload", "frontend.pages.scenario", "frontend.pages.reproduction", "frontend.pages.team",
    "frontend.pages.share", "frontend.pages.run.import_page", "frontend.pages.changes",
    "frontend.pages.deleted", "frontend.pages.devices", "frontend.pages.move", "frontend.pages.notices", "frontend.pages.survey",
    "frontend.pages.report", "frontend.pages.workers", "frontend.pages.language_models", "frontend.pages.measured_values",
)  # fmt: skip
MEMBERS_CALLBACKS = {
    *(f"frontend.pages.annotations.callbacks.{name}" for name in ("act", "star", "open_tags", "store_tags")),
    "frontend.pages.run.what_if.tab.keep_hardware", "frontend.pages.run.edit.tab.keep_design",
    "frontend.pages.run.measurements.tab.measure_designs",
    "frontend.pages.run.design.documents.store", "frontend.pages.run.design.own.fill", "frontend.pages.run.design.own.score",
    "frontend.pages.run.states.callbacks.act", "frontend.pages.study.callbacks.act", "frontend.pages.compare.callbacks.change",
    "frontend.pages.compare.callbacks.enough", "frontend.pages.compare.callbacks.open_new",
    "frontend.components.items.deleted_item.bring_back",
}  # fmt: skip


def callbacks() -> list[str]:
    app = get_app()
    return [output for output in app.callback_map if called_by(app, output)]


def is_for_members(name: str) -> bool:
    return name in MEMBERS_CALLBACKS or name.startswith(tuple(f"{feature}." for feature in MEMBERS_FEATURES))


RUN = "the run"
NOTE = "the note"
# Buttons by the type of their ids: the action that hurts most.
BUTTONS = {
    "run-action": [{"name": "stop"}, {"name": "continue"}],
    "study-action": [{"name": "continue"}],
    "compare-action": [{"name": "delete"}],
    "team-action": [{"name": "rename", "number": 0}, {"name": "remove", "number": 3}, {"name": "invite", "number": 0}],
    "team-role": [{"number": 3}],
    "webhook-action": [{"name": "make", "number": 0, "of": 0}, {"name": "deliveries", "number": 1, "of": 0}],
    "share-action": [{"name": "make", "number": 0}],
    "reproduction-action": [{"name": "quick"}],
    "move-action": [{"name": "move", "kind": "run", "number": RUN}, {"name": "copy", "kind": "run", "number": RUN}],
    "talk-action": [
        {"name": "add", "number": 0},
        {"name": "delete", "number": NOTE},
        {"name": "save", "number": NOTE},
        {"name": "restore", "number": NOTE},
    ],
    "workers-action": [{"worker": "host:1", "draining": 1}],
    "notices-action": [{"name": "all", "number": 0}],
    "deleted-action": [
        {"name": "delete", "kind": "run", "number": RUN},
        {"name": "restore", "kind": "run", "number": RUN},
    ],
    "deleted-back": [{"kind": "run", "number": RUN}],
}


def values_for(world: Subjects, *, gone: bool = False, other: bool = False) -> dict[str, Any]:
    """Stores that say what the page is of: what links open, something that is not there, or another run that no link opens."""
    run = NOBODY if gone else world.other.pk if other else world.run.pk
    study, comparison = (NOBODY, NOBODY) if gone or other else (world.study.pk, world.comparison.pk)
    report = NOBODY if gone or other else world.report.pk
    return {
        "run-id.data": run,
        "study-number.data": study,
        "compare-number.data": comparison,
        "compare-entries.data": [{"run": run, "design": None}],
        "compare-title.value": "Mine",
        "compare-axes.data": {},
        "compare-selected.data": {},
        "report-number.data": report,
        "report-title.value": "Mine",
        "report-text.value": f"[[front run={run}]]",
        "report-kind.value": "front",
        "report-run.value": [str(run)],
        "report-added.data": [{"run": run, "design": None}],
        "report-target.value": str(report),
        "team-project.data": "none" if gone else "lab",
        "move-project.value": "lab",
        "share-thing.data": {"kind": "run", "number": run},
        "talk-thing.data": {"kind": "run", "number": run, "opened": True},
        "talk-marked.data": {"kind": "run", "number": run},
        "talk-tags-field.value": ["paper"],
        NOTE: NOBODY if gone or other else world.note.pk,
        "hardware-project.value": "none" if gone else "lab",
        "document-name.data": "lab/none" if gone else "lab/board",
        "_pages_location.pathname": f"/runs/{run}",
        "_pages_location.search": "",
        "scheme.data": "light",
    }


def calls(output: str, values: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any], str]]:
    """Ways to use a callback: each of its buttons pressed; else its first input changed."""
    first = get_app().callback_map[output]["inputs"][0]
    if not is_pattern(first["id"]):
        given = {f"{first['id']}.n_clicks": 1, f"{first['id']}.n_submit": 1} | values
        yield given, {}, f"{first['id']}.{first['property']}"
        return
    kind = json.loads(first["id"]).get("type")
    known = {RUN: values["run-id.data"], NOTE: values[NOTE]}
    for button in BUTTONS.get(kind, [{"name": "x"}]):
        named = {name: known.get(value, value) for name, value in button.items()}
        whole = {"type": kind, **named}
        yield values, {f"{kind}.{first['property']}": [(whole, 1)]}, key_of(whole, first["property"])


def asked(client: Any, output: str, values: dict[str, Any]) -> list[tuple[int, str]]:
    found = []
    for given, patterns, changed in calls(output, values):
        answer = ask(client, output, given, patterns, changed)
        found.append((answer.status_code, answer.content.decode()))
    return found


def test_every_callback_has_a_rule() -> None:
    app = get_app()
    names = {called_by(app, output) for output in callbacks()}
    assert names >= VISITOR_READERS | MEMBERS_CALLBACKS and VISITOR_READERS >= COMPUTING
    unruled = [name for name in names if (name in READERS) == is_for_members(name)]
    assert unruled == [], "list them in `frontend.guests.READERS` if they only read what a link opens, else here"


@pytest.mark.parametrize(
    "output", callbacks(), ids=lambda output: called_by(get_app(), output).removeprefix("frontend.")
)
def test_callbacks(world: Subjects, output: str) -> None:
    name, before = called_by(get_app(), output), stored_in(world.people.project)
    for subject in HARMLESS:
        client = world.client(subject)
        answers = asked(client, output, values_for(world))
        codes = {status for status, _ in answers}
        assert 500 not in codes, (subject, answers)
        if subject in ("anonymous", "expired link"):
            assert codes == {401}, subject
        elif name not in {"link": READERS, "guest": VISITOR_READERS}.get(subject, {name}):
            assert codes == {403}
        elif subject in ("stranger", "administrator", "guest"):
            alike = asked(client, output, values_for(world, gone=True))
            assert [(s, plain(t, world)) for s, t in answers] == [(s, plain(t, world)) for s, t in alike], subject
        elif subject == "link":
            assert not codes & {401, 403}
            other, none = (
                asked(client, output, values_for(world, **given)) for given in ({"other": True}, {"gone": True})
            )
            assert [(s, plain(t, world)) for s, t in other] == [(s, plain(t, world)) for s, t in none]
    assert stored_in(world.people.project) == before


# -- other addresses --------------------------------------------------------------------------------------------------

# Name of an address -> what each subject is answered (GET); those with an account alike, unless said otherwise.
SITE: dict[str, tuple[str, dict[str, int]]] = {
    "login": ("/accounts/login/", {"*": 200}),
    "logout": ("/accounts/logout/", {"*": 405}),
    "who": ("/accounts/who/", {"*": 200}),
    "signed_in": ("/accounts/signed_in/", {"account": 200, "*": 302}),
    "sign_up": ("/accounts/sign_up/", {"*": 404}),
    "password_reset": ("/accounts/password_reset/", {"*": 200}),
    "password_reset_done": ("/accounts/password_reset/done/", {"*": 200}),
    "password_reset_confirm": ("/accounts/reset/x/y/", {"*": 200}),
    "password_reset_complete": ("/accounts/reset/done/", {"*": 200}),
    "invitation": ("/invitations/guess/", {"*": 410}),
    "shared": ("/shared/guess/", {"*": 404}),
    "health": ("/health/", {"*": 200}),
    "livez": ("/livez", {"*": 200}),
    "readyz": ("/readyz", {"*": 200}),
    "error_codes": ("/docs/errors/", {"*": 200}),
    "metrics": ("/metrics", {"*": 404}),  # off by default; with a token set: in its own tests
    "api-unknown": ("/api/none/", {"*": 404}),
    "schema": ("/api/schema/", {"account": 200, "*": 401}),
    "docs": ("/api/docs/", {"account": 200, "*": 302}),
    "token": ("/accounts/token/", {"account": 200, "*": 302}),
    "account": ("/accounts/account/", {"account": 200, "*": 302}),
    "password_change": ("/accounts/password_change/", {"account": 200, "*": 302}),
    "password_change_done": ("/accounts/password_change/done/", {"account": 200, "*": 302}),
    "choose_project": ("/accounts/project/", {"account": 405, "*": 302}),
    "visitor_network": ("/gallery/network/", {"*": 405}),
}
# The explorer's pages, and addresses that lead nowhere: above, and in the tests of the bridge.
ELSEWHERE = {"dash", None}


def site_names(entries: list[Any]) -> Iterator[str | None]:
    """Names of addresses outside of Django's admin and the REST interface, which have tests of their own."""
    for entry in entries:
        if isinstance(entry, URLResolver) and str(entry.pattern) not in ("admin/", "api/v1/"):
            yield from site_names(entry.url_patterns)
        elif isinstance(entry, URLPattern):
            yield entry.name


def test_every_address_has_a_rule() -> None:
    assert set(site_names(get_resolver().url_patterns)) == set(SITE) | ELSEWHERE


@pytest.mark.parametrize("subject", SUBJECTS)
def test_addresses_of_the_site(world: Subjects, subject: str) -> None:
    client = world.client(subject)
    for name, (path, answers) in SITE.items():
        expected = answers.get("account", answers["*"]) if subject in WITH_ACCOUNT else answers["*"]
        assert client.get(path).status_code == expected, name
    assert client.get("/admin/").status_code == (200 if subject == "administrator" else 302)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_what_is_answered_beside_callbacks(world: Subjects, subject: str) -> None:
    assert set(direct._answers) == {"_dash-run-state/", "_dash-run-pick/"}
    client = world.client(subject)
    opened = subject in (*MEMBERS, "link")
    hidden = 404 if subject in (*WITH_ACCOUNT, "link", "guest") else 401
    for path in ("/_dash-run-state/{}", "/_dash-run-pick/{}"):
        assert client.get(path.format(world.run.pk)).status_code == (200 if opened else hidden), path
        assert client.get(path.format(world.other.pk)).status_code == (200 if subject in MEMBERS else hidden), path
        assert client.get(path.format(NOBODY)).status_code == hidden, path
        shown = subject in (*WITH_ACCOUNT, "guest")
        assert client.get(path.format(world.gallery.pk)).status_code == (200 if shown else hidden), path
    no_account = 302 if hidden == 401 else 404
    assert client.get(f"/_paper-figure/{world.other.pk}/run/none").status_code == no_account
    page = client.get(f"/compare/page.html?runs={world.run.pk},{world.other.pk}")
    assert page.status_code in ((200, 400, 404) if subject in WITH_ACCOUNT else (302,))
    if subject in ("stranger", "administrator"):
        assert page.status_code != 200 and "Toy run" not in page.content.decode()
    file = client.get(f"/reports/page.html?report={world.report.pk}")
    assert file.status_code == (200 if subject in MEMBERS else hidden if subject in WITH_ACCOUNT else 302)


def test_flask_answers_nothing_that_has_no_rule() -> None:
    rules = {str(rule) for rule in get_app().server.url_map.iter_rules()}
    frame = {
        "/",
        "/<path:path>",
        "/_dash-layout",
        "/_dash-dependencies",
        "/_dash-update-component",
        "/_reload-hash",
        "/_favicon.ico",
    }
    files = {"/static/<path:filename>", "/assets/<path:filename>"}
    component = "/_dash-component-suites/<string:package_name>/<path:fingerprinted_path>"
    assert rules == frame | files | {
        component,
        "/compare/page.html",
        "/reports/page.html",
        "/_paper-figure/<int:run_id>/<of>/<name>",
    }
    assert ROUTER in READERS


# -- questions to the database ----------------------------------------------------------------------------------------

# Queries of a page's content, with who asks and what they may see; Reproductions has one per method. A page that takes more
# says why. Home asks for runs and for studies, each with their marks, and for how far the studies are; what is deleted, per kind;
# forms ask which limits hold where their run would go, a project's page also what is taken of each.
QUERIES = {
    "/": 14, "/runs/{run}": 11, "/studies/{study}": 8, "/compare/{comparison}": 10, "/studies": 6, "/compare": 6,
    "/catalogue": 6, "/catalogue/hardware/simba-3x3-nvdla": 5, "/new": 3, "/new?engine=scar": 13, "/studies/new": 13,
    "/team/lab": 21, "/changes": 6, "/deleted": 8,
    "/reproductions": 2 + len(reproducible_engines()),
}  # fmt: skip


@pytest.mark.parametrize("path", QUERIES)
def test_pages_ask_no_more_than_they_did(world: Subjects, path: str, django_assert_max_num_queries: Any) -> None:
    client = world.client("viewer")
    address = path.format(run=world.run.pk, study=world.study.pk, comparison=world.comparison.pk)
    page_at(client, address)  # what is remembered for the life of a process
    with django_assert_max_num_queries(QUERIES[path]):
        assert page_at(client, address).status_code == 200


MOST_FOR_PERMISSION = 3


@pytest.mark.parametrize("path", QUERIES)
@pytest.mark.parametrize("subject", ["viewer", "maintainer", "administrator", "stranger"])
def test_permissions_cost_few_questions(world: Subjects, path: str, subject: str) -> None:
    address = path.format(run=world.run.pk, study=world.study.pk, comparison=world.comparison.pk)
    client = world.client(subject)
    asked = permission_queries(lambda: page_at(client, address))
    assert len(asked) <= MOST_FOR_PERMISSION, asked


def test_a_question_for_permission_is_seen(world: Subjects) -> None:
    client = world.client("viewer")
    assert permission_queries(lambda: page_at(client, f"/runs/{world.run.pk}")), "else nothing above is measured"
