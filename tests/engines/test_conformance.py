import pytest

from engines.registry import BUILT_INS
from engines.running.executor import ProcessExecutor
from engines.testing import EngineSuite, TinyProblem, conformance
from engines.testing.conformance import Unbroken
from tests.engines import plausibility
from tests.engines.tiny import TINY_PROBLEMS, tiny_problem
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine
from tests.support.work import calls_of

ENGINES = sorted({*BUILT_INS, ToyEngine.name, ToyWithoutCheckpointsEngine.name})
IN_OTHER_PROCESSES = (ToyEngine.name, "scar", "soc-mapping")  # at every change; the others in the long tests
PLAN_CALLS = 50_000  # what a tenth of a second holds
PREPARE_CALLS = 400_000  # once per problem; that of magnas prices the parts of all architectures

# Starting processes takes longer than all else here, and importing torch in them longer still.
MOST_OF_THEM_LONG = pytest.mark.parametrize(
    "tiny",
    [pytest.param(name, marks=[] if name in IN_OTHER_PROCESSES else [pytest.mark.long]) for name in ENGINES],
    indirect=True,
)


# In the middle, and after the last checkpoint. A run that goes on from its first one is also seen where it was asked to stop there.
POINTS = [
    pytest.param((1, 3), id="middle and last"),
    pytest.param((0, 2), id="first and last but one", marks=pytest.mark.long),
]

# At once and at the next question; later ones walk the same code.
STOPS = [(0, 0.5), (1, 0.0), pytest.param(5, 0.5, marks=pytest.mark.long)]


def test_every_engine_has_a_tiny_problem() -> None:
    assert set(ENGINES) == set(TINY_PROBLEMS)


class TestEveryEngine(EngineSuite):
    @pytest.fixture(params=ENGINES)
    def tiny(self, request: pytest.FixtureRequest) -> TinyProblem:
        return tiny_problem(request.param)

    def test_the_tiny_problem_is_of_that_engine(self, tiny: TinyProblem, request: pytest.FixtureRequest) -> None:
        assert tiny.problem.engine == request.node.callspec.params["tiny"]

    def test_it_says_what_explains_its_designs(self, tiny: TinyProblem) -> None:
        assert tiny.engine.result_types_of(tiny.problem) is not None

    def test_it_accepts_its_tiny_problem_and_plans_it(self, tiny: TinyProblem) -> None:
        assert calls_of(lambda: tiny.engine.prepare(tiny.problem)) < PREPARE_CALLS
        conformance.check_plan(tiny)
        assert calls_of(lambda: conformance.check_plan(tiny)) < PLAN_CALLS

    @MOST_OF_THEM_LONG
    def test_the_number_of_workers_does_not_matter(
        self, tiny: TinyProblem, unbroken: Unbroken, two_processes: ProcessExecutor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        super().test_the_number_of_workers_does_not_matter(tiny, unbroken, two_processes, monkeypatch)

    @pytest.mark.parametrize("of_four", POINTS)
    def test_killed_at_several_points_and_continued_it_equals_the_unbroken_run(
        self, tiny: TinyProblem, unbroken: Unbroken, of_four: tuple[int, int]
    ) -> None:
        super().test_killed_at_several_points_and_continued_it_equals_the_unbroken_run(tiny, unbroken, of_four)

    @pytest.mark.parametrize(("polls", "place"), STOPS)
    def test_asked_to_stop_and_continued_it_equals_the_unbroken_run(
        self, tiny: TinyProblem, unbroken: Unbroken, polls: int, place: float
    ) -> None:
        super().test_asked_to_stop_and_continued_it_equals_the_unbroken_run(tiny, unbroken, polls, place)

    @MOST_OF_THEM_LONG
    def test_killed_in_a_child_process_and_continued_it_equals_the_unbroken_run(
        self, tiny: TinyProblem, unbroken: Unbroken
    ) -> None:
        super().test_killed_in_a_child_process_and_continued_it_equals_the_unbroken_run(tiny, unbroken)

    def test_its_designs_keep_the_bounds_of_physics(self, tiny: TinyProblem, unbroken: Unbroken) -> None:
        plausibility.check(tiny.problem, conformance.designs_of(unbroken), link=False)
