"""Shapes of limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.api.shapes.base import OneOf, Shape
from webapp.limits.usage import NAMES


class Use(Shape):
    """How much of one limit is taken."""

    name: Annotated[str, OneOf(NAMES)] = Field(
        description="active_runs: waiting or computing; stored_mb: MB of runs and documents' files; study_cells: runs of studies."
    )
    of: Annotated[str, OneOf(("project", "person"))] = Field(description="person: you, in all projects.")
    used: float
    limit: int | None = Field(description="null: no limit.")
    left: float | None = Field(description="null: no limit.")


class Limits(Shape):
    """The limits of a project, and the rest of each."""

    project: str
    run_minutes: float | None = Field(description="Minutes that one run may compute; null: no limit.")
    run_memory_mb: float | None = Field(description="MB of memory that one run may have; null: no limit.")
    uses: list[Use]
