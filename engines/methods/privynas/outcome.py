"""What a run ends with."""

from __future__ import annotations

import numpy as np

from engines.contract.engine import Recorder, Step
from engines.contract.integer_format import counted
from engines.contract.results import Note
from engines.cost.memory_capacity import unknown_memory_notes
from engines.data.data_set import DataSet
from engines.methods.privynas.instance import PrivynasInstance
from engines.methods.privynas.quantities import QUANTITIES


def last_step(instance: PrivynasInstance, data: DataSet, record: Recorder) -> Step:
    """What a run ends with."""
    designs = record.designs
    unmet = record.unmet()
    if unmet is not None:
        return record.infeasible(unmet)
    row = int(np.argmax(np.where(designs.feasible(QUANTITIES), designs.columns["accuracy_percent"], -1.0)))
    columns = {name: float(values[row]) for name, values in designs.columns.items()}
    words = f"{counted(len(designs))} designs; at epsilon {columns['epsilon']:g} after block {columns['position']:.0f} "
    words += (
        f"{columns['accuracy_percent']:.4g} % right in all, {columns['noisy_test_percent']:.4g} % of noisy test images"
    )
    notes = (_data_note(instance, data), _budget_note(), *unknown_memory_notes(instance.covered.soc))
    return record.step(1.0, words, notes)


def _data_note(instance: PrivynasInstance, data: DataSet) -> Note:
    text = f"Accuracies are of {instance.data.title}: {counted(len(data.validation))} images to choose by, "
    text += (
        f"{counted(len(data.test))} to report on, one training of each network and fresh noise once for every image."
    )
    return Note("data", "What was learnt from", text)


def _budget_note() -> Note:
    text = "Epsilon is the publication's: with noise of scale 2 B / epsilon every element that is sent is epsilon-private by "
    text += "itself. All elements together are private with elements x epsilon, which is far weaker."
    return Note("budget", "What epsilon holds for", text, "warning")
