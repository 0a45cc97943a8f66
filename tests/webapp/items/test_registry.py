"""A new kind of items is one declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from auditlog.registry import auditlog
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.db.models.signals import post_delete, post_save

from frontend.components.shell.search_hits import found_groups
from frontend.guests import opens
from frontend.pages.deleted.view import question, restored_words
from tests.support.stored_runs import People, make_people
from webapp.annotations import things
from webapp.annotations.marks import favourites, set_star, set_tags
from webapp.annotations.models import Note, Tag
from webapp.annotations.notes import write
from webapp.base.actor import command_line
from webapp.changes import change_recorder
from webapp.changes.service import ChangeQuery, lines, visible_changes
from webapp.deletions.removal import purge
from webapp.deletions.service import delete, deleted_things, restore
from webapp.items import registry
from webapp.items.registry import Item, declare
from webapp.moving.service import copy, move
from webapp.search import index_updates
from webapp.search.service import found
from webapp.sharing.service import follow, make_link, opened_rows
from webapp.teams.deletable import Deletable
from webapp.teams.errors import TeamError
from webapp.teams.models import Project
from webapp.teams.permissions import Guest
from webapp.teams.visibility import personal_project


@pytest.fixture
def people(db: Any) -> People:
    return make_people()


@pytest.fixture
def toy(people: People, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A toy of ann's in the lab, of a model that only this declaration knows."""

    class Toy(Deletable):
        project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
        owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
        title = models.CharField(max_length=80)

        class Meta:
            app_label = "items"

    editor = connection.schema_editor()
    editor.deferred_sql = []
    with connection.cursor() as cursor:
        cursor.execute(*editor.table_sql(Toy))
    monkeypatch.setattr(registry, "_ITEMS", dict(registry._ITEMS))
    declare(
        Item(
            name="toy",
            model="items.Toy",
            page="/toys/{}",
            listing="/toys",
            columns=("title", "owner"),
            plural="Toys",
            icon="box",
            remains="Its box stays.",
            annotatable=True,
            markable=True,
            movable=True,
            shareable=True,
            deletable=True,
            searchable=True,
            logged=("project", "title", "deleted"),
        )
    )
    for connect in (things.connect, index_updates.connect, change_recorder.watch):  # as when a site starts
        connect()
    with command_line():
        yield Toy._default_manager.create(project=people.project, owner=people.owner, title="Red engine")
    auditlog.unregister(Toy)
    post_save.disconnect(sender=Toy, dispatch_uid="search.toy.saved")
    for name in ("search", "talk"):
        post_delete.disconnect(sender=Toy, dispatch_uid=f"{name}.toy.gone")
    del apps.all_models["items"]["toy"]
    apps.clear_cache()
    ContentType.objects.clear_cache()


def test_words_find_it(toy: Any, people: People, django_capture_on_commit_callbacks: Callable[..., Any]) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        toy.save()
        set_tags(people.owner, "toy", toy.pk, ["wooden"])
    for words in ("red eng", "wooden", str(toy.pk), "ann"):
        assert found(people.viewer, words, "toy", 5) == [toy]
    assert found(people.stranger, "red", "toy", 5) == []
    shown = str(found_groups(people.owner, "red"))
    assert "Toys" in shown and f"/toys/{toy.pk}" in shown


def test_it_has_notes_tags_and_stars(toy: Any, people: People) -> None:
    note = write(people.editor, "toy", toy.pk, "Two wheels are lost").note
    set_tags(people.owner, "toy", toy.pk, ["wooden"])
    set_star(people.viewer, "toy", toy.pk, star=True)
    assert favourites(people.viewer) == [("toy", toy)]
    assert things.place_of(note.kind, toy) == f"/toys/{toy.pk}" and things.title_of("toy", toy) == "Red engine"
    toy.delete()
    assert not Note.objects.exists() and not Tag.objects.exists()


def test_a_link_opens_it(toy: Any, people: People) -> None:
    made = make_link(people.owner, "toy", toy.pk, 7)
    opened = follow(made.address.rstrip("/").rsplit("/", 1)[1])
    assert opened is not None and opened.thing == toy and opened.place == f"/toys/{toy.pk}"
    guest = Guest(opened_rows([opened]))
    assert opens(guest, opened.place) and not opens(guest, f"/toys/{toy.pk + 1}") and not opens(guest, "/toys/")


def test_it_is_deleted_brought_back_and_removed_for_good(toy: Any, people: People) -> None:
    assert "Its box stays." in str(question(people.owner, "toy", str(toy.pk)))
    delete(people.owner, "toy", toy.pk)
    assert [(each.kind, each.title) for each in deleted_things(people.owner)] == [("toy", "Red engine")]
    assert f"/toys/{toy.pk}" in str(restored_words(restore(people.owner, "toy", toy.pk)))
    assert deleted_things(people.owner) == []
    delete(people.owner, "toy", toy.pk)
    assert [each.kind for each in purge(0, dry_run=False)] == ["toy"]
    assert not type(toy)._default_manager.exists()


def test_it_is_in_the_change_log(toy: Any, people: People) -> None:
    toy.title = "Blue engine"
    toy.save()
    told = list(lines(list(visible_changes(people.viewer, ChangeQuery(kind="toy")))))
    assert [(each.kind, each.verb, each.href) for each in told] == [
        ("toy", "changed", f"/toys/{toy.pk}"),
        ("toy", "made", f"/toys/{toy.pk}"),
    ]
    assert ("title", "Red engine", "Blue engine") in told[0].differences


def test_it_moves_with_its_notes_and_is_copied_by_nobody_who_cannot(toy: Any, people: People) -> None:
    write(people.owner, "toy", toy.pk, "Two wheels are lost")
    own = personal_project(people.owner)
    with pytest.raises(TeamError, match="A toy can be moved, but not copied"):
        copy(people.owner, "toy", toy.pk, own.slug)
    move(people.owner, "toy", toy.pk, own.slug)
    toy.refresh_from_db()
    assert toy.project == own == Note.objects.get().project
