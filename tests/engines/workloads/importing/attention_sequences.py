"""Networks of sequences around attention: by hand, by the library, with places, memories and convolutions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn, functional = torch.nn, torch.nn.functional

Module: Any = nn.Module
WIDTH, HEADS = 32, 4


def heads_apart(x: Any, heads: int = HEADS) -> Any:
    """(batch, steps, width) as (batch, heads, steps, width of a head)."""
    batch, steps, width = x.shape
    return x.reshape(batch, steps, heads, width // heads).transpose(1, 2)


def heads_together(x: Any) -> Any:
    return x.transpose(1, 2).flatten(2)


class SelfAttention(Module):
    """Query, key and value from one product; their shapes by `view`, as most write it."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        batch, steps, width = x.size()
        qkv = self.qkv(x).view(batch, steps, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        y = scores.softmax(-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(batch, steps, width))


class Block(Module):
    """Norm, attention, norm, two linear layers."""

    def __init__(self, attention: Any) -> None:
        super().__init__()
        self.attention, self.first, self.second = attention, nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.first(x))
        return x + self.mlp(self.second(x))


class Library(Module):
    """`nn.MultiheadAttention`, with and without its weights, batch first or steps first."""

    def __init__(self, weights: bool = False, batch_first: bool = True) -> None:
        super().__init__()
        self.weights, self.attention = weights, nn.MultiheadAttention(WIDTH, HEADS, batch_first=batch_first)

    def forward(self, x: Any) -> Any:
        return self.attention(x, x, x, need_weights=self.weights)[0]


class Encoder(Module):
    """Words, their places, two blocks."""

    def __init__(self, attention: Callable[[], Any]) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(100, WIDTH), nn.Embedding(64, WIDTH)
        self.blocks = nn.Sequential(Block(attention()), Block(attention()))
        self.head = nn.Linear(WIDTH, 100)

    def forward(self, ids: Any) -> Any:
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        return self.head(self.blocks(self.words(ids) + self.places(places)))


class MaskedEncoder(Module):
    """An encoder whose padding is masked, as in BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.qkv = nn.Embedding(100, WIDTH), nn.Linear(WIDTH, 3 * WIDTH)
        self.register_buffer("places", torch.arange(64).expand((1, -1)), persistent=False)
        self.place, self.pooled = nn.Embedding(64, WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, ids: Any, mask: Any) -> Any:
        steps = ids.size()[1]
        x = self.words(ids) + self.place(self.places[:, :steps])
        q, k, v = (heads_apart(each) for each in self.qkv(x).chunk(3, dim=-1))
        scores = torch.matmul(q, k.transpose(-1, -2)) / 8.0 + (1.0 - mask[:, None, None, :].float()) * -10000.0
        y = torch.matmul(scores.softmax(-1), v).permute(0, 2, 1, 3).contiguous()
        y = y.view(*y.size()[:-2], WIDTH)
        return torch.tanh(self.pooled(y[:, 0])), y


class LibraryEncoder(Module):
    """`nn.TransformerEncoder`."""

    def __init__(self, norm_first: bool = True) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, batch_first=True, norm_first=norm_first, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x: Any) -> Any:
        return self.encoder(x)


class LibraryTransformer(Module):
    """`nn.Transformer`, decoder with its causal mask."""

    def __init__(self) -> None:
        super().__init__()
        self.transformer = nn.Transformer(WIDTH, HEADS, 1, 1, 64, batch_first=True)

    def forward(self, source: Any, target: Any) -> Any:
        steps = target.shape[1]
        mask = torch.full((steps, steps), float("-inf")).triu(1)
        return self.transformer(source, target, tgt_mask=mask, tgt_is_causal=True)


class Fused(Module):
    """`scaled_dot_product_attention`, with queries of their own where keys come from elsewhere."""

    def __init__(self, causal: bool = False) -> None:
        super().__init__()
        self.causal = causal
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x: Any, memory: Any = None) -> Any:
        memory = x if memory is None else memory
        q, k, v = heads_apart(self.q(x)), heads_apart(self.k(memory)), heads_apart(self.v(memory))
        return self.out(heads_together(functional.scaled_dot_product_attention(q, k, v, is_causal=self.causal)))


class EinsumAttention(Module):
    """Attention by `einsum`, heads never moved."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Any) -> Any:
        batch, steps, _ = x.shape
        q, k, v = self.qkv(x).reshape(batch, steps, 3, HEADS, -1).unbind(2)
        weights = torch.einsum("bqhd,bkhd->bhqk", q, k).softmax(-1)
        return self.out(torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, steps, -1))


class LinearAttention(Module):
    """Keys times values first; the sum of the keys scales."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)

    def forward(self, x: Any) -> Any:
        q, k, v = (heads_apart(each) for each in self.qkv(x).split(WIDTH, dim=-1))
        q, k = functional.elu(q) + 1, functional.elu(k) + 1
        state = torch.einsum("...nd,...ne->...de", k, v)
        scale = 1 / torch.einsum("bhnd,bhd->bhn", q, k.sum(2))
        return heads_together(torch.einsum("bhnd,bhde,bhn->bhne", q, state, scale))


class GroupedQuery(Module):
    """Grouped queries with rotary places, keys and values repeated for each group."""

    def __init__(self, repeat: bool = False) -> None:
        super().__init__()
        self.repeat, self.groups = repeat, 2
        width = WIDTH // HEADS
        self.q, self.k, self.v = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2 * width), nn.Linear(WIDTH, 2 * width)
        self.register_buffer("rates", 1.0 / (10000 ** (torch.arange(0, width, 2).float() / width)))

    def forward(self, x: Any) -> Any:
        q, k, v = heads_apart(self.q(x)), heads_apart(self.k(x), self.groups), heads_apart(self.v(x), self.groups)
        angles = torch.outer(torch.arange(x.shape[1], device=x.device).float(), self.rates)
        angles = torch.cat((angles, angles), -1)
        q, k = (each * angles.cos() + turned(each) * angles.sin() for each in (q, k))
        k, v = self.repeated(k), self.repeated(v)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril().logical_not()
        return heads_together(scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v)

    def repeated(self, x: Any) -> Any:
        if self.repeat:
            return x.repeat_interleave(HEADS // self.groups, dim=1)
        batch, groups, steps, width = x.shape
        wide = x[:, :, None].expand(batch, groups, HEADS // groups, steps, width)
        return wide.reshape(batch, HEADS, steps, width)


def turned(x: Any) -> Any:
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), -1)


class RotaryOfPlaces(Module):
    """Rotary places from numbers that are an input, as in Llama."""

    def __init__(self) -> None:
        super().__init__()
        width = WIDTH // HEADS
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.register_buffer("rates", 1.0 / (10000 ** (torch.arange(0, width, 2).float() / width)))

    def forward(self, x: Any, places: Any) -> Any:
        rates = self.rates[None, :, None].float().expand(places.shape[0], -1, 1)
        angles = (rates @ places[:, None, :].float()).transpose(1, 2)
        angles = torch.cat((angles, angles), -1)[:, None]
        q, k, v = (heads_apart(each) for each in self.qkv(x).chunk(3, -1))
        q, k = (each * angles.cos() + turned(each) * angles.sin() for each in (q, k))
        return heads_together((q @ k.transpose(2, 3)).softmax(-1) @ v)


class Generator(Module):
    """A block of GPT with the keys and values of earlier steps; its mask is cut out of a larger one."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.ones(64, 64, dtype=torch.bool).tril().view(1, 1, 64, 64))

    def forward(self, x: Any, keys: Any, values: Any) -> Any:
        q, k, v = (heads_apart(each) for each in self.qkv(x).split(WIDTH, dim=2))
        k, v = torch.cat((keys, k), dim=-2), torch.cat((values, v), dim=-2)
        steps, length = q.size(-2), k.size(-2)
        scores = q @ k.transpose(-1, -2) / math.sqrt(v.size(-1))
        seen = self.mask[:, :, length - steps : length, :length]
        scores = torch.where(seen, scores, torch.full([], torch.finfo(scores.dtype).min))
        y = (scores.softmax(-1) @ v).permute(0, 2, 1, 3).contiguous()
        return self.out(y.view((*y.size()[:-2], WIDTH))), k, v


class Decoder(Module):
    """Attention to itself, then to what an encoder gave."""

    def __init__(self) -> None:
        super().__init__()
        self.itself, self.other = Fused(causal=True), Fused()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x: Any, memory: Any) -> Any:
        x = x + self.itself(self.first(x))
        return x + self.other(self.second(x), memory)
