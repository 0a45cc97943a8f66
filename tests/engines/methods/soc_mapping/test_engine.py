from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.mapping.problem.instance import standalone
from engines.methods.soc_mapping import engine
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain, plan
from engines.running.prepared_problems import ready_of
from engines.testing import conformance
from tests.engines.methods.soc_mapping.problems import (
    METHODS,
    front_of,
    mapping_problem,
    run,
    searched,
    steps_of,
    tiny,
    tiny_network,
)


@pytest.mark.parametrize("method", METHODS)
class TestConformance:
    def test_repeats(self, method: str) -> None:
        conformance.check_repeats(tiny(method), conformance.ShufflingExecutor())

    def test_continued_after_a_kill(self, method: str) -> None:
        steps = steps_of(method)
        for point in conformance.stopping_points(steps):
            conformance.check_resume(tiny(method), steps, point)

    @pytest.mark.parametrize("polls", [0, 1, 5])
    def test_continued_after_a_stop(self, method: str, polls: int) -> None:
        for point in (0, len(steps_of(method)) // 2):
            conformance.check_stop(tiny(method), steps_of(method), point, polls)

    def test_evaluate_and_explain(self, method: str) -> None:
        designs = conformance.designs_of(steps_of(method))
        conformance.check_evaluate(tiny(method), designs)
        conformance.check_explain(tiny(method), designs)

    def test_results_and_plan(self, method: str) -> None:
        for step in steps_of(method):
            conformance.check_results(step.results)
        conformance.check_plan(tiny(method))
        conformance.check_declaration(tiny(method).engine)

    def test_impossible_limits(self, method: str) -> None:
        conformance.check_impossible(tiny(method))


def test_the_paper_s_network_has_an_exact_front_between_and_beyond_single_units() -> None:
    problem = mapping_problem()
    steps = run(problem)
    instance = instance_of(problem)
    alone = standalone(instance.costs, instance.reference)[1]
    front = front_of(searched(steps))
    assert len(instance.blocks) == 34 and len(front) > 100
    assert front[0, 0] <= alone.latency_s.min() and front[:, 1].min() <= alone.energy_j.min()
    baselines = [label for step in steps if step.designs for label in step.designs.label if label]
    assert baselines == ["GPU alone", "DLA alone"]
    note = next(result for result in steps[-1].results if isinstance(result, Note) and result.name == "exactness")
    assert note.text.startswith("No mapping is better")


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"unit_rules": "stem gpu"}, "params.unit_rules", "rules such as"),
        ({"unit_rules": "stem: gpu"}, "params.unit_rules", "block0"),
        ({"unit_rules": "block1: npu"}, "params.unit_rules", "gpu, dla"),
        ({"unit_rules": "block1: not gpu dla"}, "params.unit_rules", "ruled out"),
        ({"power_mode": "turbo"}, "params.power_mode", "maxn"),
        ({"clocks": "searched", "clock_choices": "gpu: fast"}, "params.clock_choices", "such as"),
        ({"clocks": "searched", "clock_choices": "gpu: 3000"}, "params.clock_choices", "step"),
        ({"clocks": "searched", "clock_choices": "npu: 3000"}, "params.clock_choices", "gpu"),
        ({"method": "nsga2", "evaluations": 1_000_000, "population": 4}, "params.population", "at least 200"),
    ],
)
def test_what_cannot_be_is_refused_by_name(params: dict[str, object], field: str, words: str) -> None:
    with pytest.raises(ProblemError) as refused:
        ready_of(get_engine("soc-mapping"), mapping_problem(params, tiny_network()))
    assert refused.value.field == field and words in str(refused.value)


def test_layers_are_finer_than_blocks_and_at_least_as_good() -> None:
    network = tiny_network()
    blocks = front_of(searched(run(mapping_problem(None, network))))
    layers = front_of(searched(run(mapping_problem({"granularity": "layers"}, network))))
    for point in blocks:
        assert (layers <= point * (1 + 1e-12)).all(axis=1).any()


@pytest.mark.parametrize(("clocks", "built"), [("fixed", 1), ("searched", 2)])
def test_one_problem_is_built_once_and_once_more_for_all_clocks(
    clocks: str, built: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, made = list[Any](), engine.instance_of
    monkeypatch.setattr(engine, "instance_of", lambda *given, **named: calls.append(given) or made(*given, **named))
    problem = mapping_problem({"clocks": clocks, "clock_steps": 2, "labels": 150}, tiny_network())
    plan(problem)
    designs = [
        step.designs for step in drive(get_engine("soc-mapping"), problem, LocalContext(problem)) if step.designs
    ]
    evaluate(problem, designs[0].decisions)
    explain(problem, designs[0].decisions[0])
    assert len(calls) == built
