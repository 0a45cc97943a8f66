"""Checks of a trained, decomposed recommender: the device's memory against all computed again, int8, ONNX. Needs torch."""

from __future__ import annotations

from collections import deque

import numpy as np
import torch

from engines.contract.arrays import FloatArray
from engines.contract.engine import File
from engines.contract.results import Table, TableColumn
from engines.methods.duet.execution.device import Device, naive, ranked
from engines.methods.duet.execution.export import item_onnx, user_onnx
from engines.methods.duet.execution.int8_layers import quantisation_error, quantised
from engines.methods.duet.execution.modules import DecomposedModules
from engines.methods.duet.recommender import Recommender
from engines.methods.duet.tracker import Scratchpad
from engines.methods.duet.training.stages import Stage
from engines.methods.duet.training.trainer import Trainer

_USERS, _CANDIDATES, _CALIBRATION_ROWS = 20, 64, 512


def checks_of(trainer: Trainer, stage: Stage) -> Table:
    """Return the largest difference of outputs of 20 users' queries, computed on the device once and anew for each candidate.

    Int8.
    """
    model = trainer.network
    assert isinstance(model, DecomposedModules)
    model.eval()
    report = trainer.rows[2]
    _, _, candidate = trainer.inputs(report[: min(_CANDIDATES, len(report))])
    differences, changed = [], []
    eight = _eight(trainer, model) if stage.top_layers else None
    for row in report[:_USERS]:
        dense, history, _ = trainer.inputs(np.array([row]))
        device = Device(model, dense, history)
        exact = ranked(model, device.vector(dense), candidate)
        differences.append(float((exact - naive(model, dense, history, candidate)).abs().max()))
        if eight is not None:
            rough = ranked(model, device.vector(dense, eight), candidate)
            changed.append(float((torch.sigmoid(rough) - torch.sigmoid(exact)).abs().max()))
    _, history, _ = trainer.inputs(report[:1])
    lost = sum(rows_out_of_place(rows[0].detach().numpy()) for rows in model.embeddings.rows(history))
    names = [
        "Device's memory against everything computed again: largest difference of outputs",
        "Scratchpad with location tracker against a queue of fixed length: rows out of place",
    ]
    values = [max(differences), float(lost)]
    if eight is not None:
        features = _features(trainer, model, report[:_CALIBRATION_ROWS])
        names += [
            "int8: root mean square error of the user's vector, of its own",
            "int8: largest difference of a probability",
        ]
        values += [quantisation_error(model.user.top, eight, features), max(changed)]
    title = f"Checks of the model in torch ({stage.title})"
    return Table("checks", title, (TableColumn("What", tuple(names)), TableColumn("Value", np.array(values))))


def rows_out_of_place(rows: FloatArray) -> int:
    """Count wrong rows of a history that is clicked through three times, against a queue of fixed length after every click.

    Args:
        rows: embeddings, the oldest first, shape `n x d`.
    """
    scratchpad, queue, lost = Scratchpad(rows), deque(rows, maxlen=len(rows)), 0
    for click in np.tile(rows, (3, 1)):
        scratchpad.update(click)
        queue.append(click)
        lost += int((scratchpad.history() != np.array(queue)).any(axis=1).sum())
    return lost


def halves(trainer: Trainer, recommender: Recommender) -> tuple[File, ...]:
    """Return both halves as ONNX files, and the weights."""
    model = trainer.network
    assert isinstance(model, DecomposedModules)
    return (
        File("user-half.onnx", "application/onnx", user_onnx(model, recommender)),
        File("item-half.onnx", "application/onnx", item_onnx(model, recommender)),
        File("recommender.safetensors", "application/octet-stream", trainer.state()),
    )


def _eight(trainer: Trainer, model: DecomposedModules) -> torch.nn.Module:
    return quantised(model.user.top, _features(trainer, model, trainer.rows[0][:_CALIBRATION_ROWS]))


def _features(
    trainer: Trainer, model: DecomposedModules, rows: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> torch.Tensor:
    dense, history, _ = trainer.inputs(rows)
    with torch.no_grad():
        return model.user.features(model.user.remembered(dense), dense, model.embeddings.of_history(history))
