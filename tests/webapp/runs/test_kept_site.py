"""A site and bundles of 27 November 2026 open with this release: names have changed since, what is stored stays readable."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dash
import pytest
from django.test import Client

from engines.registry import get_engine
from tests.support.callbacks import page_at
from tests.support.kept_site import BUNDLES, SITE, upgraded_site
from webapp.items.registry import items
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.service import visible_runs
from webapp.teams.visibility import personal_project, visible

RUN_PATHS = (
    *("", "designs/", "front/", "design/1/", "design/1/explain/", "citation.bib", "results/", "convergence/", "log/"),
    *("provenance/", "files/", "measurements/", "designs.csv", "designs.parquet", "designs.arrow", "designs.json"),
    *("bundle.zip", "problem.json", "problem.yaml"),
)
LISTS = (
    *("runs", "studies", "reports", "documents", "projects", "engines", "changes", "tags", "favourites", "deleted", "tokens"),
    *("webhooks?project=lab", "devices", "limits", "reproductions"),
)  # fmt: skip
# What the site has none of, or says no more of than its existence.
EMPTY = ("webhooks?project=lab",)
# Imported at every change; a child recomputes designs of each.
SHORT = ("scar", "soc-mapping")


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[Any]:
    """Ann of the site, which is migrated."""
    content, folder = lzma.decompress(SITE.read_bytes()), tmp_path_factory.mktemp("kept")
    with django_db_blocker.unblock(), upgraded_site(content, folder, ("sharing", "0003_kinds_of_items")) as found:
        yield found


@pytest.fixture
def client(ann: Any) -> Client:
    found = Client()
    found.force_login(ann)
    return found


def test_every_item_has_its_page_and_every_list_opens(ann: Any, client: Client) -> None:
    page_at(client, "/")
    for page in dash.page_registry.values():
        if page["path_template"] is None and page["path"] is not None:
            assert page_at(client, page["path"]).status_code == 200, page["path"]
    shown = []
    for item in items().values():
        if not item.page and item.address is None:
            continue
        for each in visible(ann, item.rows):
            path, _, query = item.path(each).partition("?")
            answer = page_at(client, path, f"?{query}" if query else "")
            title = getattr(each, "title", "") or each.slug
            assert answer.status_code == 200 and title in json.dumps(answer.json(), ensure_ascii=False), path
            shown.append(item.name)
    assert {"run", "study", "comparison", "report", "document", "version"} <= set(shown)


def test_rest_answers_for_every_list_and_item(ann: Any, client: Client) -> None:
    paths = [f"{name.partition('?')[0]}/?{name.partition('?')[2]}" for name in LISTS]
    runs = [run.pk for run in visible_runs(ann)]
    paths += [f"runs/{run}/{name}" for run in runs for name in RUN_PATHS]
    paths += [
        f"studies/{each.pk}/{name}"
        for each in visible(ann, items()["study"].rows)
        for name in ("", "table/", "statistics/", "table.csv")
    ]
    paths += [
        f"reports/{each.pk}/{name}" for each in visible(ann, items()["report"].rows) for name in ("", "versions/")
    ]
    paths += [
        f"documents/{each.kind}/{each.slug}/{name}"
        for each in visible(ann, items()["document"].rows)
        for name in ("", "document.yaml")
    ]
    paths += [f"notes/run/{runs[-1]}/", f"tags/run/{runs[-1]}/"]
    wrong = {path: answer.status_code for path in paths if (answer := client.get(f"/api/v1/{path}")).status_code != 200}
    # A design of another version of its engine is not recomputed: the run is to be started again.
    older = [run.pk for run in visible_runs(ann) if run.engine_version < get_engine(run.engine).version]
    assert wrong == {f"runs/{run}/design/1/explain/": 400 for run in older}
    for path in wrong:
        told = client.get(f"/api/v1/{path}").json()
        assert told["field"] == "version" and told["remedies"][0]["text"] == "Start a new run."
    held = [name for name in LISTS if name not in EMPTY]
    assert [name for name in held if not client.get(f"/api/v1/{name}/").content.count(b"{")] == []


def test_words_and_links_of_then_still_find_what_they_found(ann: Any, client: Client) -> None:
    found = {
        each["kind"]
        for text in ("run", "board", "seed", "found")
        for each in client.get("/api/v1/search/", {"q": text}).json()
    }
    assert found == {"run", "study", "comparison", "report", "document"}
    links = items()["link"].rows
    assert {each.kind for each in links} == {"run", "study", "comparison", "report"}
    assert all(items("shareable")[each.kind].rows.filter(pk=each.number).exists() for each in links)


def test_runs_show_their_designs(ann: Any) -> None:
    runs = list(visible_runs(ann))
    assert {run.engine for run in runs} == {"soc-mapping", "scar", "split-network", "energyshield"}
    for run in runs:
        assert len(readers.load_designs(run)) == run.design_count > 0
        assert run.status == "done" and readers.results(run)


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=[] if file.stem in SHORT else pytest.mark.long, id=file.stem)
        for file in sorted(BUNDLES.glob("*.zip"))
    ],
)
def test_a_bundle_is_imported(ann: Any, file: Path) -> None:
    run = import_bundle(ann, personal_project(ann), file.read_bytes(), file.name)
    assert Run.objects.get(pk=run.pk).status == "done"
    assert len(readers.load_designs(run)) == run.design_count > 0
