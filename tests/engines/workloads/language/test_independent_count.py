"""Parameters and MACs beside an independent count: the definitions of transformers on torch's meta device."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engines.survey.language.work import decode_work
from hardware.bits import bit_widths
from tests.engines.workloads.language.configurations import CONFIGURATIONS, public_model

ROOT = Path(__file__).parents[4]
STORED = CONFIGURATIONS.with_name("transformers_counts.json")
COUNTS = json.loads(STORED.read_text(encoding="utf-8"))
MODELS = [name for name in COUNTS if name != "transformers"]
# Ours less theirs, in parameters.
DIFFERENCES = {
    "deepseek-v3": 58 * 256,  # corrections of the router, which transformers keeps as buffers
    "nemotron-3-nano-30b-a3b": 23 * 128,  # likewise
    "gemma-4-26b-a4b": -572_792_112,  # vision tower, which ours leaves out
    "gemma-4-e2b": -307_183_904,  # vision and audio towers, likewise
    "gemma-3n-e2b": 20_974_080,  # maps of layers that share a cache, which files store and transformers leaves out
    "pi0-transformers": -257_152
    * 1024,  # words of the expert, which reads none; weights of the policy have no such table
    "vit-b-16-224": -(768 * 768 + 768),  # a pooler that classifiers do not have
    "deit-s-16-224": -(384 * 384 + 384),  # likewise
}


@pytest.mark.parametrize("name", MODELS)
def test_parameters_equal_the_independent_count(name: str) -> None:
    assert public_model(name).parameters() - COUNTS[name]["parameters"] == DIFFERENCES.get(name, 0)


@pytest.mark.parametrize("name", [name for name in MODELS if COUNTS[name]["token_macs"]])
def test_macs_of_a_token_equal_the_independent_count(name: str) -> None:
    macs = decode_work(public_model(name), bit_widths("fp16"), 0, 16).operations / 2
    # Rotations count as products there, and attention of a token to itself; Gemma 4 also mixes embeddings of layers.
    assert macs == pytest.approx(COUNTS[name]["token_macs"], rel=0.01 if name == "gemma-4-e2b" else 1e-4)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_stored_counts_are_those_that_transformers_gives(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is installed by `make up` alone")
    (pinned,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["count"]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env/bin/python"
    (folder,) = (tmp_path / "env/lib").glob("python*/site-packages")
    (folder / "torch.pth").write_text(next(path for path in sys.path if path.endswith("site-packages")) + "\n")
    installed = subprocess.run(
        [python, "-m", "pip", "install", "-q", pinned], capture_output=True, text=True, check=False
    )
    if installed.returncode:
        pytest.skip(f"{pinned} cannot be installed here: {installed.stderr.strip()[-300:]}")
    script = ROOT / "tests/support/count_by_transformers.py"
    found = subprocess.run([python, script, CONFIGURATIONS], capture_output=True, text=True, check=True)
    assert json.loads(found.stdout) == COUNTS
