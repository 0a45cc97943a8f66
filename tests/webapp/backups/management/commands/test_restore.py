"""The commands that write a backup and put it back."""

import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.webapp.backups.cases import SQLITE


@SQLITE
def test_the_commands_say_what_they_did(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("backup", str(site), "--dry-run")
    assert not site.exists()
    assert "Would write" in capsys.readouterr().out
    call_command("backup", str(site))
    assert "SECRET_KEY" in capsys.readouterr().out
    assert os.stat(site).st_mode & 0o777 == 0o600  # noqa: PTH116
    call_command("restore", str(site), "--dry-run")
    assert "takes --replace" in capsys.readouterr().out
    with pytest.raises(CommandError, match="the site is unchanged"):
        call_command("restore", str(site))
    call_command("restore", str(site), "--replace")
    assert "Restored" in capsys.readouterr().out
    site.write_bytes(site.read_bytes()[:1000])
    with pytest.raises(CommandError, match="unchanged"):
        call_command("restore", str(site), "--replace")
