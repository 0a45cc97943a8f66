"""Which engine: by the question that it answers; links where none is chosen yet, folded to one line once one is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from engines.contract.questions import QUESTIONS, Question
from frontend.components.icon import icon
from frontend.figures.numbers import many
from frontend.ids.new import NewIds

MOST_RECENT = 4


def chooser(engine: Engine, engines: Sequence[Engine], recent: Sequence[str], *, unfolded: bool = False) -> Component:
    """Return the chosen engine in one line; unfolded, a list of all engines by the decisions that they make.

    Args:
        engine: the chosen one.
        engines: all that can be chosen, in the order in which they are offered.
        recent: names of those that the person used, the last used first.
        unfolded: whether all are shown.
    """

    def button(each: Engine, place: str, class_name: str, *children: Component | str) -> Component:
        on = each.name == engine.name and place == "all"
        state = {"aria-pressed": str(on).lower()} if place == "all" else {}
        return html.Button(
            list(children),
            id={"type": NewIds.ENGINE_TYPE, "name": each.name, "place": place},
            className=f"{class_name} on" if on else class_name,
            type="button",
            title=_told(each),
            **_words(each, place),
            **state,
        )

    return html.Details(
        [
            _chosen(engine, len(engines)),
            html.Div(
                [_search(), *_recent(engines, recent, button), _groups(engines, button)], className="chooser-body"
            ),
        ],
        id=NewIds.CHOOSER,
        # Another engine is another part of the page: folded again, whatever was clicked in the browser.
        key=f"{NewIds.CHOOSER}-{engine.name}",
        open=unfolded,
        className="card chooser",
    )


def choice(engines: Sequence[Engine], recent: Sequence[str]) -> Component:
    """Return all engines by what they decide, where none is chosen yet: each a link to its form.

    Args:
        engines: all that can be chosen, in the order in which they are offered.
        recent: names of those that the person used, the last used first.
    """
    body = [_search(), *_recent(engines, recent, _link), _groups(engines, _link)]
    return html.Section(
        html.Div(body, className="chooser-body"),
        id=NewIds.CHOOSER,
        className="card chooser choice",
        **{"aria-label": "Question"},
    )


def picture(question: Question) -> Component:
    """Return the picture of a question, in the colour of the text around it."""
    return html.Span(className=f"question-picture q-{question.name}", **{"aria-hidden": "true"})


def words_of(engine: Engine) -> str:
    """Return the searchable text of an engine: titles, summary, method, authors of its source, tags."""
    question = engine.question
    return " ".join(
        (engine.title, engine.name, engine.summary, engine.source, *engine.tags, question.title, question.words)
    ).lower()


def _chosen(engine: Engine, count: int) -> Component:
    words = html.Span(
        [
            html.Span(
                [html.Span(engine.title, className="b"), html.Span(engine.question.title, className="xs t3")],
                className="row g8",
            ),
            html.Span(engine.summary, className="sm t2 el", title=engine.summary),
            html.Span(engine.source, className="xs t3 el", title=engine.source),
        ],
        className="chooser-words",
    )
    other = html.Span(
        [
            html.Span("Change", className="when-folded"),
            html.Span("Fold", className="when-open"),
            icon("chevron-down", "s"),
        ],
        className="link row g4 nw",
    )
    return html.Summary(
        [picture(engine.question), words, html.Span(many(count, "engine"), className="xs t3 nw"), other],
        className="chooser-chosen",
        **{"aria-label": f"Engine: {engine.title}. Choose another of {count}"},
    )


def _search() -> Component:
    field: Component = dmc.TextInput(
        id=NewIds.FIND,
        size="xs",
        placeholder="Search by name, method or author",
        leftSection=icon("search", "s"),
        autoComplete="off",
        spellCheck=False,
        className="chooser-find",
        **{"aria-label": "Search engines"},
    )
    nothing = html.Span("No engine matches this search", className="sm t2 chooser-nothing", role="status", hidden=True)
    return html.Div([field, nothing], className="row g12")


# How an engine is offered: with its place ("all" or "recent"), its class and what stands in it.
Offer = Callable[..., Component]


def _link(engine: Engine, place: str, class_name: str, *children: Component | str) -> Component:
    """Return a link to the form of an engine; its title is told below it, so that the whole of it is read."""
    link = dcc.Link(list(children), href=f"/new?engine={engine.name}", className=class_name, title=_told(engine))
    # A link knows no data attributes: the words that the search looks through stand at what is around it.
    return html.Div(link, className="chooser-item", **_words(engine, place))


def _told(engine: Engine) -> str:
    return f"{engine.summary}\n{engine.source}"


def _words(engine: Engine, place: str) -> dict[str, str]:
    return {"data-words": words_of(engine)} if place == "all" else {}


def _recent(engines: Sequence[Engine], recent: Sequence[str], offer: Offer) -> list[Component]:
    known = {engine.name: engine for engine in engines}
    used = [known[name] for name in recent if name in known]
    if not used:
        return []
    offered = [offer(each, "recent", "chooser-used", picture(each.question), each.title) for each in used]
    return [html.Div([html.Span("Last used", className="xs t3"), *offered], className="row g8 wrap chooser-recent")]


def _groups(engines: Sequence[Engine], offer: Offer) -> Component:
    found = [(question, [each for each in engines if each.question == question]) for question in QUESTIONS]
    return html.Div(
        [_group(question, members, offer) for question, members in found if members], className="chooser-groups"
    )


def _group(question: Question, members: Sequence[Engine], offer: Offer) -> Component:
    head = html.Div(
        [
            picture(question),
            html.Div([html.H2(question.title, className="b"), html.Div(question.words, className="xs t3")]),
        ],
        className="chooser-head",
    )
    return html.Div(
        [head, *[offer(each, "all", "chooser-engine", *_engine(each)) for each in members]],
        className="chooser-group",
        role="group",
        **{"aria-label": question.title},
    )


def _engine(engine: Engine) -> list[Component]:
    return [
        html.Span(engine.title, className="chooser-title"),
        html.Span(engine.summary, className="xs t2 chooser-summary"),
    ]
