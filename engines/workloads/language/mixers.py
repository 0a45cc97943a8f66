"""Mixers of tokens: attention with a cache that grows, and recurrences with a state of fixed size.

Shapes follow the modelling code of huggingface/transformers (Apache-2.0) and fla-org/flash-linear-attention (MIT).
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.workloads.language.weights import Projection


@dataclass(frozen=True)
class StateProducts:
    """The recurrence of a mixer: what each head does with its state for each token.

    Attributes:
        heads: independent states.
        rows, columns: rows and columns of the state of one head.
        names: names of the products; each takes `rows x columns` multiply-accumulates per head and token.
    """

    heads: int
    rows: int
    columns: int
    names: tuple[str, ...]

    @property
    def macs_per_token(self) -> int:
        """Multiply-accumulates of all heads for one token."""
        return self.heads * self.rows * self.columns * len(self.names)


@dataclass(frozen=True)
class _Mixer:
    """The part that all mixers have in common: what one does not have is 0."""

    @property
    def cache_elements_per_token(self) -> int:
        """Elements that it stores per token."""
        return 0

    @property
    def read_elements_per_token(self) -> int:
        """Elements of the cache that a decode step reads per token that it sees, its own or an earlier layer's."""
        return 0

    @property
    def macs_per_pair(self) -> int:
        """Multiply-accumulates per pair of a query and a token that it sees, with keys and values of each head."""
        return 0

    @property
    def state_elements(self) -> int:
        """Elements of a state of fixed size, read and written in each pass."""
        return 0

    @property
    def chunked(self) -> bool:
        """Whether the window begins anew after as many tokens as it holds."""
        return False


@dataclass(frozen=True)
class Attention(_Mixer):
    """Attention of tokens to those before them, or to all (`causal` false).

    Attributes:
        heads: number of query heads.
        cache_heads: number of key and value heads; each serves `heads / cache_heads` queries.
        head_size: features of a query and a key.
        value_head_size: features of a value; 0: `head_size`.
        window_tokens: the latest tokens that a token sees, itself among them; None: all.
        chunked: whether the window begins anew after so many tokens, in place of moving with each.
        query_bias, key_bias, value_bias, output_bias: whether the projections have a bias.
        norm_elements: weights of normalisations of queries and keys.
        output_gate: whether a gate as wide as the queries scales the result.
        sinks: whether each head learns a score of a token that is not there.
        value_is_key: whether keys serve as values too (no projection of values; both are cached).
        shares_cache_of_earlier_layer: whether it reads keys and values of an earlier layer and has none of its own.
        causal: whether tokens see those before them alone.
        source_tokens: tokens of an encoder that it reads in place of its own; 0: its own.
        source_width: features of these tokens; 0: as the stack's own.
        input_width: features of the own tokens, where the maps read more than one result of the stack; 0: as the stack's own.
        unused_elements: weights that files store and no token reads (keys and values of a layer that shares a cache).
    """

    heads: int
    cache_heads: int
    head_size: int
    value_head_size: int = 0
    window_tokens: int | None = None
    chunked: bool = False
    query_bias: bool = False
    key_bias: bool = False
    value_bias: bool = False
    output_bias: bool = False
    norm_elements: int = 0
    output_gate: bool = False
    sinks: bool = False
    value_is_key: bool = False
    shares_cache_of_earlier_layer: bool = False
    causal: bool = True
    source_tokens: int = 0
    source_width: int = 0
    input_width: int = 0
    unused_elements: int = 0

    @property
    def value_size(self) -> int:
        """Features of a value."""
        return self.value_head_size or self.head_size

    def query_weights(self, width: int) -> tuple[Projection, ...]:
        """Return the maps of a stack of `width` features that run before the attention, on its own tokens."""
        queries = self.heads * self.head_size * (1 + self.output_gate)
        return (Projection("query", self.input_width or width, queries, self.query_bias),)

    def source_weights(self, width: int) -> tuple[Projection, ...]:
        """Return the maps to keys and values: of the own tokens, or of those of an encoder."""
        if self.shares_cache_of_earlier_layer:
            return ()
        inputs = self.source_width or self.input_width or width
        keys = Projection("key", inputs, self.cache_heads * self.head_size, self.key_bias)
        if self.value_is_key:
            return (keys,)
        return keys, Projection("value", inputs, self.cache_heads * self.value_size, self.value_bias)

    def output_weights(self, width: int) -> tuple[Projection, ...]:
        """Return the maps after the attention."""
        return (Projection("output", self.heads * self.value_size, width, self.output_bias),)

    def projections(self, width: int) -> tuple[Projection, ...]:
        """Return all maps of a stack of `width` features."""
        return *self.query_weights(width), *self.source_weights(width), *self.output_weights(width)

    def vector_elements(self, width: int) -> int:
        """Return the weights outside of the maps."""
        return self.norm_elements + self.heads * self.sinks + self.unused_elements

    @property
    def cache_elements_per_token(self) -> int:
        """Elements of keys and values that it stores per token."""
        if self.shares_cache_of_earlier_layer or not (self.causal or self.source_tokens):
            return 0
        return self.cache_heads * (self.head_size + self.value_size)

    @property
    def read_elements_per_token(self) -> int:
        """Elements of keys and values that a query reads per token that it sees, its own cache or an earlier layer's."""
        return self.cache_heads * (self.head_size + self.value_size)

    @property
    def macs_per_pair(self) -> int:
        """Multiply-accumulates of scores and sum of values per pair of a query and a token that it sees."""
        return self.heads * (self.head_size + self.value_size)


@dataclass(frozen=True)
class LatentAttention(_Mixer):
    """Multi-head latent attention (arXiv 2405.04434): the cache holds one latent vector and one rotated key per token.

    Attributes:
        heads: number of query heads.
        query_latent_size: features of the latent of queries; 0: queries are mapped at once.
        latent_size: features of the latent of keys and values, which is cached.
        rotated_size: features of the rotated key that all heads share, cached as well.
        key_size: features of a key of a head without the rotated ones.
        value_size: features of a value of a head.
        bias: whether the maps to the latents have a bias.
    """

    heads: int
    query_latent_size: int
    latent_size: int
    rotated_size: int
    key_size: int
    value_size: int
    bias: bool = False
    window_tokens: int | None = None

    def query_weights(self, width: int) -> tuple[Projection, ...]:
        """Return the maps to queries and to the cached latent."""
        queries = self.heads * (self.key_size + self.rotated_size)
        latent = Projection("latent", width, self.latent_size + self.rotated_size, self.bias)
        if not self.query_latent_size:
            return Projection("query", width, queries), latent
        down = Projection("query_latent", width, self.query_latent_size, self.bias)
        return down, Projection("query", self.query_latent_size, queries), latent

    def expansion(self) -> tuple[Projection, ...]:
        """Return the map from the latent to keys and values of all heads, as prefill runs it."""
        return (Projection("key_value", self.latent_size, self.heads * (self.key_size + self.value_size)),)

    def absorbed_query(self) -> Projection:
        """Return the part of `expansion` that decode applies to queries."""
        heads = self.heads
        return Projection("query_to_latent", heads * self.key_size, heads * self.latent_size, groups=heads)

    def absorbed_value(self) -> Projection:
        """Return the part of `expansion` that decode applies to sums of latents."""
        heads = self.heads
        return Projection("latent_to_value", heads * self.latent_size, heads * self.value_size, groups=heads)

    def output_weights(self, width: int) -> tuple[Projection, ...]:
        """Return the map after the attention."""
        return (Projection("output", self.heads * self.value_size, width, self.bias),)

    def projections(self, width: int) -> tuple[Projection, ...]:
        """Return all maps of a stack of `width` features."""
        return *self.query_weights(width), *self.expansion(), *self.output_weights(width)

    def vector_elements(self, width: int) -> int:
        """Return the weights of the normalisations of the latents."""
        return self.query_latent_size + self.latent_size

    @property
    def cache_elements_per_token(self) -> int:
        """Elements that it stores per token."""
        return self.latent_size + self.rotated_size

    @property
    def read_elements_per_token(self) -> int:
        """Elements that a decode step reads per token."""
        return self.cache_elements_per_token

    @property
    def macs_per_pair(self) -> int:
        """Multiply-accumulates per pair of query and token in prefill, with keys and values of each head."""
        return self.heads * (self.key_size + self.rotated_size + self.value_size)

    @property
    def absorbed_macs_per_pair(self) -> int:
        """Multiply-accumulates per pair in decode, where scores and sums are of latents."""
        return self.heads * (2 * self.latent_size + self.rotated_size)


@dataclass(frozen=True)
class Recurrence(_Mixer):
    """A mixer with a state of fixed size: linear attention, state-space models, short convolutions.

    Attributes:
        kind: "gated delta net", "state space", "short convolution" or "rwkv".
        before: maps of each token to what the recurrence reads, convolutions among them.
        after: maps of its result.
        products: the recurrence; None for a convolution alone.
        vectors: weights outside of the maps: decay rates, mixing factors, normalisations.
        memory_elements: inputs of convolutions (or earlier tokens) that are stored in addition to the state.
        window_tokens: None, as it keeps no tokens.
    """

    kind: str
    before: tuple[Projection, ...]
    after: tuple[Projection, ...]
    products: StateProducts | None
    vectors: int
    memory_elements: int
    window_tokens: None = None

    def projections(self, width: int) -> tuple[Projection, ...]:
        """Return the weights of all projections."""
        return *self.before, *self.after

    def vector_elements(self, width: int) -> int:
        """Return the weights outside of the maps."""
        return self.vectors

    @property
    def state_elements(self) -> int:
        """Elements of the state, read and written with each token."""
        state = self.products
        return self.memory_elements + (state.heads * state.rows * state.columns if state else 0)


Mixer = Attention | LatentAttention | Recurrence
