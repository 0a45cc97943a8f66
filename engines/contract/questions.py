"""The questions that engines answer, by which the form of a new run groups them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """The question that a group of engines answers.

    Attributes:
        name: name of its icon.
        title: a few words, such as "Map to a system on a chip".
        words: the decision in one sentence.
    """

    name: str
    title: str
    words: str


SCHEDULE = Question("schedule", "Schedule on chiplets", "Which chiplet computes which layers, and when")
MAPPING = Question("mapping", "Map to a system on a chip", "Which unit of a board runs which part, at which clocks")
PACKAGE = Question("package", "Choose the package", "Which chiplets, how many, and how they are connected")
NETWORK = Question("network", "Search a network", "Which architecture, and what it costs where it runs")
SPLIT = Question("split", "Split between device and server", "Where to cut, and what is sent")
CONTROL = Question("control", "Decide over time", "Decisions in every time window while a device runs")
TRAINING = Question("training", "Train a network", "Weights and measured accuracy for other runs")
OTHER = Question("other", "Other questions", "Decisions of published packages")

# In the order in which they are offered.
QUESTIONS = (MAPPING, SCHEDULE, PACKAGE, NETWORK, SPLIT, CONTROL, TRAINING, OTHER)
