"""Work of a language model in prefill and decode: what a board computes, reads and starts.

Prefill computes all maps for every token of the prompt. Decode computes them for one token, so that it reads every weight which
the token passes, and the cache. Tables of words are looked up, not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engines.contract.errors import ProblemError
from engines.workloads.language.model import Experts, LanguageModel, Layer, Stack
from engines.workloads.language.model import seen_tokens as tokens_seen
from hardware.bits import BITS_PER_BYTE, BitWidths

_OPERATIONS_PER_MAC = 2
_SCORE_BYTES = 4  # of a word, before one is chosen
MOST_TOKENS = 2**24
_MOST_CACHE_BITS = 32
_LARGEST_AMOUNT = 1_000_000
_JOULES_PER_WH = 3600.0
_BYTES_PER_MB = 1e6


@dataclass(frozen=True)
class Conversation:
    """One question and its answer.

    Attributes:
        prompt_tokens: prompt tokens of the question.
        answer_tokens: number of tokens of the answer.
        cache_bits: cache bits of an element of keys and values.
        battery_wh: energy of the battery; None without one.
        flash_mb_per_s: rate at which weights are read from flash; None where it is not known.
    """

    prompt_tokens: int = 512
    answer_tokens: int = 128
    cache_bits: float = 16.0
    battery_wh: float | None = None
    flash_mb_per_s: float | None = None

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ProblemError: one is not positive, or larger than any model takes.
        """
        for name, value in (("prompt", self.prompt_tokens), ("answer", self.answer_tokens)):
            if not 1 <= value <= MOST_TOKENS:
                raise ProblemError(name, value, f"a number of tokens from 1 to {MOST_TOKENS:,}")
        if not 1 <= self.cache_bits <= _MOST_CACHE_BITS:
            raise ProblemError("cache_bits", self.cache_bits, f"a number of bits from 1 to {_MOST_CACHE_BITS}")
        for name, amount, unit in (
            ("battery_wh", self.battery_wh, "Wh"),
            ("flash_mb_per_s", self.flash_mb_per_s, "MB/s"),
        ):
            if amount is not None and not 0 < amount <= _LARGEST_AMOUNT:
                raise ProblemError(name, amount, f"a number of {unit} above 0, at most {_LARGEST_AMOUNT:,}")

    @property
    def tokens(self) -> int:
        """Tokens of prompt and answer."""
        return self.prompt_tokens + self.answer_tokens

    def per_charge(self, energy_j: float | None) -> float | None:
        """Return the number of conversations of this energy per battery charge; None if either value is unknown."""
        return self.battery_wh * _JOULES_PER_WH / energy_j if self.battery_wh and energy_j else None

    def first_load_s(self, weight_bytes: int | None) -> float | None:
        """Return the time to read the weights from flash; None where either is not known."""
        return weight_bytes / (self.flash_mb_per_s * _BYTES_PER_MB) if self.flash_mb_per_s and weight_bytes else None

    @property
    def mean_context_tokens(self) -> int:
        """Tokens that the middle one of the answer sees."""
        return self.prompt_tokens + (self.answer_tokens + 1) // 2


@dataclass(frozen=True)
class StageWork:
    """Work of prefill per token of the prompt, or of decode per token of the answer.

    Attributes:
        operations: operations of all maps; a multiply-accumulate is two.
        read_bytes: bytes of weights and cache that are read.
        matrices: maps that are started.
        state_elements: elements of recurrent states, updated with each token.
    """

    operations: float
    read_bytes: float
    matrices: float
    state_elements: float


def decoder_of(model: LanguageModel) -> Stack:
    """Return the stage that writes words.

    Raises:
        ProblemError: the model has none.
    """
    if model.decoder is None:
        raise ProblemError("workload", model.name, "a model with a decoder")
    return model.decoder


def decode_work(model: LanguageModel, bits: BitWidths, context_tokens: int, cache_bits: float = 16.0) -> StageWork:
    """Return the work of one token of the answer.

    Args:
        model: network that runs.
        bits: bits of a weight, with its share of scales.
        context_tokens: number of tokens that the token sees.
        cache_bits: cache bits of an element of keys and values.
    """
    stack = decoder_of(model)
    head = stack.head.elements if stack.head else 0
    weights = head + stack.norm_elements + sum(layer.active_parameters(stack.width) for layer in stack.layers)
    cache = sum(each.read_elements_per_token * tokens_seen(each, context_tokens) for each in stack.mixers)
    pairs = sum(each.macs_per_pair * tokens_seen(each, context_tokens) for each in stack.mixers)
    return StageWork(
        _OPERATIONS_PER_MAC * (weights + pairs),
        weights * bits.weight_bytes + cache * cache_bits / BITS_PER_BYTE,
        sum(_matrices(layer, stack.width) for layer in stack.layers) + 1,
        stack.state_elements(),
    )


def prefill_work(model: LanguageModel, bits: BitWidths, prompt_tokens: int, *, every_expert: bool) -> StageWork:
    """Return the work of one token of the prompt.

    Args:
        model: network that runs.
        bits: bits of a weight, with its share of scales.
        prompt_tokens: number of prompt tokens, which share one reading of the weights.
        every_expert: whether each expert runs on the whole prompt. Neural accelerators run graphs of fixed shapes, which cannot
            leave tokens out; others run the experts that a token passes.
    """
    stack, width = decoder_of(model), decoder_of(model).width
    layers = [layer.parameters(width) if every_expert else layer.active_parameters(width) for layer in stack.layers]
    pairs = sum(each.macs_per_pair * tokens_seen(each, prompt_tokens) for each in stack.mixers)
    stored = stack.norm_elements + sum(layer.parameters(width) for layer in stack.layers)
    return StageWork(
        _OPERATIONS_PER_MAC * (sum(layers) + pairs),
        stored * bits.weight_bytes / prompt_tokens,
        sum(_matrices(layer, width) for layer in stack.layers) + 1,
        stack.state_elements(),
    )


class ConversationWork:
    """Work and memory of one conversation with a model, each computed once for all boards of a survey.

    Attributes:
        model: network that runs.
        conversation: prompt, answer and bits of the cache.
        parameters: parameters of all stages.
    """

    def __init__(self, model: LanguageModel, conversation: Conversation) -> None:
        self.model, self.conversation = model, conversation
        self.parameters = model.parameters()
        self._decode: dict[BitWidths, StageWork] = {}
        self._prefill: dict[tuple[BitWidths, bool], StageWork] = {}
        self._largest: dict[tuple[BitWidths, int], int] = {}
        self._state_bytes = model.state_bytes(conversation.cache_bits)
        stack = decoder_of(model)
        self._widths = 2 * stack.width + max(
            (width for layer in stack.layers for width in _result_widths(layer, stack.width)), default=0
        )

    def decode(self, bits: BitWidths) -> StageWork:
        """Return the work of the mean answer token."""
        if bits not in self._decode:
            context, cache_bits = self.conversation.mean_context_tokens, self.conversation.cache_bits
            self._decode[bits] = decode_work(self.model, bits, context, cache_bits)
        return self._decode[bits]

    def prefill(self, bits: BitWidths, *, every_expert: bool) -> StageWork:
        """Return the work of a prompt token, as `prefill_work`."""
        key = bits, every_expert
        if key not in self._prefill:
            tokens = self.conversation.prompt_tokens
            self._prefill[key] = prefill_work(self.model, bits, tokens, every_expert=every_expert)
        return self._prefill[key]

    @property
    def score_bytes(self) -> int:
        """Bytes of the scores of all words."""
        return self.model.vocabulary * _SCORE_BYTES

    def prompt_result_bytes(self, bits: BitWidths) -> float:
        """Return the bytes of the results of one layer per token of the prompt."""
        return self._widths * bits.activation_bytes

    def peak_memory_bytes(self, bits: BitWidths, tokens: int = 0) -> int:
        """Return the least memory: all weights once, cache and states of one sequence, results of one layer for the prompt.

        Args:
            bits: bits of weights and results.
            tokens: number of tokens in the cache; 0 for prompt and answer.
        """
        tokens = tokens or self.conversation.tokens
        prompt = min(tokens, self.conversation.prompt_tokens)
        results = prompt * self.prompt_result_bytes(bits) + self.score_bytes
        cache = self.model.cache_bytes(tokens, self.conversation.cache_bits)
        return int(self.parameters * bits.weight_bytes + cache + self._state_bytes + results)

    def largest_context_tokens(self, bits: BitWidths, capacity_bytes: int) -> int:
        """Return the longest context in tokens whose cache fits into memory, at most that of the model; 0 if none fits."""
        key = bits, capacity_bytes
        if key not in self._largest:
            low, high = 0, self.model.context_tokens or MOST_TOKENS
            if self.peak_memory_bytes(bits, 1) > capacity_bytes:
                high = 0
            elif self.peak_memory_bytes(bits, high) <= capacity_bytes:
                low = high
            while low < high:
                middle = (low + high + 1) // 2
                fits = self.peak_memory_bytes(bits, middle) <= capacity_bytes
                low, high = (middle, high) if fits else (low, middle - 1)
            self._largest[key] = low
        return self._largest[key]


def _matrices(layer: Layer, width: int) -> int:
    """Return the maps of a layer that one token passes."""
    mixers = sum(len(each.projections(width)) for each in layer.mixers)
    part = layer.feed_forward
    if part is None:
        return mixers + len(layer.extras)
    passed = len(part.projections(width))
    if isinstance(part, Experts):
        passed += part.per_token * len(part.expert.projections(width))
    return mixers + passed + len(layer.extras)


def _result_widths(layer: Layer, width: int) -> Iterator[int]:
    """Yield the features of the results of a layer's maps."""
    maps = [each for mixer in layer.mixers for each in mixer.projections(width)]
    part = layer.feed_forward
    if part is not None:
        maps += part.expert.projections(width) if isinstance(part, Experts) else part.projections(width)
    for each in maps:
        yield each.outputs
