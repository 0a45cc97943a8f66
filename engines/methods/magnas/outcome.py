"""Results of a whole search: what was found, and remarks on where its numbers are from."""

from __future__ import annotations

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.magnas.architectures.surrogate import POINTS_LOST_PER_SUPERBLOCK, published_accuracy
from engines.methods.magnas.search.setup import Setup


def run_results(setup: Setup, front: FloatArray) -> list[Result]:
    """At the end of a run; `front` has accuracy, latency and energy, shape `k x 3`."""
    found: list[Result] = [comparison(front)] if len(front) else []
    if not len(front):
        text = "No mapping of any architecture that was scored meets the limits. More architectures may; so may other clocks."
        found.append(Note("nothing-found", "Nothing within the limits", text, "warning"))
    return [*found, accuracy_note(setup), *setup.covered.notes(chosen=setup.chosen)]


def comparison(front: FloatArray) -> Table:
    """Return the designs of the front with the highest accuracy, the lowest latency, energy and energy-delay product."""
    rows = [int(front[:, 0].argmax()), *(int(front[:, at].argmin()) for at in (1, 2))]
    rows.append(int((front[:, 1] * front[:, 2]).argmin()))
    points = front[rows]
    return Table(
        name="comparison",
        title="Ends of the front",
        table_columns=(
            TableColumn("Design", ("Most accurate", "Fastest", "Least energy", "Least EDP")),
            TableColumn("Accuracy", points[:, 0], "%"),
            TableColumn("Latency", points[:, 1], "s"),
            TableColumn("Energy", points[:, 2], "J"),
            TableColumn("EDP", points[:, 1] * points[:, 2], "J·s"),
        ),
    )


def accuracy_note(setup: Setup) -> Note:
    """Where accuracies are from."""
    if setup.weights is None:
        published = published_accuracy(setup.params.data_set)
        text = (
            f"Accuracy is not measured: each architecture has that of the nearest of {len(published.networks)} published networks "
            f"on {published.title} (odema-2023 Table 2), {POINTS_LOST_PER_SUPERBLOCK} points less per superblock that lacks "
            "feed-forward parts. Depth and inner width are not printed there and change nothing here: the least always wins. "
            "Train a supernet (train-supernet) and give its weights for accuracies that are measured."
        )
        return Note("accuracy", "Accuracy of published neighbours", text, "warning")
    data = setup.weights.data
    count = min(data.examples["validation"], setup.params.validation_images)
    text = (
        f"Measured on {counted(count)} validation images of {data.title} with the weights {setup.weights.slug}. The search "
        "chooses by these images: the accuracy of what it found is a little better on them than on others."
    )
    return Note("accuracy", "Measured accuracy", text)
