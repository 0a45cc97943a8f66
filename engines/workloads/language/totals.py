"""Totals of an answer in closed form: multiply-accumulates, and bytes of weights and caches that cross the memory."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.errors import ProblemError
from engines.workloads.language.attended import attended_pairs
from engines.workloads.language.mixers import Attention, LatentAttention, Mixer, Recurrence
from engines.workloads.language.model import Experts, FeedForward, LanguageModel, Layer, Stack
from engines.workloads.language.stages import MAX_BATCH, MAX_TOKENS
from engines.workloads.language.weights import Projection, total_elements


@dataclass(frozen=True)
class PassTotals:
    """Sums over one or several passes, all sequences of a batch together.

    Attributes:
        macs: multiply-accumulates.
        weight_bytes_read: weights, once per pass; of tables the rows of the tokens, of experts the expected distinct ones.
        cache_bytes_read: keys, values and states of earlier tokens and of the token itself.
        cache_bytes_written: keys, values and states.
    """

    macs: int
    weight_bytes_read: float
    cache_bytes_read: float
    cache_bytes_written: float

    def __add__(self, other: PassTotals) -> PassTotals:
        """Return the sums of both."""
        return PassTotals(
            self.macs + other.macs,
            self.weight_bytes_read + other.weight_bytes_read,
            self.cache_bytes_read + other.cache_bytes_read,
            self.cache_bytes_written + other.cache_bytes_written,
        )


@dataclass(frozen=True)
class AnswerTotals:
    """Totals of a prompt and its answer: the prefill writes the first token, each decode step one more."""

    prefill: PassTotals
    decode: PassTotals

    @property
    def whole(self) -> PassTotals:
        """Prefill and decode together."""
        return self.prefill + self.decode


def answer_totals(
    model: LanguageModel,
    prompt: int,
    answer: int,
    batch: int = 1,
    *,
    weight_bits: float = 16.0,
    cache_bits: float = 16.0,
) -> AnswerTotals:
    """Return the totals of reading a prompt and writing an answer, without a loop over tokens.

    Args:
        model: with a decoder.
        prompt: tokens per sequence.
        answer: tokens per sequence, the first of which the prefill writes.
        batch: sequences.
        weight_bits: bits of a weight.
        cache_bits: bits of an element of keys, values and states.

    Raises:
        ProblemError: a number outside of its range, or a model without a decoder.
    """
    for name, value, most in (
        ("prompt", prompt, MAX_TOKENS),
        ("answer", answer, MAX_TOKENS),
        ("batch", batch, MAX_BATCH),
    ):
        if type(value) is not int or not 1 <= value <= most:
            raise ProblemError(name, value, f"a whole number from 1 to {most:,}")
    decoder = model.decoder
    if decoder is None:
        raise ProblemError("model", model.name, "a model with a decoder")
    weight, cache, steps = weight_bits / 8, cache_bits / 8, answer - 1
    others = [stage for stage in model.stages if stage.kind not in ("decoder", "action head") and stage.tokens]
    prefill = PassTotals(
        batch * (_decoder_macs(decoder, prompt) + sum(_encoder_macs(stage) for stage in others)),
        weight
        * (
            _read_weights(decoder, prompt * batch) + sum(_read_weights(stage, stage.tokens * batch) for stage in others)
        ),
        0.0,
        cache * batch * (decoder.cache_elements_written(prompt, first=True) + decoder.state_elements()),
    )
    decode = PassTotals(
        batch * _steps_macs(decoder, prompt, steps),
        weight * steps * _read_weights(decoder, batch, decodes=True),
        cache * batch * _steps_cache_read(decoder, prompt, steps),
        cache * batch * (decoder.cache_elements_written(steps, first=False) + steps * decoder.state_elements()),
    )
    return AnswerTotals(prefill, decode)


def _decoder_macs(stack: Stack, prompt: int) -> int:
    layers = sum(_layer_macs(layer, stack.width, prompt, decodes=False) for layer in stack.layers)
    pairs = sum(_pair_macs(each, prompt, 0, decodes=False) for each in stack.mixers)
    return layers + pairs + _outside_macs(stack, prompt)


def _steps_macs(stack: Stack, prompt: int, steps: int) -> int:
    layers = sum(_layer_macs(layer, stack.width, 1, decodes=True) for layer in stack.layers)
    pairs = sum(_pair_macs(each, steps, prompt, decodes=True) for each in stack.mixers)
    return steps * (layers + _outside_macs(stack, 1)) + pairs


def _encoder_macs(stack: Stack) -> int:
    layers = sum(_layer_macs(layer, stack.width, stack.tokens, decodes=False) for layer in stack.layers)
    pairs = sum(_pair_macs(each, stack.tokens, 0, decodes=False) for each in stack.mixers)
    return layers + pairs + _outside_macs(stack, stack.tokens)


def _outside_macs(stack: Stack, tokens: int) -> int:
    maps = sum(each.macs_per_row * each.rows(tokens) for each in (*stack.entry, *stack.exit))
    return maps + (stack.head.macs_per_row if stack.head else 0)


def _layer_macs(layer: Layer, width: int, tokens: int, *, decodes: bool) -> int:
    """Return the multiply-accumulates of a layer that do not depend on the context."""
    maps = sum(each.macs_per_row * each.rows(tokens) for each in layer.extras)
    for mixer in layer.mixers:
        maps += _mixer_macs(mixer, width, tokens, decodes)
    if layer.feed_forward:
        maps += tokens * _feed_forward_macs(layer.feed_forward, width)
    return maps


def _mixer_macs(mixer: Mixer, width: int, tokens: int, decodes: bool) -> int:
    if isinstance(mixer, Attention) and mixer.source_tokens:
        own = tokens * _macs((*mixer.query_weights(width), *mixer.output_weights(width)))
        return own if decodes else own + mixer.source_tokens * _macs(mixer.source_weights(width))
    per_token = _macs(mixer.projections(width))
    if isinstance(mixer, Recurrence) and mixer.products:
        per_token += mixer.products.macs_per_token
    return tokens * per_token


def _feed_forward_macs(part: FeedForward | Experts, width: int) -> int:
    maps = _macs(part.projections(width))
    return maps + part.per_token * _macs(part.expert.projections(width)) if isinstance(part, Experts) else maps


def _macs(maps: tuple[Projection, ...]) -> int:
    return sum(each.macs_per_row for each in maps)


def _pair_macs(mixer: Mixer, tokens: int, context: int, *, decodes: bool) -> int:
    per_pair = mixer.absorbed_macs_per_pair if decodes and isinstance(mixer, LatentAttention) else mixer.macs_per_pair
    return per_pair * _pairs(mixer, tokens, context)


def _pairs(mixer: Mixer, tokens: int, context: int) -> int:
    """Return the pairs of `tokens` consecutive tokens and what each sees."""
    if isinstance(mixer, Attention) and mixer.source_tokens:
        return tokens * mixer.source_tokens
    if isinstance(mixer, Attention) and not mixer.causal:
        return tokens * min(tokens, mixer.window_tokens or tokens)
    return attended_pairs(tokens, context, mixer.window_tokens, chunked=mixer.chunked)


def _steps_cache_read(stack: Stack, prompt: int, steps: int) -> int:
    pairs = sum(each.read_elements_per_token * _pairs(each, steps, prompt) for each in stack.mixers)
    return pairs + steps * stack.state_elements()


def _read_weights(stack: Stack, tokens: int, *, decodes: bool = False) -> float:
    """Return the weights that a pass of `tokens` tokens in all reads: expected, for experts."""
    tables = sum(min(tokens, table.rows) * table.width for table in stack.tables)
    head = stack.head.elements if stack.head else 0
    read = float(tables + head + total_elements((*stack.entry, *stack.exit)) + stack.norm_elements)
    for layer in stack.layers:
        part = layer.feed_forward
        read += layer.parameters(stack.width) - sum(_unread(each, stack.width, decodes) for each in layer.mixers)
        if isinstance(part, Experts):
            read -= (part.count - part.distinct(tokens)) * part.expert.parameters(stack.width)
    return read


def _unread(mixer: Mixer, width: int, decodes: bool) -> int:
    if not isinstance(mixer, Attention):
        return 0
    cached = decodes and mixer.source_tokens
    return mixer.unused_elements + (total_elements(mixer.source_weights(width)) if cached else 0)
