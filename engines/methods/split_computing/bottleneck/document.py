"""Documents of bottlenecks that were trained and measured, schema `measured-bottlenecks/1`: what each takes, sends and loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from engines.contract.engine import require
from engines.contract.integer_format import counted, many
from engines.data.documents import FileSection
from hardware.document_reader import name_of, validated
from hardware.family import DocumentFamily
from hardware.sections import Header, Section, Words, named

SCHEMA, DOCUMENT_FILE = "measured-bottlenecks/1", "measured-bottlenecks.json"
Percent = Annotated[float, Field(ge=0, le=100)]
Seconds = Annotated[float, Field(gt=0, le=1e5)]


class BottleneckSection(Section):
    """One design, of one branch."""

    channels: Annotated[int, Field(ge=1, le=64)] = Field(title="Channels")
    stride: Annotated[int, Field(ge=2, le=8)] = Field(
        title="Reduction", description="Reduction of height and of width."
    )
    blocks: Annotated[list[Words], Field(min_length=1, max_length=100)] = Field(title="Blocks")
    sent_bytes: Annotated[int, Field(ge=1, le=10**9)] = Field(title="Sent", json_schema_extra={"unit": "B"})
    macs: Annotated[float, Field(gt=0)] = Field(title="MACs")
    encoder_s: Seconds = Field(title="Latency before sending", json_schema_extra={"unit": "s"})
    tail_s: Seconds = Field(title="Latency of the rest", json_schema_extra={"unit": "s"})
    power_w: Annotated[float, Field(gt=0, le=1e5)] = Field(title="Power of the device", json_schema_extra={"unit": "W"})
    accuracy_percent: Percent = Field(
        title="Accuracy", description="Fused, validation.", json_schema_extra={"unit": "%"}
    )
    test_accuracy_percent: Percent = Field(title="Test accuracy", json_schema_extra={"unit": "%"})

    @property
    def words(self) -> str:
        """The design in a few words, for notes."""
        return (
            f"Trained bottleneck: {self.channels} channels, 1/{self.stride} of each side, "
            f"{counted(self.sent_bytes)} B. It takes {1e3 * self.encoder_s:.3g} ms before sending, "
            f"{1e3 * self.tail_s:.3g} ms after, at {self.power_w:.3g} W; accuracy "
            f"{self.accuracy_percent:.1f} %"
        )


class MeasuredBottlenecksDocument(Header):
    """A document of schema `measured-bottlenecks/1`."""

    schema_name: Literal["measured-bottlenecks/1"] = named()
    source: Words = Field(title="Source", description="How the bottlenecks came about.")
    file: FileSection = Field(title="File", description="Weights of the branches and all their parts, safetensors.")
    images: Words = Field(title="Data set", description="Slug of what they learnt and were measured on.")
    device: Words = Field(title="Device", description="On which unit of which device the times are.")
    original_accuracy_percent: Percent = Field(title="Accuracy without a bottleneck", json_schema_extra={"unit": "%"})
    designs: Annotated[list[BottleneckSection], Field(min_length=1, max_length=1200)] = Field(title="Designs")
    training: dict[str, Any] = Field(title="Training", description="Parameters and seed of the training.")


@dataclass(frozen=True)
class MeasuredBottlenecks:
    """The content of a document."""

    title: str
    images: str
    device: str
    original_accuracy_percent: float
    designs: tuple[BottleneckSection, ...]

    def within(self, given_up_percent: float, field: str) -> BottleneckSection:
        """Return the design that sends least of those that lose no more points of accuracy; the faster one of two.

        Raises:
            ProblemError: every design loses more.
        """
        least = min(self.original_accuracy_percent - each.accuracy_percent for each in self.designs)
        require(
            least <= given_up_percent + 1e-9, field, given_up_percent,
            f"at least {max(0.0, least):.4g} percentage points, the loss of the most accurate bottleneck of {self.title}",
        )  # fmt: skip
        kept = [
            each
            for each in self.designs
            if self.original_accuracy_percent - each.accuracy_percent <= given_up_percent + 1e-9
        ]
        return min(kept, key=lambda each: (each.sent_bytes, each.encoder_s + each.tail_s))


def load_measured(content: Mapping[str, Any]) -> MeasuredBottlenecks:
    """Return the measurement that a document describes.

    Raises:
        HardwareError: names the key, what was got and what is accepted.
    """
    document = validated(MeasuredBottlenecksDocument, content, name_of(content, None))
    return MeasuredBottlenecks(
        document.title, document.images, document.device, document.original_accuracy_percent, tuple(document.designs)
    )


def measured_words(found: MeasuredBottlenecks) -> str:
    """Return the measurement in a few words, for lists."""
    best = max(each.accuracy_percent for each in found.designs)
    least = min(each.sent_bytes for each in found.designs)
    return (
        f"{many(len(found.designs), 'design')} measured on {found.images}: up to {best:.1f} % "
        f"({found.original_accuracy_percent:.1f} % without), from {counted(least)} B a branch; times of {found.device}"
    )


MEASURED_BOTTLENECKS = DocumentFamily(
    "measured-bottlenecks", "weights", "Measured bottlenecks", "Measured bottlenecks", load_measured, measured_words
)
