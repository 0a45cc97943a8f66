from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.base.actor import command_line
from webapp.catalogue import official_documents
from webapp.catalogue.models import Document
from webapp.catalogue.service import DocumentLines, get_entry, list_documents, resolve, store, store_version
from webapp.changes.models import Change
from webapp.deletions.service import delete
from webapp.runs.models import Run, RunInput
from webapp.runs.outdated import outdated_runs
from webapp.search.indexing import index
from webapp.search.service import found
from webapp.teams.models import Project
from webapp.teams.permissions import Action, Limits, limited, may
from webapp.teams.visibility import NotAllowed, editable_projects, visible_projects


@pytest.fixture
def root(people: People) -> Any:
    return get_user_model().objects.create_superuser("root", password="root-has-a-password")


@pytest.fixture
def board(people: People, package: dict[str, Any], root: Any) -> Document:
    """An official document, promoted from the project's."""
    version = store_version(people.owner, people.project, "hardware", {**package, "slug": "board"})
    return official_documents.promote(root, version.document, "Measured twice").document


def names(person: Any) -> list[str]:
    return [entry.name for entry in list_documents(person, "hardware") if not entry.builtin]


def test_everybody_is_offered_what_is_official(people: People, board: Document) -> None:
    assert names(people.stranger) == ["official/board"]
    assert names(people.viewer) == ["lab/board", "official/board"]
    entry = get_entry(people.stranger, "hardware", "board")
    assert (entry.official, entry.retired, entry.version) == (True, False, 1)
    assert board.versions.get().reason == "Measured twice"
    lines = DocumentLines(people.stranger, ["hardware"])
    assert [line.official for line in lines[0 : len(lines)] if not line.builtin] == [True]


def test_it_takes_no_name_away(people: People, board: Document, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", {**package, "slug": "board", "title": "Ours"})
    assert resolve(people.owner, "hardware", "board").content["title"] == "Ours"
    assert resolve(people.owner, "hardware", "official/board").content["title"] != "Ours"


def test_only_administrators_store_it(people: People, board: Document, root: Any) -> None:
    content = {**board.versions.get().content, "title": "Changed"}
    with pytest.raises(NotAllowed, match="administrator"):
        store(people.owner, board.project, "hardware", content, reason="Because")
    with pytest.raises(ProblemError, match="reason"):
        store(root, board.project, "hardware", content)
    assert store(root, board.project, "hardware", content, reason="  A  better\nname ")[0].reason == "A better name"
    assert may(people.stranger, Action.VIEW, board) and not may(people.stranger, Action.EDIT, board)
    assert may(root, Action.EDIT, board) and not may(root, Action.RUN, board.project)
    elsewhere = limited(root, Limits(frozenset(Action), project=people.project.pk))
    assert not may(elsewhere, Action.EDIT, board) and names(elsewhere) == []


def test_the_shelf_is_nobodys_project(people: People, board: Document, root: Any) -> None:
    assert board.project not in visible_projects(root) and board.project not in editable_projects(root)
    assert (
        Project.objects.filter(official=True).count()
        == 1
        == len({official_documents.official_project(), board.project})
    )


def test_only_administrators_promote(people: People, package: dict[str, Any]) -> None:
    document = store_version(people.owner, people.project, "hardware", package).document
    with pytest.raises(NotAllowed):
        official_documents.promote(people.owner, document, "Because")
    assert not Project.objects.filter(official=True).exists()


def test_promoting_again_makes_the_next_version(people: People, board: Document, root: Any) -> None:
    own = Document.objects.get(project=people.project)
    store_version(people.owner, people.project, "hardware", {**own.versions.get().content, "title": "Newer"})
    version = official_documents.promote(root, own, "Measured again")
    assert (version.number, version.document, version.title) == (2, board, "Newer")
    with pytest.raises(ProblemError, match="not official yet"):
        official_documents.promote(root, board, "Because")


def test_a_retired_one_is_read_and_not_offered(people: People, board: Document, root: Any) -> None:
    with pytest.raises(ProblemError, match="reason"):
        official_documents.retire(root, board, " ")
    official_documents.retire(root, board, "A newer board is sold")
    assert names(people.stranger) == []
    assert not [line for line in DocumentLines(people.stranger, ["hardware"])[0:999] if not line.builtin]
    assert get_entry(people.stranger, "hardware", "official/board", 1).retired
    with pytest.raises(ProblemError, match="not retired yet"):
        official_documents.retire(root, board, "Because")
    official_documents.bring_back(root, board, "It is sold again")
    assert names(people.stranger) == ["official/board"]
    with pytest.raises(NotAllowed):
        official_documents.retire(people.owner, board, "Because")


def test_a_retired_one_that_is_promoted_again_is_offered(people: People, board: Document, root: Any) -> None:
    official_documents.retire(root, board, "Gone")
    official_documents.promote(root, Document.objects.get(project=people.project), "Back")
    assert names(people.stranger) == ["official/board"]


def test_the_change_log_has_the_reasons(people: People, board: Document, root: Any) -> None:
    with command_line():
        official_documents.retire(root, board, "A newer board is sold")
        store(root, board.project, "hardware", {**board.versions.get().content, "title": "New"}, reason="Named anew")
    retired, stored = Change.objects.order_by("pk")
    assert retired.changes["reason"] == ["", "A newer board is sold"] and retired.changes["retired"][1]
    assert stored.changes["reason"][1] == "Named anew"


def test_it_is_retired_and_not_deleted(board: Document, root: Any) -> None:
    with pytest.raises(ProblemError, match="Retire the document"):
        delete(root, "document", board.pk)


def test_everybody_finds_it(people: People, board: Document) -> None:
    index("document", [board.pk])  # which is else done after the commit
    assert found(people.stranger, "board", "document", 5) == [board]


def test_an_official_version_makes_runs_of_all_projects_out_of_date(people: People, board: Document, root: Any) -> None:
    content = board.versions.get().content
    runs = []
    for project in (people.project, people.stranger.personal_project):
        run = Run.objects.create(project=project, owner=people.owner, title="Earlier", engine="toy", engine_version=1)
        facts = {"slot": "hardware", "kind": "hardware", "slug": "board", "version": 1, "content": {}}
        RunInput.objects.create(run=run, content_hash=board.versions.get().content_hash, **facts)
        runs.append(run)
    assert list(outdated_runs(board)) == []
    store(root, board.project, "hardware", {**content, "clock_mhz": 600}, reason="Faster")
    assert list(outdated_runs(board)) == runs[::-1]
    own = store_version(people.owner, people.project, "hardware", {**content, "clock_mhz": 700}).document
    assert list(outdated_runs(own)) == runs[:1]
