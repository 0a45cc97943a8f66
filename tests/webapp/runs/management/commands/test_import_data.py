"""Signals of one's own: from a CSV file to networks that learn them."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.engines.data.test_signals import signals
from tests.engines.methods.sbrs.search.problems import LITTLE
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.catalogue.models import DocumentVersion
from webapp.runs.foreground import run_here


@pytest.mark.long
@SQLITE
def test_networks_learn_imported_signals(live_site: LiveSite, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path, out = signals(tmp_path / "two-people.csv"), io.StringIO()
    call_command(
        "import_data",
        "signals",
        str(path),
        "--recording",
        "who",
        "--window",
        "20",
        "--step",
        "5",
        "--user",
        "ann",
        stdout=out,
    )
    assert "two-people" in out.getvalue()
    version = DocumentVersion.objects.get()
    assert (version.content["channels"], version.content["height"], version.content["width"]) == (2, 20, 1)
    inputs = {"hardware": "jetson-tx2", "data": "two-people"}
    run = run_here(live_site.ann, {"engine": "sbrs-search", "inputs": inputs, "params": LITTLE})
    assert run.status == "done", run.outcome_detail


@SQLITE
def test_a_mistake_is_told_with_line_and_column(live_site: LiveSite, tmp_path: Path) -> None:
    path = signals(tmp_path / "s.csv", line5="1,two,a,rest")
    with pytest.raises(CommandError, match="line 5, column y"):
        call_command("import_data", "signals", str(path), "--recording", "who", "--user", "ann", stdout=io.StringIO())
