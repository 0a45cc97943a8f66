"""Surveys of devices, as the interface shows them."""

from __future__ import annotations

from pydantic import Field, RootModel

from engines.survey.language.survey_result import LanguageRow
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


class ConversationSurvey(Shape):
    """A conversation with a language model on every device: times, memory and energy, and why others cannot hold it."""

    network: str = Field(description="Name of the model.")
    architecture: str = Field(description="`model_type` of its configuration.")
    layers: int = Field(description="Layers of the decoder.")
    parameters: int = Field(description="Weights of all stages.")
    active_parameters: int = Field(description="Weights that one token passes.")
    macs: float = Field(description="Multiply-accumulates of the prompt.")
    cache_bytes: int = Field(description="Keys and values of prompt and answer.")
    state_bytes: int = Field(description="States of fixed size of one sequence.")
    prompt_tokens: int
    answer_tokens: int
    cache_bits: float = Field(description="Bits of an element of keys and values.")
    devices: list[LanguageRow] = Field(
        description="Devices by rising time of the conversation, then the others with reasons."
    )
    notes: list[str] = Field(description="Facts that the configuration leaves open.")


class WorkloadSurvey(RootModel[SurveyAnswer | ConversationSurvey]):
    """A network on every device; of a language model, a conversation."""
