from engines.contract.results import Note
from engines.methods.sbrs.engine import SbrsEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing.conformance import check_declaration, check_evaluate, check_explain, designs_of, run_all
from tests.engines.methods.sbrs.problems import found, sbrs_problem, tiny_sbrs


def test_only_the_selected_networks_make_the_papers_application() -> None:
    designs = found({"scenario_sets": "selected", "adaptive": "io_par", "requirements": "a: 1 0 0 0; b: 0 0 0.5 0.5"})
    assert [d["networks"] for d in designs.decisions] == [["small", "large"]]
    assert designs.columns["weighted_rank"][0] == 1.0


def test_requests_in_any_step_take_no_longer_at_worst_than_in_the_first() -> None:
    first, mean, worst = (
        found({"request": name, "scenario_sets": "selected", "adaptive": "io_par"}).columns["response_delay_s"][0]
        for name in ("first", "mean", "worst")
    )
    assert mean <= worst and first <= worst


def test_waiting_for_buffers_takes_longer_and_needs_no_second_copies() -> None:
    printed, safe = found(), found({"protocol": "safe"})
    assert (safe.columns["response_delay_s"] >= printed.columns["response_delay_s"]).all()
    assert (safe.columns["switch_memory_bytes"] == 0).all() and (printed.columns["switch_memory_bytes"] > 0).any()


def test_without_accuracies_it_warns() -> None:
    problem = sbrs_problem({"accuracies": ""}, mission=False)
    steps = list(drive(SbrsEngine(), problem, LocalContext(problem)))
    assert any(isinstance(result, Note) and result.level == "warning" for result in steps[-1].results)


def test_both_limits_together_may_be_too_much() -> None:
    designs = found()
    several = designs.columns["networks"] >= 1
    memory, delay = designs.columns["memory_bytes"][several].min(), 1e-12
    tiny = tiny_sbrs()
    steps = run_all(
        tiny, problem=sbrs_problem({"memory_limit_mb": memory * 2e-6, "response_limit_s": delay, "smallest_set": 1})
    )
    assert steps[-1].infeasible is None  # one network alone switches nowhere


def test_it_keeps_the_contract() -> None:
    tiny = tiny_sbrs()
    check_declaration(tiny.engine)
    designs = designs_of(run_all(tiny))
    check_evaluate(tiny, designs)
    check_explain(tiny, designs)
