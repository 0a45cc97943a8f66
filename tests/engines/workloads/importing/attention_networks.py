"""Networks around attention, each with the axes that may be left open when it is exported."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn, functional = torch.nn, torch.nn.functional

Module: Any = nn.Module
Axes = Mapping[str, Mapping[int, str]]
WIDTH, HEADS = 32, 4


@dataclass(frozen=True)
class Case:
    """A network that can be exported.

    Attributes:
        make: the module.
        axes: name of an input -> axis -> name of its open dimension.
        traced: sizes of the open dimensions at the export.
        read: other sizes, with which the file is read.
        inputs: the inputs of such sizes.
        first_opset: the first that has the operators which the older exporter needs.
        prepared: whether a part computes on weights alone, which torch counts and we do not: it is done once, before any sample.
    """

    make: Callable[[], Any]
    axes: Axes
    traced: Mapping[str, int]
    read: Mapping[str, int]
    inputs: Callable[[Mapping[str, int]], tuple[Any, ...]]
    first_opset: int = 13
    prepared: bool = False


# -- attention by hand ------------------------------------------------------------------------------------------------


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


class RelativePlaces(Module):
    """The distance of queries and keys in buckets, as in T5."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.bias = nn.Linear(WIDTH, 3 * WIDTH), nn.Embedding(16, HEADS)

    def forward(self, x: Any) -> Any:
        batch, steps, _ = x.shape
        q, k, v = (each.view(batch, -1, HEADS, WIDTH // HEADS).transpose(1, 2) for each in self.qkv(x).chunk(3, -1))
        places = torch.arange(steps, device=x.device)
        distance = places[None, :] - places[:, None]
        far = 8 + (torch.log(distance.abs().clamp(min=1).float() / 8) * 2).to(torch.long)
        bucket = torch.where(distance.abs() < 8, distance.abs(), torch.min(far, torch.full_like(far, 15)))
        bias = self.bias(bucket).permute(2, 0, 1).unsqueeze(0)
        weights = (torch.matmul(q, k.transpose(3, 2)) + bias).softmax(-1)
        return torch.matmul(weights, v).transpose(1, 2).contiguous().view(batch, -1, WIDTH)


class ShiftedScores(Module):
    """The scores of relative places are shifted by padding, as in Transformer-XL and the Conformer."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.place = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH, bias=False)
        self.register_buffer("table", torch.randn(1, 127, WIDTH))

    def forward(self, x: Any) -> Any:
        steps, middle = x.size(1), self.table.size(1) // 2
        q, k, v = (heads_apart(each) for each in self.qkv(x).chunk(3, -1))
        places = heads_apart(self.place(self.table[:, middle - steps + 1 : middle + steps]))
        relative = torch.matmul(q, places.transpose(-2, -1))
        batch, heads, queries, distances = relative.size()
        padded = torch.cat((relative.new_zeros(batch, heads, queries, 1), relative), -1)
        shifted = padded.view(batch, heads, distances + 1, queries)[:, :, 1:].view_as(relative)[
            ..., : distances // 2 + 1
        ]
        return heads_together((torch.matmul(q, k.transpose(-2, -1)) + shifted).softmax(-1) @ v)


class Conformer(Module):
    """Convolutions that halve the steps, attention, a gated depthwise convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.project = nn.Conv2d(1, 4, 3, 2), nn.Linear(4 * 7, WIDTH)
        self.attention, self.norm = ShiftedScores(), nn.LayerNorm(WIDTH)
        self.widen, self.depth = nn.Conv1d(WIDTH, 2 * WIDTH, 1), nn.Conv1d(WIDTH, WIDTH, 7, padding=3, groups=WIDTH)
        self.back, self.scale = nn.Conv1d(WIDTH, WIDTH, 1), nn.BatchNorm1d(WIDTH)

    def forward(self, x: Any) -> Any:
        x = self.stem(x.unsqueeze(1)).relu()
        batch, channels, steps, bands = x.size()
        x = self.project(x.transpose(1, 2).contiguous().view(batch, steps, channels * bands))
        x = x + self.attention(self.norm(x))
        y = functional.glu(self.widen(x.transpose(1, 2)), dim=1)
        return x + self.back(functional.silu(self.scale(self.depth(y)))).transpose(1, 2)


class LocalAttention(Module):
    """Blocks of steps, padded to whole ones, that look at themselves alone, as in Longformer."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)

    def forward(self, x: Any) -> Any:
        batch, steps, width = x.shape
        x = functional.pad(x, (0, 0, 0, (4 - steps % 4) % 4))
        blocks = self.qkv(x).view(batch, -1, 4, 3 * width)
        q, k, v = blocks.chunk(3, -1)
        y = (q @ k.transpose(-1, -2)).softmax(-1) @ v
        return y.flatten(1, 2)[:, :steps]


# -- pictures ---------------------------------------------------------------------------------------------------------


class Vision(Module):
    """A vision transformer: patches, a class token, places that are stretched to the picture."""

    def __init__(self, stretched: bool = False) -> None:
        super().__init__()
        self.patches, self.stretched = nn.Conv2d(3, WIDTH, 4, 4), stretched
        self.token, self.places = (
            nn.Parameter(torch.zeros(1, 1, WIDTH)),
            nn.Parameter(torch.zeros(1, 1 + (64 if stretched else 100), WIDTH)),
        )
        self.block, self.head = Block(SelfAttention()), nn.Linear(WIDTH, 10)

    def forward(self, image: Any) -> Any:
        x = self.patches(image)
        places = self.places
        if self.stretched:
            grid = places[:, 1:].reshape(1, 8, 8, WIDTH).permute(0, 3, 1, 2)
            grid = functional.interpolate(grid, size=(x.shape[2], x.shape[3]), mode="bilinear")
            places = torch.cat((places[:, :1], grid.flatten(2).transpose(1, 2)), 1)
        x = x.flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), dim=1)
        x = x + places[:, : x.shape[1]]
        return self.head(self.block(x)[:, 0])


class Windows(Module):
    """Attention within shifted windows with a bias for each distance, as in Swin."""

    def __init__(self, shift: int = 2, size: int = 4) -> None:
        super().__init__()
        self.shift, self.size = shift, size
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.bias = nn.Parameter(torch.zeros((2 * size - 1) ** 2, HEADS))
        places = torch.stack(torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")).flatten(1)
        distance = (places[:, :, None] - places[:, None, :]).permute(1, 2, 0) + size - 1
        self.register_buffer("distance", distance[..., 0] * (2 * size - 1) + distance[..., 1])

    def forward(self, image: Any) -> Any:
        x = image.permute(0, 2, 3, 1)
        batch, height, width, channels = x.shape
        size = self.size
        x = torch.roll(x, (-self.shift, -self.shift), (1, 2)) if self.shift else x
        x = x.view(batch, height // size, size, width // size, size, channels)
        x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size * size, channels)
        y = self.windows(x, self.mask(x, height, width) if self.shift else None)
        y = y.view(batch, height // size, width // size, size, size, channels)
        y = y.permute(0, 1, 3, 2, 4, 5).contiguous().view(batch, height, width, channels)
        y = torch.roll(y, (self.shift, self.shift), (1, 2)) if self.shift else y
        return y.permute(0, 3, 1, 2)

    def mask(self, x: Any, height: int, width: int) -> Any:
        size = self.size
        numbers = torch.zeros((1, height, width, 1), device=x.device)
        slices = (slice(0, -size), slice(-size, -self.shift), slice(-self.shift, None))
        for index, (down, right) in enumerate((a, b) for a in slices for b in slices):
            numbers[:, down, right, :] = index
        numbers = numbers.view(1, height // size, size, width // size, size, 1)
        numbers = numbers.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size * size)
        apart = numbers.unsqueeze(1) - numbers.unsqueeze(2)
        return apart.masked_fill(apart != 0, -100.0).masked_fill(apart == 0, 0.0)

    def windows(self, x: Any, mask: Any) -> Any:
        many, steps, channels = x.shape
        qkv = self.qkv(x).reshape(many, steps, 3, HEADS, channels // HEADS).permute(2, 0, 3, 1, 4)
        scores = qkv[0] @ qkv[1].transpose(-2, -1)
        bias = self.bias[self.distance.view(-1)].view(steps, steps, -1).permute(2, 0, 1).contiguous()
        scores = scores + bias.unsqueeze(0)
        if mask is not None:
            count = mask.shape[0]
            scores = scores.view(many // count, count, HEADS, steps, steps) + mask.unsqueeze(1).unsqueeze(0)
            scores = scores.view(-1, HEADS, steps, steps)
        y = (scores.softmax(-1) @ qkv[2]).transpose(1, 2).reshape(many, steps, channels)
        return self.out(y)


class PaddedWindows(Module):
    """Windows over a picture that is padded to whole ones, as in detectors built on Swin and ViTDet."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.windows = nn.Conv2d(3, WIDTH, 2, 2), Windows(shift=0)

    def forward(self, image: Any) -> Any:
        x = self.stem(image)
        height, width = x.shape[2], x.shape[3]
        x = functional.pad(x, (0, (4 - width % 4) % 4, 0, (4 - height % 4) % 4))
        return self.windows(x)[:, :, :height, :width]


class MobileVision(Module):
    """Convolution, then attention over the same place of all patches, as in MobileViT."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.Conv2d(3, WIDTH, 3, 2, 1), nn.Conv2d(2 * WIDTH, 16, 3, padding=1)
        self.block = Block(SelfAttention())

    def forward(self, image: Any) -> Any:
        x = self.before(image)
        batch, channels, height, width = x.shape
        down, right = math.ceil(height / 2) if isinstance(height, int) else (height + 1) // 2, (width + 1) // 2
        y = functional.interpolate(x, size=(down * 2, right * 2), mode="bilinear", align_corners=False)
        y = y.reshape(batch * channels * down, 2, right, 2).transpose(1, 2)
        y = y.reshape(batch, channels, down * right, 4).transpose(1, 3).reshape(batch * 4, down * right, channels)
        y = self.block(y)
        y = y.contiguous().view(batch, 4, down * right, channels).transpose(1, 3)
        y = (
            y.reshape(batch * channels * down, right, 2, 2)
            .transpose(1, 2)
            .reshape(batch, channels, down * 2, right * 2)
        )
        y = functional.interpolate(y, size=(height, width), mode="bilinear", align_corners=False)
        return self.after(torch.cat((x, y), 1))


class Unfolded(Module):
    """`unfold` and `fold` around attention over patches."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.block, self.after = nn.Conv2d(3, 8, 3, padding=1), Block(SelfAttention()), nn.Conv2d(8, 4, 1)

    def forward(self, image: Any) -> Any:
        x = self.stem(image)
        patches = functional.unfold(x, 2, stride=2).transpose(1, 2)
        y = self.block(patches).transpose(1, 2)
        y = y.reshape(x.shape[0], 8, 2, 2, x.shape[2] // 2, x.shape[3] // 2).permute(0, 1, 4, 2, 5, 3)
        return self.after(y.reshape(x.shape))


class Detection(Module):
    """Queries of its own that look at the places of a picture, as in DETR."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.queries = nn.Conv2d(3, WIDTH, 8, 8), nn.Embedding(7, WIDTH)
        self.rows, self.columns = nn.Parameter(torch.rand(50, WIDTH // 2)), nn.Parameter(torch.rand(50, WIDTH // 2))
        self.transformer, self.boxes = nn.Transformer(WIDTH, HEADS, 1, 2, 64), nn.Linear(WIDTH, 4)

    def forward(self, image: Any) -> Any:
        x = self.stem(image)
        batch, _, height, width = x.shape
        columns = self.columns[:width].unsqueeze(0).repeat(height, 1, 1)
        rows = self.rows[:height].unsqueeze(1).repeat(1, width, 1)
        places = torch.cat((columns, rows), -1).flatten(0, 1).unsqueeze(1)
        target = self.queries.weight.unsqueeze(1).repeat(1, batch, 1)
        return self.boxes(
            self.transformer(places + 0.1 * x.flatten(2).permute(2, 0, 1), target).transpose(0, 1)
        ).sigmoid()


class Pyramid(Module):
    """Levels of a pyramid, each stretched to the next one's size, then fewer keys than queries, as in SegFormer."""

    def __init__(self) -> None:
        super().__init__()
        self.levels = nn.ModuleList([nn.Conv2d(3, WIDTH, 3, 2, 1), nn.Conv2d(WIDTH, WIDTH, 3, 2, 1)])
        self.side, self.reduce, self.attention = nn.Conv2d(WIDTH, WIDTH, 1), nn.Conv2d(WIDTH, WIDTH, 2, 2), Fused()
        self.up, self.head = nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.Conv2d(WIDTH, 5, 1)

    def forward(self, image: Any) -> Any:
        fine = self.levels[0](image)
        coarse = self.levels[1](fine)
        batch, channels, height, width = coarse.shape
        keys = self.reduce(coarse).flatten(2).transpose(1, 2)
        y = self.attention(coarse.flatten(2).transpose(1, 2), keys)
        coarse = y.transpose(1, 2).reshape(batch, channels, height, width)
        fine = self.side(fine) + functional.interpolate(coarse, size=fine.shape[-2:], mode="nearest")
        wide = functional.interpolate(self.up(fine), scale_factor=2.0, mode="bilinear", align_corners=False)
        return functional.interpolate(self.head(wide), size=image.shape[-2:], mode="bilinear", align_corners=False)


class PooledTokens(Module):
    """Places of a grid pooled to a fixed number, sums over `squeeze` and stacks of slices."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.attention, self.head = nn.Conv2d(3, WIDTH, 4, 4), SelfAttention(), nn.Linear(WIDTH, 6)

    def forward(self, image: Any) -> Any:
        x = self.stem(image)
        tokens = x.flatten(2).transpose(1, 2)
        y = self.attention(tokens)
        y = torch.stack([y[:, ::2].mean(1), y[:, -1]], dim=1)
        return self.head(y).squeeze(-1), y.new_zeros(y.shape).sum()


# -- cases ------------------------------------------------------------------------------------------------------------

_STEPS: Axes = {"x": {0: "batch", 1: "steps"}}
_IDS: Axes = {"ids": {0: "batch", 1: "steps"}}
_IMAGE: Axes = {"image": {0: "batch", 2: "height", 3: "width"}}


def _steps(make: Callable[[], Any], first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], sizes["steps"], WIDTH),)

    return Case(make, _STEPS, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs, first_opset)


def _blocks(attention: Callable[[], Any], first_opset: int = 13) -> Case:
    return _steps(lambda: Block(attention()), first_opset)


def _ids(make: Callable[[], Any]) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randint(0, 100, (sizes["batch"], sizes["steps"])),)

    return Case(make, _IDS, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _image(make: Callable[[], Any], traced: int = 32, read: tuple[int, int] = (24, 16), first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], 3, sizes["height"], sizes["width"]),)

    sizes = {"batch": 2, "height": traced, "width": traced + 8}
    return Case(make, _IMAGE, sizes, {"batch": 3, "height": read[0], "width": read[1]}, inputs, first_opset)


def _pair(make: Callable[[], Any], first: str, second: str, first_opset: int = 13) -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (
            torch.randn(sizes["batch"], sizes["steps"], WIDTH),
            torch.randn(sizes["batch"], sizes["length"], WIDTH),
        )

    axes = {first: {0: "batch", 1: "steps"}, second: {0: "batch", 1: "length"}}
    traced, read = {"batch": 2, "steps": 10, "length": 7}, {"batch": 3, "steps": 14, "length": 9}
    return Case(make, axes, traced, read, inputs, first_opset)


def _generator() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        past = (sizes["batch"], HEADS, sizes["past"], WIDTH // HEADS)
        return (torch.randn(sizes["batch"], sizes["steps"], WIDTH), torch.randn(past), torch.randn(past))

    earlier = {0: "batch", 2: "past"}
    axes = {**_STEPS, "keys": earlier, "values": earlier}
    return Case(Generator, axes, {"batch": 2, "steps": 3, "past": 10}, {"batch": 3, "steps": 2, "past": 17}, inputs)


def _masked() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        shape = (sizes["batch"], sizes["steps"])
        return torch.randint(0, 100, shape), torch.ones(shape, dtype=torch.int64)

    axes = {**_IDS, "mask": {0: "batch", 1: "steps"}}
    return Case(MaskedEncoder, axes, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _places() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        places = torch.arange(sizes["steps"]).repeat(sizes["batch"], 1)
        return torch.randn(sizes["batch"], sizes["steps"], WIDTH), places

    axes = {**_STEPS, "places": {0: "batch", 1: "steps"}}
    return Case(RotaryOfPlaces, axes, {"batch": 2, "steps": 10}, {"batch": 3, "steps": 14}, inputs)


def _frames() -> Case:
    def inputs(sizes: Mapping[str, int]) -> tuple[Any, ...]:
        return (torch.randn(sizes["batch"], sizes["steps"], 16),)

    return Case(Conformer, _STEPS, {"batch": 2, "steps": 21}, {"batch": 3, "steps": 33}, inputs)


CASES: Mapping[str, Case] = {
    "hand-written block": _blocks(SelfAttention),
    "encoder of words": _ids(lambda: Encoder(SelfAttention)),
    "encoder of words, library": replace(_ids(lambda: Encoder(Library)), first_opset=14),
    "masked encoder": _masked(),
    "library, with weights": _blocks(lambda: Library(weights=True)),
    "library, steps first": _blocks(lambda: Library(batch_first=False), 14),
    "library encoder": _steps(LibraryEncoder, 14),
    "library encoder, norm last": _steps(lambda: LibraryEncoder(norm_first=False), 14),
    "library transformer": _pair(LibraryTransformer, "source", "target", 14),
    "fused": _blocks(Fused, 14),
    "fused, causal": _blocks(lambda: Fused(causal=True), 14),
    "einsum": _blocks(EinsumAttention),
    "linear attention": _steps(LinearAttention),
    "grouped queries, expanded": _steps(GroupedQuery, 14),
    "grouped queries, repeated": _steps(lambda: GroupedQuery(repeat=True), 14),
    "rotary places": _places(),
    "generator with past": _generator(),
    "decoder": _pair(Decoder, "x", "memory", 14),
    "relative places": _steps(RelativePlaces),
    "shifted scores": replace(_steps(ShiftedScores), prepared=True),
    "conformer": replace(_frames(), prepared=True),
    "local attention": _steps(LocalAttention),
    "vision": _image(Vision),
    "vision, places stretched": _image(lambda: Vision(stretched=True)),
    "windows": _image(lambda: nn.Sequential(nn.Conv2d(3, WIDTH, 2, 2), Windows())),
    "windows of a padded picture": _image(PaddedWindows, read=(28, 20)),
    "mobile vision": _image(MobileVision),
    "unfolded": _image(Unfolded),
    "detection": replace(_image(Detection, first_opset=14), prepared=True),
    "pyramid": _image(Pyramid, first_opset=14),
    "pooled tokens": _image(PooledTokens),
}


def exported(case: Case, sizes: Mapping[str, int], *, opset: int, dynamo: bool, open_axes: bool) -> bytes:
    """The file that one of the exporters of torch writes.

    Args:
        case: the network.
        sizes: of the dimensions in the example that is traced.
        opset: version of the operators.
        dynamo: the newer exporter, in place of the one that traces TorchScript.
        open_axes: whether the dimensions stay open in the file.
    """
    out, names = io.BytesIO(), list(case.axes)
    torch.manual_seed(0)
    module, inputs = case.make().eval(), case.inputs(sizes)
    axes: dict[str, Any] = {}
    if open_axes and dynamo:
        axes = {"dynamic_shapes": tuple(dict(case.axes[name]) for name in names)}
    elif open_axes:
        axes = {"dynamic_axes": {name: dict(each) for name, each in case.axes.items()}}
    settings = {"input_names": names, "opset_version": opset, **axes}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        if dynamo:
            torch.onnx.export(module, inputs, dynamo=True, verbose=False, **settings).save(out)
        else:
            torch.onnx.export(module, inputs, out, dynamo=False, **settings)
    return out.getvalue()
