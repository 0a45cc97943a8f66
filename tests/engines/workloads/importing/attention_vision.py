"""Networks of pictures around attention."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.engines.workloads.importing.attention_sequences import HEADS, WIDTH, Block, Fused, SelfAttention

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn, functional = torch.nn, torch.nn.functional

Module: Any = nn.Module


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
