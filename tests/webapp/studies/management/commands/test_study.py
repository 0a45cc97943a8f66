"""`manage.py study`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from tests.support.databases import MOSTLY_SQLITE, SQLITE
from tests.support.live import LiveSite
from webapp.runs.models import Run
from webapp.studies.models import Study

GRID = {"engine": "toy", "title": "By hand", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2, 3]}


def study(*arguments: str) -> str:
    out = io.StringIO()
    call_command("study", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "grid.yaml"
    path.write_text(yaml.safe_dump(GRID))
    return path


@MOSTLY_SQLITE
def test_it_waits_for_the_workers_and_prints_the_table(live_site: LiveSite, file: Path, tmp_path: Path) -> None:
    live_site.worker(PARETOSCOPE_WORKER_SLOTS="2")
    target = tmp_path / "table.csv"
    text = study(str(file), "--user", "ann", "--wait", "--quantity", "energy_j", "--csv", str(target))
    stored = Study.objects.get()
    assert (stored.title, stored.owner) == ("By hand", live_site.ann)
    assert f"/studies/{stored.pk}" in text and "Energy, median" in text
    assert Run.objects.filter(study=stored, status="done").count() == 6
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [row["values"] for row in rows] == ["3", "3"]


@SQLITE
def test_it_starts_without_waiting_and_estimates_without_storing(live_site: LiveSite, file: Path) -> None:
    text = study(str(file), "--user", "ann", "--check")
    assert "6 cells" in text and "Use at least 4 seeds" in text and not Study.objects.exists()
    file.write_text(json.dumps(GRID))
    assert "Study" in study(str(file), "--user", "ann", "--title", "Another")
    assert Study.objects.get().title == "Another" and Run.objects.filter(status="queued").count() == 6


@SQLITE
@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("engine: toy\nparams: {steps: {each: [1, 0]}}", (), r"params\.steps: .*combination steps=0"),
        ("engine: nothing", (), "one of .*package-search, .*sbrs"),
        ("engine: [", (), "cannot be read"),
        ("engine: toy\nparams: {steps: 010}", (), r"line 2: params\.steps must be 10, or"),
        ("- 1", (), "a mapping"),
        ("engine: toy", ("--rows", "params.steps"), "rows"),
        ("engine: toy", ("--project", "bob"), "one of ann"),
    ],
)
def test_it_refuses_with_the_reason(
    live_site: LiveSite, file: Path, text: str, arguments: tuple[str, ...], words: str
) -> None:
    file.write_text(text)
    with pytest.raises(CommandError, match=words) as caught:
        study(str(file), "--user", "ann", *arguments)
    assert caught.value.returncode == 2 and not Study.objects.exists()


@SQLITE
def test_a_failed_run_is_told_by_the_exit_status(live_site: LiveSite, file: Path) -> None:
    file.write_text(yaml.safe_dump({"engine": "toy", "params": {"steps": 2, "crash_at": {"each": [-1, 1]}}}))
    live_site.worker(PARETOSCOPE_WORKER_SLOTS="2")
    with pytest.raises(CommandError, match="1 run failed") as caught:
        study(str(file), "--user", "ann", "--wait")
    assert caught.value.returncode == 1
