"""Results of a run. Without torch."""

from __future__ import annotations

import numpy as np

from engines.contract.integer_format import counted
from engines.contract.results import Note, Table, TableColumn
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.tracker import chance_of_being_found


def user_table(instance: MymlInstance) -> Table:
    """Return the user's classes, and how surely the learning window finds each."""
    params, names = instance.params, instance.data.classes
    share = 0.01 * params.learning_share_percent
    found = [chance_of_being_found(each, params.learning_window, share) for each in instance.user.frequencies]
    return Table(
        "user", f"Classes of the user: more than {params.learning_share_percent:g} % of {counted(params.learning_window)} images",
        (
            TableColumn("Class", tuple(names[label] for label in instance.user.classes)),
            TableColumn("Frequency", np.array(instance.user.frequencies), "of one"),
            TableColumn("Chance that the window finds it", np.array(found), "of one"),
        ),
    )  # fmt: skip


def model_notes(instance: MymlInstance, pool_images: int) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    data = instance.data
    text = f"Accuracies are of {data.title}: {counted(data.examples['validation'])} images to choose by and "
    text += f"{counted(data.examples['test'])} to report on, one training of each network. The user's images are drawn from "
    pool = counted(pool_images)
    if instance.given is None:
        text += f"{pool} that the original never saw, so an image may come more than once."
    else:
        text += f"{pool}, so an image may come more than once. The original has the weights {instance.given.title} "
        text += f"({instance.given.source}): it is unknown which of these images it was trained on."
    device = "Seconds and joules follow from operations, cycles and assumed shares of a peak; nothing was measured on a phone."
    return Note("data", "Training data", text), Note("model", "Predicted values", device)
