"""Operators without a cost model: they stay in the network, and every engine reports them by name."""

from __future__ import annotations

import shlex
from collections import Counter

from engines.contract.errors import ProblemError
from engines.workloads.network import Network, Scenario

# What follows the name of an operator that cannot be described for want of a size.
NOT_KNOWN = "size not known"


def unpriced_operators(network: Network, excluded: bool = False) -> Counter[str]:
    """Return operator -> how many of it the network has without a cost model.

    Args:
        network: with its operations.
        excluded: those that may be left out, instead of those that may not.
    """
    unpriced = (operation for operation in network.operations if operation.kind == "unpriced")
    return Counter(operation.operator for operation in unpriced if operation.excluded == excluded)


def operators_in_words(operators: Counter[str]) -> str:
    """Return the names with counts: "Loop, NonMaxSuppression × 2"."""
    return ", ".join(name if count == 1 else f"{name} × {count}" for name, count in sorted(operators.items()))


def require_priced(scenario: Scenario, field: str = "inputs.workload") -> None:
    """Refuse a scenario with operations that no cost model knows and that nobody allowed to leave out.

    Raises:
        ProblemError: names the network, the operators and how often each occurs.
    """
    for model in scenario.models:
        operators = unpriced_operators(model.network)
        if operators:
            names = ", ".join(sorted(operators))
            options = " ".join(f"--exclude {shlex.quote(name)}" for name in sorted(operators))
            raise ProblemError(
                f"{field}.{model.network.slug}",
                operators_in_words(operators),
                "a network of operators that the cost model knows",
                remedies=[
                    *(["Give unknown sizes at the import, which asks for them by name."] if NOT_KNOWN in names else []),
                    f"Leave the operators out at no cost: import the file again with {options}.",
                    "Set excluded: true in the rows of these operators.",
                ],
            )


def left_out_notes(scenario: Scenario) -> tuple[str, ...]:
    """Return one sentence per network that is computed without some of its operations; empty where all are counted."""
    left_out = ((model.network, unpriced_operators(model.network, excluded=True)) for model in scenario.models)
    return tuple(
        f"{network.title} is computed without {operators_in_words(operators)}: no cost model knows them."
        for network, operators in left_out
        if operators
    )
