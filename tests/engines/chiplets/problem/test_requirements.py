from dataclasses import replace

import pytest

from engines.chiplets.problem.requirements import require_package, require_work
from engines.contract.errors import ProblemError
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage
from tests.engines.methods.scar.problems import scar_problem


def test_what_can_be_scheduled_passes() -> None:
    problem = scar_problem()
    require_package(problem.value("hardware", ChipletPackage))
    require_work(problem.value("workload", Scenario), problem.value("hardware", ChipletPackage), ignore_memory=False)


def test_what_cannot_be_is_named() -> None:
    package, scenario = scar_problem().value("hardware", ChipletPackage), scar_problem().value("workload", Scenario)
    with pytest.raises(ProblemError, match="1 to 62 chiplets"):
        require_package(replace(package, chiplets=()))
    other = (replace(package.chiplets[0], dataflow="sideways"), *package.chiplets[1:])
    with pytest.raises(ProblemError, match="sideways"):
        require_package(replace(package, chiplets=other))
    with pytest.raises(ProblemError, match="at least one model"):
        require_work(replace(scenario, models=()), package, ignore_memory=False)
