"""A network with trained exits as an ONNX file. Imported only where torch is needed."""

from __future__ import annotations

import io
import logging
import warnings

import torch

from engines.methods.hadas.training.network import MultiExit
from engines.methods.hadas.training.shapes import BackboneShape

_OPSET = 17


def onnx_bytes(network: MultiExit, shape: BackboneShape) -> bytes:
    """Outputs of all ends, the own one the last, for one image (`images`: 1 x channels x side x side, values within 0..1)."""
    network.eval()
    images = torch.zeros(1, shape.channels, shape.side, shape.side)
    target = io.BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.cpu(),
            (images,),
            target,
            input_names=["images"],
            output_names=["outputs"],
            opset_version=_OPSET,
            dynamo=False,
        )
    return target.getvalue()
