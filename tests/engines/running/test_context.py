from engines.contract.engine import Context, Problem
from engines.contract.numeric.random_streams import random_stream
from engines.running.context import LocalContext
from engines.running.executor import InPlaceExecutor


def test_it_needs_nothing_but_a_problem(problem: Problem) -> None:
    context: Context = LocalContext(problem)
    assert context.executor.map(lambda a, b: a + b, 1, [1, 2]) == [2, 3]
    assert context.files.get(context.files.put(b"x")) == b"x"
    assert not context.stop_requested()
    assert context.device == "cpu"
    context.log("nobody listens")


def test_random_is_keyed_by_the_problem_s_seed(problem: Problem) -> None:
    assert LocalContext(problem).random("a", 1).random() == random_stream(7, "a", 1).random()


def test_its_parts_can_be_given(problem: Problem) -> None:
    lines: list[tuple[str, str]] = []
    executor = InPlaceExecutor()
    context = LocalContext(
        problem, executor, stop=lambda: True, device="cuda", log=lambda m, level: lines.append((m, level))
    )
    context.log("careful", "warning")
    assert (context.stop_requested(), context.device, context.executor) == (True, "cuda", executor)
    assert lines == [("careful", "warning")]
