"""A network with trained exits as ONNX files: all ends at once, and stage by stage. Imported only where torch is needed."""

from __future__ import annotations

import io
import logging
import warnings
import zipfile

import torch
from torch import Tensor, nn

from engines.methods.hadas.training.network import MultiExit
from engines.methods.hadas.training.shapes import BackboneShape

OPSET = 17
_MADE = (2024, 1, 1, 0, 0, 0)  # of every member of an archive: the same weights give the same bytes


class Stage(nn.Module):
    """From one end to the next: a block with the exit after it, or the last block with the network's own end."""

    def __init__(self, network: MultiExit, number: int) -> None:
        super().__init__()
        self.block = network.backbone.blocks[number]
        self.exit = network.exits[number] if number < len(network.exits) else None
        self.classifier = network.backbone.classifier

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Return the map for the next stage, and the outputs of this end."""
        found = self.block(features)
        return found, self.classifier(found.mean((2, 3))) if self.exit is None else self.exit(found)


def onnx_bytes(network: MultiExit, shape: BackboneShape) -> bytes:
    """Return the outputs of all ends, its own one last, for one image (`images`: 1 x channels x side x side, from 0 to 1)."""
    return exported(network.cpu().eval(), image_of(shape), "images", ["outputs"])


def stages_archive(network: MultiExit, shape: BackboneShape) -> bytes:
    """Return a ZIP archive with one ONNX file per end: `features` of the one before (the image at first) to `map` and `outputs`.

    A program that looks at the outputs after each file, and stops where they are sure enough, computes no more than it needs.
    """
    features, target = image_of(shape), io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(len(network.backbone.blocks)):
            stage = Stage(network, number).cpu().eval()
            name = zipfile.ZipInfo(f"stage{number + 1}.onnx", _MADE)
            archive.writestr(name, exported(stage, features, "features", ["map", "outputs"]))
            with torch.no_grad():
                features = stage(features)[0]
    return target.getvalue()


def image_of(shape: BackboneShape) -> Tensor:
    """Return one image without content: 1 x channels x side x side."""
    return torch.zeros(1, shape.channels, shape.side, shape.side)


def exported(module: nn.Module, example: Tensor, name: str, outputs: list[str]) -> bytes:
    """Return a module as an ONNX file for inputs of the shape of `example`; `name` and `outputs` are what its values are called."""
    target = io.BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, (example,), target, input_names=[name], output_names=outputs, opset_version=OPSET, dynamo=False
        )
    return target.getvalue()
