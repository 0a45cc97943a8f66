from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import ComputeUnit, CostEstimator
from engines.cost.estimators.tools.cost_cache import CostCache
from engines.cost.estimators.tools.scalesim import ScaleSimEstimator, question_of
from engines.cost.estimators.tools.tool_process import (
    TOOLS,
    ToolError,
    ToolLimits,
    ask_tool,
    install,
    is_installed,
    python_of,
    tool_named,
)
from engines.testing import EstimatorSuite
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.cost.estimators.networks_for_tests import NVDLA, SHI, network
from tests.engines.cost.estimators.tools.fake_tool import asked, fake_tool
from tests.engines.workloads.documents_for_tests import network_content


class LimitsAtSecondLayer:
    """Limits of a minute for the first answer, and of 0.1 s from when the tool has begun the second layer."""

    memory_mb = ToolLimits.memory_mb

    def __init__(self, folder: Path) -> None:
        self._folder, self._questions = folder, 0

    @property
    def answer_s(self) -> float:
        self._questions += 1
        if self._questions == 1:
            return 60.0
        while len(asked(self._folder)) < 2:  # a busy machine takes its time
            time.sleep(0.01)
        return 0.1


def estimator_with(folder: Path, limits: Any = ToolLimits(answer_s=60.0), **faults: str) -> ScaleSimEstimator:  # noqa: B008
    return ScaleSimEstimator(folder, CostCache(folder / "costs.sqlite3"), limits, fake_tool(folder, **faults))


class TestScaleSim(EstimatorSuite):
    @pytest.fixture
    def estimator(self, tmp_path: Path) -> CostEstimator:
        return estimator_with(tmp_path)

    @pytest.fixture
    def graph(self) -> Network:
        return network()

    @pytest.fixture
    def unit(self) -> ComputeUnit:
        return SHI


def test_layers_are_described_as_the_tool_takes_them() -> None:
    conv, depthwise, fc = (question_of(layer, SHI, SHI.mapping) for layer in network().layers)
    assert conv["layer"] == [18, 18, 3, 3, 16, 32, 1] and fc["layer"] == [1, 1, 1, 1, 8192, 10, 1]
    assert depthwise["layer"] == [18, 18, 3, 3, 1, 1, 1]  # 32 times
    assert (conv["rows"], conv["columns"], conv["dataflow"], conv["buffer_kb"]) == (16, 16, "os", 341)
    assert question_of(network().layers[0], NVDLA, NVDLA.mapping)["dataflow"] == "ws"
    wide = replace(SHI, figures=replace(SHI.figures, processing_elements=2 * 3 * 7), buffer_bytes=None)
    assert [question_of(network().layers[0], wide, wide.mapping)[name] for name in ("rows", "columns")] == [6, 7]
    with pytest.raises(ProblemError, match="no dataflow like dpt"):
        question_of(network().layers[0], SHI, "dpt")


def test_energies_are_those_of_the_array_and_copies_count(tmp_path: Path) -> None:
    costs = estimator_with(tmp_path).estimate(network(), SHI)
    products = 18 * 18 * 9 / 256
    assert costs.cycles[1] == 32 * products
    macs, accesses = network().layers[1].macs, 3 * 32 * products
    energy_macs = macs * (1 + 4 * 1.68) + accesses * 18.61
    np.testing.assert_allclose(costs.energy_j[1], energy_macs * 0.23e-12)
    assert costs.buffer_bytes[1] == accesses and costs.off_chip_bytes[1] == 32 * products


def test_a_layer_is_simulated_once_whatever_its_name_and_again_on_another_array(tmp_path: Path) -> None:
    estimator = estimator_with(tmp_path)
    count, seconds = estimator.missing_s(network(), SHI)
    assert count == 3 and seconds > 0
    first = estimator.estimate(network(), SHI)
    assert asked(tmp_path) == ["conv", "depthwise", "fc"] and estimator.missing_s(network(), SHI) == (0, 0)
    renamed = replace(network(), layers=tuple(replace(layer, name=f"{layer.name}2") for layer in network().layers))
    np.testing.assert_array_equal(estimator_with(tmp_path).estimate(renamed, SHI).energy_j, first.energy_j)
    assert len(asked(tmp_path)) == 3
    estimator.estimate(network(), NVDLA)
    assert len(asked(tmp_path)) == 6


@pytest.mark.parametrize(
    ("fault", "words"), [("crashes", "ended at depthwise"), ("hangs", "took over 0.1 s for depthwise")]
)
def test_a_crash_or_hang_names_the_layer_and_what_was_done_is_kept(tmp_path: Path, fault: str, words: str) -> None:
    with pytest.raises(ToolError, match=words):
        estimator_with(tmp_path, LimitsAtSecondLayer(tmp_path), **{fault: "depthwise"}).estimate(network(), SHI)
    estimator = estimator_with(tmp_path)
    assert estimator.missing_s(network(), SHI)[0] == 2
    interrupted = estimator.estimate(network(), SHI)
    assert asked(tmp_path) == ["conv", "depthwise", "depthwise", "fc"]
    (tmp_path / "fresh").mkdir()
    np.testing.assert_array_equal(
        interrupted.energy_j, estimator_with(tmp_path / "fresh").estimate(network(), SHI).energy_j
    )


def test_a_tool_that_ends_before_it_reads_is_a_message(tmp_path: Path) -> None:
    tool = fake_tool(tmp_path)
    tool.script.write_text("raise SystemExit(1)")
    with pytest.raises(ToolError, match="ended at layer 0"):
        list(ask_tool(tool, python_of(tool, tmp_path), [{"name": f"layer {n}"} for n in range(20_000)], ToolLimits()))


def test_a_tool_that_is_not_installed_says_how_to_install_it(tmp_path: Path) -> None:
    estimator = ScaleSimEstimator(tmp_path, CostCache(tmp_path / "costs.sqlite3"))
    with pytest.raises(ProblemError, match=r"manage\.py estimators install scalesim"):
        estimator.estimate(network(), SHI)
    with pytest.raises(ProblemError, match="one of scalesim. Got 'zigzag'".replace(".", r"\.")):
        tool_named("zigzag")


def test_a_python_that_is_missing_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"Python 2\.0 is on this machine.*Install Python 2\.0"):
        install(replace(TOOLS["scalesim"], python="2.0"), tmp_path)


@pytest.mark.long
def test_a_failed_installation_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "broken.lock").write_text("./no-such-folder/package.whl\n")
    broken = replace(TOOLS["scalesim"], lock=tmp_path / "broken.lock")
    with pytest.raises(ToolError, match="nothing of it was kept"):
        install(broken, tmp_path / "tools")
    assert not any((tmp_path / "tools").iterdir()) and not is_installed(broken, tmp_path / "tools")


def test_the_child_knows_neither_settings_nor_packages_of_the_product(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    tool = fake_tool(tmp_path)
    tool.script.write_text("import json, os, sys; print(json.dumps({'known': sorted(os.environ), 'path': sys.path}))")
    (answer,) = ask_tool(tool, python_of(tool, tmp_path), [{"name": "it"}], ToolLimits())
    assert "DATABASE_URL" not in answer["known"] and str(Path.cwd()) not in answer["path"]


@pytest.mark.long
def test_the_real_tool_gives_the_cycles_of_its_own_formula(tmp_path: Path) -> None:
    home = install(TOOLS["scalesim"], tmp_path)
    assert install(TOOLS["scalesim"], tmp_path) == home  # complete: nothing is done again
    rows = [
        {"name": "conv", "kind": "conv", "k": 32, "c": 16, "r": 3, "s": 3, "y": 14, "x": 14, "pad": 1},
        {"name": "fc", "kind": "gemm", "k": 64, "c": 128, "y": 1},
    ]
    graph, estimator = load_network(network_content(*rows)), ScaleSimEstimator(tmp_path, CostCache(tmp_path / "costs"))
    costs = estimator.estimate(graph, SHI)
    # Output stationary: each fold of 16 x 16 outputs streams T products in, skewed over rows and columns: R + C + T - 2 cycles.
    for row, (pixels, filters, depth) in enumerate(((196, 32, 144), (1, 64, 128))):
        folds = -(-pixels // 16) * -(-filters // 16)
        assert costs.cycles[row] == pytest.approx(folds * (16 + 16 + depth - 2), abs=1)
    warm = time.monotonic()
    np.testing.assert_array_equal(estimator.estimate(graph, SHI).cycles, costs.cycles)
    assert time.monotonic() - warm < 0.5
