"""The entry point of the client: the items that an account may see, and new runs and studies."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from paretoscope_client.connection import Connection
from paretoscope_client.documents import Document, DocumentContent, StoredVersion
from paretoscope_client.frames import of_survey
from paretoscope_client.runs import Run
from paretoscope_client.studies import Study

if TYPE_CHECKING:
    import pandas as pd

_Told = TypeVar("_Told", Document, DocumentContent, StoredVersion)


class Paretoscope:
    """A Paretoscope site, accessed with a token.

    Args:
        url: URL of the site, such as "http://127.0.0.1:8000".
        token: token from the page *API tokens*. The scope "read" cannot start runs; "run" cannot store or delete anything.
        patience_s: seconds for which a request is repeated while the site is busy or unreachable.
        timeout_s: seconds to wait for one response.
        transport: transport of httpx; its own by default.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        patience_s: float = 120.0,
        timeout_s: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.connection = Connection(url, token, patience_s=patience_s, timeout_s=timeout_s, transport=transport)

    def __repr__(self) -> str:
        return f"<Paretoscope {self.connection.url}>"

    def __enter__(self) -> Paretoscope:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    # -- explorations -------------------------------------------------------------------------------------------------

    def plan(
        self,
        engine: str,
        inputs: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Return the plan of a problem: evaluations, time, memory, and whether its limits can be met.

        The site stores nothing.
        """
        return dict(self.connection.post("plan/", _problem(engine, inputs, params, seed)))

    def explore(
        self,
        engine: str,
        inputs: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        title: str = "",
        project: str = "",
        stop_after_minutes: float | None = None,
        measure: Mapping[str, Any] | None = None,
        parent: Run | None = None,
        key: str | None = None,
    ) -> Run:
        """Start a run.

        Args:
            engine: name of the engine, as in `engines()`.
            inputs: input name -> document: its slug, "slug@2" for a version, or "project/slug".
            params: parameters of the engine; missing ones take their defaults.
            seed: seed of the random numbers; the same seed gives the same result.
            title: title of the run.
            project: slug of the project; by default that of the token, or your personal one.
            stop_after_minutes: compute time after which the run stops and keeps the designs found.
            measure: measurements on a device during the search: {"device": 1, "designs": 8}.
            parent: run from which this one was derived.
            key: the Idempotency-Key; for a day, calls with the same key start one run. By default each call has a new key.

        Raises:
            RefusedError: a field is invalid; the error names it, its value and the accepted values.
        """
        document = _problem(engine, inputs, params, seed)
        return self.explore_problem(
            document,
            title=title,
            project=project,
            stop_after_minutes=stop_after_minutes,
            measure=measure,
            parent=parent,
            key=key,
        )

    def explore_problem(
        self,
        problem: Mapping[str, Any],
        *,
        title: str = "",
        project: str = "",
        stop_after_minutes: float | None = None,
        measure: Mapping[str, Any] | None = None,
        parent: Run | None = None,
        key: str | None = None,
    ) -> Run:
        """Start a run of a problem document from `Run.problem`; other arguments as in `explore`."""
        belongs: dict[str, Any] = {
            "title": title,
            "project": project,
            "stop_after_minutes": stop_after_minutes,
            "measure": measure,
            "parent": None if parent is None else parent.number,
        }
        body = {**problem, **{name: value for name, value in belongs.items() if value not in ("", None)}}
        return Run(self.connection, self.connection.post("runs/", body, key=key or str(uuid.uuid4())))

    def run(self, number: int) -> Run:
        """Return the run with this number."""
        return Run(self.connection, self.connection.get(f"runs/{number}/"))

    def runs(
        self,
        *,
        status: str | Sequence[str] | None = None,
        outcome: str | Sequence[str] | None = None,
        engine: str | Sequence[str] | None = None,
        project: str | Sequence[str] | None = None,
        mine: bool | None = None,
    ) -> Iterator[Run]:
        """Yield the runs that you may see, newest first, filtered by the arguments; pages are requested as they are needed."""
        asked = {"status": status, "outcome": outcome, "engine": engine, "project": project, "mine": mine}
        for facts in self.connection.entries("runs/", asked):
            yield Run(self.connection, facts)

    # -- studies ------------------------------------------------------------------------------------------------------

    def study(
        self,
        engine: str,
        inputs: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        *,
        seeds: Sequence[int] = (0,),
        title: str = "",
        project: str = "",
        stop_after_minutes: float | None = None,
        key: str | None = None,
    ) -> Study:
        """Start a study: runs of one engine over a grid of inputs, parameters and seeds.

        Args:
            engine: name of the engine.
            inputs: input name -> slug; a list of slugs is an axis of the grid.
            params: name -> value; {"each": [values]} is an axis of the grid.
            seeds: seeds of the runs of every combination.
            title: title of the study.
            project: slug of the project; by default that of the token, or your personal one.
            stop_after_minutes: compute time limit of every run.
            key: the Idempotency-Key; by default each call has a new one.
        """
        body = {"engine": engine, "inputs": dict(inputs or {}), "params": dict(params or {}), "seeds": list(seeds)}
        belongs: dict[str, Any] = {"title": title, "project": project, "stop_after_minutes": stop_after_minutes}
        body |= {name: value for name, value in belongs.items() if value not in ("", None)}
        return Study(self.connection, self.connection.post("studies/", body, key=key or str(uuid.uuid4())))

    def study_number(self, number: int) -> Study:
        """Return the study with this number."""
        return Study(self.connection, self.connection.get(f"studies/{number}/"))

    def studies(
        self,
        *,
        engine: str | Sequence[str] | None = None,
        project: str | Sequence[str] | None = None,
        mine: bool | None = None,
    ) -> Iterator[Study]:
        """Yield the studies that you may see, newest first, filtered by the arguments."""
        for facts in self.connection.entries("studies/", {"engine": engine, "project": project, "mine": mine}):
            yield Study(self.connection, facts)

    # -- the catalogue ------------------------------------------------------------------------------------------------

    def engines(self) -> list[dict[str, Any]]:
        """Return the engines of the site: name, title, summary and source publication of each."""
        return list(self.connection.get("engines/"))

    def engine(self, name: str) -> dict[str, Any]:
        """Return the description of an engine: inputs, JSON Schema of the parameters, and metrics."""
        return dict(self.connection.get(f"engines/{name}/"))

    def projects(self) -> list[dict[str, Any]]:
        """Return your projects with your role in each."""
        return list(self.connection.get("projects/"))

    def documents(self, kind: str | None = None, schema: str | Sequence[str] | None = None) -> Iterator[Document]:
        """Yield the newest version of every document that you may use.

        Args:
            kind: return only this kind, such as "hardware" or "workload".
            schema: return only this family, such as "soc/1".
        """
        for facts in self.connection.entries("documents/", {"kind": kind, "schema": schema}, cursor=False):
            yield _told(Document, facts)

    def document(
        self, kind: str, slug: str, *, version: int | None = None, project: str | None = None
    ) -> DocumentContent:
        """Return one version of a document with its content, by default the newest."""
        facts, tag = self.connection.tagged(f"documents/{kind}/{slug}/", {"version": version, "project": project})
        return _told(DocumentContent, {**facts, "tag": tag})

    def survey(self, workload: str, devices: Sequence[str] = (), **options: Any) -> pd.DataFrame:
        """Return the estimates of a network on devices, indexed by device name; other data is in `frame.attrs`.

        Args:
            workload: slug of a network.
            devices: names of the devices to return; all by default.
            options: further options of the survey, such as `bits="w4a16"`, `power_mode="maxn"`.

        Returns:
            One row per device with `latency_s`, `energy_j` and `certainty`; NaN and a `reason` for devices without an estimate.

        Raises:
            NotFoundError: the site has no such network.
            RefusedError: an option is invalid.
            ValueError: the survey has no such device.
        """
        return of_survey(self.connection.get(f"workloads/{workload}/survey/", options), devices)

    def store(
        self, content: Mapping[str, Any], project: str | None = None, *, seen: DocumentContent | None = None
    ) -> DocumentContent:
        """Store a document as the next version of its `slug`; equal content returns the newest version unchanged.

        Args:
            content: the document as JSON values.
            project: slug of the project; your personal one by default.
            seen: the version from which the content was derived.

        Raises:
            ChangedError: the newest version is not `seen`, because another person stored one since; nothing is stored.
        """
        body = {"content": dict(content), "project": project}
        facts, tag = self.connection.send_tagged("documents/", body, None if seen is None else seen.tag)
        return _told(DocumentContent, {**facts, "tag": tag})

    def upload(
        self,
        file: str | Path,
        *,
        name: str = "",
        sizes: Mapping[str, int] | None = None,
        leave_out: Sequence[str] = (),
        kind: str | None = None,
        project: str = "",
        next_version: bool = False,
    ) -> StoredVersion:
        """Upload an ONNX, YAML or JSON file, which the site stores as a document.

        Args:
            file: path of the file.
            name: title of a network; the file name by default.
            sizes: name of an open dimension of a network -> its size.
            leave_out: operators without a cost model to ignore.
            kind: the only accepted kind of document.
            project: slug of the project; your personal one by default.
            next_version: whether to store the next version if a document of this name has other content.

        Raises:
            RefusedError: the file is invalid; the error names the field and the line.
            ConflictError: a document of this name has other content.
        """
        fields: dict[str, Any] = {
            "name": name,
            "dim": [f"{dimension}={size}" for dimension, size in (sizes or {}).items()],
            "exclude": list(leave_out),
            "kind": kind or "",
            "project": project,
            "next_version": "true" if next_version else "",
        }
        given = {name: value for name, value in fields.items() if value}
        return _told(StoredVersion, self.connection.send_file("documents/upload/", Path(file), given))


def _problem(
    engine: str, inputs: Mapping[str, Any] | None, params: Mapping[str, Any] | None, seed: int
) -> dict[str, Any]:
    return {"engine": engine, "inputs": dict(inputs or {}), "params": dict(params or {}), "seed": seed}


def _told(kind: type[_Told], facts: Mapping[str, Any]) -> _Told:
    """Return a dataclass of the site's response; unknown fields of newer sites are ignored."""
    return kind(**{field.name: facts[field.name] for field in fields(kind)})
