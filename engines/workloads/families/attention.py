"""Parts of transformers: attention of tokens to each other, within windows or all, and feed-forward parts."""

from __future__ import annotations

from dataclasses import dataclass

from engines.workloads.families.network_builder import Drawing


@dataclass(frozen=True)
class Attention:
    """How the tokens of a drawing attend to each other.

    Attributes:
        heads: of every window.
        windows: of equal size, apart from each other.
        joint: whether one product gives query, key and value; else three.
        scored: names of additions to the scores (a mask, positions), in order, with what each reads besides them and how
            many of that is learnt.
        drawn: the row that gives out the positions that are added to the scores; -1: they are learnt.
        key, value: features of a head; 0: the share of one head in the width.
        bias: whether the joint product has one.
    """

    heads: int
    windows: int = 1
    joint: bool = True
    scored: tuple[tuple[str, int, int], ...] = ()
    drawn: int = -1
    key: int = 0
    value: int = 0
    bias: bool = True

    def draw(self, drawing: Drawing, name: str) -> None:
        """Query, key and value, scores, softmax, weighted sum of values, projection."""
        width, tokens = drawing.channels, drawing.places
        query, key, value = self._project(drawing, name)
        drawing.shape = (width, tokens, 1)
        each, (key_width, value_width) = tokens // self.windows, self._features(width)
        repeats = self.heads * self.windows
        scores = repeats * each**2
        drawing.reading(query, key)
        drawing.product(f"{name}.scores", each, key_width, each, repeats)
        for words, read, learnt in self.scored:
            if words == "positions" and self.drawn >= 0:
                drawing.reading(drawing.last, self.drawn)
            drawing.moved(f"{name}.{words}", "eltwise", read=scores + read, written=scores, weights=learnt)
        drawing.moved(f"{name}.softmax", "softmax", read=scores, written=scores)
        drawing.reading(drawing.last, value)
        drawing.product(f"{name}.values", each, each, value_width, repeats)
        drawing.shape = (self.heads * value_width, tokens, 1)
        drawing.linear(f"{name}.projection", width)

    def _features(self, width: int) -> tuple[int, int]:
        """Return the features of keys and of values of a head."""
        share = width // self.heads
        return self.key or share, self.value or share

    def _project(self, drawing: Drawing, name: str) -> list[int]:
        """Return the rows that give out query, key and value."""
        width, shape, entry = drawing.channels, drawing.shape, drawing.last
        if self.joint:
            key, value = self._features(width)
            drawing.linear(f"{name}.query_key_value", self.heads * (2 * key + value), bias=self.bias)
            return [drawing.last] * 3
        rows = []
        for part in ("query", "key", "value"):
            drawing.shape = shape
            drawing.reading(entry)
            drawing.linear(f"{name}.{part}", width)
            rows.append(drawing.last)
        return rows


def feed_forward(drawing: Drawing, name: str, hidden: int) -> None:
    """Add two linear layers with an activation between them."""
    width = drawing.channels
    drawing.linear(f"{name}.fc1", hidden, act=True)
    drawing.linear(f"{name}.fc2", width)
