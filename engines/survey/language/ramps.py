"""Piecewise linear functions of tokens: a mixer sees as many tokens as its window holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engines.workloads.language.mixers import Attention, Mixer


@dataclass(frozen=True)
class Ramp:
    """A piecewise linear function of tokens.

    Attributes:
        constant: at no token.
        slopes: window in tokens, None for an unlimited one, and growth per token up to it.
    """

    constant: float
    slopes: tuple[tuple[int | None, float], ...] = ()

    def at(self, tokens: int) -> float:
        """Return the value at so many tokens."""
        return self.constant + sum(slope * min(tokens, window or tokens) for window, slope in self.slopes)

    def scaled(self, factor: float) -> Ramp:
        """Return the ramp times a factor."""
        return Ramp(self.constant * factor, tuple((window, slope * factor) for window, slope in self.slopes))


def slopes(mixers: Iterable[Mixer], value: Callable[[Mixer], float]) -> tuple[tuple[int | None, float], ...]:
    """Return the sums of `value` by window; mixers of an encoder's tokens see as many with every prompt and have no slope."""
    found: dict[int | None, float] = defaultdict(float)
    for each in mixers:
        encoded = isinstance(each, Attention) and each.source_tokens
        if not encoded and (amount := value(each)):
            found[each.window_tokens] += amount
    return tuple(found.items())
