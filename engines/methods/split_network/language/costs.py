"""Costs of a conversation between a device and a server: computing on either side, messages and caches on the link.

Source of speculative decoding: Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023
(arXiv 2211.17192), eq. 1: a pass of the model over k drafted tokens, each accepted with probability a, gives
(1 - a^(k+1)) / (1 - a) tokens in expectation. Departure: the draft model and the model are on different machines, so each pass
pays for the link, which the paper does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.survey.language.boards import board_row
from engines.survey.language.survey_result import LanguageRow
from engines.survey.language.work import Conversation, ConversationWork
from engines.survey.survey_result import SurveyOptions
from engines.workloads.language.model import LanguageModel
from hardware.radio.model import Radio
from hardware.soc.model import Soc

DEVICE, SERVER, DRAFT = "device", "server", "draft"


@dataclass(frozen=True)
class Placement:
    """A design.

    Attributes:
        prefill: "device" or "server".
        decode: "device", "server" or "draft" (the device drafts, the server verifies).
        transfer_bits: transfer bits of an element of the cache on the link; 0 where both stages run on the same side.
        draft_tokens: number of drafted tokens before a pass of the model; 0 without a draft.
    """

    prefill: str
    decode: str
    transfer_bits: float = 0.0
    draft_tokens: int = 0


@dataclass(frozen=True)
class Part:
    """A part of a conversation.

    Attributes:
        title: title on pages.
        seconds: time that it adds to the conversation.
        joules: joules of the device; NaN where its power is not known.
        uploaded_bits, downloaded_bits: on the link.
        first: whether it ends before the first token.
    """

    title: str
    seconds: float
    joules: float = 0.0
    uploaded_bits: float = 0.0
    downloaded_bits: float = 0.0
    first: bool = False


@dataclass(frozen=True)
class Side:
    """A model on a machine.

    Attributes:
        prefill_s, prefill_j: prefill in seconds and prefill in joules of the prompt; energy is NaN where the power is not known.
        token_s, token_j: time and energy of the mean token of the answer.
        row: the estimate that these are from.
    """

    prefill_s: float
    prefill_j: float
    token_s: float
    token_j: float
    row: LanguageRow


def side_of(name: str, soc: Soc, model: LanguageModel, conversation: Conversation, bits: str) -> Side | LanguageRow:
    """Return a model on a machine, or the row that says why there is no estimate."""
    row = board_row(name, soc, ConversationWork(model, conversation), SurveyOptions(bits=bits))
    if row.time_to_first_token_s is None or row.decode_tokens_per_s is None:
        return row
    token_j = float("nan") if row.energy_per_token_j is None else row.energy_per_token_j
    whole_j = float("nan") if row.energy_j is None else row.energy_j
    prefill_j = whole_j - (conversation.answer_tokens - 1) * token_j
    return Side(row.time_to_first_token_s, prefill_j, 1 / row.decode_tokens_per_s, token_j, row)


@dataclass(frozen=True)
class Link:
    """The wireless link.

    Attributes:
        radio: radio of the device.
        up_bits_per_s, down_bits_per_s: throughput.
        round_trip_s: round trip in seconds of the network.
        header_bits: bits that a message adds to its content.
    """

    radio: Radio
    up_bits_per_s: float
    down_bits_per_s: float
    round_trip_s: float
    header_bits: float

    def send(self, title: str, bits: float, messages: float = 1.0, *, first: bool = False) -> Part:
        """Return messages that the device sends one after the other, with `bits` of content in all."""
        total = bits + messages * self.header_bits
        joules = self.radio.transfer_energy_j(total, self.up_bits_per_s, "uplink")
        return Part(title, total / self.up_bits_per_s, joules, uploaded_bits=total, first=first)

    def receive(self, title: str, bits: float, messages: float = 1.0, *, first: bool = False) -> Part:
        """Return messages that the device receives one after the other."""
        total = bits + messages * self.header_bits
        joules = self.radio.transfer_energy_j(total, self.down_bits_per_s, "downlink")
        return Part(title, total / self.down_bits_per_s, joules, downloaded_bits=total, first=first)


def expected_tokens(acceptance: float, draft_tokens: int) -> float:
    """Return the expected tokens of one pass of the model over a draft (Leviathan et al. 2023, eq. 1).

    Args:
        acceptance: probability that a token of the draft is accepted, from 0 to 1.
        draft_tokens: tokens of the draft; 0: the pass gives one token.
    """
    if acceptance == 1:
        return draft_tokens + 1.0
    return float((1 - acceptance ** (draft_tokens + 1)) / (1 - acceptance))


@dataclass(frozen=True)
class ConversationCosts:
    """Values that all placements of a conversation share.

    Attributes:
        model: model of the answer.
        conversation: prompt and answer.
        sides: "device", "server", and "draft" for the draft model on the device; those without an estimate are left out.
        link: between them.
        acceptance: acceptance of a token of a draft.
    """

    model: LanguageModel
    conversation: Conversation
    sides: dict[str, Side]
    link: Link
    acceptance: float

    @property
    def steps(self) -> int:
        """Tokens after the first one, which the prefill gives."""
        return self.conversation.answer_tokens - 1

    @property
    def token_bits(self) -> int:
        """Bits of the number of a token."""
        return max(1, (self.model.vocabulary - 1).bit_length())

    def cache_bits(self, transfer_bits: float) -> float:
        """Return the bits of the cache and the states after the prompt."""
        tokens = self.conversation.prompt_tokens
        return 8 * (self.model.cache_bytes(tokens, transfer_bits) + self.model.state_bytes(transfer_bits))

    def passes(self, design: Placement) -> float:
        """Return the expected passes of the model after the first token."""
        return self.steps / expected_tokens(self.acceptance, design.draft_tokens)

    def parts(self, design: Placement) -> tuple[Part, ...]:
        """Return the parts of a conversation; their seconds add up to its latency."""
        first = self._prefill(design.prefill)
        ready_s = sum(part.seconds for part in first)
        if design.decode == DRAFT:
            return *first, *self._drafts(design, ready_s)
        moved = self._cache(design)
        return *first, *moved, *(self._own_steps() if design.decode == DEVICE else self._streamed_steps())

    def _prefill(self, place: str) -> tuple[Part, ...]:
        side = self.sides[place]
        if place == DEVICE:
            return (Part("Prefill on the device", side.prefill_s, side.prefill_j, first=True),)
        return (
            self.link.send("Prompt up", self.conversation.prompt_tokens * self.token_bits, first=True),
            Part("Round trip", self.link.round_trip_s, first=True),
            Part("Prefill at the server", side.prefill_s, first=True),
            self.link.receive("First token down", self.token_bits, first=True),
        )

    def _cache(self, design: Placement) -> tuple[Part, ...]:
        if design.prefill == design.decode:
            return ()
        bits = self.cache_bits(design.transfer_bits)
        if design.prefill == SERVER:  # the round trip was paid for the first token, which comes before the cache
            return (self.link.receive("Cache down", bits),)
        up = self.link.send("Cache and first token up", bits + self.token_bits)
        return up, Part("Round trip", self.link.round_trip_s)

    def _own_steps(self) -> tuple[Part, ...]:
        side = self.sides[DEVICE]
        return (Part("Decode on the device", self.steps * side.token_s, self.steps * side.token_j),)

    def _streamed_steps(self) -> tuple[Part, ...]:
        """Return steps whose tokens are received while the server computes the next ones: the slower of both counts."""
        down = self.link.receive("Wait for tokens on the link", self.steps * self.token_bits, self.steps)
        server_s = self.steps * self.sides[SERVER].token_s
        waiting_s = max(0.0, down.seconds - server_s)
        return (
            Part("Decode at the server", server_s),
            Part(down.title, waiting_s, down.joules, downloaded_bits=down.downloaded_bits),
        )

    def _drafts(self, design: Placement, ready_s: float) -> tuple[Part, ...]:
        """Return expected passes, each with a draft, its way up, the verification and one token down.

        A pass over k + 1 tokens reads the weights once, as a step does. It takes as long as k + 1 tokens of a prompt where that
        is longer.
        """
        passes, length, server, draft = self.passes(design), design.draft_tokens, self.sides[SERVER], self.sides[DRAFT]
        prompt_token_s = server.prefill_s / self.conversation.prompt_tokens
        verify_s = max(server.token_s, (length + 1) * prompt_token_s)
        drafted = passes * length
        return (
            Part("Prefill of the draft model", max(0.0, draft.prefill_s - ready_s), draft.prefill_j),
            Part("Drafts on the device", drafted * draft.token_s, drafted * draft.token_j),
            self.link.send("Drafts up", drafted * self.token_bits, passes),
            Part("Round trips", passes * self.link.round_trip_s),
            Part("Verification at the server", passes * verify_s),
            self.link.receive(
                "Tokens down", 2 * passes * self.token_bits, passes
            ),  # the count of accepted ones, and one more
        )


def first_s(parts: Sequence[Part]) -> float:
    """Return the time to the first token."""
    return sum(part.seconds for part in parts if part.first)
