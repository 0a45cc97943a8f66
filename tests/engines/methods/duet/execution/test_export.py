"""Both halves as ONNX."""

from dataclasses import replace

import numpy as np
import onnxruntime
import torch

from engines.methods.duet.execution.device import Device, naive
from engines.methods.duet.execution.export import item_onnx, user_onnx
from tests.engines.methods.duet.execution.cases import inputs, models


def test_both_halves_as_onnx_give_the_same() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(4)
        model, both = models("small", True, 2)
        dense, history, candidate = inputs(replace(model), 7)
        device = Device(both, dense, history)
        user = onnxruntime.InferenceSession(user_onnx(both, model), providers=["CPUExecutionProvider"])
        given = {"remembered": device.register, "dense": dense, "pooled": device.pooled()}
        vector = user.run(None, {name: value.detach().numpy() for name, value in given.items()})[0]
        items = onnxruntime.InferenceSession(item_onnx(both, model), providers=["CPUExecutionProvider"])
        ids = {f"candidate_{number}": each.numpy() for number, each in enumerate(candidate, 1)}
        outputs = items.run(None, {"user": vector, **ids})[0]
        assert np.abs(outputs - naive(both, dense, history, candidate).numpy()).max() < 1e-5
