"""Values that a version of an engine corrected, for the runs that earlier versions made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

ERRATA = Path(__file__).with_name("errata.yaml")


@dataclass(frozen=True)
class Erratum:
    """A correction of values.

    Attributes:
        engine: name of the engine.
        version: first version of the engine with the right values.
        values: which values changed, in which runs; a full sentence.
        reason: why they were wrong; a full sentence.
    """

    engine: str
    version: int
    values: str
    reason: str


@cache
def all_errata() -> tuple[Erratum, ...]:
    """Return every correction, in the order of `errata.yaml`."""
    return tuple(Erratum(**entry) for entry in yaml.safe_load(ERRATA.read_text()) or ())


def errata_of(engine: str, version: int) -> tuple[Erratum, ...]:
    """Return the corrections that runs of this version of the engine lack."""
    return tuple(erratum for erratum in all_errata() if erratum.engine == engine and erratum.version > version)
