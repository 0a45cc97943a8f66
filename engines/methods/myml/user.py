"""The user: classes with frequencies, and what they are after a drift."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.engine import require
from engines.contract.typed_lists import finite

DRIFT_STEP_IMAGES, DRIFT_STEPS = 10, 5


@dataclass(frozen=True)
class Profile:
    """The classes that a user sees.

    Attributes:
        classes: labels, ascending.
        frequencies: frequencies of each, summing to 1.
    """

    classes: tuple[int, ...]
    frequencies: tuple[float, ...]

    def drawn(self, random: np.random.Generator, count: int) -> IntArray:
        """Return labels, shape `count`."""
        return random.choice(np.array(self.classes), count, p=np.array(self.frequencies)).astype(np.int64)

    def weights(self, labels: IntArray) -> FloatArray:
        """Return weights of examples that sum to 1, so that every class counts as often as it occurs; 0 for other classes."""
        found = np.zeros(len(labels))
        for label, share in zip(self.classes, self.frequencies, strict=True):
            there = labels == label
            found[there] = share / max(1, int(there.sum()))
        return found


def equal(classes: tuple[int, ...]) -> Profile:
    """Return a profile of equally frequent classes."""
    return Profile(tuple(sorted(classes)), (1 / len(classes),) * len(classes))


def profile_of(text: str, field: str, names: tuple[str, ...]) -> Profile | None:
    """Return the profile of a user, parsed from names with optional frequencies ("3: 0.4, 5: 0.6"); None for an empty text.

    Raises:
        ProblemError: a class that the network does not know, one given twice, fewer than two, or a frequency that is none.
    """
    words = [word.strip() for word in text.replace(";", ",").split(",") if word.strip()]
    if not words:
        return None
    known = {name.strip(): label for label, name in enumerate(names)}
    found: dict[int, float] = {}
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    for word in words:
        name, colon, share = word.partition(":") if word not in known else (word, "", "")
        name = name.strip()
        require(name in known, field, name, f"one of the classes of the network: {shown}")
        require(known[name] not in found, field, name, "a list of distinct classes")
        frequency = finite(share.strip()) if colon else 1.0
        require(
            frequency is not None and frequency > 0, field, word, "a frequency above 0 after the colon, as in 3: 0.4"
        )
        found[known[name]] = float(frequency or 0.0)
    require(len(found) > 1, field, text, "two classes or more")
    total = math.fsum(found.values())
    labels = tuple(sorted(found))
    return Profile(labels, tuple(found[label] / total for label in labels))


def stream_labels(now: Profile, later: Profile, images: int, drift_at: int, random: np.random.Generator) -> IntArray:
    """Return the classes of the user's images, shape `images`.

    From the drift on one image in five more is of the later classes every ten images, as in goyal-2023 section 4.7.3.
    """
    before, after = now.drawn(random, images), later.drawn(random, images)
    step = (np.arange(images) - drift_at) // DRIFT_STEP_IMAGES + 1
    share = np.clip(step, 0, DRIFT_STEPS) / DRIFT_STEPS
    return np.where(random.random(images) < share, after, before)
