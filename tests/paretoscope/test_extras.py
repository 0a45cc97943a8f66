"""Optional packages in environments of their own."""

import os
import tomllib
from pathlib import Path

import pytest

from paretoscope import extras

ROOT = Path(__file__).resolve().parents[2]


def test_processes_see_complete_environments_after_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/mine")
    assert extras.import_path(tmp_path) == f"{ROOT}{os.pathsep}/mine"
    environment = tmp_path / "environments" / f"torch-{extras._PYTHON}"
    environment.mkdir(parents=True)
    (tmp_path / "environments" / "torch-python3.10").mkdir()
    assert extras.import_path(tmp_path) == f"{ROOT}{os.pathsep}/mine"  # half a download counts for nothing
    (environment / "complete").touch()
    packages = environment / "lib" / extras._PYTHON / "site-packages"
    assert extras.import_path(tmp_path) == os.pathsep.join((str(ROOT), str(packages), "/mine"))


def test_requirements_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [extras.REQUIREMENTS["litert"]] == project["optional-dependencies"]["litert"]


def test_an_unknown_package_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        extras.main(["tensorflow"])
    assert "invalid choice: 'tensorflow' (choose from" in capsys.readouterr().err
