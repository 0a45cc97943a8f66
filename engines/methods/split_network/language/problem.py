"""A conversation between a device and a server, ready to be placed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from engines.contract.certainty import Certainty, weakest
from engines.contract.designs import Decision
from engines.contract.engine import Context, Plan, PlanCheck, Problem
from engines.contract.errors import DecisionError, ProblemError
from engines.contract.estimates import around
from engines.contract.integer_format import many
from engines.contract.problem import require
from engines.contract.results import Breakdown, Note, Result, Table, TableColumn
from engines.contract.typed_lists import numbers
from engines.methods.split_network.language.costs import (
    DEVICE,
    DRAFT,
    SERVER,
    ConversationCosts,
    Link,
    Part,
    Placement,
    Side,
    expected_tokens,
    first_s,
    side_of,
)
from engines.methods.split_network.language.params import LanguageSplitParams
from engines.search.prepared_problem import PreparedProblem
from engines.search.strategies import Columns, Exhaustive, ListedDesigns
from engines.simulation.radio_link import joules_per_bit, link_bits_per_s, round_trip_s
from engines.survey.language.work import Conversation
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from hardware.errors import Remedy
from hardware.radio.model import Radio
from hardware.radio.summary import radio_words
from hardware.soc.model import Soc

_START_S, _DESIGN_S, _BATCH = 0.3, 1e-4, 64
_MOST_DRAFT = 64
_TITLES = {DEVICE: "device", SERVER: "server", DRAFT: "draft model on the device"}


class PreparedConversation(PreparedProblem[LanguageSplitParams, Placement, Context]):
    """A conversation whose stages run on a device or at a server."""

    def __init__(self, problem: Problem[LanguageSplitParams]) -> None:
        """Refuse models without a configuration or with too short a context, links without figures, machines that run nothing."""
        params = self.params = problem.params
        model = _model_of(problem, "workload")
        conversation = Conversation(params.prompt_tokens, params.answer_tokens)
        _require_context(model, conversation)
        self.missing: dict[str, str] = {}
        sides = dict(self._sides(problem, model, conversation))
        self.costs = ConversationCosts(model, conversation, sides, _link_of(problem), params.acceptance)
        self.space = ListedDesigns(tuple(self._placements()))
        why = " ".join(self.missing.values())
        require(
            bool(self.space.designs), "inputs.hardware", problem.inputs["hardware"].slug,
            "a device or a server that can run the model", reason=why,
        )  # fmt: skip
        _require_power(params, sides)

    def _sides(
        self, problem: Problem[LanguageSplitParams], model: LanguageModel, conversation: Conversation
    ) -> Iterator[tuple[str, Side]]:
        models = {DEVICE: ("hardware", model), SERVER: ("server", model)}
        if "draft" in problem.inputs:
            draft = _model_of(problem, "draft")
            accepted = f"a model with the vocabulary of {model.name}, {model.vocabulary:,} tokens"
            require(draft.vocabulary == model.vocabulary, "inputs.draft", f"{draft.vocabulary:,} tokens", accepted)
            models[DRAFT] = ("hardware", draft)
        for name, (slot, each) in models.items():
            found = side_of(slot, problem.value(slot, Soc), each, conversation, problem.params.bits.strip())
            if isinstance(found, Side):
                yield name, found
            else:
                self.missing[name] = f"{each.name} has no estimate on the {_TITLES[name]}: {found.reason}."

    def _placements(self) -> Iterator[Placement]:
        sides, params = self.costs.sides, self.params
        accepted = "from 1 to 32"
        bits = numbers(params.transfer_bits, "params.transfer_bits", accepted, lambda each: 1 <= each <= 32)
        drafts = numbers(
            params.draft_tokens, "params.draft_tokens", f"whole, from 1 to {_MOST_DRAFT}",
            lambda each: each.is_integer() and 1 <= each <= _MOST_DRAFT,
        )  # fmt: skip
        places = [name for name in (DEVICE, SERVER) if name in sides]
        for prefill in places:
            for decode in places:
                for each in (0.0,) if prefill == decode else bits:
                    yield Placement(prefill, decode, each)
        if SERVER in sides and DRAFT in sides:
            yield from (Placement(SERVER, DRAFT, 0.0, int(length)) for length in drafts)

    def decode(self, decision: Decision) -> Placement:
        """Return the design of a decision."""
        found = [
            each
            for each in self.space.designs
            if all(decision.get(name) == value for name, value in vars(each).items())
        ]
        if not found:
            known = "; ".join(str(vars(each)) for each in self.space.designs[:8])
            raise DecisionError("decision", dict(decision), f"one of {len(self.space.designs)} placements: {known}")
        return found[0]

    def strategy(self) -> Exhaustive[Placement]:
        """Return the search that evaluates every placement."""
        return Exhaustive(self.space, _BATCH)

    def baselines(self) -> Mapping[str, Placement]:
        """Return the whole conversation on either side."""
        titles = {DEVICE: "All on the device", SERVER: "All at the server"}
        return {title: Placement(place, place) for place, title in titles.items() if place in self.costs.sides}

    def evaluate(self, designs: Sequence[Placement], context: Context) -> Columns:
        """Return the columns of designs."""
        rows = [self._row(each) for each in designs]
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def explain(self, design: Placement, context: Context) -> tuple[Result, ...]:
        """Return the parts of the conversation with their time, energy and bytes."""
        parts = self.costs.parts(design)
        titles = tuple(part.title for part in parts)
        seconds, joules = (np.array([getattr(part, name) for part in parts]) for name in ("seconds", "joules"))
        columns = (
            TableColumn("Part", titles),
            TableColumn("Time", seconds, "s"),
            TableColumn("Device energy", joules, "J"),
            TableColumn("Uploaded", np.array([part.uploaded_bits / 8 for part in parts]), "B"),
            TableColumn("Downloaded", np.array([part.downloaded_bits / 8 for part in parts]), "B"),
        )
        latency = Breakdown("latency", "Latency by part", ("Conversation",), titles, seconds[None], "s")
        energy = Breakdown("energy", "Energy of the device by part", ("Conversation",), titles, joules[None], "J")
        return (
            Table("parts", "Parts of the conversation", columns),
            latency,
            *(() if np.isnan(joules).any() else (energy,)),
        )

    def plan(self, evaluations: int) -> Plan:
        """Return the plan: both sides, wireless link and run time."""
        costs, link = self.costs, self.costs.link
        lines = [
            f"{_TITLES[name].capitalize()}: {side.row.title} in {side.row.bits}, first token after {side.prefill_s:.3g} s, "
            f"{1 / side.token_s:.3g} tokens/s"
            for name, side in costs.sides.items()
        ]
        megabits = f"{link.up_bits_per_s / 1e6:g} Mbit/s up, {link.down_bits_per_s / 1e6:g} Mbit/s down"
        lines.append(f"{radio_words(link.radio)}: {megabits}, round trip {link.round_trip_s * 1e3:g} ms")
        checks = [PlanCheck(True, line) for line in lines] + [PlanCheck(False, line) for line in self.missing.values()]
        return Plan(evaluations, 100.0, around(_START_S + _DESIGN_S * evaluations), checks=tuple(checks))

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on the sources of the estimates and on omitted parts."""
        sources = [
            f"{_TITLES[name].capitalize()}: {side.row.prefill_source}; {side.row.decode_source} ({side.row.certainty})."
            for name, side in self.costs.sides.items()
        ]
        notes = [Note("rates", "Estimates", " ".join(sources))]
        if DRAFT in self.costs.sides:
            text = f"The acceptance of {self.params.acceptance:g} is a parameter: no measurement of these models is known here."
            notes.append(Note("draft", "Draft", text))
        if self.missing:
            notes.append(Note("missing", "Sides without an estimate", " ".join(self.missing.values())))
        return tuple(notes)

    def certainty(self) -> Certainty:
        """Return the certainty of the less certain side."""
        return weakest(*(side.row.certainty for side in self.costs.sides.values() if side.row.certainty))

    def _row(self, design: Placement) -> dict[str, float]:
        parts = self.costs.parts(design)
        latency_s, before_s = math.fsum(part.seconds for part in parts), first_s(parts)
        return {
            "first_token_s": before_s,
            "decode_tokens_per_s": self.costs.steps / (latency_s - before_s),
            "energy_j": math.fsum(part.joules for part in parts),
            "latency_s": latency_s,
            "uploaded_bytes": _bytes(parts, "uploaded_bits"),
            "downloaded_bytes": _bytes(parts, "downloaded_bits"),
            "tokens_per_pass": expected_tokens(self.costs.acceptance, design.draft_tokens),
        }


def _bytes(parts: Sequence[Part], name: str) -> float:
    return math.fsum(getattr(part, name) for part in parts) / 8


def _model_of(problem: Problem[LanguageSplitParams], slot: str) -> LanguageModel:
    """Return the model whose configuration a workload has."""
    document = problem.inputs[slot]
    configuration = document.content.get("configuration")
    if not configuration:
        ways = ["Choose the prefill of a built-in language model, or import the config.json of a model."]
        raise ProblemError(f"inputs.{slot}", document.slug, "a language model with its configuration", remedies=ways)
    try:
        model = read_language_model(
            configuration, str(document.content.get("title", document.slug)).split(" prefill")[0]
        )
    except ProblemError as error:
        raise ProblemError.of(error, f"inputs.{slot}: configuration.{error.field}") from error
    require(model.decoder is not None, f"inputs.{slot}", document.slug, "a language model with a decoder")
    return model


def _require_context(model: LanguageModel, conversation: Conversation) -> None:
    most = model.context_tokens
    require(
        not most or conversation.tokens <= most, "params.prompt_tokens", conversation.prompt_tokens,
        f"at most {max(1, most - conversation.answer_tokens):,}",
        reason=f"Prompt and answer have {many(conversation.tokens, 'token')}; {model.name} takes at most {most:,}.",
    )  # fmt: skip


def _link_of(problem: Problem[LanguageSplitParams]) -> Link:
    radio, params = problem.value("radio", Radio), problem.params
    joules_per_bit(radio, "inputs.radio")
    ways = ["Add this power to a copy of the wireless link."]
    accepted = "a wireless link whose document has the power of the downlink (transfer_power.downlink_mw_per_mbps)"
    require(radio.downlink_j_per_bit is not None, "inputs.radio", radio.slug, accepted, remedies=ways)
    up = link_bits_per_s(radio, "uplink", params.uplink_mbps, "params.uplink_mbps")
    down = link_bits_per_s(radio, "downlink", params.downlink_mbps, "params.downlink_mbps")
    return Link(radio, up, down, round_trip_s(problem, radio, params.round_trip_ms), 8.0 * params.message_bytes)


def _require_power(params: LanguageSplitParams, sides: Mapping[str, Side]) -> None:
    """Refuse energy as an objective where the power of the device is not known."""
    unknown = [sides[name].row for name in (DEVICE, DRAFT) if name in sides and math.isnan(sides[name].token_j)]
    require(
        params.objectives == "times" or not unknown, "params.objectives", params.objectives, "times",
        reason=f"The power of {unknown[0].title} is not known." if unknown else "",
        remedies=[Remedy.to_set("params.objectives", "times")],
    )  # fmt: skip
