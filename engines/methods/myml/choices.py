"""Decisions about a pruning, and their form as genes and stored decisions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo

from engines.contract.encoding.decoding import (
    ValueRefusal,
    accepted_if,
    decoded,
    encoded,
    is_number,
    number,
    one_of,
    whole,
)
from engines.contract.engine import require
from engines.contract.errors import DecisionError
from engines.contract.typed_lists import names, numbers
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.layers import GROUPS, Layer
from engines.methods.myml.params import MymlParams

ORDERS = ("bottom-up", "top-down", "at-once", "user-agnostic")
GRANULARITIES = ("symmetric", "asymmetric")
PLATFORMS = ("cpu", "accelerator")
ORIGINAL = "original"
_MANTISSA_BITS, _BLOCKS = (2, 7), (1, 4096)
_FORMAT = re.compile(r"bfp(\d{1,4})x(\d)")
Rates = tuple[float, float, float, float]


def form_of(precision: str) -> BlockFormat | None:
    """Return the block format of that name; None for fp32.

    Raises:
        ValueError: no such precision.
    """
    if precision == "fp32":
        return None
    match = _FORMAT.fullmatch(precision)
    if match is None:
        raise ValueError(precision)
    block, bits = int(match[1]), int(match[2])
    if not (_BLOCKS[0] <= block <= _BLOCKS[1] and _MANTISSA_BITS[0] <= bits <= _MANTISSA_BITS[1]):
        raise ValueError(precision)
    return BlockFormat(block, bits)


def kept_channels(channels: int, rate_percent: float) -> int:
    """Return the number of kept channels, rounded to the nearest whole number, halves up."""
    return int(channels * (1 - 0.01 * rate_percent) + 0.5)


def largest_rate(channels: int) -> float:
    """Return the largest pruning rate in per cent that leaves one channel."""
    rate = 100 * (1 - 0.5 / channels)
    return int(10 * rate) / 10


def _is_precision(value: object) -> bool:
    try:
        form_of(str(value))
    except ValueError:
        return False
    return True


def fewest_channels(layers: Sequence[Layer]) -> int:
    """Return the fewest channels of any layer but the first."""
    return min(layer.channels for layer in layers if not layer.first)


def _rates(rates: Any, info: ValidationInfo[Sequence[Layer]]) -> Any:
    """Refuse rates that empty a layer of the network, which is the context."""
    fewest = fewest_channels(info.context)
    accepted = f"{GROUPS} numbers from 0 to {largest_rate(fewest):g}, of groups 1 to {GROUPS}"
    if not isinstance(rates, list | tuple) or len(rates) != GROUPS:
        raise ValueRefusal(rates, accepted)
    for rate in rates:
        if not is_number(rate) or not 0 <= rate < 100 or kept_channels(fewest, rate) < 1:
            raise ValueRefusal(rate, accepted)
    return rates


@dataclass(frozen=True)
class Choice:
    """A pruning choice.

    Attributes:
        order: one of `ORDERS`, or `ORIGINAL` for a network that is not pruned.
        rates_percent: rates in per cent of the channels, taken away in groups 1 (nearest the output) to 4.
        learning_rate: for the first two blocks; divided by `reduction` for the last two.
        precision: "fp32", or the name of a block format.
        platform: platform of the network, which does not affect training.
    """

    order: Annotated[str, one_of(ORDERS)]
    granularity: Annotated[str, one_of(GRANULARITIES)]
    rates_percent: Annotated[Rates, BeforeValidator(_rates)]
    learning_rate: Annotated[float, number(1e-9, 1.0)]
    reduction: Annotated[float, number(1.0, 1000.0)]
    batch: Annotated[int, whole(1, 4096)]
    precision: Annotated[str, accepted_if(_is_precision, "fp32, or as bfp64x7")]
    platform: Annotated[str, one_of(PLATFORMS)]

    @property
    def decision(self) -> dict[str, Any]:
        """Return the choice as it is stored."""
        return {"order": ORIGINAL, "platform": self.platform} if self.order == ORIGINAL else encoded(self)

    @property
    def trained_name(self) -> str:
        """Return the name of what is trained: the same for both platforms."""
        rates = "-".join(f"{rate:g}" for rate in self.rates_percent)
        return f"{self.order}-{self.granularity}-{rates}-{self.learning_rate:g}-{self.reduction:g}-{self.batch}-{self.precision}"

    @property
    def form(self) -> BlockFormat | None:
        """None for fp32."""
        return form_of(self.precision)

    @property
    def specific(self) -> bool:
        """Whether it knows the user's classes alone."""
        return self.order not in ("user-agnostic", ORIGINAL)


def original(platform: str) -> Choice:
    """Return the choice that leaves the network unpruned."""
    return Choice(ORIGINAL, "symmetric", (0.0, 0.0, 0.0, 0.0), 0.0, 1.0, 1, "fp32", platform)


@dataclass(frozen=True)
class Space:
    """The choices of every gene: order, granularity, four rates, learning rate, reduction, batch, precision, platform."""

    genes: tuple[tuple[Any, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Choices of each gene."""
        return tuple(len(gene) for gene in self.genes)

    def design(self, genes: Sequence[int]) -> Choice:
        """Return the design that one index per gene encodes."""
        order, granularity, *rest = (gene[place] for gene, place in zip(self.genes, genes, strict=True))
        return Choice(order, granularity, (rest[0], rest[1], rest[2], rest[3]), *rest[4:])


def space_of(params: MymlParams, layers: Sequence[Layer]) -> Space:
    """Return the choices that parameters allow.

    Raises:
        ProblemError: a rate that empties a layer, an unknown order, granularity, precision or platform, a learning rate or batch
            that is none.
    """
    orders = names(params.orders, "params.orders", ORDERS)
    granularities = names(params.granularities, "params.granularities", GRANULARITIES)
    platforms = names(params.platforms, "params.platforms", PLATFORMS)
    rates = numbers(params.rates_percent, "params.rates_percent", "from 0 to below 100", lambda rate: 0 <= rate < 100)
    fewest = fewest_channels(layers)
    most = largest_rate(fewest)
    for rate in rates:
        accepted = f"at most {most:g}"
        reason = f"A layer has {fewest} channels and keeps at least one."
        require(kept_channels(fewest, rate) > 0, "params.rates_percent", f"{rate:g}", accepted, reason=reason)
    learning = numbers(
        params.learning_rates, "params.learning_rates", "above 0 and at most 1", lambda rate: 0 < rate <= 1
    )
    reductions = numbers(params.reductions, "params.reductions", "from 1 to 1000", lambda value: 1 <= value <= 1000)
    whole = "a whole number from 1 to 4096"
    batches = numbers(params.batches, "params.batches", whole, lambda size: 1 <= size <= 4096 and size == int(size))
    return Space(
        (
            orders, granularities, rates, rates, rates, rates, learning, reductions,
            tuple(int(size) for size in batches), _precisions(params.precisions), platforms,
        )
    )  # fmt: skip


def _precisions(text: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(text.replace(",", " ").split()))
    accepted = "fp32, or blocks of 1 to 4096 values with 2 to 7 bits, as in bfp64x7"
    require(len(words) > 0, "params.precisions", text, accepted)
    for word in words:
        require(_is_precision(word), "params.precisions", word, accepted)
    return words


def choice_of(decision: Mapping[str, Any], layers: Sequence[Layer]) -> Choice:
    """Return the choice of a stored decision, or a user's own, whose values need not be among those searched.

    Raises:
        DecisionError: something is missing or not possible.
    """
    if decision.get("order") != ORIGINAL:
        return decoded(Choice, decision, layers, ("platform", "rates_percent", "precision"))
    if decision.get("platform") not in PLATFORMS:
        raise DecisionError("decision.platform", decision.get("platform"), f"one of {', '.join(PLATFORMS)}")
    return original(str(decision["platform"]))


def published(platform: str, rates: Rates) -> Choice:
    """Return the choice of goyal-2023: asymmetric in fp32 on the CPU, symmetric in BFP16 on the accelerator, bottom-up, batch 8."""
    first = Choice("bottom-up", "asymmetric", rates, 1e-3, 10.0, 8, "fp32", "cpu")
    return (
        first if platform == "cpu" else replace(first, granularity="symmetric", precision="bfp64x7", platform=platform)
    )
