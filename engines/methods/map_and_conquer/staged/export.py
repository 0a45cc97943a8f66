"""A network in stages as an ONNX file. Imported only where torch is needed."""

from __future__ import annotations

import io
import logging
import warnings

import torch

from engines.data.scaling import Scaling
from engines.data.torch_images import takes_recorded
from engines.methods.map_and_conquer.problem.chain import Chain

_OPSET = 17


def onnx_bytes(staged: torch.nn.Module, chain: Chain, scaling: Scaling | None = None) -> bytes:
    """Write ONNX: `images`, any number, to `outputs` of every stage; with `scaling` they are signals as recorded."""
    target = io.BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            takes_recorded(staged, scaling).cpu().eval(), (_images(chain),), target,
            input_names=["images"], output_names=["outputs"],
            dynamic_axes={"images": {0: "count"}, "outputs": {0: "count"}}, opset_version=_OPSET, dynamo=False,
        )  # fmt: skip
    return target.getvalue()


def _images(chain: Chain) -> torch.Tensor:
    return torch.zeros(2, chain.channels, chain.height, chain.width)
