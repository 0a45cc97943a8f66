"""Coolers: what heat they carry away. Number 1 of the schema told it in milliwatts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated
from hardware.family import Content, DocumentFamily
from hardware.sections import SourcedHeader, named, positive


class CoolerDocument(SourcedHeader):
    """A hardware document of schema `cooler/2`."""

    schema_name: Literal["cooler/2"] = named()
    carried_w: float = positive("Heat", "W", "What is carried away.", 1e6)


@dataclass(frozen=True)
class Cooler:
    """A cooler of the catalogue."""

    carried_w: float
    sources: Mapping[str, str]


@document_loader
def load_cooler(content: Mapping[str, Any], file: str) -> Cooler:
    """The cooler that a document describes."""
    document = validated(CoolerDocument, content, file)
    return Cooler(document.carried_w, sources_of_figures(document.sources, content, ("carried_w",), file))


def cooler_words(cooler: Cooler) -> str:
    """ "12.5 W carried away"."""
    return f"{cooler.carried_w:g} W carried away"


def from_first(content: Content) -> Content:
    """The heat in watts."""
    kept = {key: value for key, value in content.items() if key != "carried_mw"}
    sources = {"carried_w": content["sources"]["carried_mw"]}
    return {**kept, "schema": "cooler/2", "carried_w": content["carried_mw"] / 1e3, "sources": sources}


COOLER = DocumentFamily(
    "cooler",
    "hardware",
    "Cooler",
    "Coolers",
    load_cooler,
    cooler_words,
    CoolerDocument,
    lambda: contents_of(Path(__file__).parent / "builtin"),
    number=2,
    upgrades={"cooler/1": from_first},
)
