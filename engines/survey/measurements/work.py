"""Work of a network by kind of operator, as the fits to public measurements count it.

Channels are padded to blocks of `BLOCK_CHANNELS`, as arrays of multipliers and vector units store them; batch normalisation and
activation directly after a compute operator are part of it. What an operator moves beyond the buffer on the chip goes to the memory
and counts a second time, as do the weights beyond those that the accelerator holds.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import ceil

import numpy as np

from engines.contract.arrays import FloatArray
from engines.workloads.loader import builtin_network
from engines.workloads.network import COMPUTE_KINDS, Network, Operation
from hardware.bits import BITS_PER_BYTE, BitWidths, bit_widths

BLOCK_CHANNELS = 32
BUFFER_MB = 2.0  # of the memory on the chip, that one operator has
CONTEXT_MB = 13.0  # of weights that a pipeline of accelerator cores holds; it loads the rest for every batch
_IMAGE_CHANNELS = 4  # at most: images have kernels of their own
_MEGA, _GIGA = 1e6, 1e9
_REDUCES = 16  # a pooling that gives out so much less than it reads is one over a whole map
# Kind of work -> what a unit of it is. MACs and bytes are padded.
WORK_UNITS = {
    "convolution": "GMAC", "grouped convolution": "GMAC", "depthwise": "GMAC",
    "matrix product": "GMAC", "product of activations": "GMAC", "weights": "MB", "weights beyond the context": "MB",
    "activations of convolutions": "MB",
    "activations of depthwise": "MB", "activation function": "MB", "smooth activation function": "MB",
    "separate normalisation": "MB", "softmax": "MB", "norm": "MB", "element-wise": "MB", "resize": "MB", "pooling": "MB",
    "layout": "MB", "beyond the buffer": "MB", "operators": "", "operators on one pixel": "", "inference": "",
}  # fmt: skip
KINDS = tuple(WORK_UNITS)
_PLACE = {kind: place for place, kind in enumerate(KINDS)}
_MOVING = {
    "softmax": "softmax", "norm": "norm", "eltwise": "element-wise", "resize": "resize", "pool": "pooling",
    "batchnorm": "separate normalisation", "activation": "separate normalisation",
}  # fmt: skip
# Networks of the zoo whose activation is SiLU, GELU or hard-swish: tables do not tell them from ReLU, accelerators do.
_SMOOTH = re.compile(
    r"yolo|efficientnet-(?:b|v2)|mobilenet-v3|vit|bert|clip|dino|convnext|swin|whisper|efficientformer|depth-any|segformer|sam"
    r"|stable-diffusion|dit-|gpt|maxvit|rt-detr|siglip|deit|dpt|trocr|wav2vec"
)


def network_work(network: Network, bits: BitWidths) -> FloatArray:
    """Return the work of one inference by kind, shape `len(KINDS)`, in the units of `WORK_UNITS`.

    Args:
        network: with operations.
        bits: bits of weights and activations.
    """
    work = _Work(bits, _SMOOTH.search(network.slug) is not None)
    for operation in network.operations:
        work.add(operation)
    weights_mb = work.amounts[_PLACE["weights"]]
    work.amounts[_PLACE["weights beyond the context"]] = max(0.0, weights_mb - CONTEXT_MB)
    return work.amounts


@lru_cache(maxsize=512)
def zoo_work(slug: str, bits: str) -> FloatArray:
    """Return the work of a network of the zoo; the same array every time."""
    found = network_work(builtin_network(slug), bit_widths(bits))
    found.flags.writeable = False
    return found


class _Work:
    """Work that adds up over the operators of a network."""

    def __init__(self, bits: BitWidths, smooth: bool) -> None:
        self.amounts = np.zeros(len(KINDS))
        self.amounts[_PLACE["inference"]] = 1
        self._bits, self._smooth = bits, smooth
        self._before, self._written, self._foldable = 0.0, 0.0, False

    def add(self, operation: Operation) -> None:
        """Count an operator."""
        read = float(operation.input_elements or self._before)
        written = float(operation.output_elements or read)
        self._before = written
        computes = operation.kind in COMPUTE_KINDS
        if self._foldable and operation.kind in ("batchnorm", "activation"):
            if operation.kind == "activation":
                self._count(
                    "smooth activation function" if self._smooth else "activation function",
                    self._megabytes(self._written),
                )
            return
        self._foldable = computes
        if operation.kind == "reshape" or operation.excluded:
            return
        self._count("operators", 1)
        if computes:
            self._compute(operation, read, written)
            return
        kind = _MOVING.get(operation.operator or operation.kind, "layout")
        self._move(kind, read + written, counted=kind != "layout")
        if kind == "pooling" and written * _REDUCES <= read:
            self._count("operators on one pixel", 1)

    def _compute(self, operation: Operation, read: float, written: float) -> None:
        inputs, outputs = (_padding(channels) for channels in (operation.c, operation.k))
        kind, macs, moved = "convolution", float(operation.macs), "activations of convolutions"
        if operation.kind == "depthwise":
            kind, moved = "depthwise", "activations of depthwise"
        elif operation.kind == "matmul":
            kind = "product of activations"
        elif operation.groups > 1:
            kind = "grouped convolution"
        else:
            kind = "matrix product" if operation.kind == "gemm" else kind
            macs *= inputs * outputs
        if operation.kind != "matmul":
            image = operation.c <= _IMAGE_CHANNELS and operation.kind != "gemm"
            if operation.kind != "gemm":
                read = max(read, float(operation.c * operation.y * operation.x))
            read, written = read * (1 if image else inputs), written * outputs
        self._written = written
        self._count(kind, macs / _GIGA)
        self._count("weights", operation.weight_elements * self._bits.weights / BITS_PER_BYTE / _MEGA)
        self._move(moved, read + written)
        self._count("operators on one pixel", float(operation.oy * operation.ox == 1))

    def _move(self, kind: str, elements: float, counted: bool = True) -> None:
        moved = self._megabytes(elements)
        self._count(kind, moved)
        self._count("beyond the buffer", max(0.0, moved - BUFFER_MB) if counted else 0.0)

    def _megabytes(self, elements: float) -> float:
        return elements * self._bits.activations / BITS_PER_BYTE / _MEGA

    def _count(self, kind: str, amount: float) -> None:
        self.amounts[_PLACE[kind]] += amount


def _padding(channels: int) -> float:
    return ceil(channels / BLOCK_CHANNELS) * BLOCK_CHANNELS / channels if channels else 1.0
