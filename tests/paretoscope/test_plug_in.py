"""The example of a plug-in, as a wheel next to the product's wheel: its suite passes, and the product offers what it adds."""

import sys
from pathlib import Path

import pytest

from tests.paretoscope.test_wheel import ROOT, run, wheel  # noqa: F401  # the last is a fixture

EXAMPLE = ROOT / "docs" / "examples" / "plugin"


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_example_of_a_plug_in_works_from_its_wheel(tmp_path: Path, wheel: Path) -> None:  # noqa: F811
    run(sys.executable, "-m", "venv", tmp_path / "t")
    python, command = tmp_path / "t" / "bin" / "python", tmp_path / "t" / "bin" / "paretoscope"
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, EXAMPLE)
    (plug_in,) = tmp_path.glob("paretoscope_example-*.whl")
    run(python, "-m", "pip", "install", "--quiet", wheel, plug_in, "pytest")
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE, PYTHONDONTWRITEBYTECODE="1")
    said = run(command, "explore", "accelerator-share", PARETOSCOPE_VAR=str(tmp_path / "data"))
    assert "Best design found" in said and "200 designs" in said
