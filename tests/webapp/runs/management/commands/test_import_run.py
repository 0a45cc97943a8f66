from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.support.stored_runs import People
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


def test_from_command_to_command(people: People, run: Run, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "run.zip"
    call_command("export_run", run.pk, file, user="ann")
    call_command("import_run", file, user="sam")
    copy = Run.objects.get(owner=people.stranger)
    assert copy.design_count == run.design_count and f"Run {copy.pk}" in capsys.readouterr().out
    file.write_bytes(b"no bundle")
    with pytest.raises(CommandError, match="zip file"):
        call_command("import_run", file, user="sam")
    with pytest.raises(CommandError):
        call_command("export_run", run.pk, file, user="sam")
