"""Where the blocks of a report are drawn: on a page, or in a file that stands on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.results import Result
from frontend.components.html_file import FILE_WIDTH_PX, FileFigures
from frontend.components.pictures.figure import plot
from frontend.components.shell.shell import remembered_scheme, remembered_viewport
from frontend.results.registry import draw, paper_picture, result_sentence, view_of
from frontend.theme import Scheme

PAGE_WIDTH_PX = 860
_PADDING_PX = 16
_EDGES_PX = 50  # of page and card, on a phone


class Canvas(Protocol):
    """The canvas of a block: the place where it is shown.

    Attributes:
        scheme: light or dark.
        width_px: width in pixels of a figure.
    """

    @property
    def scheme(self) -> Scheme:
        """Light or dark."""

    @property
    def width_px(self) -> int:
        """Return the width of a figure."""

    def figure(self, figure: Any, height_px: int, summary: str) -> Component:
        """Return a figure, with a sentence for those who do not see it."""

    def result(self, result: Result) -> Component | None:
        """Return a result of a design as a figure or table; None if the report has no place for it."""

    def link(self, words: str, path: str) -> Component:
        """Return a link to a page of the site."""


@dataclass(frozen=True)
class PageCanvas:
    """A page of the site."""

    scheme: Scheme
    width_px: int = PAGE_WIDTH_PX

    def figure(self, figure: Any, height_px: int, summary: str) -> Component:
        """Draw a figure as on every page."""
        return plot(figure, height_px=height_px, summary=summary)

    def result(self, result: Result) -> Component | None:
        """Show a result as on the page of the run."""
        return draw(result, self.scheme, self.width_px)

    def link(self, words: str, path: str) -> Component:
        """Return an address within the site."""
        found: Component = dcc.Link(words, href=path)
        return found


def page_canvas() -> PageCanvas:
    """Return the canvas of the window that asks."""
    return PageCanvas(remembered_scheme(), min(PAGE_WIDTH_PX, remembered_viewport()["width"] - _EDGES_PX))


@dataclass(frozen=True)
class FileCanvas:
    """A file, in light colours; its links lead to the site at `site`, an address without a slash at its end."""

    figures: FileFigures
    site: str
    scheme: Scheme = "light"
    width_px: int = FILE_WIDTH_PX - 2 * _PADDING_PX

    def figure(self, figure: Any, height_px: int, summary: str) -> Component:
        """Return a picture that is drawn once the file is open, with its sentence below."""
        return html.Div([self.figures.drawn(figure, height_px, self.width_px), html.P(summary, className="sm t2")])

    def result(self, result: Result) -> Component | None:
        """Show a result as for a paper; tables and words as on a page."""
        picture = paper_picture(result, self.width_px)
        if picture is not None:
            return self.figure(picture, int(picture.layout.height or 300), result_sentence(result))
        return draw(result, "light", self.width_px) if view_of(result).kind in ("table", "words") else None

    def link(self, words: str, path: str) -> Component:
        """Return an address of the site, which must be there for it."""
        return html.A(words, href=f"{self.site}{path}")
