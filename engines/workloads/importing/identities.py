"""Identities of weights: equal for every use of one tensor, and for tensors computed from it by equal operations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


class Identities:
    """Names of weights that are computed from other weights before any sample.

    A transpose that each of three calls of a layer computes anew is one weight: operator, settings and inputs are the same.
    """

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}

    def computed(self, operator: Hashable, inputs: Sequence[Hashable], name: str) -> str:
        """Return the identity of what an operator computes.

        Args:
            operator: with all its settings, and the number of the output.
            inputs: identities of the weights, values of the other constants.
            name: name of the tensor; the identity where nothing equal was computed before.
        """
        return self._names.setdefault((operator, *inputs), name)
