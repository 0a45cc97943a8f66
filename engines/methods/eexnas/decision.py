"""The decision of a design: the network of a space, and how sure its exit must be. Without torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.errors import DecisionError
from engines.methods.eexnas.architecture import SizedNetwork, architecture_of
from engines.methods.eexnas.params import THRESHOLDS
from engines.methods.eexnas.space import Space, genes_of


def read_decision(space: Space, decision: Mapping[str, Any]) -> tuple[SizedNetwork, float]:
    """The network and its threshold.

    Raises:
        DecisionError: no network of the space, or a threshold that is not searched.
    """
    threshold = decision.get("threshold")
    if threshold not in THRESHOLDS:
        raise DecisionError("decision.threshold", threshold, f"one of {', '.join(map(str, THRESHOLDS))}")
    try:
        laid = space.laid(genes_of(architecture_of(decision)))
    except (KeyError, TypeError, ValueError) as error:
        raise DecisionError("decision.blocks", decision.get("blocks"), "2 or 3 blocks of the space") from error
    if laid is None:
        raise DecisionError("decision.blocks", decision.get("blocks"), "windows that are wider than each maximum")
    return laid, float(threshold)
