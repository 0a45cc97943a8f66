"""Gains that the text tells of model c, from Tables B.3 and B.4."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import Publication

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")


def arithmetic() -> Iterator[Comparison]:
    """Memory and energy that are saved, accuracy that is lost, in per cent of the activity-aware network."""
    rows = PUBLICATION.rows("Model c over the activity-aware network (section B.6.3)", kind="arithmetic")
    for title, printed, ours, other in (
        ("Memory saved", "model_c.memory_gain", "tableB.4.model_c.th_0.99.ram", "tableB.4.activity_aware_17.ram"),
        ("Energy saved", "model_c.energy_gain", "tableB.4.model_c.th_0.99.energy", "tableB.4.activity_aware_17.energy"),
        (
            "Accuracy lost, relative",
            "model_c.accuracy_drop",
            "tableB.3.model_c.th_0.99.accuracy",
            "tableB.3.activity_aware_17.accuracy",
        ),
    ):
        saved = 100 * (1 - PUBLICATION.value(ours) / PUBLICATION.value(other))
        yield rows(title, printed, saved, inputs=(ours, other))
