"""Why no configuration keeps all limits: which limit, what would be needed, and what would mend it."""

from __future__ import annotations

from engines.contract.engine import Infeasibility
from engines.contract.thousandths import in_thousandths
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import CutLimits
from engines.methods.map_and_conquer.search.bounds import Bounds

_ROOM = 1 + 1e-5


def ruled_out_by_bounds(instance: CutInstance, bounds: Bounds) -> Infeasibility | None:
    """A limit that the bounds rule out, or an accuracy above the whole network's; None where nothing is known beforehand."""
    limits = instance.limits
    for words, least, most, unit, name in (
        ("latency of any configuration", bounds.least_latency_s, limits.latency_s, "s", "latency_limit_s"),
        ("energy of any configuration", bounds.least_energy_j, limits.energy_j, "J", "energy_limit_j"),
    ):
        if least > most:
            remedy = (f"Allow more than {in_thousandths(least * _ROOM, unit)}.", f"params.{name}")
            return Infeasibility(words, least, most, unit, least - most, (remedy,))
    return accuracy_out_of_reach(limits, instance.accuracy.base_percent)


def accuracy_out_of_reach(limits: CutLimits, base_percent: float) -> Infeasibility | None:
    """More accuracy asked for than the network that is not cut has."""
    wanted = limits.accuracy_percent
    if wanted <= base_percent:
        return None
    remedy = (f"Ask for at most {base_percent:g} %.", "params.accuracy_least_percent")
    return Infeasibility("accuracy of the last stage", wanted, base_percent, "%", wanted - base_percent, (remedy,))


def not_found(instance: CutInstance, violation: float, exact: bool) -> Infeasibility:
    """No configuration that was looked at keeps all limits at once.

    Args:
        instance: the problem.
        violation: of the one that comes nearest, as a share of the limit that it breaks.
        exact: whether every configuration was looked at or ruled out.
    """
    words = "all limits at once" if exact else "all limits at once, of what the search scored"
    limits = instance.limits
    fields = {
        "latency_limit_s": limits.latency_s < float("inf"),
        "energy_limit_j": limits.energy_j < float("inf"),
        "memory_limit_mb": limits.feature_bytes < float("inf"),
        "accuracy_least_percent": limits.accuracy_percent > 0,
        "reuse_most_percent": limits.most_reused < instance.entries,
        "reuse_least_percent": limits.least_reused > 0,
    }
    percent = 100 * violation
    remedies = tuple(
        (f"Relax this limit by about {percent:.3g} %, or another one.", f"params.{name}")
        for name, is_set in fields.items()
        if is_set
    )
    return Infeasibility(words, 100 + percent, 100.0, "%", percent, remedies)
