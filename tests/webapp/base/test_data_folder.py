"""The folder of data where no setting names one."""

from pathlib import Path

import pytest

from webapp.base import data_folder


def test_a_checkout_has_its_own_and_a_wheel_takes_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder.data_folder() == Path(__file__).resolve().parents[3] / "var"
    monkeypatch.setattr(data_folder, "INSTALLED", True)
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder.data_folder() == Path("/home/ann/.local/share/paretoscope")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder.data_folder() == Path("/data/paretoscope")
    monkeypatch.setattr("sys.platform", "darwin")
    assert data_folder.data_folder() == Path("/home/ann/Library/Application Support/Paretoscope")
