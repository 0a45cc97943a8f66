"""C code against the network that it was written of."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.data.data_set import DataSet, Split
from engines.data.scaling import NOT_STORED, Scaling
from engines.learning.torch_learner import packed_weights
from engines.methods.eexnas.architecture import Architecture, Block, SizedNetwork, laid_out
from engines.methods.eexnas.c_code import code_of
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.network import measured, network_of, trained, weights_of
from engines.methods.eexnas.scoring import ExitOutputs, NetworkOutputs
from engines.methods.eexnas.space import architecture_of_genes
from engines.running.context import LocalContext
from tests.engines.methods.eexnas.problems import eexnas_problem

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
HOSTILE = (
    '*/ int x = "',
    "/*",
    "walk *\\",
    "??/",
    "",
    "a\nb\u2028c\vd",
    "100 % \"'",
    "Größe 速い",
    "\u202eabc\u200f",
    "\0\ud800",
)
SENSORS = Scaling(np.array([101325 + 1 / 3, 0.0, -4e-3]), np.array([5.1, 300.0, 1e-3]))
SCALING = Scaling(np.array([101325 + 1 / 3]), np.array([5.1]), ("pressure */ in Pa",))


def compiled(code: str, folder: Path, *flags: str) -> Path:
    """The program, which reads windows and writes classes and exits."""
    (folder / "network.c").write_bytes(code.encode())
    command = ["cc", *WARNINGS, *(flags or ("-std=c99",)), "-O1", "-DEEXNAS_MAIN", "network.c", "-lm", "-o", "network"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "network"


def answers(program: Path, windows: Iterable[float]) -> np.ndarray:
    """Class of each window, and whether the exit answered."""
    given = "\n".join(map(str, windows))  # numbers as numpy prints them come back the same
    said = subprocess.run([program], input=given, check=True, capture_output=True, text=True).stdout
    return np.array([line.split() for line in said.splitlines()], dtype=int)


def as_recorded(data: DataSet) -> tuple[DataSet, np.ndarray]:
    """The data set as if three sensors had recorded it, and the windows to report on as they were recorded."""
    features: list[Any] = [split.features[..., 0] for split in data.splits().values()]
    deviation, mean = SENSORS.deviation[:, None], SENSORS.mean[:, None]
    whole = [(each * deviation + mean).astype(np.float32) for each in features]
    splits = [
        Split(SENSORS.scaled(values)[..., None], split.labels)
        for values, split in zip(whole, data.splits().values(), strict=True)
    ]
    return replace(data, train=splits[0], validation=splits[1], test=splits[2], scaling=SENSORS), whole[2]


def untrained(binary: bool = False) -> tuple[SizedNetwork, dict[str, np.ndarray]]:
    """A network without a maximum, and its weights."""
    architecture = Architecture((Block(4, 3, 2, 0, 0), Block(4, 3, 2, 0, 0)), 0, binary)
    laid = laid_out(architecture, 1, 16, 2)
    assert laid is not None
    return laid, weights_of(packed_weights(network_of(laid)))


@pytest.mark.parametrize("arithmetic", ["float", "binary"])
def test_the_c_code_gives_the_classes_and_exits_of_torch_on_recorded_values(tmp_path: Path, arithmetic: str) -> None:
    problem = eexnas_problem({"windows": 160, "generated": "motions", "arithmetic": arithmetic, "epochs": 4})
    instance, context = instance_of(problem), LocalContext(problem)
    data, recorded = as_recorded(instance.read(context))
    for genes in instance.space.draw(2, np.random.default_rng(5)):
        laid = instance.space.laid(genes)
        assert laid is not None and laid.architecture == architecture_of_genes(genes)
        state = trained(laid, data, problem.params, context.random)
        judged = NetworkOutputs(
            laid,
            ExitOutputs(*measured(laid, state, data.validation)),
            ExitOutputs(*measured(laid, state, data.test)),
        )
        threshold = float(np.median(judged.test.sure(judged.temperature))) + 1e-4  # about half of the windows leave
        code = code_of(laid, weights_of(state), threshold, judged.temperature, "beats */", data.classes, data.scaling)
        got = answers(compiled(code, tmp_path), np.ravel(recorded))
        early = judged.test.sure(judged.temperature) >= threshold
        expected = np.where(early, *judged.test.outputs.argmax(axis=2).T)
        assert arithmetic == "binary" or 0 < early.sum() < len(early)  # few words: many windows are equally sure
        assert (got[:, 0] == expected).all() and (got[:, 1] == early).all()


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("standard", ["c99", "c11"])
def test_hostile_names_compile(tmp_path: Path, binary: bool, standard: str) -> None:
    laid, weights = untrained(binary)
    code = code_of(laid, weights, 0.9, 1.5, "??/".join(HOSTILE), HOSTILE, SCALING)
    compiled(code, tmp_path, f"-std={standard}")
    assert " * pressure * / in Pa: mean 101325.333, deviation 5.1\n" in code


def test_scaling_takes_no_ram(tmp_path: Path) -> None:
    laid, weights = untrained()
    codes = [code_of(laid, weights, 0.9, 1.5, "d", ("a", "b"), each) for each in (None, SCALING)]
    expected = f"sizeof arena + sizeof outputs == {laid.static_bytes} ? 1 : -1"
    assert all(expected in code for code in codes)
    compiled(codes[1], tmp_path)
    with pytest.raises(AssertionError, match="ram_is_as_planned"):
        compiled(codes[1].replace(f"== {laid.static_bytes} ?", f"== {laid.static_bytes - 4} ?"), tmp_path)


def test_without_a_scaling_the_head_says_so_and_nothing_is_scaled(tmp_path: Path) -> None:
    laid, weights = untrained()
    codes = [code_of(laid, weights, 0.9, 1.5, "d", ("a", "b"), each) for each in (None, Scaling.unchanged(1))]
    assert all(sentence in codes[0].partition("#include")[0] for sentence in NOT_STORED)
    assert NOT_STORED[-1] == "Import the data set again to get code that scales."
    windows = np.random.default_rng(0).standard_normal(16 * 20).astype(np.float32)
    first, second = (answers(compiled(code, tmp_path), windows) for code in codes)
    assert np.array_equal(first, second)


def test_a_network_that_diverged_compiles(tmp_path: Path) -> None:
    laid, weights = untrained()
    weights["output.bias"] = np.array([np.nan, -np.inf], dtype=np.float32)
    compiled(code_of(laid, weights, 0.9, np.inf, "d", ("a", "b"), SCALING), tmp_path)


@pytest.mark.parametrize("given", ["1,5 " * 16, "1.5 " * 17, "x"])
def test_the_program_says_which_value_it_cannot_read(tmp_path: Path, given: str) -> None:
    laid, weights = untrained()
    program = compiled(code_of(laid, weights, 0.9, 1.5, "d", ("a", "b"), SCALING), tmp_path)
    done = subprocess.run([program], input=given, check=False, capture_output=True, text=True)
    assert done.returncode == 1 and "of a window must be a number with a decimal point" in done.stderr
