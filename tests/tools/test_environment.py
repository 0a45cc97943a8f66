import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment
from tools.environment import ROOT, SetupError


class Commands:
    """Stands in for running `python -m venv` and pip: notes the commands and does what the first one would leave."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []
        self.pip_status = 0
        self.pip_raises: type[BaseException] | None = None

    def __call__(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        self.seen.append(command)
        if command[1:3] == ["-m", "venv"]:
            environment.PYTHON.parent.mkdir(parents=True)
            environment.PYTHON.touch()
        if "pip" in command and "install" in command:
            if self.pip_raises:
                raise self.pip_raises
            return subprocess.CompletedProcess(command, self.pip_status, "what pip said", "")
        return subprocess.CompletedProcess(command, 0, "", "")

    def count(self, word: str) -> int:
        return sum(word in command for command in self.seen)


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    venv = tmp_path / ".venv"
    (tmp_path / "requirements").mkdir()
    for name in ("base", "dev"):
        (tmp_path / "requirements" / f"{name}.lock").write_text(f"{name}==1\n")
    for name, value in {
        "ROOT": tmp_path,
        "VENV": venv,
        "PYTHON": venv / "bin" / "python",
        "STAMPS": venv / "stamps",
        "BEGUN": venv / "installation-begun",
    }.items():
        monkeypatch.setattr(environment, name, value)
    return Commands()


def test_it_installs_once(commands: Commands) -> None:
    environment.ensure("base", commands)
    assert commands.count("install") == 1
    first = len(commands.seen)
    environment.ensure("base", commands)
    assert len(commands.seen) == first


def test_dev_holds_base(commands: Commands) -> None:
    environment.ensure("dev", commands)
    environment.ensure("base", commands)
    assert commands.count("install") == 1


def test_it_installs_again_after_a_change_of_the_lock_file(commands: Commands) -> None:
    environment.ensure("base", commands)
    environment.lock_file("base").write_text("base==2\n")
    environment.ensure("base", commands)
    assert commands.count("install") == 2
    assert commands.count("venv") == 1


def test_an_interrupted_installation_starts_from_an_empty_environment(commands: Commands) -> None:
    commands.pip_raises = KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        environment.ensure("base", commands)
    assert not environment.is_complete("base")
    half_written = environment.VENV / "half-written"
    half_written.touch()
    commands.pip_raises = None
    environment.ensure("base", commands)
    assert not half_written.exists()
    assert environment.is_complete("base")


def test_a_failed_installation_says_what_pip_said_and_goes_on_from_there(commands: Commands) -> None:
    commands.pip_status = 1
    with pytest.raises(SetupError, match="what pip said"):
        environment.ensure("base", commands)
    commands.pip_status = 0
    environment.ensure("base", commands)
    assert commands.count("venv") == 1


def test_torch_is_apart_from_the_lock_files(commands: Commands) -> None:
    environment.ensure("base", commands)
    assert not environment.is_complete("torch")
    environment.ensure("torch", commands)
    assert environment.is_complete("torch")
    assert "torch==2.13.0" in commands.seen[-1]


def test_a_broken_interpreter_is_replaced(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.ensure("base", commands)
    environment.lock_file("base").write_text("base==2\n")
    monkeypatch.setattr(environment, "works", lambda run: False)
    environment.ensure("base", commands)
    assert commands.count("venv") == 2


def pinned(name: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{name}.lock").read_text().splitlines()
    pairs = [line.split("==") for line in lines]
    assert all(len(pair) == 2 for pair in pairs), "every line of a lock file is NAME==VERSION, with no index or URL"
    return {canonicalize_name(package): version for package, version in pairs}


def test_dev_lock_agrees_with_base_lock() -> None:
    assert pinned("base").items() <= pinned("dev").items()


@pytest.mark.parametrize("name", ["base", "dev"])
def test_lock_files_meet_what_the_project_asks_for(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + (project["optional-dependencies"]["dev"] if name == "dev" else [])
    versions = pinned(name)
    for line in wanted:
        requirement = Requirement(line)
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), line


def test_find_python_prints_an_interpreter_of_3_11() -> None:
    found = subprocess.run(["sh", str(ROOT / "tools" / "find-python")], capture_output=True, text=True, check=True)
    version = subprocess.run([found.stdout.strip(), "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("Python 3.11")


def test_find_python_takes_a_later_one_where_3_11_is_missing(tmp_path: Path) -> None:
    script = "#!/bin/sh\nexec {} -c 'import sys; sys.version_info = (3, {}, 1); exec(sys.argv[1])' \"$2\"\n"
    for name, minor in (("python3.12", 14), ("python3.13", 13), ("python3", 10)):
        (tmp_path / name).write_text(script.format(sys.executable, minor))
        (tmp_path / name).chmod(0o755)
    shell = shutil.which("sh")
    command = [str(shell), str(ROOT / "tools" / "find-python")]
    found = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(tmp_path / "python3.13")


def test_make_says_which_python_is_missing() -> None:
    make = ["make", "-C", str(ROOT), "PYTHON=", "python"]
    result = subprocess.run(make, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "Python 3.11, 3.12 or 3.13" in result.stderr
