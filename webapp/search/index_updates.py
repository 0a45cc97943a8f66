"""The index follows what is stored: after each commit, and when a run is done, as its designs' labels are there then."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import post_delete, post_migrate, post_save

from webapp.annotations.models import Note, Tag
from webapp.base.migration_names import compare_migrations
from webapp.items.registry import items
from webapp.runs.signals import run_done, stored_many
from webapp.search.indexing import index, index_everything
from webapp.search.models import SearchEntry


def connect() -> None:
    """Listen to what is stored."""
    for kind, item in items("searchable").items():
        model = item.rows.model
        post_save.connect(partial(_saved, kind), sender=model, dispatch_uid=f"search.{kind}.saved", weak=False)
        post_delete.connect(partial(_gone, kind), sender=model, dispatch_uid=f"search.{kind}.gone", weak=False)
    version = apps.get_model("catalogue.DocumentVersion")
    post_save.connect(_version_saved, sender=version, dispatch_uid="search.version.saved", weak=False)
    for model in (Note, Tag):
        for signal, name in ((post_save, "said"), (post_delete, "unsaid")):
            signal.connect(_said, sender=model, dispatch_uid=f"search.{model.__name__}.{name}", weak=False)
    stored_many.connect(_many_stored, dispatch_uid="search.stored_many", weak=False)
    post_migrate.connect(_migrated, sender=apps.get_app_config("search"), dispatch_uid="search.migrated", weak=False)
    run_done.connect(_run_done, dispatch_uid="search.run_done", weak=False)


def follow(kind: str, numbers: list[int]) -> None:
    """Index these once they are committed."""
    # An index that is behind is mended by `manage.py reindex`; what was stored stays stored.
    transaction.on_commit(partial(index, kind, numbers), robust=True)


def _saved(kind: str, sender: Any, instance: Any, raw: bool = False, **_facts: Any) -> None:
    if not raw:
        follow(kind, [instance.pk])


def _version_saved(sender: Any, instance: Any, raw: bool = False, **_facts: Any) -> None:
    if not raw:
        follow("document", [instance.document_id])


def _said(sender: Any, instance: Any, raw: bool = False, **_facts: Any) -> None:
    """Update the search entry of an item after a change of its tags or notes; notes on designs belong to their run."""
    if not raw and instance.kind in items("searchable"):
        follow(instance.kind, [instance.number])


def _gone(kind: str, sender: Any, instance: Any, **_facts: Any) -> None:
    SearchEntry.objects.filter(kind=kind, number=instance.pk).delete()


def _migrated(sender: Any, **_facts: Any) -> None:
    """Index existing items after an update that adds the search.

    Not before all is migrated: tables of what is found, or that of the index, may be missing.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    missing, _ = compare_migrations(f"{app}.{name}" for app, name in applied)
    if not missing and not SearchEntry.objects.exists():
        for _ in index_everything():
            pass


def _many_stored(sender: Any, numbers: list[int], **_facts: Any) -> None:
    follow("run", numbers)


def _run_done(sender: Any, run_id: int, **_facts: Any) -> None:
    follow("run", [run_id])
