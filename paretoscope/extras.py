"""Optional packages, each in its own environment below the data folder, so that the product's environment stays unchanged."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from paretoscope.packages import FOLDER

REQUIREMENTS = {"torch": "torch==2.13.0", "litert": "flatbuffers~=25.12"}
_PYTHON = "python{}.{}".format(*sys.version_info[:2])


def site_folder() -> Path:
    """Return the folder of the site's data: the value of PARETOSCOPE_VAR, or the default."""
    from webapp.base.data_folder import data_folder

    return Path(os.environ.get("PARETOSCOPE_VAR") or data_folder()).resolve()


def import_path(var: Path) -> str:
    """Return PYTHONPATH for the site's processes: product, complete environments in `var`, and the present value."""
    environments = sorted((var / "environments").glob(f"*-{_PYTHON}"))
    added = [each / "lib" / _PYTHON / "site-packages" for each in environments if (each / "complete").exists()]
    return os.pathsep.join([str(FOLDER), *map(str, added), *filter(None, [os.environ.get("PYTHONPATH")])])


def use_extras() -> None:
    """Make the optional packages of the data folder importable for this process and its children."""
    os.environ["PYTHONPATH"] = import_path(site_folder())
    sys.path.extend(entry for entry in os.environ["PYTHONPATH"].split(os.pathsep) if entry not in sys.path)


def install(name: str, environment: Path) -> str:
    """Install an optional package in a new environment; return the error message, or "" on success."""
    shutil.rmtree(environment, ignore_errors=True)
    made = [str(getattr(sys, "_base_executable", sys.executable)), "-m", "venv", str(environment)]
    if subprocess.run(made, check=False).returncode:
        return "The environment could not be made. On Debian and Ubuntu the package python3-venv is needed."
    # What both environments have is of one version: processes see one or the other.
    versions = environment / "versions.txt"
    lines = {f"{each.name}=={each.version}" for each in metadata.distributions() if each.name != "paretoscope"}
    versions.write_text("\n".join(sorted(lines)))
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    if subprocess.run([*pip, REQUIREMENTS[name], "--constraint", str(versions)], check=False).returncode:
        return "pip could not install it. Check the package index (PIP_INDEX_URL, HTTPS_PROXY), then try again."
    (environment / "complete").touch()
    return ""


def main(arguments: list[str]) -> int:
    """Install the named optional package; return 0, or print the reason and return 1."""
    parser = argparse.ArgumentParser(
        prog="paretoscope add",
        description="Add an optional package to the data folder, outside Paretoscope's environment.",
    )
    parser.add_argument("name", choices=REQUIREMENTS, help="torch for engines that train, litert for .tflite files")
    name = parser.parse_args(arguments).name
    environment = site_folder() / "environments" / f"{name}-{_PYTHON}"
    if failure := install(name, environment):
        print(failure, file=sys.stderr)
        return 1
    print(f"Added {REQUIREMENTS[name]} in {environment}. Start the site again to use it.")
    return 0
