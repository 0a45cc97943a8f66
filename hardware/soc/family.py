"""Systems on a chip as a family of documents."""

from __future__ import annotations

from hardware.family import DocumentFamily
from hardware.soc.lineage import with_lineage
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.movable import soc_figures
from hardware.soc.plausibility import check_soc
from hardware.soc.schema import SocDocument
from hardware.soc.summary import lacking_kinds, soc_words

SOC = DocumentFamily(
    "soc",
    "hardware",
    "System on a chip",
    "Systems on chip",
    load_soc,
    soc_words,
    SocDocument,
    builtin_socs,
    stored=with_lineage,
    movable=soc_figures,
    check=check_soc,
    lacking=lacking_kinds,
)
