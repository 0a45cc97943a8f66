"""C code against the network that it was written of."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from engines.methods.eexnas.c_code import code_of
from engines.methods.eexnas.instance import instance_of
from engines.methods.eexnas.network import measured, trained, weights_of
from engines.methods.eexnas.scoring import Held, Judged
from engines.methods.eexnas.space import architecture_of_genes
from engines.running.context import LocalContext
from tests.engines.methods.eexnas.problems import eexnas_problem


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
