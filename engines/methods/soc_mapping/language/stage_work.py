"""Stages of a language model on a board: what each computes, reads and hands on.

Encoders (with their projectors) run once for their tokens, prefill once for the prompt, decode once per token of the answer after
the first, an action head several times for a chunk of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from engines.methods.soc_mapping.language.params import LanguageMappingParams
from engines.survey.language.work import (
    Conversation,
    ConversationWork,
    StageWork,
    decode_work,
    decoder_of,
    prefill_work,
)
from engines.workloads.language.model import Experts, LanguageModel, Layer, Stack, seen_tokens
from engines.workloads.language.weights import total_elements
from hardware.bits import BitWidths

StageName = Literal["encoders", "prefill", "decode", "actions"]
TITLES: Mapping[StageName, str] = {
    "encoders": "Encoders",
    "prefill": "Prefill",
    "decode": "Decode",
    "actions": "Action head",
}
STAGE_NAMES = tuple(TITLES)  # in the order in which they run
Blocks = tuple[int, int]  # the first one of a part of the decoder, and the first one after it


@dataclass(frozen=True)
class Pass:
    """Tokens that a stage computes together.

    Attributes:
        tokens: tokens of the pass.
        work: work of each token.
        result_bytes: inputs and results of all maps for one token, which cross the memory.
    """

    tokens: int
    work: StageWork
    result_bytes: float

    @property
    def moved_bytes(self) -> float:
        """Bytes of one token that cross the memory."""
        return self.work.read_bytes + self.result_bytes

    def plus(self, other: Pass, times: int = 1) -> Pass:
        """Return the sum of the work of two passes over the same tokens; `times` is -1 for the difference."""
        one, two = self.work, other.work
        work = (
            one.operations + times * two.operations,
            one.read_bytes + times * two.read_bytes,
            one.matrices + times * two.matrices,
            one.state_elements + times * two.state_elements,
        )
        return Pass(self.tokens, StageWork(*work), self.result_bytes + times * other.result_bytes)


class ModelStages:
    """A model with its conversation, cut into stages.

    Attributes:
        names: stages in the order in which they run.
        decoder: the stage that writes words.
        encoder_elements, action_elements: weights before and after the decoder.
        blocks: layers of the decoder.
    """

    def __init__(self, model: LanguageModel, params: LanguageMappingParams) -> None:
        """Cut a model into stages.

        Raises:
            ProblemError: it writes no words.
        """
        self.model, self.params, self.decoder = model, params, decoder_of(model)
        heads = [stage.kind == "action head" for stage in model.stages]
        first_head = heads.index(True) if any(heads) else len(heads)
        self._before = [each for each in model.stages[:first_head] if each is not self.decoder]
        self._after = [each for each in model.stages[first_head:] if each is not self.decoder]
        self.encoder_elements = sum(each.parameters() for each in self._before)
        self.action_elements = sum(each.parameters() for each in self._after)
        self._conversations: dict[float, ConversationWork] = {}
        self._works: dict[tuple[object, ...], Sequence[Pass]] = {}
        self.blocks = len(self.decoder.layers)
        present = {"encoders": self._before, "actions": self._after}
        self.names: tuple[StageName, ...] = tuple(name for name in STAGE_NAMES if present.get(name, True))

    def conversation(self, cache_bits: float) -> ConversationWork:
        """Return work and memory with so many bits of the cache, made once."""
        if cache_bits not in self._conversations:
            talk = Conversation(self.params.prompt_tokens, self.params.answer_tokens, cache_bits)
            self._conversations[cache_bits] = ConversationWork(self.model, talk)
        return self._conversations[cache_bits]

    def passes(self, stage: StageName, bits: BitWidths, *, every_expert: bool) -> Sequence[Pass]:
        """Return the passes of encoders or action head, each computed once.

        Args:
            stage: the stage.
            bits: bits of weights and activations.
            every_expert: as of `prefill_work`.
        """
        key = stage, bits, every_expert
        if key not in self._works:
            before, prompt = stage == "encoders", self.params.prompt_tokens
            self._works[key] = [
                self._pass(each, self._tokens(each) if before else self.params.action_tokens, bits, every_expert,
                           0 if before else prompt)
                for each in (self._before if before else self._after)
            ] * (1 if before else self.params.action_steps)  # fmt: skip
        return self._works[key]

    def prefill(self, bits: BitWidths, *, every_expert: bool, blocks: Blocks | None = None) -> Pass:
        """Return the pass of the prompt through the decoder, or through some of its blocks.

        Args:
            bits: bits of weights and activations.
            every_expert: whether every expert runs, as in `prefill_work`.
            blocks: first block, and the one after the last; None takes all.
        """
        prompt = self.params.prompt_tokens

        def pass_of(model: LanguageModel) -> Pass:
            work = prefill_work(model, bits, prompt, every_expert=every_expert)
            return Pass(prompt, work, _result_elements(decoder_of(model)) * bits.activation_bytes)

        return self._of_blocks(("prefill", bits, every_expert), pass_of, blocks)

    def decode(self, bits: BitWidths, cache_bits: float, blocks: Blocks | None = None) -> StageWork:
        """Return the work of the mean answer token, in all blocks or in some; as `prefill`."""
        context = Conversation(self.params.prompt_tokens, self.params.answer_tokens).mean_context_tokens

        def pass_of(model: LanguageModel) -> Pass:
            return Pass(1, decode_work(model, bits, context, cache_bits), 0.0)

        return self._of_blocks(("decode", bits, cache_bits), pass_of, blocks).work

    def part(self, blocks: Blocks | None) -> LanguageModel:
        """Return the model with some of its blocks alone; the head belongs to the last block."""
        if blocks is None:
            return self.model
        last = blocks[1] == self.blocks
        layers, head = self.decoder.layers[slice(*blocks)], self.decoder.head if last else None
        norms = self.decoder.norm_elements if last else 0
        return replace(self.model, stages=(replace(self.decoder, layers=layers, head=head, norm_elements=norms),))

    def _of_blocks(
        self, key: tuple[object, ...], pass_of: Callable[[LanguageModel], Pass], blocks: Blocks | None
    ) -> Pass:
        """Return the sum over some blocks, from the sums up to each block; equal blocks are counted once."""
        if blocks is None:
            if key not in self._works:
                self._works[key] = [pass_of(self.model)]
            return self._works[key][0]
        sums_key = "sums", *key
        if sums_key not in self._works:
            whole = self._of_blocks(key, pass_of, None)
            empty = replace(
                pass_of(self.part((0, 0))), result_bytes=0.0
            )  # a model without blocks still starts its head
            ones: dict[Layer, Pass] = {}
            sums = [empty.plus(empty, -1)]
            for at, layer in enumerate(self.decoder.layers[:-1]):
                if layer not in ones:
                    ones[layer] = pass_of(self.part((at, at + 1))).plus(empty, -1)
                sums.append(sums[-1].plus(ones[layer]))
            self._works[sums_key] = [*sums, whole]
        first, after = blocks
        return self._works[sums_key][after].plus(self._works[sums_key][first], -1)

    def handed_bytes(self, stage: StageName, bits: BitWidths) -> float:
        """Return the tokens that encoders leave for the prefill, or that one pass hands from block to block of the decoder.

        Args:
            stage: encoders, prefill or decode.
            bits: bits of activations.
        """
        tokens = {"encoders": sum(map(self._tokens, self._before[-1:])), "prefill": self.params.prompt_tokens}.get(
            stage, 1
        )
        return tokens * self.decoder.width * bits.activation_bytes

    @cached_property
    def prompt_elements(self) -> tuple[int, ...]:
        """Keys, values and states that the prompt leaves in each block."""
        prompt = self.params.prompt_tokens
        return tuple(
            sum(
                each.cache_elements_per_token * seen_tokens(each, prompt) + each.state_elements for each in layer.mixers
            )
            for layer in self.decoder.layers
        )

    def memory_bytes(self, bits: dict[StageName, BitWidths], cache_bits: float) -> dict[str, float]:
        """Return the least memory of a conversation by content.

        Weights of the decoder are held once where prefill and decode share them, else twice.

        Args:
            bits: bits of each stage.
            cache_bits: bits of an element of keys and values.
        """
        own, decoded = bits["prefill"], bits["decode"]
        around: dict[StageName, int] = {"encoders": self.encoder_elements, "actions": self.action_elements}
        rest = sum(elements * bits[name].weight_bytes for name, elements in around.items() if elements)
        work, tokens = self.conversation(cache_bits), self.params.prompt_tokens + self.params.answer_tokens
        weights = (work.parameters - sum(around.values())) * own.weight_bytes
        cache, states = self.model.cache_bytes(tokens, cache_bits), self.model.state_bytes(cache_bits)
        results = work.peak_memory_bytes(own) - int(work.parameters * own.weight_bytes + cache + states)
        second = 0.0 if decoded == own else weights * decoded.weight_bytes / own.weight_bytes
        found = {
            "Weights of the decoder": weights,
            "Second copy, in the bits of decode": second,
            "Weights of encoders and action head": rest,
            "Cache": cache,
            "States": states,
            "Results": float(max(0, results)),
        }
        return {name: size for name, size in found.items() if size}

    def _tokens(self, stack: Stack) -> int:
        """Return the tokens of an encoder; a projector has those of the stage before it."""
        place = self._before.index(stack)
        return next((each.tokens for each in reversed(self._before[: place + 1]) if each.tokens), 1)

    def _pass(self, stack: Stack, tokens: int, bits: BitWidths, every_expert: bool, context: int) -> Pass:
        """Return one pass of a stack, with the maps around its layers.

        Args:
            stack: encoder, projector or action head.
            tokens: tokens of the pass.
            bits: bits of weights and activations.
            every_expert: as of `prefill_work`.
            context: tokens that the layers read beside their own.
        """
        alone = replace(self.model, stages=(replace(stack, kind="decoder", tokens=0),))
        inner = prefill_work(alone, bits, tokens, every_expert=every_expert)
        around = (*stack.entry, *stack.exit)
        elements = total_elements(around)
        pairs = sum(each.macs_per_pair for each in stack.mixers) * context
        work = replace(
            inner,
            operations=inner.operations + 2 * (elements + pairs),
            read_bytes=inner.read_bytes + elements * bits.weight_bytes / tokens,
            matrices=inner.matrices + len(around) - 1,
        )
        results = _result_elements(stack) + sum(each.inputs + each.outputs for each in around)
        return Pass(tokens, work, results * bits.activation_bytes)


def _result_elements(stack: Stack) -> int:
    """Return inputs and results of the maps that one token passes in the layers of a stack."""
    total = 0
    for layer in stack.layers:
        maps = [each for mixer in layer.mixers for each in mixer.projections(stack.width)]
        part = layer.feed_forward
        maps += part.projections(stack.width) if part else ()
        if isinstance(part, Experts):
            maps += part.per_token * part.expert.projections(stack.width)
        total += sum(each.inputs + each.outputs for each in (*maps, *layer.extras))
    return total
