"""Requests and answers of pull workers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from webapp.api.shapes.base import Body, Shape

_Version = Annotated[str, Field(max_length=80)]
_Slots = Annotated[int, Field(ge=0, le=4096)]


class WorkerClaim(Body):
    """A worker that gives a sign of life, and takes a run, or ends."""

    name: Annotated[str, Field(min_length=1, max_length=120)] = Field(description="Machine and process.")
    release: _Version
    python: _Version
    code: _Version = Field(description="Fingerprint of the code that results depend on.")
    slots: Annotated[int, Field(ge=1, le=4096)] = Field(description="Runs at the same time.")
    busy: _Slots = 0
    abilities: Annotated[list[Literal["torch", "gpu", "data"]], Field(max_length=3)] = []
    engines: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=1000)] = Field(
        description="Engines that are installed there."
    )
    wish: Literal["run", "count", "leave"] = Field(
        "run", description="run: take one; count: how many it could take now; leave: the worker ends."
    )


class ClaimedRun(Shape):
    """A run that the worker holds: its lease ends unless the worker calls again in time. Or the number of runs that wait."""

    run: int | None = None
    attempt: int | None = None
    lease_s: float | None = None
    waiting: int | None = Field(None, description="Runs that the worker could take, 1,000 at most.")
