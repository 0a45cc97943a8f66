"""Published results of SCAR beside ours, under each reading of what the text leaves open.

Published: `published.yaml`, from two publications that are compared apart. Ours: the engine on the built-in packages and
their baselines. Nothing is fitted: compute is counted by closed forms after MAESTRO (`engines/cost/dataflow/model.py`), and the
paper's own mappings are not published. `quick` is the thesis under the default reading alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engines.methods.scar.reproduction.ablation_tables import ablations, article
from engines.methods.scar.reproduction.rows import ANY_NUMBER, DEFAULT_READING, READINGS, Group, Rows
from engines.methods.scar.reproduction.scenarios import datacentre, extended_reality, fourth
from engines.methods.scar.reproduction.windows import totals_of_table, window_table
from engines.reproduction.comparisons import Comparison
from engines.reproduction.frame import OutcomeReader, Part, Reproduction

_ARTICLE = "Table IV of the article"
_GROUPS: Mapping[str, Group] = {
    "datacentre": datacentre,
    "AR/VR": extended_reality,
    "windows, packing and 6 x 6": ablations,
    "Table 4.3": window_table,
    _ARTICLE: article,
}
_FOURTH: Mapping[str, Group] = {"scenario 4": fourth}


def _part(reading: str, title: str, group: Group) -> Part:
    def rows(look: OutcomeReader) -> Iterator[Comparison]:
        return group(Rows(reading, look))

    return Part(f"{title}, {reading}", rows, quick=reading == DEFAULT_READING and title != _ARTICLE)


REPRODUCTION = Reproduction(
    engines=("scar",),
    headline="Scenario 4, EDP: Simba NVDLA over Het-Sides",
    readings={name: reading.words for name, reading in READINGS.items()},
    parts=(
        *(
            _part(reading, title, group)
            for reading in READINGS
            for title, group in (_FOURTH if reading == ANY_NUMBER else _GROUPS).items()
        ),
        Part("Rules of Table 4.3", lambda _: totals_of_table(), quick=True),
    ),
)
