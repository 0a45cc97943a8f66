"""A board with all networks that mixes are drawn from."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract.engine import require
from engines.cost.calibration.unmeasured import CalibrationCoverage, Unmeasured
from engines.cost.soc_networks import covered_networks
from engines.documents.builtin import get_builtin
from engines.methods.mapformer.problem.networks import board_of
from engines.simulation.board import Board
from engines.workloads.families.classifiers import classifiers
from engines.workloads.loader import load_scenario
from engines.workloads.network import ScenarioModel
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

POOL_SIZE = 80
_TRACED = ("googlenet", "inception-v3", "mobilenet-v2", "resnet50", "vgg16", "vgg19")


def pool_names() -> tuple[str, ...]:
    """Return the slugs of the 80 networks of torchvision."""
    return tuple(sorted([*classifiers(), *_TRACED]))


def pool_models() -> tuple[ScenarioModel, ...]:
    """Return the networks of these names."""
    return tuple(load_scenario(get_builtin("workload", name).content).models[0] for name in pool_names())


def pool_board(
    soc: Soc, calibration: SocCalibration | None, unmeasured: Unmeasured, models: Sequence[ScenarioModel]
) -> tuple[Board, CalibrationCoverage]:
    """Return the board, every unit at all clocks of its table, and where costs come from.

    Raises:
        ProblemError: a device without power, that no calibration covers or with too little memory for one of the networks, or an
            operation that no unit runs.
    """
    accepted = "a device whose units a calibration or a data sheet covers"
    require(
        not soc.by_dataflow, "inputs.hardware", soc.slug, accepted, reason="The board is simulated by clocks and load."
    )
    covered = covered_networks(soc, calibration, [each.network for each in models], unmeasured)
    for each in models:
        covered = covered.within_memory([each])
    model = covered.model(fallback=False)
    steps = {unit: covered.soc.units[unit].frequencies_hz for unit in model.units}
    return board_of(covered.soc, model, models, steps), covered
