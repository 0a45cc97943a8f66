"""One name on the import path: what another package of the same name does, and that no module has two names."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Imports what a notebook does; lists files that two modules share.
SECOND_NAMES = """
import collections, sys
import paretoscope
paretoscope.explore, paretoscope.survey
try:
    import paretoscope._packages.engines
except ImportError as error:
    print(error)
import engines.registry, webapp.base.flags, frontend.folders
names = collections.defaultdict(list)
for name, module in sys.modules.items():
    if str(getattr(module, "__file__", "")).endswith(".py"):
        names[module.__file__].append(name)
print(len(names) > 100, [each for each in names.values() if len(each) > 1 and "_packages" in str(sys.modules[each[0]].__file__)])
"""

REFUSED = "No module named 'paretoscope._packages.engines'; 'paretoscope._packages' is not a package"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel installs it, linked to the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "paretoscope" / "_packages").mkdir(parents=True)
    for file in (ROOT / "paretoscope").glob("*.py"):
        shutil.copy(file, folder / "paretoscope")
    for name in ("hardware", "engines", "webapp", "frontend", "client", "agent"):
        (folder / "paretoscope" / "_packages" / name).symlink_to(ROOT / name)
    return folder


def python(path: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in `folder` with `path` on its import path."""
    variables = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def test_no_module_has_two_names(installed: Path, tmp_path: Path) -> None:
    done = python(installed, tmp_path, "-c", SECOND_NAMES)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [REFUSED, "True []"]


def test_the_packages_are_found_only_after_the_import(installed: Path, tmp_path: Path) -> None:
    code = "import importlib.util as u; print([u.find_spec(name) for name in ('engines', 'hardware', 'webapp', 'frontend')])"
    done = python(
        installed, tmp_path, "-c", f"{code}\nimport paretoscope, sys\n{code}\nprint('engines' in sys.modules)"
    )
    before, after, loaded = done.stdout.splitlines()
    assert before == "[None, None, None, None]" and "None" not in after and loaded == "False"


@pytest.mark.parametrize("layout", ["installed", "checkout"])
def test_a_foreign_package_of_the_same_name_is_reported(installed: Path, tmp_path: Path, layout: str) -> None:
    path = installed if layout == "installed" else ROOT
    (tmp_path / "hardware").mkdir()
    assert python(path, tmp_path, "-c", "import paretoscope").returncode == 0  # a folder without modules hides nothing
    (tmp_path / "hardware" / "__init__.py").touch()
    done = python(path, tmp_path, "-c", "import paretoscope")
    sentence = f"Paretoscope needs its own package 'hardware', but Python finds {tmp_path}/hardware/__init__.py. "
    assert f"ImportError: {sentence}" in done.stderr
    done = python(path, tmp_path, "-m", "paretoscope", "documents")
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith(sentence)


def test_connect_and_attributes_that_do_not_exist() -> None:
    import paretoscope

    assert repr(paretoscope.connect("http://127.0.0.1:1", "token")) == "<Paretoscope http://127.0.0.1:1>"
    assert paretoscope.__version__ == "0.1.0"
    with pytest.raises(AttributeError, match="'exlore'; it offers"):
        paretoscope.exlore  # noqa: B018


def test_a_survey_of_built_in_devices() -> None:
    import paretoscope

    found = paretoscope.survey("resnet50", devices=["jetson-tx2", "jetson-agx-xavier"], bits="fp16")
    assert {row.name for row in found.able} == {"jetson-tx2", "jetson-agx-xavier"}
    fastest, other = found.able
    assert fastest.priced.best.edp_js < other.priced.best.edp_js
