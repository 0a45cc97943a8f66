"""Published results of SBRS beside ours.

Exact rows are the method's algorithms on published inputs, arithmetic ones put published figures together. Fitted rows use layer
times chosen to give them. Predicted rows are the method on networks drawn from the published search spaces: the networks
themselves, trained for days, are not published.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from engines.methods.sbrs.reproduction import drawn, printed
from engines.methods.sbrs.reproduction.rows import APPLICATIONS, READINGS
from engines.reproduction.reproductions import Part

__all__ = ["ENGINES", "HEADLINE", "READINGS", "parts"]

ENGINES = ("sbrs",)
HEADLINE = "Pascal VOC, A = {I, O, par}: memory saved"


def parts(quick: bool) -> tuple[Part[Any], ...]:
    """All comparisons; `quick` leaves out networks drawn from the published spaces but those of the headline."""
    of_printed: tuple[Part[Any], ...] = (
        Part("ranks of Figure 6", _nothing, lambda _: printed.compare_figure_6(), None),
        Part("selected scenarios", _nothing, lambda _: printed.compare_tables(), None),
        Part("switching", _nothing, lambda _: printed.compare_figure_8(), None),
        Part("memory", _nothing, lambda _: printed.compare_memory(), None),
        Part("windows", _nothing, lambda _: printed.compare_windows(), None),
        Part("flight", printed.fly_figure_2, printed.compare_flight, printed.BLANK_FLIGHT),
    )
    return (*of_printed, *(_drawn(application) for application in (("voc",) if quick else APPLICATIONS)))


def _drawn(application: str) -> Part[Any]:
    title = f"networks drawn for {APPLICATIONS[application]}"
    return Part(title, partial(drawn.draw, application), partial(drawn.drawn_networks, application), drawn.BLANK)


def _nothing(_: object) -> None:
    """What follows from printed figures is arithmetic."""
