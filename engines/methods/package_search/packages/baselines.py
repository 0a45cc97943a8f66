"""Baseline packages: homogeneous ones, the published patterns, and the given package."""

from __future__ import annotations

from dataclasses import replace

from engines.documents.builtin import builtin_documents
from engines.methods.package_search.packages.candidate import Candidate, candidate_of, model_chiplet
from hardware.package.loader import load_package
from hardware.package.model import DATAFLOWS, ChipletPackage
from hardware.package.schema import SCHEMA
from hardware.package.summary import DATAFLOW_TITLES

GIVEN = "Given package"


def baseline_packages(base: ChipletPackage) -> dict[str, Candidate]:
    """Name -> package, with the given package's sizes, bandwidths and sides; of equal ones the first name.

    Homogeneous packages are called Simba as in SCAR's runs. Patterns come from the built-in packages of the same mesh.
    """
    given = candidate_of(base)
    named: dict[str, Candidate] = {}
    for dataflow in DATAFLOWS:
        named[f"Simba {DATAFLOW_TITLES[dataflow]}"] = _with_layout(base, (dataflow,) * len(base.chiplets))
    for title, layout in _published_layouts(base).items():
        named.setdefault(title, _with_layout(base, layout))
    named[GIVEN] = given
    different: dict[Candidate, str] = {}
    for name, candidate in named.items():
        different.setdefault(candidate, name)
    return {name: candidate for candidate, name in different.items()}


def _with_layout(base: ChipletPackage, layout: tuple[str, ...]) -> Candidate:
    sizes = tuple(model_chiplet(base, dataflow).processing_elements for dataflow in layout)
    return replace(candidate_of(base), dataflows=layout, processing_elements=sizes)


def _published_layouts(base: ChipletPackage) -> dict[str, tuple[str, ...]]:
    found: dict[tuple[str, ...], str] = {}
    for document in builtin_documents("hardware").values():
        if document.content.get("schema") != SCHEMA:
            continue
        package = load_package(document.content)
        if (package.rows, package.columns) == (base.rows, base.columns):
            found.setdefault(candidate_of(package).dataflows, package.title)
    return {title: layout for layout, title in found.items() if len(set(layout)) > 1}
