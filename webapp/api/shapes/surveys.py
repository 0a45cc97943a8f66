"""Surveys of devices, as the interface shows them."""

from __future__ import annotations

from pydantic import Field

from engines.survey.survey_result import SurveyRow
from webapp.api.shapes.base import Shape


class SurveyAnswer(Shape):
    """A network on every device: latency and energy of one sample, what they follow from, and what cannot run it."""

    network: str = Field(description="Title of the network.")
    layers: int = Field(description="Layers that compute.")
    parameters: int = Field(description="Weights of the network.")
    macs: float = Field(description="Multiply-accumulates of one sample.")
    devices: list[SurveyRow] = Field(
        description="Able devices by rising energy-delay product, then those of unknown energy, then the others with reasons."
    )
