"""Schedules: bars on lanes."""

from __future__ import annotations

import plotly.graph_objects as go
from dash.development.base_component import Component

from engines.contract.results import Schedule
from frontend.components.pictures.figure import plot
from frontend.figures.schedule.schedule import lane_count, schedule_figure
from frontend.figures.summary import schedule_sentence
from frontend.results.view import FigureQuery, ResultView
from frontend.theme import Scheme

_EDGES_PX, _LANE_PX = 60.0, 24.0
_PAPER_EDGES_PX, _PAPER_LANE_PX, _PAPER_LOWEST_LANE_PX = 52, 26, 16
_MANY_LANES = 12


def _component(schedule: Schedule, scheme: Scheme, width_px: float) -> Component:
    height = _EDGES_PX + _LANE_PX * max(1, len(schedule.lanes))
    picture = schedule_figure(schedule, scheme, width_px=width_px, height_px=height)
    shown = plot(picture, summary=schedule_sentence(schedule))
    shown.className = "figure schedule-picture"
    return shown


def _paper(schedule: Schedule, width_px: float, asked: FigureQuery) -> go.Figure:
    lanes = max(1, lane_count(schedule, asked.by))
    height = _PAPER_EDGES_PX + (_PAPER_LANE_PX if lanes <= _MANY_LANES else _PAPER_LOWEST_LANE_PX) * lanes
    return schedule_figure(schedule, "light", width_px=width_px, height_px=height, by=asked.by, end_s=asked.end_s)


VIEW = ResultView(Schedule, "placed", schedule_sentence, _component, paper=_paper)
