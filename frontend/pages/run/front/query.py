"""The reader's choices of the front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from frontend.designs.run_designs import Region
from frontend.pages.run.front.choices import Choices
from frontend.pages.run.front.short_list import Ranking
from frontend.theme import Scheme


@dataclass(frozen=True)
class FrontQuery:
    """The reader's choices of the front.

    Attributes:
        choices: view, axes, colour, size, scales, what is hidden.
        limits: column -> limit.
        region: the lasso.
        scheme, viewport: scheme and viewport of the browser.
        selection: the one selection of the page.
        view: previous ranges of the axes (`FrontShown.view`), or None.
        data: the store of the run's designs: count, live, and how many of them were seen before.
        ranking: order of the short list.
        lanes: lanes of the schedule, "chiplets" or "models".
        scale: scale of the evaluations under *Convergence*.
        table: sort, filters and columns of the table of designs, as in the address.
        decided: figure and decision of the decisions tab, likewise.
        why: figure, parts and what it is set next to of the tab that says why, likewise.
    """

    choices: Choices
    limits: Mapping[str, float]
    region: Region | None
    scheme: Scheme
    viewport: Any
    selection: Mapping[str, Any]
    view: Mapping[str, Any] | None
    data: Mapping[str, Any]
    ranking: Ranking = field(default_factory=lambda: Ranking(""))
    lanes: str = "chiplets"
    scale: str = "logarithmic"
    table: tuple[str, str, str] = ("", "", "")
    decided: tuple[str, str] = ("", "")
    why: tuple[str, str, str] = ("", "", "")

    @property
    def axes(self) -> list[str]:
        """Return what a kept view belongs to."""
        return [self.choices.x, self.choices.y, self.choices.log]
