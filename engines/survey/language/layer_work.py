"""Operations and memory traffic of each kind of layer, in prefill and in a step of decode, for rooflines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from engines.survey.language.ramps import Ramp, slopes
from engines.survey.language.work import decoder_of
from engines.workloads.language.mixers import Mixer, Recurrence
from engines.workloads.language.model import Experts, LanguageModel, Layer
from engines.workloads.language.weights import total_elements
from hardware.bits import BITS_PER_BYTE, BitWidths

_OPERATIONS_PER_MAC = 2
PassStage = Literal["prefill", "prefill, every expert", "decode"]


@dataclass(frozen=True)
class LayerWork:
    """All layers of a kind in one pass.

    Attributes:
        stage: stage of the pass; accelerators with graphs of fixed shapes run every expert on the whole prompt.
        kind: "projections of attention", "attention", "feed-forward", "experts", "recurrence" or "head".
        operations: per token, by tokens that it sees; a multiply-accumulate is two.
        read_bytes: bytes of weights and cache read in the pass, by tokens that it sees.
    """

    stage: PassStage
    kind: str
    operations: Ramp
    read_bytes: Ramp


def layer_work(model: LanguageModel, bits: BitWidths, cache_bits: float) -> tuple[LayerWork, ...]:
    """Return the kinds of layers of a model; those without operations are left out, and in prefill the head, of one token alone.

    Args:
        model: network that runs.
        bits: bits of weights.
        cache_bits: cache bits of an element of keys and values.

    Raises:
        ProblemError: the model writes no words.
    """
    stack = decoder_of(model)
    mixers = tuple(stack.mixers)
    kept = tuple(each for each in mixers if not isinstance(each, Recurrence))
    recurrent = tuple(each for each in mixers if isinstance(each, Recurrence))
    pairs = slopes(mixers, lambda each: _OPERATIONS_PER_MAC * each.macs_per_pair)
    cache = slopes(mixers, lambda each: each.read_elements_per_token * cache_bits / BITS_PER_BYTE)
    found = []
    for stage in ("prefill", "prefill, every expert", "decode"):
        weights = {
            "projections of attention": (_elements(kept, stack.width),) * 2,
            "recurrence": (_elements(recurrent, stack.width),) * 2,
            **_feed_forward(stack.layers, stack.width, stage),
        }
        if stage == "decode" and stack.head:
            weights["head"] = (stack.head.elements, stack.head.elements)
        found += [
            LayerWork(stage, kind, Ramp(_OPERATIONS_PER_MAC * used), Ramp(read * bits.weight_bytes))
            for kind, (used, read) in weights.items()
            if used
        ]
        if pairs:
            found.append(LayerWork(stage, "attention", Ramp(0.0, pairs), Ramp(0.0, cache)))
    return tuple(found)


def _elements(mixers: Iterable[Mixer], width: int) -> int:
    return sum(total_elements(each.projections(width)) for each in mixers)


def _feed_forward(layers: Sequence[Layer], width: int, stage: PassStage) -> dict[str, tuple[int, int]]:
    """Return the weights of feed-forward parts by kind: those that a token uses, and those that the pass reads."""
    found: dict[str, tuple[int, int]] = {}
    for part in (layer.feed_forward for layer in layers if layer.feed_forward):
        everything, active = part.parameters(width), part.active_parameters(width)
        used = everything if stage == "prefill, every expert" else active
        read = active if stage == "decode" else everything
        kind = "experts" if isinstance(part, Experts) else "feed-forward"
        before = found.get(kind, (0, 0))
        found[kind] = before[0] + used, before[1] + read
    return found
