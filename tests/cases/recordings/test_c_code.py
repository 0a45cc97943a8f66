"""C code of recordings that exporters of other tools are reported to get wrong; `expected.json` names the reports."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from engines.data.documents import packed_image_data
from engines.data.signals import read_signals
from tests.engines.methods.eexnas.test_c_code import answers, compiled

FOLDER = Path(__file__).parent


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
def test_code_works_on_pressures_as_they_were_recorded(tmp_path: Path) -> None:
    """Both classes are told apart around 101,325 Pa; without scaling one class answers for all."""
    from engines.methods.eexnas.architecture import Architecture, Block, laid_out
    from engines.methods.eexnas.c_code import code_of
    from engines.methods.eexnas.network import measured, trained, weights_of
    from engines.methods.eexnas.params import EexnasParams
    from engines.running.context import LocalContext
    from tests.engines.methods.eexnas.problems import eexnas_problem

    data = read_signals(FOLDER / "pressure.csv", window=64, step=32)
    content, _ = packed_image_data(data, "pressure")
    assert data.scaling is not None and content["scaling"] == data.scaling.content
    assert content["scaling"]["channels"] == ["pressure"] and content["scaling"]["mean"][0] > 101_000
    laid = laid_out(Architecture((Block(4, 5, 2, 2, 2), Block(8, 3, 2, 0, 0)), 0), 1, 64, 2)
    assert laid is not None
    random = LocalContext(eexnas_problem()).random
    state = trained(laid, data, EexnasParams(epochs=4), random)
    code = code_of(laid, weights_of(state), 1.1, 1.0, data.title, data.classes, data.scaling)  # no window leaves early

    outputs, labels = measured(laid, state, data.test)
    recorded = {f"{value:.2f}" for value in np.loadtxt(FOLDER / "pressure.csv", delimiter=",", skiprows=1, usecols=0)}
    features: Any = data.test.features
    windows = np.round(np.ravel(features * data.scaling.deviation + data.scaling.mean), 2)
    assert {f"{value:.2f}" for value in windows} <= recorded
    got = answers(compiled(code, tmp_path), windows)
    assert (got[:, 0] == outputs[:, 1].argmax(axis=1)).all() and (got[:, 0] == labels).mean() > 0.9


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
def test_the_head_compiles_with_names_that_end_or_begin_comments(tmp_path: Path) -> None:
    from engines.exchange.c_comment import plain
    from engines.methods.eexnas import c_code

    names = json.loads((FOLDER / "class_names.json").read_text())["classes"]
    for text in (", ".join(names), *names):
        head = c_code._HEAD.format(name="n", data=plain(text), classes=plain(text), channels=1, samples=1)
        (tmp_path / "head.c").write_text(head + "extern int nothing;\n")
        command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "head.c"]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
