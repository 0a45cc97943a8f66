"""Probabilities of operations, cuts and budgets, and their update by REINFORCE. Imported only where torch is needed.

One vector alpha for the operations of each block, gamma for the cuts, and theta for the budgets at each cut, all under a softmax
(odema-2024 sections A.6.3, A.6.6). A network that was sampled with reward R moves them along

    (R - moving mean of R) x gradient of the logarithm of its probability,

where of theta only the row of its own cut takes part. The publication refers to another text for the rule; this is the usual one,
as in ProxylessNAS.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from engines.contract.arrays import FloatArray
from engines.methods.privynas.choice import Choice


class Policy(nn.Module):
    """The policy that choices are drawn from."""

    def __init__(self, operations: Sequence[int], positions: Sequence[int], epsilons: Sequence[float]) -> None:
        super().__init__()
        self.alpha = nn.ParameterList(torch.zeros(count) for count in operations)
        self.gamma = nn.Parameter(torch.zeros(len(positions)))
        self.theta = nn.Parameter(torch.zeros(len(positions), len(epsilons)))
        self._positions, self._epsilons = tuple(positions), tuple(epsilons)

    def draw(self, stream: np.random.Generator, position: int | None = None, epsilon: float | None = None) -> Choice:
        """Return a network by the present probabilities; cut and budget too where they are not given."""
        operations = tuple(_drawn(stream, alpha) for alpha in self.alpha)
        cut = _drawn(stream, self.gamma) if position is None else self._positions.index(position)
        budget = _drawn(stream, self.theta[cut]) if epsilon is None else self._epsilons.index(epsilon)
        return Choice(operations, self._positions[cut], self._epsilons[budget])

    def likeliest(self, position: int, epsilon: float) -> Choice:
        """Return the most probable network at a cut."""
        return Choice(tuple(int(alpha.argmax()) for alpha in self.alpha), position, epsilon)

    def log_probability(self, choice: Choice) -> Tensor:
        """Return the log probability of a choice."""
        cut, budget = self._positions.index(choice.position), self._epsilons.index(choice.epsilon)
        parts = [alpha.log_softmax(0)[place] for alpha, place in zip(self.alpha, choice.operations, strict=True)]
        parts += [self.gamma.log_softmax(0)[cut], self.theta[cut].log_softmax(0)[budget]]
        return torch.stack(parts).sum()

    def objective(self, choices: Sequence[Choice], rewards: Sequence[float], baseline: float) -> Tensor:
        """Return the loss of the policy: its gradient is the mean of -(R - baseline) x the gradient of the log probabilities."""
        gained = torch.tensor([reward - baseline for reward in rewards])
        return -(gained * torch.stack([self.log_probability(each) for each in choices])).mean()

    def cuts(self) -> FloatArray:
        """Return the probability of each cut, shape `positions`."""
        return _probabilities(self.gamma)

    def budgets(self) -> FloatArray:
        """Return the probability of each budget over all cuts, shape `epsilons`."""
        rows = np.stack([_probabilities(row) for row in self.theta])
        return np.asarray((self.cuts()[:, None] * rows).sum(axis=0))


def _probabilities(values: Tensor) -> FloatArray:
    wide = np.asarray(values.detach().cpu().numpy(), np.float64)
    raised = np.exp(wide - wide.max())
    return np.asarray(raised / raised.sum())


def _drawn(stream: np.random.Generator, values: Tensor) -> int:
    return int(stream.choice(len(values), p=_probabilities(values)))
