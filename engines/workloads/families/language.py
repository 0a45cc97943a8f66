"""BERT and GPT-2 of any length of text, as transformers 4.36.2 runs them (`modeling_bert.py`, `modeling_gpt2.py`).

One sample is one text; the batch belongs to the scenario.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.workloads.families.attention import Attention, feed_forward
from engines.workloads.families.network_builder import Drawing, Row
from engines.workloads.tables import tied

_RATIO = 4


@dataclass(frozen=True)
class LanguageModel:
    """The size of a language model.

    Attributes:
        depth, width, heads: blocks, features of a token, attention heads.
        vocabulary: words of the table.
        longest: tokens that it has positions for.
    """

    depth: int
    width: int
    heads: int
    vocabulary: int
    longest: int

    def attention(self, tokens: int, joint: bool) -> Attention:
        """Return all tokens with each other, with a mask of one row."""
        return Attention(self.heads, joint=joint, scored=(("mask", tokens, 0),))


def bert(model: LanguageModel, tokens: int) -> list[Row]:
    """Return the BERT with its pooler, over `tokens` tokens: three embeddings, blocks that normalise after each part."""
    drawing = Drawing((model.width, tokens, 1))
    embedding(drawing, "embeddings.words", model.vocabulary)
    words = drawing.last
    embedding(drawing, "embeddings.types", 2)
    drawing.add_to("embeddings.add1", words)
    words = drawing.last
    embedding(drawing, "embeddings.positions", model.longest)
    drawing.add_to("embeddings.add2", words)
    drawing.norm("embeddings.norm")
    for block in range(model.depth):
        name, entry = f"block{block}", drawing.last
        model.attention(tokens, joint=False).draw(drawing, f"{name}.attention")
        drawing.add_to(f"{name}.add1", entry)
        drawing.norm(f"{name}.norm1")
        entry = drawing.last
        feed_forward(drawing, f"{name}.mlp", _RATIO * model.width)
        drawing.add_to(f"{name}.add2", entry)
        drawing.norm(f"{name}.norm2")
    drawing.shape = (model.width, 1, 1)
    drawing.linear("pooler", model.width, act=True)
    return drawing.rows


def gpt2(model: LanguageModel, tokens: int) -> list[Row]:
    """Return the GPT-2 with its head, over `tokens` tokens at once: blocks that normalise before each part."""
    drawing = Drawing((model.width, tokens, 1))
    embedding(drawing, "embeddings.words", model.vocabulary)
    words = drawing.last
    embedding(drawing, "embeddings.positions", model.longest)
    drawing.add_to("embeddings.add", words)
    for block in range(model.depth):
        name, entry = f"block{block}", drawing.last
        drawing.norm(f"{name}.norm1")
        model.attention(tokens, joint=True).draw(drawing, f"{name}.attention")
        drawing.add_to(f"{name}.add1", entry)
        entry = drawing.last
        drawing.norm(f"{name}.norm2")
        _gpt2_feed_forward(drawing, f"{name}.mlp")
        drawing.add_to(f"{name}.add2", entry)
    drawing.norm("norm")
    drawing.linear("head", model.vocabulary, bias=False)
    return tied(drawing.rows, ("embeddings.words", "head"))


def _gpt2_feed_forward(drawing: Drawing, name: str) -> None:
    """Add the GELU of GPT-2, written out: x + ..., tanh, x * ...."""
    width = drawing.channels
    drawing.linear(f"{name}.fc1", _RATIO * width)
    hidden = drawing.last
    drawing.add(f"{name}.gelu.add")
    drawing.act(f"{name}.gelu.tanh")
    drawing.add_to(f"{name}.gelu.multiply", hidden)
    drawing.linear(f"{name}.fc2", width)


def embedding(drawing: Drawing, name: str, rows: int) -> None:
    """Add the rows of a table of `rows` entries that the network's input names, one for each token."""
    drawing.reading()
    drawing.moved(name, "embedding", read=drawing.places, weights=rows * drawing.channels)
