from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.reproduction.release_values import read_shipped
from engines.reproduction.reproductions import shipped_of
from webapp.reproductions import service
from webapp.reproductions.models import Reproduction


def test_published_values_are_printed_beside_ours_and_stored(db: None, tmp_path: Path) -> None:
    printed, file = io.StringIO(), tmp_path / "out.json"
    assert service.newest("seesaw") is None
    call_command("reproduce", "seesaw", "--quick", "--processes", "1", "--json", str(file), stdout=printed)
    assert "predicted" in printed.getvalue() and "Where they differ" in printed.getvalue()
    rows = json.loads(file.read_text())["seesaw"]
    assert {7.8, 2.5, 10} <= {row["published"] for row in rows}
    assert all(row["where"] and row["group"] for row in rows)
    stored = service.newest("seesaw")
    assert stored is not None and stored.quick and not service.is_outdated(stored)
    assert [row.ours for row in service.comparisons(stored)] == [row["ours"] for row in rows]
    assert stored.engine_version == get_engine("seesaw").version and stored.platform["python"]
    # Values of other readings are printed under their own.
    lines = printed.getvalue().splitlines()
    (life,) = [line for line in lines if "Life at 1 Hz" in line]
    (receiver,) = [line for line in lines if "Life of the commercial tracker" in line]
    assert "board powers" in life and "measured shares" not in life and "measured shares" in receiver
    assert not any("Ours, measured shares" in line for line in lines)
    assert any(
        line.startswith("Published values without a comparison, 12 of Table 3.4: Scores that people gave")
        for line in lines
    )


def test_what_is_shown_is_printed_with_its_label_and_nothing_computed(db: None) -> None:
    printed = io.StringIO()
    call_command("reproduce", "sbrs", "--show", stdout=printed)
    assert "Values computed at release with sbrs" in printed.getvalue() and "PAMAP2: naive" in printed.getvalue()
    assert not Reproduction.objects.exists()


def test_what_a_release_ships_is_written_beside_what_was_published(tmp_path: Path, monkeypatch) -> None:
    shipped = shipped_of("sbrs")
    monkeypatch.setattr("engines.reproduction.reproductions._folder", lambda _: tmp_path)
    call_command("reproduce", "sbrs", "--write", stdout=io.StringIO(), stderr=io.StringIO())
    read_shipped.cache_clear()
    again = shipped_of("sbrs")
    assert shipped is not None and again is not None
    assert (again.engines, again.command) == (shipped.engines, shipped.command)
    assert again.ours.keys() == shipped.ours.keys()
    values = {place: value for place, (value, *_) in shipped.ours.items()}
    assert {place: value for place, (value, *_) in again.ours.items()} == pytest.approx(
        values, rel=1e-9, abs=0.0, nan_ok=True
    )
    with pytest.raises(CommandError, match="not allowed"):
        call_command("reproduce", "sbrs", "--write", "--show")


def test_an_unknown_method_is_refused_with_those_that_exist(db: None) -> None:
    with pytest.raises(CommandError, match=r"Reproductions: .*scar"):
        call_command("reproduce", "nothing")
    assert not Reproduction.objects.exists()


def test_fewer_processes_than_one_are_refused(db: None) -> None:
    with pytest.raises(CommandError, match=r"at least 1\. Got 0"):
        call_command("reproduce", "scar", "--processes", "0")


def test_a_report_has_what_is_printed(db: None, tmp_path: Path) -> None:
    printed, file = io.StringIO(), tmp_path / "report.html"
    call_command("reproduce", "sbrs", "--show", "--report", str(file), stdout=printed)
    page = file.read_text()
    assert "<title>Paretoscope" in page and "sbrs" in page and "PAMAP2: naive" in page and "python 3" in page
    with pytest.raises(CommandError, match="takes no engine"):
        call_command("reproduce", "sbrs", "--all")


def test_without_torch_the_report_of_all_goes_on_with_the_values_of_the_release(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ProblemError("engine", "torch is not installed", "a site with torch")

    module = "webapp.reproductions.management.commands.reproduce"
    monkeypatch.setattr(f"{module}.reproduce", refuse)
    monkeypatch.setattr(f"{module}.reproducible_engines", lambda: ("sbrs",))
    call_command("reproduce", "--all", stdout=(printed := io.StringIO()))
    assert "sbrs is not computed here: engine: must be" in printed.getvalue()
    assert "Values computed at release with sbrs" in printed.getvalue()
    with pytest.raises(CommandError, match="torch is not installed"):
        call_command("reproduce", "sbrs")
