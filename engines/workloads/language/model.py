"""Models by their configuration: stacks of layers with their parameters, caches and states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from engines.workloads.language.mixers import Attention, LatentAttention, Mixer, Recurrence, StateProducts
from engines.workloads.language.weights import Projection, Table, total_elements

__all__ = [
    "Attention",
    "Experts",
    "FeedForward",
    "LanguageModel",
    "LatentAttention",
    "Layer",
    "Mixer",
    "Projection",
    "Recurrence",
    "Stack",
    "StateProducts",
    "Table",
]

StackKind = Literal["decoder", "vision encoder", "audio encoder", "text encoder", "projector", "action head"]


@dataclass(frozen=True)
class FeedForward:
    """Two maps with an activation between them, or three with a gate.

    Attributes:
        hidden: features between the maps.
        gated: whether a third map gates them.
        bias: whether the maps have one.
        vectors: weights outside of the maps (mixing factors of RWKV).
    """

    hidden: int
    gated: bool = True
    bias: bool = False
    vectors: int = 0

    def projections(self, width: int) -> tuple[Projection, ...]:
        """Return the maps of a stack of `width` features."""
        up = Projection("up", width, self.hidden, self.bias)
        gate = (replace(up, name="gate"),) if self.gated else ()
        return *gate, up, Projection("down", self.hidden, width, self.bias)

    def parameters(self, width: int) -> int:
        """Return its weights in a stack of `width` features."""
        return total_elements(self.projections(width)) + self.vectors

    def active_parameters(self, width: int) -> int:
        """Return the weights that one token reads: all."""
        return self.parameters(width)


@dataclass(frozen=True)
class Experts:
    """A mixture of feed-forward parts of which each token passes some.

    Attributes:
        count: experts.
        per_token: experts that a token passes.
        hidden: features within an expert.
        shared_hidden: features of the part that every token passes as well; 0: none.
        gated: whether experts have a third map as gate.
        bias: whether their maps have a bias.
        router_bias: whether the map to the scores of the experts has a bias (or each score a correction).
        shared_gate: whether a map to one number scales the shared part.
        vectors: other weights (normalisations, scales of experts).
    """

    count: int
    per_token: int
    hidden: int
    shared_hidden: int = 0
    gated: bool = True
    bias: bool = False
    router_bias: bool = False
    shared_gate: bool = False
    vectors: int = 0

    @property
    def expert(self) -> FeedForward:
        """One expert."""
        return FeedForward(self.hidden, self.gated, self.bias)

    @property
    def shared(self) -> FeedForward | None:
        """The part that every token passes; None without."""
        return FeedForward(self.shared_hidden, self.gated, self.bias) if self.shared_hidden else None

    def projections(self, width: int) -> tuple[Projection, ...]:
        """Return the maps that every token passes: router, shared part and its gate."""
        router = Projection("router", width, self.count, self.router_bias)
        shared = (
            tuple(replace(each, name=f"shared_{each.name}") for each in self.shared.projections(width))
            if self.shared
            else ()
        )
        gate = (Projection("shared_gate", width, 1),) if self.shared_gate else ()
        return router, *shared, *gate

    def parameters(self, width: int) -> int:
        """Return all weights in a stack of `width` features."""
        return self._always(width) + self.count * self.expert.parameters(width)

    def active_parameters(self, width: int) -> int:
        """Return the weights that one token reads."""
        return self._always(width) + self.per_token * self.expert.parameters(width)

    def distinct(self, tokens: int) -> float:
        """Return the expected number of distinct experts for `tokens` tokens, with equally likely and independent choices."""
        return self.count * (1.0 - (1.0 - self.per_token / self.count) ** tokens)

    def most_distinct(self, tokens: int) -> int:
        """Return the most experts that `tokens` tokens can read together."""
        return min(self.count, self.per_token * tokens)

    def _always(self, width: int) -> int:
        return total_elements(self.projections(width)) + self.vectors


@dataclass(frozen=True)
class Layer:
    """One layer of a stack: a mixer, a feed-forward part, or both.

    Attributes:
        mixer: token mixer; None for a layer without one.
        feed_forward: None for a layer without.
        norm_elements: weights of the normalisations and scales of the layer.
        cross_attention: to the tokens of an encoder; None without.
        parallel: mixer that reads the same tokens beside the first, and whose result is added; None without.
        block: name of mixers, feed-forward part and normalisations that several layers share; "" where they are the layer's own.
        extras: further maps of each token (per-layer embeddings, low-rank residuals).
    """

    mixer: Mixer | None
    feed_forward: FeedForward | Experts | None
    norm_elements: int = 0
    cross_attention: Attention | None = None
    extras: tuple[Projection, ...] = ()
    parallel: Mixer | None = None
    block: str = ""

    @property
    def mixers(self) -> tuple[Mixer, ...]:
        """Mixer, the one beside it and cross-attention, as far as there are."""
        return tuple(each for each in (self.mixer, self.parallel, self.cross_attention) if each is not None)

    def parameters(self, width: int) -> int:
        """Return all weights in a stack of `width` features."""
        return self._outside_feed_forward(width) + (self.feed_forward.parameters(width) if self.feed_forward else 0)

    def active_parameters(self, width: int) -> int:
        """Return the weights that one token reads."""
        feed_forward = self.feed_forward.active_parameters(width) if self.feed_forward else 0
        return self._outside_feed_forward(width) + feed_forward

    def _outside_feed_forward(self, width: int) -> int:
        mixers = sum(total_elements(each.projections(width)) + each.vector_elements(width) for each in self.mixers)
        return mixers + self.norm_elements + total_elements(self.extras)


@dataclass(frozen=True)
class Stack:
    """Consecutive layers of equal width: a stage of a model.

    Attributes:
        kind: kind of the stage.
        name: for operations and tables of results.
        width: features of a token.
        layers: from input to output; empty for a projector.
        tokens: tokens of one sample (patches of an image, frames of speech); 0: as many as the prompt has.
        tables: embeddings of words and positions.
        entry: maps before the layers (patches, frames).
        exit: maps after the layers (merger, pooling, projection), without the head.
        norm_elements: weights of normalisations and of single vectors outside of the layers.
        head: map to the vocabulary, computed for the last token alone; None without. Its weights count unless a table is it.
    """

    kind: StackKind
    name: str
    width: int
    layers: tuple[Layer, ...] = ()
    tokens: int = 0
    tables: tuple[Table, ...] = ()
    entry: tuple[Projection, ...] = ()
    exit: tuple[Projection, ...] = ()
    norm_elements: int = 0
    head: Projection | None = None

    @property
    def tied(self) -> bool:
        """Whether a table of words is the head as well."""
        return any(table.head for table in self.tables)

    @property
    def depth(self) -> int:
        """Layers of the configuration; shared blocks run besides."""
        return sum(not layer.block for layer in self.layers)

    @property
    def mixers(self) -> Iterator[Mixer]:
        """Return the mixers of all layers."""
        return (mixer for layer in self.layers for mixer in layer.mixers)

    def parameters(self) -> int:
        """Return all weights, each once."""
        return self._outside_layers() + sum(layer.parameters(self.width) for layer in self.layers) - self._repeated()

    def active_parameters(self) -> int:
        """Return the number of weights used per token, including the full embedding tables but only the selected experts."""
        layers = sum(layer.active_parameters(self.width) for layer in self.layers)
        return self._outside_layers() + layers - self._repeated()

    def cache_elements(self, tokens: int) -> int:
        """Return the elements of keys and values (or latents) that `tokens` tokens of one sequence store."""
        return sum(each.cache_elements_per_token * seen_tokens(each, tokens) for each in self.mixers)

    def cache_elements_written(self, tokens: int, *, first: bool) -> int:
        """Return the elements that `tokens` new tokens of one sequence write, each once, whatever a window keeps of them.

        Args:
            tokens: new tokens.
            first: whether the pass is the first, which writes the keys and values of an encoder's tokens as well.
        """
        own = [each for each in self.mixers if not (isinstance(each, Attention) and each.source_tokens)]
        source = [each for each in self.mixers if isinstance(each, Attention)] if first else []
        return tokens * sum(each.cache_elements_per_token for each in own) + sum(
            each.cache_elements_per_token * each.source_tokens for each in source
        )

    def state_elements(self) -> int:
        """Return the elements of all states of fixed size of one sequence."""
        return sum(each.state_elements for each in self.mixers)

    def _repeated(self) -> int:
        """Return the weights of blocks that an earlier layer has already: each pass reads them again, the model has them once."""
        blocks = [replace(layer, extras=()) for layer in self.layers if layer.block]
        first = {layer.block: layer for layer in blocks}.values()
        return sum(each.parameters(self.width) for each in blocks) - sum(each.parameters(self.width) for each in first)

    def _outside_layers(self) -> int:
        head = self.head.elements if self.head and not self.tied else 0
        if self.head and self.tied and self.head.bias:
            head = self.head.outputs
        return total_elements((*self.tables, *self.entry, *self.exit)) + self.norm_elements + head


def seen_tokens(mixer: Mixer, tokens: int) -> int:
    """Return the number of the `tokens` tokens, the present one included, that a mixer reads and stores."""
    if isinstance(mixer, Attention) and mixer.source_tokens:
        return mixer.source_tokens
    return tokens if mixer.window_tokens is None else min(tokens, mixer.window_tokens)


@dataclass(frozen=True)
class LanguageModel:
    """A model as stages that run one after the other.

    Attributes:
        name: name of the model.
        architecture: `model_type` of the configuration, or of the format.
        stages: encoders and projectors before the decoder that reads their tokens, action heads after it.
        vocabulary: words of the decoder; 0 without one.
        tied: whether the head is the table of words.
        context_tokens: longest context that the configuration states; 0: not stated.
        weight_bits: bits of a weight that the configuration states; 0: not stated.
        file_bits: mean bits of a weight in the file that was read; 0: a configuration alone was read.
        notes: omissions and assumptions of the reader, one sentence each.
    """

    name: str
    architecture: str
    stages: tuple[Stack, ...]
    vocabulary: int = 0
    tied: bool = False
    context_tokens: int = 0
    weight_bits: float = 0.0
    file_bits: float = 0.0
    notes: tuple[str, ...] = field(default=())

    @property
    def decoder(self) -> Stack | None:
        """The stage that writes words; None of an encoder alone."""
        return next((stage for stage in self.stages if stage.kind == "decoder"), None)

    def parameters(self) -> int:
        """Return the weights of all stages, each once."""
        return sum(stage.parameters() for stage in self.stages)

    def active_parameters(self) -> int:
        """Return the weights of one token's way, with the whole tables of words."""
        return sum(stage.active_parameters() for stage in self.stages)

    def cache_bytes(self, tokens: int, cache_bits: float = 16.0) -> float:
        """Return the bytes of keys and values of one sequence.

        Args:
            tokens: tokens of the prompt and of the answer so far; encoders' tokens that the decoder reads count among them.
            cache_bits: bits of an element.
        """
        return sum(stage.cache_elements(tokens) for stage in self.stages) * cache_bits / 8

    def state_bytes(self, state_bits: float = 16.0) -> float:
        """Return the bytes of states of fixed size of one sequence, which do not grow with its tokens.

        Args:
            state_bits: bits of an element.
        """
        return sum(stage.state_elements() for stage in self.stages) * state_bits / 8
