"""Passes of language models by name, and conversations of them as scenarios that engines take."""

from __future__ import annotations

import pytest

from engines.contract.engine import Problem
from engines.contract.errors import EngineError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan as plan_of
from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.families.language_passes import (
    ACTIONS,
    language_models,
    language_pass,
    language_passes,
    model_title,
)
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import decode_network
from engines.workloads.loader import builtin_network, load_scenario

STEPS = {"chat-short": 128, "chat-long": 512, "summarise-8k": 256, "robot-actions": 10}


def problem(engine: str, hardware: str, workload: str, radio: str = "", **params: object) -> Problem:
    documents = {"hardware": get_builtin("hardware", hardware), "workload": get_builtin("workload", workload)}
    documents |= {"radio": get_builtin("hardware", radio)} if radio else {}
    return make_problem(engine, documents, params, seed=0)


def test_nothing_is_drawn_for_a_list_and_every_model_is_listed() -> None:
    passes = language_passes()
    assert not any(document.drawn for document in passes.values())
    assert {slug.rsplit("-", 2)[0] for slug in passes} == set(language_models())


def test_a_pass_names_its_model() -> None:
    models = language_models()
    titles = {
        str(document["title"]): models[slug.rsplit("-", 2)[0]]["title"] for slug, document in language_passes().items()
    }
    assert {title: model_title(title) for title in titles} == titles
    assert model_title("prefill, decode") == "prefill, decode"


@pytest.mark.parametrize(
    "slug",
    ["qwen3-0-6b-prefill-0", "qwen3-0-6b-decode-40961", "qwen3-0-6b-actions-9", "qwen9-prefill-9", "qwen3-0-6b-prefill-09"],
)  # fmt: skip
def test_other_names_are_none(slug: str) -> None:
    assert language_pass(slug) is None and slug not in builtin_networks()


def test_a_pass_of_any_length_is_found_by_its_name() -> None:
    network = builtin_network("smollm2-135m-decode-77")
    model = read_language_model(language_models()["smollm2-135m"]["configuration"])
    assert network.operations == decode_network(model, 77).operations
    assert {each.c for each in network.layers if each.name.endswith(".values")} == {77 + 1}
    actions = builtin_network("smolvla-actions-113")
    assert {each.y for each in actions.layers if each.name.endswith("layer0.gate")} == {ACTIONS}


def test_a_prefill_carries_the_configuration_of_all_its_weights() -> None:
    content = builtin_networks()["qwen3-0-6b-prefill-128"]
    assert read_language_model(content["configuration"]).parameters() == builtin_network(content["slug"]).parameters
    assert "configuration" not in builtin_networks()["qwen3-0-6b-decode-192"]


def test_the_step_in_the_middle_of_an_answer_costs_the_mean_of_its_steps() -> None:
    first, middle, last = (builtin_network(f"smollm2-135m-decode-{tokens}").macs for tokens in (64, 88, 112))
    assert 2 * middle == first + last


@pytest.mark.parametrize(("slug", "steps"), STEPS.items())
def test_the_rates_tell_the_steps_of_an_answer(slug: str, steps: int) -> None:
    prompt, step = load_scenario(builtin_scenarios()[slug]).models
    assert prompt.rate_fps and step.rate_fps and step.deadline_s and prompt.deadline_s
    assert step.rate_fps / prompt.rate_fps == steps and step.depends_on == prompt.network.slug
    # Prompt and steps within their deadlines leave time until the next one.
    assert steps * step.deadline_s <= 1 / prompt.rate_fps


@pytest.mark.parametrize("slug", [*STEPS, "voice-assistant"])
def test_scar_checks_the_deadlines_of_a_conversation(slug: str) -> None:
    plan = plan_of(problem("scar", "simba-3x3-het-sides", slug))
    models = load_scenario(builtin_scenarios()[slug]).models
    assert sum("deadline" in check.text for check in plan.checks) == sum(
        model.deadline_s is not None for model in models
    )
    assert any("does not use the rates and dependencies" in note for note in plan.notes)


def test_llama_misses_its_deadlines_on_a_small_package() -> None:
    checks = plan_of(problem("scar", "simba-3x3-het-sides", "mlperf-inference-language")).checks
    assert [check.ok for check in checks if "deadline" in check.text] == [False, False]


@pytest.mark.parametrize(
    ("engine", "hardware", "params"),
    [
        ("scar", "simba-3x3-het-sides", {"evaluations": 100, "n_splits": 1}),
        ("mapformer", "jetson-agx-xavier", {"manager": "gpu"}),
        ("soc-mapping", "jetson-agx-xavier", {"unmeasured": "assumed"}),
        ("sbrs", "jetson-tx2", {"unmeasured": "assumed"}),
    ],
)
def test_engines_run_a_conversation_without_code_of_their_own(
    engine: str, hardware: str, params: dict[str, object]
) -> None:
    given = problem(engine, hardware, "chat-short", **params)
    steps = drive(get_engine(engine), given, LocalContext(given))
    designs = next(step.designs for step in steps if step.designs is not None)
    assert len(designs) > 0 and all(
        (designs.columns[name] > 0).all() for name in ("latency_s", "power_w") if name in designs.columns
    )
    if engine == "mapformer":
        # The GPU alone holds the conversation: its rarest pass, the prompt, runs as often as it is asked for.
        assert designs.columns["slowest_per_s"][0] == pytest.approx(0.0625)


@pytest.mark.parametrize("slug", STEPS)
def test_package_search_plans_a_conversation(slug: str) -> None:
    checks = plan_of(problem("package-search", "simba-3x3-het-sides", slug)).checks
    assert checks[0].ok and any("need" in check.text for check in checks)


def test_a_conversation_without_estimates_is_refused_with_the_way_out() -> None:
    with pytest.raises(EngineError, match=r"no measurement of embedding.*Measure them"):
        plan_of(problem("sbrs", "jetson-tx2", "chat-short"))
    driving = problem("energyshield", "jetson-agx-xavier", "chat-short", radio="wifi-smartphone")
    with pytest.raises(EngineError, match=r"within a window of 20 ms.*on the device"):
        plan_of(driving)
