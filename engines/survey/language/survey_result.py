"""Results of a survey of devices for a language model; plain data for commands, pages and the REST interface."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.certainty import Certainty


@dataclass(frozen=True)
class LanguageRow:
    """One device.

    Attributes:
        device: name of its document.
        title, schema: likewise.
        bits: bits of weights and activations of the estimate.
        fits: whether the memory holds weights, cache and results; None where the memory is not known.
        weight_bytes, peak_memory_bytes: memory of the conversation.
        largest_context_tokens: whose cache fits, at most what the model takes; None where the memory is not known.
        time_to_first_token_s: time until the first token of the answer.
        decode_tokens_per_s: mean over the answer.
        latency_s: latency in seconds of the whole conversation.
        energy_per_token_j: of a token of the answer; `energy_j`: of the whole conversation.
        conversations_per_charge: of the battery that is asked for; None without one or where the energy is not known.
        first_load_s: to read the weights from flash at the rate that is asked for; None without one.
        power_mode: power mode that limits the clocks; None for the highest clocks.
        certainty: the word of the ladder for times: that of the less sure stage.
        unit: compute unit of the model; "" if measurements do not state it.
        prefill_source, decode_source: basis of the rates.
        prefill_error_factor, decode_error_factor: error bands; None without held-out measurements.
        reason: why there is no estimate, or why a metric is missing; "" where nothing is.
    """

    device: str
    title: str
    schema: str
    bits: str | None = None
    fits: bool | None = None
    weight_bytes: int | None = None
    peak_memory_bytes: int | None = None
    largest_context_tokens: int | None = None
    time_to_first_token_s: float | None = None
    decode_tokens_per_s: float | None = None
    latency_s: float | None = None
    energy_per_token_j: float | None = None
    energy_j: float | None = None
    conversations_per_charge: float | None = None
    first_load_s: float | None = None
    power_mode: str | None = None
    certainty: Certainty | None = None
    unit: str = ""
    prefill_source: str = ""
    decode_source: str = ""
    prefill_error_factor: float | None = None
    decode_error_factor: float | None = None
    reason: str = ""

    @property
    def able(self) -> bool:
        """Whether anything is known of its speed."""
        return self.decode_tokens_per_s is not None


@dataclass(frozen=True)
class LanguageSurvey:
    """A language model on all devices.

    Attributes:
        network: name of the network.
        architecture: architecture of its configuration.
        layers: layers of the decoder.
        parameters: of all stages; `active_parameters`: of one token's way.
        macs: MACs of the prompt.
        cache_bytes: of keys and values of prompt and answer; `state_bytes`: of states of fixed size.
        prompt_tokens, answer_tokens, cache_bits: options of the survey.
        devices: by rising latency, then those without, in the order given.
        notes: omissions and assumptions of the reader of the configuration.
    """

    network: str
    architecture: str
    layers: int
    parameters: int
    active_parameters: int
    macs: float
    cache_bytes: int
    state_bytes: int
    prompt_tokens: int
    answer_tokens: int
    cache_bits: float
    devices: tuple[LanguageRow, ...]
    notes: tuple[str, ...] = ()
