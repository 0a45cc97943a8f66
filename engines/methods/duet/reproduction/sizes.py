"""Table 5.4, section 5.2.7 and what section 5.4.2 says of RM4: sizes on the device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engines.methods.duet.outcome import HANDED_OVER_BYTES, handed_over_j
from engines.methods.duet.reproduction.runs import MODELS, PUBLICATION, Sizes
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import NumberCase, OutcomeReader

_AREA = "The area of a byte is that of RM2's scratchpad; published with three decimals."


@dataclass(frozen=True)
class HandOver(NumberCase):
    """Energy of a session handed over."""

    def run(self) -> float:
        """Return the value in joules."""
        return handed_over_j(float(HANDED_OVER_BYTES))[1]


def compare(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the sizes and areas."""
    rows = PUBLICATION.rows("Scratchpad (Table 5.4)", kind="arithmetic")
    for name in MODELS:
        found, title = look(Sizes(name)), name.upper()
        yield rows(f"{title}: scratchpad", f"table5.4.{title}.scratchpad", found["scratchpad_kib"])
        kind: Kind = "fitted" if name == "rm2" else "arithmetic"
        yield rows(f"{title}: area", f"table5.4.{title}.area", found["area_mm2"], kind=kind, why=_AREA)
    small = sum(look(Sizes(name))["scratchpad_kib"] <= 60 for name in MODELS)
    models = float(str(PUBLICATION.value("history.models_below_60KB")).split()[0])
    below = PUBLICATION.derived(models, "models", "history.models_below_60KB", "table5.4.RM1.scratchpad")
    yield rows("Models whose history takes at most 60 KB", below, float(small))
    rows = PUBLICATION.rows("The user's half (sections 5.2.7, 5.3, 5.4.2)", kind="arithmetic")
    heavy, shared = look(Sizes("rm4")), look(Sizes("rm5"))
    yield rows("RM4: user top MLP in fp32", "rm4.user_top_mlp_fp32", heavy["user_top_fp32_mb"])
    yield rows("RM4: user top MLP in int8", "rm4.user_top_mlp_int8", heavy["user_top_int8_mb"])
    yield rows("RM5: lookups by the history, of 200", "rm5.user_lookups", shared["user_lookups"], kind="constant")
    yield rows("Session transferred by Bluetooth: energy", "sync_energy", look(HandOver()))
