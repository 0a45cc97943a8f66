"""A tab of the run page: what it is called, of which results of a design it is, and what fills it when it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.errors import EngineError
from engines.contract.results import Result
from frontend.components.states import empty_state
from frontend.pages.run.design.card import refused
from frontend.pages.run.run_reader import explained
from frontend.theme import Scheme
from webapp.runs.models import Run

_GUTTERS_PX, CARD_BORDERS_PX = 32, 2


@dataclass(frozen=True)
class TabQuery:
    """The content of an open tab.

    Attributes:
        run: whose page it is.
        design, pinned: numbers of the selected and the pinned design; None without one.
        scale: scale of the axis of evaluations, "linear" or "logarithmic".
        scheme: light or dark.
        viewport: viewport of the browser.
        decided: metric and decision of the plot, as in the address; "" for the default.
        why: which figure is told in which parts next to what, likewise.
    """

    run: Run
    design: int | None
    pinned: int | None
    scale: str
    scheme: Scheme
    viewport: Mapping[str, Any]
    decided: tuple[str, str] = ("", "")
    why: tuple[str, str, str] = ("", "", "")

    @property
    def width_px(self) -> int:
        """Width of the page's content."""
        return int(self.viewport["width"]) - _GUTTERS_PX


@dataclass(frozen=True)
class RunTab:
    """A tab.

    Attributes:
        name: name in addresses.
        title: title on pages.
        make: what fills it; None of those that the page itself lays out.
        shows: type of the results of a design that it is of: the bar leaves it out where an engine explains by none.
        of_designs: whether it tells of designs: a job, which has none, goes without.
        lacks: whether an engine has nothing for it; the bar leaves it out then.
    """

    name: str
    title: str
    make: Callable[[TabQuery], Component] | None = None
    shows: type[Result] | None = None
    of_designs: bool = True
    lacks: Callable[[Engine], bool] | None = None


def result_tab(
    name: str,
    title: str,
    shows: type[Result],
    make: Callable[[tuple[Result, ...], TabQuery], Component],
    nothing: tuple[str, str],
) -> RunTab:
    """Return a tab of the selected design's results of one type.

    Args:
        name: as of `RunTab`.
        title: likewise.
        shows: likewise.
        make: (all results of the design, what is asked for) -> the tab; called where one is of that type.
        nothing: icon and words where none is.
    """

    def made(asked: TabQuery) -> Component:
        found = results_of_design(asked)
        if not isinstance(found, tuple):
            return found
        return make(found, asked) if any(isinstance(result, shows) for result in found) else empty_state(*nothing)

    return RunTab(name, title, made, shows)


def results_of_design(asked: TabQuery) -> tuple[Result, ...] | Component:
    """Return the results of the selected design, or a message if there are none."""
    if asked.design is None:
        return empty_state("layout-grid", "No design selected yet", "Designs appear as soon as the first are stored.")
    try:
        return explained(asked.run, asked.design)
    except (EngineError, LookupError) as error:
        return refused(asked.run, error)
