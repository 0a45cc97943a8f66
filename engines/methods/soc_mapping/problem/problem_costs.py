"""A mapping problem made ready: checked at the highest clocks alone, which is quick, and priced at all of them on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engines.contract.engine import Problem
from engines.mapping.problem.instance import Instance
from engines.mapping.problem.settings import searched_settings
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.problem.instance import instance_of, options_of


@dataclass(frozen=True, eq=False)
class MappingProblem:
    """The prepared problem that searches and pages share.

    Attributes:
        highest: the instance at the highest clocks alone.
        settings: number of searched clock settings.
    """

    problem: Problem[SocMappingParams]
    highest: Instance
    settings: int

    @cached_property
    def instance(self) -> Instance:
        """The instance at all clock settings."""
        return self.highest if self.settings == 1 else instance_of(self.problem)


def prepared(problem: Problem[SocMappingParams]) -> MappingProblem:
    """Raise `ProblemError` as `instance_of` does."""
    highest = instance_of(problem, highest_clocks_alone=True)
    settings = searched_settings(highest.soc, highest.model.calibration, options_of(problem.params))
    return MappingProblem(problem, highest, len(settings))
