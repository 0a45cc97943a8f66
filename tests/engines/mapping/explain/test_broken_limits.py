from __future__ import annotations

from engines.contract.results import Note
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate
from tests.engines.methods.soc_mapping.problems import BLOCKS, mapping_problem, tiny_network


def first_notes(params: dict[str, object]) -> dict[str, Note]:
    problem = mapping_problem({"own_mappings": "free = *: gpu | slow = gpu*3 dla*3", **params}, tiny_network(BLOCKS))
    step = next(iter(drive(get_engine("soc-mapping"), problem, LocalContext(problem))))
    return {result.name: result for result in step.results if isinstance(result, Note)}


def test_the_first_step_says_which_limits_they_break() -> None:
    problem = mapping_problem({}, tiny_network(BLOCKS))
    units = [["gpu"] * 6, ["gpu"] * 3 + ["dla"] * 3]
    scored = evaluate(problem, [{"units": each} for each in units])
    fast, slow = scored.columns["latency_s"].tolist()
    assert fast < slow
    bound = (fast + slow) / 2
    note = first_notes({"latency_limit_s": bound})["own-mappings"]
    told = f"“slow” violates the limit on latency: {1e3 * slow:.4g} ms, at most {1e3 * bound:.4g} ms."
    assert (note.text, note.level) == (f"“free” meets all limits and rules. {told}", "warning")
    power = scored.columns["power_w"].min() / 2
    words = first_notes({"energy_limit_j": 1e-9, "power_limit_w": power, "transition_limit": 0})["own-mappings"].text
    for limit in ("energy: ", "average power: ", "unit transitions: 1, at most 0"):
        assert f"the limit on {limit}" in words
    assert first_notes({})["own-mappings"].level == "info"
    assert "own-mappings" not in first_notes({"own_mappings": ""})
