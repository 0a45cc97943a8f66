"""Chiplet packages as a family of documents."""

from __future__ import annotations

from hardware.family import DocumentFamily
from hardware.package.loader import builtin_hardware, load_package
from hardware.package.movable import package_figures
from hardware.package.schema import PackageDocument
from hardware.package.summary import package_words

PACKAGE = DocumentFamily(
    "chiplet-package",
    "hardware",
    "Chiplet package",
    "Chiplet packages",
    load_package,
    package_words,
    PackageDocument,
    builtin_hardware,
    movable=package_figures,
)
