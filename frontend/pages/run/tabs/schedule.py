"""The schedule tab of the run page: with room for every lane, by chiplet or unit and by model, and as a table of lanes."""

from __future__ import annotations

from dash import html
from dash.development.base_component import Component

from engines.contract.results import Result, Schedule
from frontend.components.as_table import folded
from frontend.components.card import card
from frontend.components.pictures.figure import plot
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.pictures.legend import model_legend
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import percent
from frontend.figures.schedule.schedule import By, block_words, lane_count, lanes_word
from frontend.figures.summary import schedule_sentence
from frontend.pages.run.design.card import schedule_picture
from frontend.pages.run.run_reader import schedule_of
from frontend.pages.run.tab import CARD_BORDERS_PX, TabQuery, result_tab
from frontend.theme import Scheme


def schedule_tab(schedule: Schedule, scheme: Scheme, width_px: int) -> Component:
    """Return the schedule with room for every lane, by chiplet or unit and by model, and as a table of lanes."""
    cards = []
    # Lanes of a single model would say nothing that the lanes of its units do not.
    choices: tuple[By, ...] = ("chiplets", "models") if len(schedule.models) > 1 else ("chiplets",)
    lane = lanes_word(schedule).lower().removesuffix("s")
    for by in choices:
        lanes = max(1, lane_count(schedule, by))
        height = 52 + max(20, min(40, 720 // lanes)) * lanes
        figure = schedule_picture(schedule, None, scheme, (width_px, height), by)
        cards.append(
            card(
                f"By {lane if by == 'chiplets' else 'model'}",
                plot(figure, height_px=height, summary=schedule_sentence(schedule)),
                folded(_busy_table(schedule)) if by == "chiplets" else None,
                subtitle=block_words(schedule) if by == "chiplets" else "",
                actions=[
                    model_legend(schedule.models),
                    figure_menu(figure_data=f"design:{schedule.name}", table=by != "chiplets", by=by),
                ],
                flush=True,
            )
        )
    return html.Div(cards, className="stack g12")


def _busy_table(schedule: Schedule) -> Component:
    rows = [(lane.title, lane.kind, percent(lane.busy_fraction)) for lane in schedule.lanes]
    return plain_table([Column("Lane"), Column("Kind"), Column("Busy", number=True)], rows)


def _made(results: tuple[Result, ...], asked: TabQuery) -> Component:
    schedule = schedule_of(results)
    assert schedule is not None
    return schedule_tab(schedule, asked.scheme, asked.width_px - CARD_BORDERS_PX)


TAB = result_tab("schedule", "Schedule", Schedule, _made, ("chart-line", "This design has no schedules"))
