"""The command, as somebody types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paretoscope_agent import command_line
from tests.agent.test_measuring import written


def test_it_measures_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, about = written(tmp_path, "digits-chain")
    model.with_suffix(".json").write_text(json.dumps(about))
    assert command_line.main(["measure-files", str(model), "--seconds", "0.1", "--accept-load", "999"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["file"], each["threads"]) for each in found] == [(str(model), 1)]


def test_it_says_what_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARETOSCOPE_AGENT_TOKEN", raising=False)
    assert command_line.main(["measure", "--url", "http://127.0.0.1:1"]) == 1
    assert "--token: a token of the scope agent" in capsys.readouterr().err


def test_an_address_of_no_site_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["measure", "--url", "ftp://here", "--token", "x"]) == 1
    assert "begins with http" in capsys.readouterr().err
