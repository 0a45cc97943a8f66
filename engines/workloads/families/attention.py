"""Parts of transformers: attention of tokens to each other, within windows or all, or to other tokens, and feed-forward parts."""

from __future__ import annotations

from dataclasses import dataclass

from engines.workloads.families.network_builder import Drawing, Feature
from engines.workloads.network import INPUT


@dataclass(frozen=True)
class Attention:
    """How the tokens of a drawing attend to each other.

    Attributes:
        heads: heads of every window.
        windows: number of separate windows of equal size.
        joint: whether one product gives query, key and value; else three.
        scored: names of additions to the scores (a mask, positions), in order, with what each reads besides them and how
            many of that is learnt.
        drawn: the row that gives out the positions that are added to the scores; -1: they are learnt.
        key, value: features of a head; 0: the share of one head in the width.
        bias: whether the joint product has one.
        biased: whether query, key and value of three products have a bias.
        rotated: whether query and key of three products are turned by their positions.
    """

    heads: int
    windows: int = 1
    joint: bool = True
    scored: tuple[tuple[str, int, int], ...] = ()
    drawn: int = -1
    key: int = 0
    value: int = 0
    bias: bool = True
    biased: tuple[bool, bool, bool] = (True, True, True)
    rotated: bool = False

    def draw(self, drawing: Drawing, name: str) -> None:
        """Query, key and value, scores, softmax, weighted sum of values, projection."""
        width, tokens = drawing.channels, drawing.places
        rows = self._project(drawing, name)
        each = tokens // self.windows
        drawn = (self.drawn,) if self.drawn >= 0 else ()
        key, value = self._features(width)
        products = AttentionProducts(each, each, key, self.heads, self.windows, self.scored, drawn, value)
        products.draw(drawing, name, rows)
        drawing.linear(f"{name}.projection", width)

    def _features(self, width: int) -> tuple[int, int]:
        """Return the features of keys and of values of a head."""
        share = width // self.heads
        return self.key or share, self.value or share

    def _project(self, drawing: Drawing, name: str) -> tuple[int, int, int]:
        """Return the rows that give out query, key and value."""
        width, entry = drawing.channels, drawing.feature
        if self.joint:
            key_width, value_width = self._features(width)
            drawing.linear(f"{name}.query_key_value", self.heads * (2 * key_width + value_width), bias=self.bias)
            return drawing.last, drawing.last, drawing.last
        query, key, value = (
            projected(drawing, f"{name}.{part}", entry, width, biased, self.rotated and part != "value")
            for part, biased in zip(("query", "key", "value"), self.biased, strict=True)
        )
        return query, key, value


@dataclass(frozen=True)
class CrossAttention:
    """How the tokens of a drawing attend to other tokens.

    Attributes:
        heads: attention heads.
        tokens: the others, a row and its shape; of the network's input too.
        values: source of the values; `tokens` by default.
        queries: source of the queries; the newest result by default.
        width: features of the queries of all heads together; 0: of a token.
        biased: whether query, key and value have a bias.
        rotated: whether query and key are turned by their positions.
        cached: whether keys and values are at hand, as results of an earlier network: `tokens` are the network's input.
    """

    heads: int
    tokens: Feature
    values: Feature | None = None
    queries: Feature | None = None
    width: int = 0
    biased: tuple[bool, bool, bool] = (True, True, True)
    rotated: bool = False
    cached: bool = False

    def draw(self, drawing: Drawing, name: str) -> None:
        """Query, key and value, scores, softmax, weighted sum of values, projection."""
        width, queries = drawing.channels, drawing.places
        inner = self.width or width
        attending = self.queries or drawing.feature
        query = projected(drawing, f"{name}.query", attending, inner, self.biased[0], self.rotated)
        key = value = INPUT
        if not self.cached:
            values = self.values or self.tokens
            key = projected(drawing, f"{name}.key", self.tokens, inner, self.biased[1], self.rotated)
            value = projected(drawing, f"{name}.value", values, inner, self.biased[2])
        keys = self.tokens[1][1] * self.tokens[1][2]
        products = AttentionProducts(queries, keys, inner // self.heads, self.heads)
        products.draw(drawing, name, (query, key, value))
        drawing.linear(f"{name}.projection", width)


@dataclass(frozen=True)
class AttentionProducts:
    """Scores of `queries` and `keys` in every window and head, softmax, and the weighted sum of values of `features`.

    `scored` as in `Attention`; `drawn` are the rows that give out the positions among them, () where they are learnt.
    Values have `value` features, 0: those of keys.
    """

    queries: int
    keys: int
    features: int
    heads: int
    windows: int = 1
    scored: tuple[tuple[str, int, int], ...] = ()
    drawn: tuple[int, ...] = ()
    value: int = 0

    def draw(self, drawing: Drawing, name: str, rows: tuple[int, int, int]) -> None:
        """Add them to a drawing; the results of `rows` are query, key and value."""
        query, key, value = rows
        repeats = self.heads * self.windows
        scores = repeats * self.queries * self.keys
        drawing.reading(query, key)
        drawing.product(f"{name}.scores", self.queries, self.features, self.keys, repeats)
        for words, read, learnt in self.scored:
            if words == "positions" and self.drawn:
                drawing.reading(drawing.last, *self.drawn)
            drawing.moved(f"{name}.{words}", "eltwise", read=scores + read, written=scores, weights=learnt)
        drawing.moved(f"{name}.softmax", "softmax", read=scores, written=scores)
        drawing.reading(drawing.last, value)
        features = self.value or self.features
        drawing.product(f"{name}.values", self.queries, self.keys, features, repeats)
        drawing.shape = (self.heads * features, self.windows * self.queries, 1)


def projected(drawing: Drawing, name: str, tokens: Feature, width: int, bias: bool, rotated: bool = False) -> int:
    """Add a linear layer over these tokens, turned by their positions if `rotated`; return its row."""
    drawing.branch(tokens)
    drawing.linear(name, width, bias=bias)
    if rotated:
        drawing.moved(f"{name}.rotate", "eltwise")
    return drawing.last


def encoder_block(
    drawing: Drawing,
    name: str,
    attention: Attention | CrossAttention,
    hidden: int,
    *,
    gated: bool = False,
    scaled: bool = False,
) -> None:
    """Add attention and a feed-forward part of `hidden` features, each normalised before and added to what it read.

    Args:
        drawing: whose tokens attend.
        name: name of the block.
        attention: its first part.
        hidden: features inside the second part.
        gated: whether half of the hidden features scale the others.
        scaled: whether each part is scaled by a learnt factor per feature.
    """
    for part in ("1", "2"):
        entry = drawing.last
        drawing.norm(f"{name}.norm{part}")
        if part == "1":
            attention.draw(drawing, f"{name}.attention")
        else:
            (gated_feed_forward if gated else feed_forward)(drawing, f"{name}.mlp", hidden)
        if scaled:
            drawing.moved(f"{name}.scale{part}", "eltwise", weights=drawing.channels)
        drawing.add_to(f"{name}.add{part}", entry)


def feed_forward(drawing: Drawing, name: str, hidden: int) -> None:
    """Add two linear layers with an activation between them."""
    width = drawing.channels
    drawing.linear(f"{name}.fc1", hidden, act=True)
    drawing.linear(f"{name}.fc2", width)


def gated_feed_forward(drawing: Drawing, name: str, hidden: int) -> None:
    """Add two linear layers side by side, of which the activated first scales the second, and a third one."""
    width, entry = drawing.channels, drawing.feature
    drawing.linear(f"{name}.gate", hidden, act=True)
    gate = drawing.last
    drawing.branch(entry)
    drawing.linear(f"{name}.fc1", hidden)
    drawing.add_to(f"{name}.multiply", gate)
    drawing.linear(f"{name}.fc2", width)
