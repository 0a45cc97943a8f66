from __future__ import annotations

from engines.contract.designs import Designs
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.methods.magnas.problems import ENGINE, search_problem


def designs_of(**params: object) -> Designs:
    problem = search_problem(params)
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])
