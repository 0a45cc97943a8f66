"""Runs on the site: status, waiting, designs and metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from paretoscope_client import figures, frames
from paretoscope_client.connection import Connection
from paretoscope_client.errors import RunFailedError
from paretoscope_client.waiting import Progress, until_ended

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

Status = Literal["queued", "running", "stopped", "done", "failed", "importing"]
Outcome = Literal["", "feasible", "infeasible", "error"]
_LIVE = ("queued", "running", "importing")
_FRONT_PAGE = 20_000


@dataclass(frozen=True)
class Infeasible:
    """The reason why no design can meet the limits of a run.

    Attributes:
        limit: the limit in words. demand, bound: needed and available value, both in `unit`.
        remedies: ways to continue, as sentences.
    """

    limit: str
    demand: float | None
    bound: float | None
    unit: str
    remedies: tuple[str, ...]

    def __str__(self) -> str:
        demand, bound = (
            f"{value:.4g} {self.unit}".rstrip() if value is not None else "-" for value in (self.demand, self.bound)
        )
        need = f"{self.limit}: {demand} needed, {bound} there."
        return " ".join(("No design can meet the limits.", need, *self.remedies))


class Run:
    """A run on the site, as of the last answer of the site; `refresh` and `wait` request a new answer.

    Args:
        connection: to its site.
        facts: what the site says of the run, as `runs/<id>/` or the list of runs gives it.
    """

    def __init__(self, connection: Connection, facts: Mapping[str, Any]) -> None:
        self._connection = connection
        self.facts = dict(facts)

    def __repr__(self) -> str:
        return f"<Run {self.number} {self.title!r}: {self.words}>"

    # -- how it stands ------------------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the run on the site."""
        return int(self.facts["id"])

    @property
    def title(self) -> str:
        """The title of the run."""
        return str(self.facts["title"])

    @property
    def url(self) -> str:
        """The URL of the run page."""
        return f"{self._connection.url}/runs/{self.number}"

    @property
    def status(self) -> Status:
        """The status of the run."""
        return cast(Status, self.facts["status"])

    @property
    def outcome(self) -> Outcome:
        """The outcome of the run; "" for a run that continues or was stopped."""
        return cast(Outcome, self.facts["outcome"])

    @property
    def ended(self) -> bool:
        """Whether the run is done, failed or stopped."""
        return self.status not in _LIVE

    @property
    def fraction(self) -> float:
        """Share of the work done, 0 to 1."""
        return float(self.facts["fraction"])

    @property
    def design_count(self) -> int:
        """The number of designs found so far."""
        return int(self.facts["design_count"])

    @property
    def metrics(self) -> Mapping[str, float | None]:
        """Column -> best value so far; the values may belong to different designs."""
        return dict(self.facts["metrics"])

    @property
    def created(self) -> datetime:
        """The time at which the run was created."""
        return datetime.fromisoformat(self.facts["created"])

    @property
    def infeasible(self) -> Infeasible | None:
        """The reason why no design meets the limits; None if a design does or if that is not known yet."""
        if self.outcome != "infeasible":
            return None
        found = self._detail
        remedies = tuple(str(each["text"]) for each in found.get("remedies", ()))
        return Infeasible(
            str(found.get("limit")), found.get("demand"), found.get("bound"), found.get("unit", ""), remedies
        )

    @property
    def words(self) -> str:
        """The status or outcome in one sentence."""
        if self.outcome == "infeasible":
            return f"infeasible. {self.infeasible}"
        if self.status == "failed":
            return f"failed: {self._detail.get('text') or 'no reason was recorded'}"
        found = f"{self.status}, {self.design_count} design{'' if self.design_count == 1 else 's'}"
        return found if self.ended or not self.facts["message"] else f"{found}, {self.facts['message']}"

    @property
    def _detail(self) -> Mapping[str, Any]:
        if "outcome_detail" not in self.facts:  # a list leaves it out
            self.refresh()
        return cast(Mapping[str, Any], self.facts["outcome_detail"])

    def refresh(self) -> Run:
        """Read the current status from the site; return this run."""
        self.facts = dict(self._connection.get(self._path()))
        return self

    def wait(self, timeout_s: float | None = None, *, progress: bool = True) -> Run:
        """Wait until the run has ended, show a progress bar, and return the run.

        Infeasible and stopped runs have ended too; for an infeasible one the progress bar and `infeasible` give the reason.

        Args:
            timeout_s: seconds after which waiting ends; None for no limit.
            progress: whether to show the progress bar.

        Raises:
            RunFailedError: the run failed; the error carries the cause.
            WaitedTooLongError: the run has not ended within `timeout_s`.
        """
        until_ended(self._standing, self._connection.sleep, timeout_s, progress)
        if self.status == "failed":
            raise RunFailedError(self.number, self._detail)
        return self

    def _standing(self) -> Progress:
        self.refresh()
        return Progress(f"Run {self.number}", self.words, self.fraction, self.ended)

    # -- changing it --------------------------------------------------------------------------------------------------

    def stop(self) -> Run:
        """Stop the run; its designs stay. Return this run at once; `wait` returns when the run has stopped."""
        self.facts = dict(self._connection.patch(self._path(), {"wish": "stop"}))
        return self

    def go_on(self, more_minutes: float | None = None) -> Run:
        """Continue a stopped or failed run from its last checkpoint, and return the run.

        Args:
            more_minutes: compute time from now on; by default a run that reached its time limit gets the same time again.
        """
        body = {} if more_minutes is None else {"more_minutes": more_minutes}
        self.facts = dict(self._connection.post(self._path("continue/"), body)["run"])
        return self

    def delete(self) -> None:
        """Delete the run; for 30 days it can be restored on the site."""
        self._connection.delete(self._path())

    # -- what it found ------------------------------------------------------------------------------------------------

    def designs(self, *, decisions: bool = False) -> pd.DataFrame:
        """Return all designs of the run, one row each, indexed by number; `attrs["columns"]` has titles and units.

        Args:
            decisions: whether to add the column `decision`, from which `evaluate` rebuilds a design.
        """
        return frames.of_arrow(self._connection.content(self._path("designs.arrow"), {"decisions": decisions}))

    def front(self) -> pd.DataFrame:
        """Return the Pareto front: feasible designs that no other one dominates, one row each, indexed by number."""
        pages = [self._front_page(0)]
        while sum(page["count"] for page in pages) < pages[0]["front_count"] and pages[-1]["count"]:
            pages.append(self._front_page(sum(page["count"] for page in pages)))
        return frames.of_columns(pages)

    def _front_page(self, first: int) -> Mapping[str, Any]:
        found = self._connection.get(self._path("front/"), {"first": first, "limit": _FRONT_PAGE})
        return cast(Mapping[str, Any], found)

    def decision(self, design: int) -> dict[str, Any]:
        """Return the decision of a design by its number."""
        return dict(self._connection.get(self._path(f"design/{design}/"))["decision"])

    def explain(self, design: int) -> list[dict[str, Any]]:
        """Return grid, schedule and breakdowns of a design as JSON; `type` names the type of each result."""
        return list(self._connection.get(self._path(f"design/{design}/explain/"))["results"])

    def evaluate(self, decisions: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        """Return the metrics of your own decisions, one row each; the site stores nothing."""
        return frames.of_columns([self._connection.post(self._path("evaluate/"), {"decisions": list(decisions)})])

    def convergence(self) -> pd.DataFrame:
        """Return the number of evaluations, the hypervolume and the best values after each step."""
        pandas = frames.optional("pandas", "pandas")
        found = self._connection.get(self._path("convergence/"))
        plain = ("evaluations", "design_count", "time_s", "fraction", "hypervolume")
        columns = {name: found[name] for name in plain} | found["metrics"]
        return pandas.DataFrame(columns, index=pandas.Index(found["step"], name="step"))

    def problem(self) -> dict[str, Any]:
        """Return the problem document of the run; `Paretoscope.explore_problem` repeats it."""
        return dict(self._connection.get(self._path("problem.json")))

    def log(self) -> list[str]:
        """Return the newest lines of the run's log, oldest first."""
        return [str(line["text"]) for line in self._connection.get(self._path("log/"))["lines"]]

    def save(self, name: str, folder: str | Path = ".") -> Path:
        """Download a file of the run, such as "designs.csv", "designs.parquet" or "bundle.zip"; return its path."""
        return self._connection.download(self._path(name), Path(folder) / f"run-{self.number}-{name.replace('/', '-')}")

    def figure(self, x: str | None = None, y: str | None = None) -> go.Figure:
        """Return a Plotly figure of the run's designs and their Pareto front.

        Args:
            x: column of the horizontal axis; by default the first objective.
            y: column of the vertical axis; by default the second objective.
        """
        return figures.front_figure(self, x=x, y=y)

    def _path(self, rest: str = "") -> str:
        return f"runs/{self.number}/{rest}"
