"""Documents of exits that were trained and measured, schema `measured-exits/1`: the backbone, its exits, who is right where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.data.documents import FileSection
from engines.methods.hadas.exits import Positions, map_after
from engines.search.ends.confidence import RULES, Rule
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

SCHEMA = "measured-exits/1"
_MOST_SAMPLES = 20_000
_SURE_DIGITS = 3
SURE_STEPS = 10**_SURE_DIGITS
_SURE_WORDS = "three digits for each exit in order, thousandths rounded down, 999 for all above."


class ExitSection(Section):
    """Where an exit stands."""

    after: Words = Field(title="After", description="Name of the block before the exit.")
    operations: Annotated[int, Field(ge=1)] = Field(
        title="Operations", description="Operations of the network up to the exit."
    )


class SureSection(Section):
    """How sure the exits were, by which rules that can run let inputs leave."""

    temperatures: Annotated[list[float], Field(min_length=1, max_length=1000)] = Field(
        title="Temperatures", description="By which the outputs of each exit were divided, fitted on the same images."
    )
    largest_probability: Annotated[list[str], Field(max_length=_MOST_SAMPLES)] = Field(
        title="Largest probability", description=f"A text per image: {_SURE_WORDS}"
    )
    entropy: Annotated[list[str], Field(max_length=_MOST_SAMPLES)] = Field(
        title="Entropy", description=f"1 - H / ln(classes). A text per image: {_SURE_WORDS}"
    )


class MeasuredExitsDocument(Header):
    """A document of schema `measured-exits/1`."""

    schema_name: Literal["measured-exits/1"] = named()
    source: Words = Field(title="Source", description="How the exits came about.")
    file: FileSection = Field(title="File", description="Weights of the network and its exits, safetensors.")
    network: dict[str, Any] = Field(title="Network", description="The backbone without exits, a network document.")
    exits: Annotated[list[ExitSection], Field(min_length=1, max_length=1000)] = Field(title="Exits")
    classes: Annotated[int, Field(ge=2, le=100_000)] = Field(title="Classes")
    exit_channels: Annotated[int, Field(ge=1, le=100_000)] = Field(title="Channels of an exit")
    right: Annotated[list[str], Field(min_length=1, max_length=_MOST_SAMPLES)] = Field(
        title="Right", description="A text per image: 1 or 0 for each exit in order, then for the network's own end."
    )
    sure: SureSection | None = Field(
        default=None,
        title="Sureness",
        description="Confidence of the exits for each image. Empty: only the ideal mapping is known.",
    )
    training: dict[str, Any] = Field(title="Training", description="Parameters and seed of the training.")


@dataclass(frozen=True, eq=False)
class MeasuredExits:
    """Exits of a network, measured.

    Attributes:
        title: title of the document.
        positions: positions of the exits.
        classes: outputs of each exit.
        channels: channels of each exit's convolution.
        right: whether each image is classified correctly at each end, shape `images x n`.
        sure: of each rule, how sure each exit was of each image, shape `images x (n - 1)`; None where it was not kept.
    """

    title: str
    network: Network
    positions: Positions
    classes: int
    channels: int
    right: BoolArray
    sure: Mapping[Rule, FloatArray] | None = None


def load_measured(content: Mapping[str, Any]) -> MeasuredExits:
    """Return the exits that a document describes.

    Raises:
        HardwareError, ProblemError: names the key, what was got and what is accepted.
    """
    document = validated(MeasuredExitsDocument, content, name_of(content, None))
    network = load_network(document.network)
    after = [each.operations for each in document.exits]
    most = len(network.operations) - 1
    for place, end in enumerate(after):
        if end > most or end <= (after[place - 1] if place else 0):
            reason = "The last operation is the end of the network."
            raise ProblemError(f"exits.{place}.operations", end, f"ascending, at most {most}", reason=reason)
    positions = Positions(
        tuple(each.after for each in document.exits),
        tuple(range(1, len(after) + 1)),
        len(after) + 1,
        (0, *after),
        tuple(map_after(network.operations, end) for end in after),
    )
    right = _right(document.right, len(after) + 1)
    sure = None if document.sure is None else _sure(document.sure, right.shape)
    return MeasuredExits(document.title, network, positions, document.classes, document.exit_channels, right, sure)


def _right(rows: Sequence[str], ends: int) -> BoolArray:
    for place, row in enumerate(rows):
        if len(row) != ends or set(row) - {"0", "1"}:
            raise ProblemError(f"right.{place}", row[:80], f"{ends} digits, each 0 or 1")
    return np.array([[digit == "1" for digit in row] for row in rows], dtype=bool)


def _sure(section: SureSection, shape: tuple[int, ...]) -> dict[Rule, FloatArray]:
    images, exits = shape[0], shape[1] - 1
    if len(section.temperatures) != exits:
        raise ProblemError("sure.temperatures", len(section.temperatures), f"{exits}, one for each exit")
    return {rule: _thousandths(f"sure.{rule}", getattr(section, rule), images, exits) for rule in RULES}


def _thousandths(field: str, rows: Sequence[str], images: int, exits: int) -> FloatArray:
    if len(rows) != images:
        raise ProblemError(field, many(len(rows), "image"), f"{images} images, as many as `right` has")
    length = _SURE_DIGITS * exits
    for place, row in enumerate(rows):
        if len(row) != length or not (row.isascii() and row.isdigit()):
            raise ProblemError(f"{field}.{place}", row[:80], f"{length} digits, three for each exit")
    digits = np.array([list(row) for row in rows], dtype="U1").astype(np.int64).reshape(images, exits, _SURE_DIGITS)
    found: FloatArray = (digits @ np.array([100, 10, 1])) / SURE_STEPS
    return found


def sure_rows(sure: FloatArray) -> list[str]:
    """Return the confidence of exits, shape `images x (n - 1)`, as documents store it."""
    steps = np.minimum(np.floor(np.clip(sure, 0.0, 1.0) * SURE_STEPS).astype(np.int64), SURE_STEPS - 1)
    return ["".join(f"{each:0{_SURE_DIGITS}d}" for each in row) for row in steps.tolist()]


def right_rows(right: BoolArray) -> list[str]:
    """Return the rows as documents store them."""
    return ["".join("1" if each else "0" for each in row) for row in right.tolist()]


def measured_words(found: MeasuredExits) -> str:
    """Return the exits in a few words, for lists."""
    own, union = found.right[:, -1].mean(), found.right.any(axis=1).mean()
    return (
        f"{many(len(found.positions.blocks), 'exit')} measured on {many(len(found.right), 'image')}: "
        f"{100 * own:.1f} % right at the own end, {100 * union:.1f} % at any"
    )


MEASURED_EXITS = DocumentFamily(
    "measured-exits", "weights", "Measured exits", "Measured exits", load_measured, measured_words
)
