"""Language models: every public measurement with its prediction, the errors of each board, and a simple baseline.

The board that is shown is kept in the address: `?board=`.
"""

from __future__ import annotations

from typing import Any

import dash
from dash import Input, Output, State, callback, dcc, html
from dash.development.base_component import Component

from engines.survey.language.validation import validation_groups, validation_rows
from frontend.components.icon import icon
from frontend.components.shell.shell import remembered_scheme
from frontend.ids.language_models import LanguageModelIds
from frontend.ids.shell import ShellIds
from frontend.pages.language_models.view import boards_nav, errors_card, pictures, rows_card
from frontend.request import current_user
from frontend.theme import Scheme

_TITLE = "Language models: measured and predicted"
_WORDS = (
    "Public measurements of language models next to predictions. Each model is predicted by the measurements of models of other "
    "shapes. A prediction uses the configuration of the model and the board alone."
)


def layout(board: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user."""
    if not current_user().is_authenticated:
        return html.Div()
    rows = validation_rows()
    boards = sorted({each.row.board for each in rows})
    chosen = board if board in boards else ""
    shown = [each for each in rows if chosen in ("", each.row.board)]
    crumb = html.Nav(
        [dcc.Link("Reproductions", href="/reproductions"), icon("chevron-right", "s"), html.Span("Language models")],
        className="row sm t2",
        **{"aria-label": "Where you are"},
    )
    return html.Div(
        [
            dcc.Store(id=LanguageModelIds.ASKED, data=chosen),
            crumb,
            html.Div([html.H1(_TITLE), boards_nav(boards, chosen)], className="row between wrap"),
            html.P(_WORDS, className="sm t2 repro-words"),
            html.Div(pictures(shown, remembered_scheme()), id=LanguageModelIds.PICTURE, className="repro-cards"),
            errors_card([each for each in validation_groups() if chosen in ("", each.board)]),
            rows_card(shown),
        ],
        className="page stack g12",
    )  # fmt: skip


dash.register_page(
    __name__,
    path="/language-models",
    name="Language models",
    title="Language models · Paretoscope",
    layout=layout,
)


@callback(
    Output(LanguageModelIds.PICTURE, "children"),
    Input(ShellIds.SCHEME, "data"),
    State(LanguageModelIds.ASKED, "data"),
    prevent_initial_call=True,
)
def redraw(scheme: Scheme, board: str | None) -> Any:
    """Return the pictures in another scheme."""
    return pictures([each for each in validation_rows() if (board or "") in ("", each.row.board)], scheme)
