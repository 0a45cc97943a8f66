from __future__ import annotations

from engines.methods.sbrs.search.genotype import SMALL, Genotype

GENOTYPE = Genotype(SMALL, (1, 8, 8), 10)
