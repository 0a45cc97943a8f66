"""Accelerators as a family of hardware documents, schema `accelerator/1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated
from hardware.family import DocumentFamily
from hardware.sections import SourcedHeader, named, positive

_FIGURES = ("peak_gops", "power_w")


class AcceleratorDocument(SourcedHeader):
    """A hardware document of schema `accelerator/1`. Units stand in the names."""

    schema_name: Literal["accelerator/1"] = named()
    peak_gops: float = positive("Peak", "GOPS", "Operations per second at most; a multiply-accumulate is two.", 1e9)
    power_w: float = positive("Power", "W", "While it works.", 1e4)


@dataclass(frozen=True)
class Accelerator:
    """An accelerator in SI units.

    Attributes:
        sources: key of a figure -> where the figure is from.
    """

    title: str
    operations_per_s: float
    power_w: float
    sources: Mapping[str, str]


@document_loader
def load_accelerator(content: Mapping[str, Any], file: str) -> Accelerator:
    """Return the accelerator that a document describes."""
    document = validated(AcceleratorDocument, content, file)
    sources = sources_of_figures(document.sources, content, _FIGURES, file)
    return Accelerator(document.title, document.peak_gops * 1e9, document.power_w, sources)


def builtin_accelerators() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every accelerator that ships with the plug-in."""
    return contents_of(Path(__file__).parent / "builtin")


def accelerator_words(accelerator: Accelerator) -> str:
    """Return peak and power: "500 GOPS, 2 W"."""
    return f"{accelerator.operations_per_s / 1e9:g} GOPS, {accelerator.power_w:g} W"


ACCELERATOR = DocumentFamily(
    "accelerator", "hardware", "Accelerator", "Accelerators", load_accelerator, accelerator_words,
    AcceleratorDocument, builtin_accelerators, contract=1,
)  # fmt: skip
