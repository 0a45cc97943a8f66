"""What a training hands out is a document of the catalogue, and holds elsewhere."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.documents import families
from engines.methods.mapformer.estimator.document import DOCUMENT_FILE, WEIGHTS_FILE, load_estimator, weights_of
from engines.running.files import MemoryFileStore
from engines.testing.conformance import run_all
from tests.engines.methods.mapformer.problems import tiny_training

pytest.importorskip("torch")

_TELL = """
import json, sys
from pathlib import Path
import numpy as np
from engines.methods.mapformer.estimator.document import load_estimator
from engines.methods.mapformer.estimator.network import as_tensors
from engines.methods.mapformer.estimator.trainer import estimator_with, probabilities
from engines.methods.mapformer.estimator.sequence import Sequences
folder = Path(sys.argv[1])
said = load_estimator(json.loads((folder / "estimator.json").read_text()))
with np.load(folder / "sequences.npz") as kept:
    sequences = Sequences(*(kept[name] for name in ("profile", "unit", "clock", "network", "count")))
found = probabilities(estimator_with(said.shape, (folder / "estimator.safetensors").read_bytes()), sequences)
np.save(folder / "told.npy", np.stack(found))
"""


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return {file.name: file.data for step in run_all(tiny_training()) for file in step.files}


def content_of(made: dict[str, bytes]) -> dict[str, Any]:
    return dict(json.loads(made[DOCUMENT_FILE]))


def test_the_document_is_one_of_the_catalogue(made: dict[str, bytes]) -> None:
    content = content_of(made)
    said = families.load(content)
    assert said.board == "jetson-agx-xavier" and said.most_layers == 4000 and said.segments == 2
    assert content["file"]["sha256"] == hashlib.sha256(made[WEIGHTS_FILE]).hexdigest()
    assert len(content["training"]["networks"]) == 3 and len(content["training"]["never_seen"]) == 1
    assert "jetson-agx-xavier" in families.summary_of(content)


def test_the_file_is_found_by_its_hash_or_the_error_says_so(made: dict[str, bytes]) -> None:
    said, files = load_estimator(content_of(made)), MemoryFileStore()
    with pytest.raises(ProblemError, match="Train the estimator again"):
        weights_of(said, files)
    files.put(made[WEIGHTS_FILE])
    assert weights_of(said, files) == made[WEIGHTS_FILE]


def test_classes_must_ascend(made: dict[str, bytes]) -> None:
    content = content_of(made)
    with pytest.raises(ProblemError, match="ascending"):
        load_estimator({**content, "power_edges_w": content["power_edges_w"][::-1]})


def test_weights_of_another_shape_are_refused(made: dict[str, bytes]) -> None:
    from dataclasses import replace

    from engines.contract.errors import CheckpointError
    from engines.methods.mapformer.estimator.trainer import estimator_with

    said = load_estimator(content_of(made))
    with pytest.raises(CheckpointError, match="no weights of this estimator"):
        estimator_with(replace(said.shape, layers=2), made[WEIGHTS_FILE])


@pytest.mark.long  # a process that loads torch
def test_another_process_is_told_the_same(made: dict[str, bytes], tmp_path: Path) -> None:
    from engines.methods.mapformer.estimator.sequence import sequences_of
    from engines.methods.mapformer.estimator.trainer import estimator_with, probabilities
    from engines.methods.mapformer.problem.space import Space
    from engines.methods.mapformer.training.data import source_of
    from engines.running.context import LocalContext
    from tests.engines.methods.mapformer.problems import training_problem

    problem = training_problem()
    pool = source_of(problem, LocalContext(problem).random).pool
    sequences = sequences_of(pool, Space(pool, 2).drawn(np.random.default_rng(0), 10), 3)
    told = probabilities(estimator_with(load_estimator(content_of(made)).shape, made[WEIGHTS_FILE]), sequences)
    (tmp_path / "estimator.json").write_bytes(made[DOCUMENT_FILE])
    (tmp_path / "estimator.safetensors").write_bytes(made[WEIGHTS_FILE])
    names = ("profile", "unit", "clock", "network", "count")
    np.savez(tmp_path / "sequences.npz", **{name: getattr(sequences, name) for name in names})
    subprocess.run([sys.executable, "-c", _TELL, str(tmp_path)], check=True, cwd=Path.cwd())
    np.testing.assert_allclose(np.load(tmp_path / "told.npy"), np.stack(told), rtol=1e-5)
