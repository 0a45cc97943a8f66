"""Studies on the site: runs of one engine over a grid, their progress, and the table of medians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from paretoscope_client import frames
from paretoscope_client.connection import Connection
from paretoscope_client.runs import Run
from paretoscope_client.waiting import Progress, until_ended

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class StudyProgress:
    """The number of a study's runs in each state; `done` includes infeasible ones. `fraction` is the mean share of work done."""

    total: int
    queued: int
    running: int
    stopped: int
    done: int
    failed: int
    infeasible: int
    fraction: float

    @property
    def ended(self) -> bool:
        """Whether no run is queued or running."""
        return not (self.queued or self.running)

    def __str__(self) -> str:
        told = f"{self.done} of {self.total} runs done"
        parts = (("infeasible", self.infeasible), ("failed", self.failed), ("stopped", self.stopped))
        return ", ".join((told, *(f"{count} {name}" for name, count in parts if count)))


class Study:
    """A study, as of the last answer of the site; `refresh` and `wait` request a new answer.

    Args:
        connection: to its site.
        facts: what the site says of the study, as `studies/<id>/` gives it.
    """

    def __init__(self, connection: Connection, facts: Mapping[str, Any]) -> None:
        self._connection = connection
        self.facts = dict(facts)

    def __repr__(self) -> str:
        return f"<Study {self.number} {self.title!r}: {self.progress}>"

    @property
    def number(self) -> int:
        """The number of the study on the site."""
        return int(self.facts["id"])

    @property
    def title(self) -> str:
        """The title of the study."""
        return str(self.facts["title"])

    @property
    def url(self) -> str:
        """The URL of the study page."""
        return f"{self._connection.url}/studies/{self.number}"

    @property
    def progress(self) -> StudyProgress:
        """The number of its runs in each state."""
        found = self.facts["progress"]
        return StudyProgress(**{field.name: found[field.name] for field in fields(StudyProgress)})

    def refresh(self) -> Study:
        """Read the current status from the site; return this study."""
        self.facts = dict(self._connection.get(self._path()))
        return self

    def wait(self, timeout_s: float | None = None, *, progress: bool = True) -> Study:
        """Wait until every run has ended, show a progress bar with failed and infeasible runs, and return the study.

        Args:
            timeout_s: seconds after which waiting ends; None for no limit.
            progress: whether to show the progress bar.

        Raises:
            WaitedTooLongError: some runs have not ended within `timeout_s`.
        """
        until_ended(self._standing, self._connection.sleep, timeout_s, progress)
        return self

    def _standing(self) -> Progress:
        found = self.refresh().progress
        return Progress(f"Study {self.number}", str(found), found.fraction, found.ended)

    def stop(self) -> Study:
        """Request a stop of every run, and return the study."""
        self.facts = dict(self._connection.patch(self._path(), {"wish": "stop"})["study"])
        return self

    def go_on(self) -> Study:
        """Continue every stopped or failed run, and return the study."""
        self.facts = dict(self._connection.post(self._path("continue/"))["study"])
        return self

    def delete(self) -> None:
        """Delete the study; its runs stay, and for 30 days it can be restored on the site."""
        self._connection.delete(self._path())

    def table(
        self,
        rows: str | None = None,
        columns: str | None = None,
        quantity: str | None = None,
        value: Literal["median", "min", "max", "values"] = "median",
    ) -> pd.DataFrame:
        """Return the table of the study; `attrs["quantity"]` describes the metric that it shows.

        Args:
            rows: first axis of the rows.
            columns: axis of the columns, "seed", "baselines", or "" for a single column.
            quantity: metric of the cells; by default the engine's first objective.
            value: value of a cell over its seeds; "values" is the number of runs with a value.
        """
        return frames.of_table(self._table(rows=rows, columns=columns, quantity=quantity), value)

    def runs(self) -> list[Run]:
        """Return the runs of the study, in the order of the table."""
        table = self._table(columns="")
        numbers = [each["id"] for row in table["rows"] for cell in row["cells"] for each in cell["runs"]]
        return [Run(self._connection, self._connection.get(f"runs/{number}/")) for number in numbers]

    def _table(self, **asked: str | None) -> Any:
        return self._connection.get(self._path("table/"), asked)

    def _path(self, rest: str = "") -> str:
        return f"studies/{self.number}/{rest}"
