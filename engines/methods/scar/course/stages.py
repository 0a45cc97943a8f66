"""The order in which a run of SCAR scores complete schedules. Deterministic: a resumed run walks through it again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from engines.chiplets.params import Objective, ScheduleParams, Search
from engines.chiplets.problem.decision import STANDALONE_PREFIX, PackageSchedule
from engines.chiplets.problem.objectives import Goal, goal_of
from engines.chiplets.problem.tables import ScenarioTables, build_tables, with_dataflow
from engines.chiplets.windows.contended_search import with_contention
from engines.chiplets.windows.evolutionary import evolutionary_search
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.feasibility import possible_cuts
from engines.chiplets.windows.greedy import Trajectory, walk_greedily
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.paths import MOST_CHIPLETS_FOR_ALL_PATHS
from engines.chiplets.windows.reconfig import Cut
from engines.chiplets.windows.resumable import PausingSearch, ResumableSearch, at_once
from engines.chiplets.windows.schedule_search import search_window_in_parts
from engines.contract.engine import Context
from engines.contract.errors import ProblemError, StopRequested
from engines.methods.scar.course.baselines import baseline_label, standalone_schedule
from engines.methods.scar.course.openings import Openings, find_openings
from engines.methods.scar.course.proposals import build_pools, proposed_schedules
from engines.methods.scar.params import ScarParams
from engines.methods.scar.pieces import Pieces
from engines.methods.scar.stated_model import proven_label
from engines.workloads.network import Scenario
from hardware.package.model import DATAFLOWS, ChipletPackage

OBJECTIVES: tuple[Objective, ...] = ("edp", "latency", "energy")
SEARCH_TITLES = {
    "exact": "Exact window by window",
    "greedy": "Greedy schedule",
    "evolutionary": "Evolutionary schedule",
}
WIDE_TOP_K = 32
_BATCHES = 30
_LARGEST_BATCH = 2_000  # a stop is noticed between two batches: some tenths of a second


@dataclass(frozen=True)
class Candidate:
    """A complete schedule to be scored, with the origin and label of its design.

    Attributes:
        title: name in the comparison at the end of the run; "" keeps it out.
    """

    schedule: PackageSchedule
    origin: str = "search"
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class Batch:
    """Schedules that are scored and reported together.

    Attributes:
        message: description of the results.
        candidates: the schedules.
        notes: sentences on what was cut short.
        openings: openings of the first batch: what the run begins with.
    """

    message: str
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()
    openings: Openings | None = None


def schedule_batches(
    params: ScarParams,
    package: ChipletPackage,
    scenario: Scenario,
    tables: ScenarioTables,
    cuts: Sequence[Cut],
    context: Context,
    pieces: Pieces,
    own: Sequence[tuple[str, PackageSchedule]] = (),
) -> Iterator[Batch | None]:
    """Yield the batches of `params.evaluations` schedules in all, fewer if the kept mappings offer no more.

    None after every piece of search.

    First the schedule of the chosen search over the numbers of window boundaries to try (`cuts`), then those of the user's
    own (by name) and, if that is another one, the published greedy one; the baselines by the chosen search; passes by each
    objective, exact and greedy ones that keep more segmentations; then combinations of what all passes kept. `pieces` keeps what
    was searched.
    """
    goal = goal_of(params)

    def stop_if_asked() -> None:
        if context.stop_requested():
            raise StopRequested

    search = window_search(params, context, pieces)
    openings = yield from find_openings(tables, cuts, goal, search, stop_if_asked, pieces)
    passes = _Passes(tables, openings, stop_if_asked, pieces)
    yield from passes.note(_opening_batches(tables, openings, goal))
    if own:
        yield from passes.note([Batch("Schedules of your own", tuple(_named_baseline(*each) for each in own))])
    if params.search != "greedy":
        yield from passes.greedy(goal, tables)
    if params.baselines:
        for dataflow in DATAFLOWS:
            variant = build_tables(with_dataflow(package, dataflow), scenario, params)
            baselines = yield from _baselines(variant, dataflow, context, stop_if_asked, pieces)
            yield from passes.note([Batch(f"Baselines on {dataflow} chiplets", baselines)])
    wide = replace(tables, params=params.model_copy(update={"top_k": max(params.top_k, WIDE_TOP_K)}))
    for objective in OBJECTIVES:
        if params.search != "greedy":
            yield from passes.exact(Goal(objective))
        yield from passes.greedy(Goal(objective), wide, f", {wide.params.top_k} segmentations per model")
    known = passes.known
    proposed = (s for s in proposed_schedules(build_pools(tables, passes.trajectories), context) if s not in known)
    yield from _combinations(proposed, params.evaluations - len(known))


class _Passes:
    """Further passes over the windows that were chosen.

    Attributes:
        trajectories: trajectories of all passes, the opening first.
        known: schedules that were reported.
    """

    def __init__(self, tables: ScenarioTables, openings: Openings, between: Callable[[], None], pieces: Pieces) -> None:
        self._tables, self._between, self._pieces = tables, between, pieces
        self._windows = openings.chosen.cut.windows
        self.trajectories = [openings.chosen.trajectory]
        self.known: set[PackageSchedule] = set()

    def note(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Yield `batches`, whose schedules are then known."""
        for batch in batches:
            self.known |= {candidate.schedule for candidate in batch.candidates}
            yield batch

    def exact(self, goal: Goal) -> Iterator[Batch | None]:
        """Return a pass of the exact search."""
        search = _fitted(at_once(search_window_exactly), self._tables.params, "exact")
        return self._walk(self._tables, goal, search, _title(self._tables, "exact", goal))

    def greedy(self, goal: Goal, tables: ScenarioTables, words: str = "") -> Iterator[Batch | None]:
        """Return a pass of the published search: seconds on large packages, where others beat it by far, so only on request."""
        if tables.params.search != "greedy" and tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS:
            return iter(())
        search = _fitted(search_window_in_parts, tables.params, "greedy")
        return self._walk(tables, goal, search, _title(tables, "greedy", goal) + words)

    def _walk(self, tables: ScenarioTables, goal: Goal, search: ResumableSearch, title: str) -> Iterator[Batch | None]:
        """Yield a batch only if the pass ends well and its schedule is new."""
        try:
            kept = self._pieces.of_windows(search)
            path = yield from walk_greedily(tables, self._windows, goal, None, self._between, kept)
        except DeadEndError:
            return
        self.trajectories.append(path)
        if path.schedule not in self.known:
            yield from self.note([Batch(title, (Candidate(path.schedule, title=title),), path.notes)])


def window_search(params: ScheduleParams, context: Context, pieces: Pieces, layout: str = "") -> PausingSearch:
    """Return the search of a time window by `params`; `pieces` stores earlier results.

    `layout` keeps the random streams of package variants apart; of those, only the best mapping of a window matters.
    """
    if params.search == "evolutionary":
        random = context.random("segmentation", layout)
        search = _fitted(evolutionary_search(params.population, params.generations, random), params, "evolutionary")
        return pieces.of_windows(search, random, best_only=bool(layout))
    search = at_once(search_window_exactly) if params.search == "exact" else search_window_in_parts
    return pieces.of_windows(_fitted(search, params, params.search), best_only=bool(layout))


def _fitted(search: ResumableSearch, params: ScheduleParams, kind: Search) -> ResumableSearch:
    """Return `search` as it is, or with contention."""
    return search if params.contention == "none" else with_contention(search, thorough=kind == "exact")


def _title(tables: ScenarioTables, search: Search, goal: Goal) -> str:
    beam = search == "exact" and tables.chiplets > MOST_CHIPLETS_FOR_ALL_PATHS
    return f"{'Beam window by window' if beam else SEARCH_TITLES[search]} by {goal.title}"


def _opening_batches(tables: ScenarioTables, openings: Openings, goal: Goal) -> Iterator[Batch]:
    """Yield the schedule window by window, the better one over all windows together, and those with other boundaries."""
    chosen = openings.chosen
    path = chosen.trajectory
    proven = proven_label(tables.params) if openings.proven else ""
    title = _title(tables, tables.params.search, goal)
    first = Candidate(path.schedule, label=proven if path.schedule == chosen.best_schedule else "", title=title)
    yield Batch(title, (first,), path.notes, openings)
    if path.schedule != chosen.best_schedule:
        title = f"Exact over all windows by {goal.title}"
        yield Batch(title, (Candidate(chosen.best_schedule, label=proven, title=title),))
    others = tuple(
        Candidate(opening.best_schedule, title=f"Best found with {opening.cut.n_splits} window boundaries")
        for opening in openings.all
        if opening is not chosen
    )
    if others:
        yield Batch("Other numbers of window boundaries", others)


def _baselines(
    variant: ScenarioTables, dataflow: str, context: Context, between: Callable[[], None], pieces: Pieces
) -> Generator[None, None, tuple[Candidate, ...]]:
    """Yield the simba and standalone on a package with all chiplets of `dataflow`; those that cannot run are left out."""
    goal, found = goal_of(variant.params), []
    simba: list[Trajectory] = []
    with suppress(ProblemError):  # other windows than on the package itself may not allow for `model_chiplets`
        for cut in possible_cuts(variant)[0]:
            search = window_search(variant.params, context, pieces, dataflow)
            with suppress(DeadEndError):
                path = yield from walk_greedily(variant, cut.windows, goal, dataflow, between, search)
                simba.append(path)
    if simba:
        found.append(_baseline(min(simba, key=lambda path: path.value(goal)).schedule, dataflow))
    standalone = standalone_schedule(variant, dataflow)
    if standalone is not None:
        found.append(_baseline(standalone, STANDALONE_PREFIX + dataflow))
    return tuple(found)


def _baseline(schedule: PackageSchedule, layout: str) -> Candidate:
    return _named_baseline(baseline_label(layout), schedule)


def _named_baseline(label: str, schedule: PackageSchedule) -> Candidate:
    return Candidate(schedule, "baseline", label, title=label)


def _combinations(proposed: Iterator[PackageSchedule], count: int) -> Iterator[Batch]:
    """Yield at most `count` schedules in about `_BATCHES` batches."""
    size = max(1, min(-(-count // _BATCHES), _LARGEST_BATCH))
    while count > 0:
        batch = tuple(Candidate(schedule) for schedule in islice(proposed, min(size, count)))
        if not batch:
            return
        count -= len(batch)
        yield Batch("Combinations of window mappings", batch)
