"""The search and its C code, beyond what all engines keep."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from engines.contract.arrays import FloatArray
from engines.contract.engine import Document
from engines.contract.errors import DecisionError, ProblemError
from engines.data.documents import packed_image_data
from engines.data.signals import read_signals
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.eexnas import thompson
from engines.methods.eexnas.c_code import code_of
from engines.methods.eexnas.engine import EexnasEngine
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.network import measured, trained, weights_of
from engines.methods.eexnas.scoring import Held, Judged
from engines.methods.eexnas.search import judged_of
from engines.methods.eexnas.space import architecture_of_genes
from engines.methods.eexnas.thompson import chosen
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from tests.engines.conformance import check_impossible, designs_of, run_all
from tests.engines.data.test_signals import signals
from tests.engines.methods.eexnas.problems import eexnas_problem, tiny


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a compiler")
@pytest.mark.parametrize("arithmetic", ["float", "binary"])
def test_the_c_code_gives_the_classes_and_exits_of_torch(tmp_path: Path, arithmetic: str) -> None:
    problem = eexnas_problem({"windows": 100, "arithmetic": arithmetic, "epochs": 4})
    instance, context = instance_of(problem), LocalContext(problem)
    data = instance.read(context)
    for genes in instance.space.draw(2, np.random.default_rng(5)):
        laid = instance.space.laid(genes)
        assert laid is not None and laid.architecture == architecture_of_genes(genes)
        state = trained(laid, data, problem.params, context.random)
        judged = Judged(laid, Held(*measured(laid, state, data.validation)), Held(*measured(laid, state, data.test)))
        threshold = float(np.median(judged.test.sure(judged.temperature))) + 1e-4  # about half of the windows leave
        code = code_of(laid, weights_of(state), threshold, judged.temperature, "beats */", data.classes)
        (tmp_path / "network.c").write_text(code)
        command = [
            "gcc",
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-O1",
            "-DEEXNAS_MAIN",
            "network.c",
            "-lm",
            "-o",
            "network",
        ]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        windows = "\n".join(map(str, np.ravel(data.test.features)))  # numbers as numpy prints them come back the same
        told = subprocess.run([tmp_path / "network"], input=windows, check=True, capture_output=True, text=True).stdout
        got = np.array([line.split() for line in told.splitlines()], dtype=int)
        early = judged.test.sure(judged.temperature) >= threshold
        expected = np.where(early, *judged.test.outputs.argmax(axis=2).T)
        assert arithmetic == "binary" or 0 < early.sum() < len(early)  # few words: many windows are equally sure
        assert (got[:, 0] == expected).all() and (got[:, 1] == early).all()


def test_thompson_sampling_finds_what_is_best_of_a_smooth_objective() -> None:
    random = np.random.default_rng(3)
    known = random.random((25, 2))
    candidates = random.random((60, 2))

    def values(points: np.ndarray) -> np.ndarray:
        near = -((points - 0.5) ** 2).sum(axis=1)
        return np.column_stack([near, np.zeros(len(points))])

    row = chosen(known, values(known), candidates, np.array([1.0, 0.0]), random)
    assert (values(candidates)[:, 0] > values(candidates)[row, 0]).mean() < 0.1


def test_functions_are_drawn_on_one_thread_whatever_the_process_has(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()

    def sampled(known: object, objective: object, candidates: FloatArray, random: object) -> FloatArray:
        seen.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return np.zeros((1, len(candidates)))

    monkeypatch.setattr(thompson, "sampled", sampled)
    points = np.zeros((2, 3))
    with threadpool_limits(2, user_api="blas"):
        chosen(points, points, points, np.ones(3), np.random.default_rng(0))
    assert seen == {1}


def test_an_exit_saves_energy_and_every_threshold_is_a_design() -> None:
    problem = tiny()
    designs = designs_of(run_all(problem))
    assert len(designs) == 4 * 7
    by_threshold = designs.columns["left_early_fraction"].reshape(4, 7)
    assert (np.diff(by_threshold, axis=1) <= 0).all()
    assert (np.diff(designs.columns["energy_j"].reshape(4, 7), axis=1) >= 0).all()
    instance = instance_of(eexnas_problem())
    with pytest.raises(DecisionError, match="threshold"):
        judged_of(instance, [{**designs.decisions[0], "threshold": 0.3}], LocalContext(problem.problem))


def test_signals_of_ones_own_are_learnt_from(tmp_path: Path) -> None:
    data = read_signals(signals(tmp_path / "own.csv"), recording="who", window=20, step=10)
    content, packed = packed_image_data(data, "own")
    files = MemoryFileStore()
    files.put(packed)
    given = {"hardware": get_builtin("hardware", "efm32-giant-gecko"), "data": Document("data", "own", 1, content)}
    problem = make_problem("eexnas", given, {"networks": 2, "initial": 2, "epochs": 6})
    steps = list(drive(EexnasEngine(), problem, LocalContext(problem, files=files)))
    assert designs_of(steps).columns["backbone_test_accuracy_percent"].max() > 90
    assert {file.name for file in steps[-1].files} == {"network.c", "networks.zip"}


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ProblemError, match="microcontroller"):
        instance_of(eexnas_problem(hardware="snapdragon-855"))
    documents = {"hardware": get_builtin("hardware", "efm32-giant-gecko"), "data": get_builtin("data", "digits")}
    with pytest.raises(ProblemError, match="windows of signals"):
        instance_of(make_problem("eexnas", documents, {}))
    found = check_impossible(tiny())
    assert found.unit == "KiB" and any(field == "params.ram_limit_kib" for _, field in found.remedies)
