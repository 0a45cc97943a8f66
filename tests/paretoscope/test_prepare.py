"""Preparing a site: without loading its pages, and telling the processes that wait for it."""

import os
import subprocess
import sys
import threading
from pathlib import Path

from webapp.base.preparation import wait_for_preparation

CODE = "import sys; from paretoscope.prepare import main; main([]); print('frontend.pages.run' in sys.modules)"


def test_a_site_is_prepared_without_loading_its_pages_and_says_so(tmp_path: Path) -> None:
    prepared = tmp_path / "prepared"
    variables = {"PARETOSCOPE_VAR": str(tmp_path), "DATABASE_URL": "", "PARETOSCOPE_START_AFTER": str(prepared)}
    made = subprocess.run(
        [sys.executable, "-c", CODE], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert made.stdout.startswith("Database ready") and made.stdout.endswith("False\n"), made.stdout + made.stderr
    assert prepared.exists()


def test_a_site_that_cannot_be_prepared_lets_nothing_go_on(tmp_path: Path) -> None:
    variables = {
        "PARETOSCOPE_VAR": str(tmp_path),
        "BROKER_URL": "pigeon://",
        "PARETOSCOPE_START_AFTER": str(tmp_path / "prepared"),
    }
    made = subprocess.run(
        [sys.executable, "-m", "paretoscope.prepare"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 1 and "BROKER_URL must begin with" in made.stderr
    assert not (tmp_path / "prepared").exists()


def test_a_process_waits_until_the_site_is_prepared(tmp_path: Path) -> None:
    file = tmp_path / "prepared"
    waiting = threading.Thread(target=wait_for_preparation, args=(str(file),), daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    file.touch()
    waiting.join(30)
    assert not waiting.is_alive()
    wait_for_preparation("")
