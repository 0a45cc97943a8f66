"""Networks of sequences whose attention knows distances: relative places, shifted scores, conformers, windows of steps."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.workloads.importing.attention_sequences import HEADS, WIDTH, heads_apart, heads_together

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn, functional = torch.nn, torch.nn.functional

Module: Any = nn.Module


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
