from __future__ import annotations

from typing import Any

from engines.contract.engine import Step
from engines.data.training_data import image_data_of
from engines.documents.problems import make_problem
from engines.methods.magnas.supernet.engine import TrainSupernetEngine, space_of
from engines.methods.magnas.supernet.planning import Pace, pace_of
from engines.running.context import LocalContext
from engines.running.driver import drive


def run_of(**params: Any) -> list[Step]:
    problem = make_problem("train-supernet", {}, params, seed=1)
    return list(drive(TrainSupernetEngine(), problem, LocalContext(problem)))


def pace(**params: Any) -> Pace:
    problem = make_problem("train-supernet", {}, params)
    return pace_of(space_of(problem), image_data_of(problem), problem.params)
