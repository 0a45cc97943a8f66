"""What can be deleted, and the way to it."""

from __future__ import annotations

from django.apps import apps

from webapp.items.registry import items
from webapp.runs.models import LogLine, Run
from webapp.teams.deletable import Deletable, deletion_path


def test_everything_that_can_be_deleted_has_a_kind() -> None:
    deletable = {each.model for each in items("deletable").values()}
    assert {m._meta.label for m in apps.get_models() if issubclass(m, Deletable)} == deletable
    assert deletion_path(LogLine, "run__project") == "run__deleted"
    assert deletion_path(Run, "project") == "deleted"
