"""The command `paretoscope`: its commands exist, and a shell completes them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from paretoscope import command_line

ROOT = Path(__file__).resolve().parents[2]


def test_every_listed_command_exists(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {name for names in command_line.COMMANDS.values() for name in names}
    own = {"up", "add", "completion"}
    assert {name.replace("-", "_") for name in listed - own} <= get_commands().keys()
    monkeypatch.setattr(sys, "argv", ["paretoscope"])
    assert command_line.main() == 0
    assert listed <= set(capsys.readouterr().out.replace(",", "").split())


@pytest.mark.parametrize(
    ("line", "position", "expected"),
    [
        ("paretoscope im", 1, "import-workload import-hardware import-data import-run import-site"),
        ("paretoscope import-run --proj", 2, "--project="),
    ],
)
def test_the_shell_completes_commands_and_options(tmp_path: Path, line: str, position: int, expected: str) -> None:
    variables = {"COMP_WORDS": line, "COMP_CWORD": str(position), "DJANGO_AUTO_COMPLETE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "paretoscope"], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, **variables, "PARETOSCOPE_VAR": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.strip() == expected
