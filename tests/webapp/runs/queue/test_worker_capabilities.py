"""What a machine offers, looked up while it changes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.installing import begin_torch
from webapp.runs.queue.worker_capabilities import abilities_of_this_machine


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Path:
    """The one folder in which packages are looked for."""
    settings.PARETOSCOPE_WORKER_OFFERS = ("auto",)
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


@pytest.mark.parametrize(("named", "found"), [(("none",), set()), (("gpu", "torch"), {"gpu", "torch"})])
def test_the_setting_names_what_a_worker_offers(settings: Any, named: tuple[str, ...], found: set[str]) -> None:
    settings.PARETOSCOPE_WORKER_OFFERS = named
    assert abilities_of_this_machine() == found


def test_torch_counts_once_its_installer_has_signed(packages: Path) -> None:
    assert abilities_of_this_machine() == {"data"}
    record = begin_torch(packages)
    assert abilities_of_this_machine() == {"data"}
    (record / "INSTALLER").write_text("pip\n")
    assert "torch" in abilities_of_this_machine()


def test_torch_that_no_installer_signs_counts_once_its_folder_rests(packages: Path) -> None:
    begin_torch(packages)
    a_while_ago = time.time() - 100
    os.utime(packages / "torch", (a_while_ago, a_while_ago))
    assert "torch" in abilities_of_this_machine()


def test_a_folder_that_is_no_package_yet_is_no_torch(packages: Path) -> None:
    (packages / "torch").mkdir()
    assert abilities_of_this_machine() == {"data"}
