"""Limits of mappings, by the parameters that engines of mappings share."""

from __future__ import annotations

import numpy as np

from engines.contract.limits import Limit
from engines.mapping.solver.unit_mapping import MappingLimits

LIMITS = (
    Limit("latency_limit_s", "latency_s", "latency", "s"),
    Limit("energy_limit_j", "energy_j", "energy", "J"),
    Limit("power_limit_w", "energy_j", "average power", "W", per="latency_s"),
    Limit("transition_limit", "transitions", "unit transitions", "changes"),
)
FIELDS = dict(zip(("latency_s", "energy_j", "power_w", "transitions"), LIMITS, strict=True))  # of `MappingLimits`


def allowed_of(limits: MappingLimits) -> dict[Limit, float]:
    """Return the limits that are set; less than nothing is left of them exactly where `MappingLimits.allow` says no."""
    values = ((limit, getattr(limits, name)) for name, limit in FIELDS.items())
    return {limit: float(value) for limit, value in values if value is not None and np.isfinite(value)}
