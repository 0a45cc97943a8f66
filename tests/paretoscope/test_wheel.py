"""The wheel in clean environments of every supported Python, from installation to the first result."""

import json
import os
import re
import resource
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.paretoscope.test_packages import REFUSED, SECOND_NAMES

ROOT = Path(__file__).resolve().parents[2]
LARGEST_MB, LONGEST_S = 25.0, 60.0
FIND = (
    "import importlib.util as u; print([u.find_spec(name) for name in ('engines', 'hardware', 'webapp', 'frontend')])"
)
DISTRIBUTIONS = (
    "import importlib.metadata as m, json; print(json.dumps(sorted(each.name for each in m.distributions())))"
)
pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def run(*command: str | Path, **variables: str) -> str:
    """Run a command from `/` and return what it prints; nothing of this checkout is on its import path."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO", "PARETO"))}
    done = subprocess.run(
        [*map(str, command)], cwd="/", env=given | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def processor_s() -> float:
    """Return the processor time of everything that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    (found,) = folder.glob("paretoscope-*.whl")
    return found


def interpreter(version: str) -> str:
    """Return a Python of that version, on PATH or of pyenv; skips where there is none."""
    pyenv = sorted(Path(os.environ.get("PYENV_ROOT", "/nowhere"), "versions").glob(f"{version}.*/bin/python"))
    for command in (f"python{version}", *map(str, pyenv)):
        done = subprocess.run(["sh", "-c", f"{command} --version"], capture_output=True, text=True, check=False)
        if done.stdout.startswith(f"Python {version}"):
            return command
    pytest.skip(f"Python {version} is not on this machine")


def test_the_wheel_is_small_and_has_one_name(wheel: Path) -> None:
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"paretoscope"}
    assert wheel.stat().st_size / 1e6 < LARGEST_MB


@pytest.mark.parametrize(("version", "extra"), [("3.11", "[client]"), ("3.12", ""), ("3.13", "")])
def test_from_the_wheel_to_the_first_result(tmp_path: Path, wheel: Path, version: str, extra: str) -> None:
    run(interpreter(version), "-m", "venv", tmp_path / "t")
    python, command = tmp_path / "t" / "bin" / "python", tmp_path / "t" / "bin" / "paretoscope"
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}{extra}")
    installed = json.loads(run(python, "-c", DISTRIBUTIONS))
    assert run(python, "-c", FIND).strip() == "[None, None, None, None]"
    assert run(python, "-c", SECOND_NAMES).splitlines() == [REFUSED, "True []"]
    connect = "import paretoscope\ntry: print(paretoscope.connect('http://127.0.0.1:1', 'x'))\nexcept ImportError as e: print(e)"
    assert ("pip install 'paretoscope[client]'" in run(python, "-c", connect)) == (not extra)
    before = processor_s()
    said = run(command, "up", "--once", "--data", tmp_path / "data")
    assert processor_s() - before < LONGEST_S  # by the clock where no other program takes the cores
    assert re.search(r"Best found +│ +\d+ ms", said) and "http://127.0.0.1:" in said
    settings = {"PARETOSCOPE_VAR": str(tmp_path / "data")}
    assert "error " not in run(command, "doctor", **settings)
    assert "jetson-tx2" in run(command, "survey", "resnet50", "--devices", "jetson-tx2", **settings)
    if version == "3.12":
        run(command, "add", "litert", **settings)
        use = "from paretoscope.extras import use_extras; use_extras(); import flatbuffers; print(flatbuffers.__file__)"
        assert str(tmp_path / "data" / "environments") in run(python, "-c", use, **settings)
    assert json.loads(run(python, "-c", DISTRIBUTIONS)) == installed, "nothing is added to the environment"
