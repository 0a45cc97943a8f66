"""Problems that cannot be run: other networks, boards that run no stage or are too small, conversations that are too long."""

from __future__ import annotations

from engines.contract.errors import ProblemError
from engines.contract.problem import Problem, require
from engines.cost.memory_capacity import memory_size
from engines.methods.soc_mapping.language.choices import BitChoices
from engines.methods.soc_mapping.language.params import LanguageMappingParams
from engines.methods.soc_mapping.language.stage_costs import StageCosts
from engines.methods.soc_mapping.language.stage_work import ModelStages
from engines.survey.language.boards import capacity_bytes
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from hardware.bits import bit_widths
from hardware.errors import Remedy
from hardware.soc.summary import unit_title

_NARROWER = ("w8a8", "w4a16")  # from wide to narrow


def language_model_of(problem: Problem[LanguageMappingParams]) -> LanguageModel:
    """Return the model whose configuration the workload has.

    Raises:
        ProblemError: it has none, or one that cannot be read.
    """
    document = problem.inputs["workload"]
    configuration = document.content.get("configuration")
    if not configuration:
        ways = ["Import the config.json of a model (Catalogue, Import).", "Map other networks with soc-mapping."]
        accepted = "a language model that was imported from its config.json"
        raise ProblemError("inputs.workload", document.slug, accepted, remedies=ways)
    try:
        return read_language_model(configuration, str(document.content.get("title", document.slug)))
    except ProblemError as error:
        raise ProblemError.of(error, f"inputs.workload: configuration.{error.field}") from error


def require_context(stages: ModelStages) -> None:
    """Refuse a conversation of more tokens than the model takes."""
    most, params = stages.model.context_tokens, stages.params
    tokens, longest = params.prompt_tokens + params.answer_tokens, most - params.answer_tokens
    field, other = ("prompt_tokens", "answer_tokens") if longest > 0 else ("answer_tokens", "prompt_tokens")
    shorter = max(most - getattr(params, other), 2)
    require(
        not most or tokens <= most, f"params.{field}", getattr(params, field), f"at most {shorter:,}",
        reason=f"Prompt and answer have {tokens:,} tokens; {stages.model.name} takes at most {most:,}.",
        remedies=[Remedy.to_set(f"params.{field}", shorter)],
    )  # fmt: skip


def require_units(costs: StageCosts) -> None:
    """Refuse a board of which no unit runs the model."""
    why = "; ".join(f"{unit_title(name)}: {why}" for name, why in costs.missing.items())
    require(
        bool(costs.units), "inputs.hardware", costs.soc.slug,
        "a board with bandwidth of the memory, and peak and clock of a unit that can run language models",
        reason=f"No unit runs the model{f' ({why})' if why else ''}.", remedies=["Add these values to a copy of the board."],
    )  # fmt: skip


def powerless_sentence(costs: StageCosts) -> str:
    """Return why energies are missing."""
    units = ", ".join(map(unit_title, costs.powerless))
    return f"Energy is missing: the document of the board lacks the power of {units} (units.*.power)."


def require_power(costs: StageCosts) -> None:
    """Refuse energy as objective or limit on a board whose power is not known."""
    params, known = costs.stages.params, not costs.powerless
    objectives = params.objectives
    reason, copy = powerless_sentence(costs), Remedy("Add the power of the units to a copy of the board.")
    require(
        known or objectives not in ("times_energy", "all"), "params.objectives", objectives, "times or times_memory",
        reason=reason, remedies=[Remedy.to_set("params.objectives", "times_memory"), copy],
    )  # fmt: skip
    require(
        known or params.energy_limit_j is None, "params.energy_limit_j", params.energy_limit_j, "empty",
        reason=reason, remedies=[Remedy("Leave params.energy_limit_j empty.", "params.energy_limit_j", None), copy],
    )  # fmt: skip


def require_memory(costs: StageCosts, choices: BitChoices) -> None:
    """Refuse a conversation that exceeds the memory of the board in all bits to choose from.

    Raises:
        ProblemError: says by how much, and which bits or prompt would fit.
    """
    capacity, stages = capacity_bytes(costs.soc), costs.stages
    if capacity is None:
        return
    cache, params = min(choices.cache_bits), stages.params
    work = stages.conversation(cache)
    least = min((bit_widths(bits) for _, bits in costs.pairs), key=work.peak_memory_bytes)
    need = work.peak_memory_bytes(least)
    if need <= capacity:
        return
    narrower = [bits for bits in map(bit_widths, _NARROWER) if bits.weights < least.weights]
    able = [bits for bits in narrower if work.peak_memory_bytes(bits) <= capacity]
    remedies = [Remedy.to_set("params.bits", each.name) for each in able[:1]]
    shorter = work.largest_context_tokens(least, capacity) - params.answer_tokens
    if shorter > 0:
        remedies.append(Remedy.to_set("params.prompt_tokens", shorter))
    tokens = f"{params.prompt_tokens + params.answer_tokens:,} tokens"
    raise ProblemError(
        "inputs.hardware", f"{costs.soc.slug} with {memory_size(capacity)}", f"a board with at least {memory_size(need)} of memory",
        reason=(
            f"{stages.model.name} needs {memory_size(need)} of memory, {memory_size(need - capacity)} more than the board has. "
            f"This holds for {least.name}, a cache of {cache:g} bits and {tokens}."
        ),
        remedies=remedies,
    )  # fmt: skip
