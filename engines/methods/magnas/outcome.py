"""Results of a whole search: what was found, and remarks on where its numbers are from."""

from __future__ import annotations

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.magnas.architectures.surrogate import POINTS_LOST_PER_SUPERBLOCK, published_accuracy
from engines.methods.magnas.search.setup import Setup


def run_results(setup: Setup, front: FloatArray) -> list[Result]:
    """Return the comparison at the end of a run; `front` has accuracy, latency and energy, shape `k x 3`."""
    found: list[Result] = [comparison(front)] if len(front) else []
    if not len(front):
        text = (
            "No mapping of any evaluated architecture meets the limits. Evaluate more architectures or allow "
            "other clocks."
        )
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
    """Return where accuracies are from."""
    if setup.weights is None:
        published = published_accuracy(setup.params.data_set)
        text = (
            "Accuracy is not measured. Each architecture has the accuracy of the nearest of "
            f"{len(published.networks)} published networks on {published.title} (odema-2023 Table 2). It "
            f"loses {POINTS_LOST_PER_SUPERBLOCK} points per superblock without feed-forward parts. Depth "
            "and inner width have no published effect and change nothing here: the least always wins. "
            "Train a supernet (train-supernet) and use its weights for measured accuracies."
        )
        return Note("accuracy", "Accuracy of published neighbours", text, "warning")
    data = setup.weights.data
    count = min(data.examples["validation"], setup.params.validation_images)
    text = (
        f"Measured on {counted(count)} validation images of {data.title} with the weights "
        f"{setup.weights.slug}. The search selects designs by these images, so their accuracy is slightly "
        "higher here than on other images."
    )
    return Note("accuracy", "Measured accuracy", text)
