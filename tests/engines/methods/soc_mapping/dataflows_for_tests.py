from __future__ import annotations

from functools import cache

from engines.contract.engine import Step
from engines.methods.magnas.search.accelerators import WORKLOAD
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.problems import mapping_problem

ENGINE = get_engine("soc-mapping")


@cache
def steps_of(device: str, granularity: str) -> tuple[Step, ...]:
    problem = mapping_problem({"granularity": granularity}, WORKLOAD, hardware=device)
    ready_of(ENGINE, problem)
    return tuple(drive(ENGINE, problem, LocalContext(problem)))
