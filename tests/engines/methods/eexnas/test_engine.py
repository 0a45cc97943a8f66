"""The search beyond what all engines keep."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines.contract.engine import Document
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.results import Note
from engines.data.documents import packed_image_data
from engines.data.signals import read_signals
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas.engine import EexnasEngine
from engines.methods.eexnas.instance import instance_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from engines.testing.conformance import check_impossible, designs_of, run_all
from tests.engines.data.test_signals import signals
from tests.engines.methods.eexnas.problems import eexnas_problem, tiny


def test_an_exit_saves_energy_and_every_threshold_is_a_design() -> None:
    problem = tiny()
    designs = designs_of(run_all(problem))
    assert len(designs) == 4 * 7
    by_threshold = designs.columns["left_early_fraction"].reshape(4, 7)
    assert (np.diff(by_threshold, axis=1) <= 0).all()
    assert (np.diff(designs.columns["energy_j"].reshape(4, 7), axis=1) >= 0).all()
    with pytest.raises(DecisionError, match="threshold"):
        problem.engine.prepare(problem.problem).decode({**designs.decisions[0], "threshold": 0.3})


def test_signals_of_ones_own_are_learnt_from(tmp_path: Path) -> None:
    data = read_signals(signals(tmp_path / "own.csv"), recording="who", window=20, step=10)
    content, packed = packed_image_data(data, "own")
    files = MemoryFileStore()
    files.put(packed)
    given = {"hardware": get_builtin("hardware", "efm32-giant-gecko"), "data": Document("data", "own", 1, content)}
    problem = make_problem("eexnas", given, {"networks": 2, "initial": 2, "epochs": 6})
    steps = list(drive(EexnasEngine(), problem, LocalContext(problem, files=files)))
    assert designs_of(steps).columns["backbone_test_accuracy_percent"].max() > 90
    texts = {file.name: file.data.decode() for file in steps[-1].files if file.name != "networks.zip"}
    assert data.scaling is not None
    for name, mean in zip("xy", data.scaling.mean, strict=True):
        assert f" * {name}: mean {mean:.9g}, deviation " in texts["network.c"]
    assert any("as recorded" in result.text for result in steps[-1].results if isinstance(result, Note))


def test_signals_of_an_earlier_version_are_told_to_be_imported_again(tmp_path: Path) -> None:
    data = replace(read_signals(signals(tmp_path / "own.csv"), recording="who", window=20, step=10), scaling=None)
    content, packed = packed_image_data(data, "own")
    assert "scaling" not in content
    files = MemoryFileStore()
    files.put(packed)
    given = {"hardware": get_builtin("hardware", "efm32-giant-gecko"), "data": Document("data", "own", 1, content)}
    problem = make_problem("eexnas", given, {"networks": 2, "initial": 2, "epochs": 1, "search": "random"})
    advice = "Import the data set again to get code that scales."
    engine = EexnasEngine()
    assert advice in engine.plan(problem, engine.prepare(problem)).notes[0]
    last = list(drive(engine, problem, LocalContext(problem, files=files)))[-1]
    assert any(advice in note.text for note in last.results if isinstance(note, Note) and note.level == "warning")
    assert advice in next(file.data.decode() for file in last.files if file.name == "network.c")


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ProblemError, match="microcontroller"):
        instance_of(eexnas_problem(hardware="snapdragon-855"))
    documents = {"hardware": get_builtin("hardware", "efm32-giant-gecko"), "data": get_builtin("data", "digits")}
    with pytest.raises(ProblemError, match="windows of signals"):
        instance_of(make_problem("eexnas", documents, {}))
    found = check_impossible(tiny())
    assert found.unit == "KiB" and any(field == "params.ram_limit_kib" for _, field in found.remedies)
