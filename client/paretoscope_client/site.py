"""A Paretoscope site: the items that an account may see, and the runs and studies that it starts."""

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
    """A site, asked with a token.

    Args:
        url: URL of the site, such as "http://127.0.0.1:8000".
        token: from the site's page *API tokens*. With the scope "read" it starts nothing, with "run" it stores and deletes nothing.
        patience_s: for how many seconds a request is repeated while the site is busy or away.
        timeout_s: for how many seconds one answer is waited for.
        transport: how requests travel; httpx's own by default.
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
        """Return what running a problem would take: evaluations, time, memory, and whether its limits can be met.

        Nothing is stored.
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
            engine: its name, as in `engines()`.
            inputs: slot -> document: its slug, "slug@2" for a version, or "project/slug".
            params: parameters of the engine; what is left out takes its default.
            seed: seed of its random streams.
            title: for people.
            project: slug; your personal one by default, or the token's.
            stop_after_minutes: minutes of computing after which it stops with what it has found.
            measure: designs that a device measures while it searches: {"device": 1, "designs": 8}.
            parent: the run that this one is started from.
            key: the Idempotency-Key: for a day the same call with the same key starts nothing twice; by default a new one.

        Raises:
            RefusedError: names the field, what it had and what it takes.
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
        """Start a run of a problem document, as `Run.problem` gives it; the rest is as of `explore`."""
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
        """Return a run by its number."""
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
        """Yield the runs that you see, newest first; asked for page by page as they are looked at."""
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
        """Start a study: one engine over a grid.

        Args:
            engine: its name.
            inputs: slot -> slug, or a list of slugs: one more axis.
            params: name -> value, or {"each": [values]}: one more axis.
            seeds: one run each for every cell of the grid.
            title: for people.
            project: slug; your personal one by default, or the token's.
            stop_after_minutes: time limit of every run.
            key: the Idempotency-Key; by default each call has a new one.
        """
        body = {"engine": engine, "inputs": dict(inputs or {}), "params": dict(params or {}), "seeds": list(seeds)}
        belongs: dict[str, Any] = {"title": title, "project": project, "stop_after_minutes": stop_after_minutes}
        body |= {name: value for name, value in belongs.items() if value not in ("", None)}
        return Study(self.connection, self.connection.post("studies/", body, key=key or str(uuid.uuid4())))

    def study_number(self, number: int) -> Study:
        """Return a study by its number."""
        return Study(self.connection, self.connection.get(f"studies/{number}/"))

    def studies(
        self,
        *,
        engine: str | Sequence[str] | None = None,
        project: str | Sequence[str] | None = None,
        mine: bool | None = None,
    ) -> Iterator[Study]:
        """Yield the studies that you see, newest first."""
        for facts in self.connection.entries("studies/", {"engine": engine, "project": project, "mine": mine}):
            yield Study(self.connection, facts)

    # -- the catalogue ------------------------------------------------------------------------------------------------

    def engines(self) -> list[dict[str, Any]]:
        """Return the engines: name, title, what each is for, and where it is from."""
        return list(self.connection.get("engines/"))

    def engine(self, name: str) -> dict[str, Any]:
        """Return an engine: its inputs, the JSON Schema of its parameters, and its metrics."""
        return dict(self.connection.get(f"engines/{name}/"))

    def projects(self) -> list[dict[str, Any]]:
        """Return your projects, and your role in each."""
        return list(self.connection.get("projects/"))

    def documents(self, kind: str | None = None, schema: str | Sequence[str] | None = None) -> Iterator[Document]:
        """Yield the newest version of every document that you may use.

        Args:
            kind: only "hardware", "workload" and so on.
            schema: only this family, such as "soc/1".
        """
        for facts in self.connection.entries("documents/", {"kind": kind, "schema": schema}, cursor=False):
            yield _told(Document, facts)

    def document(
        self, kind: str, slug: str, *, version: int | None = None, project: str | None = None
    ) -> DocumentContent:
        """Return one version of a document with its content; the newest by default."""
        facts, tag = self.connection.tagged(f"documents/{kind}/{slug}/", {"version": version, "project": project})
        return _told(DocumentContent, {**facts, "tag": tag})

    def survey(self, workload: str, devices: Sequence[str] = (), **options: Any) -> pd.DataFrame:
        """Return the estimates of a network on devices, by their names; the other answers are in `frame.attrs`.

        Args:
            workload: slug of a network.
            devices: only these; all by default.
            options: what the site's survey takes besides, such as `bits="w4a16"`, `power_mode="maxn"`.

        Returns:
            a row per device with `latency_s`, `energy_j` and `certainty`; NaN and a `reason` where there is no estimate.

        Raises:
            NotFoundError: the site has no such network.
            RefusedError: an option is wrong.
            ValueError: the survey has no such device.
        """
        return of_survey(self.connection.get(f"workloads/{workload}/survey/", options), devices)

    def store(
        self, content: Mapping[str, Any], project: str | None = None, *, seen: DocumentContent | None = None
    ) -> DocumentContent:
        """Store a document as the next version of what its `slug` names; equal content gives the newest version back.

        Args:
            content: the document.
            project: slug; your personal one by default.
            seen: the version that the content was made from.

        Raises:
            ChangedError: another person has stored another version than `seen` since; nothing is done.
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
        """Store a file (ONNX, YAML, JSON), which the site reads, as a document.

        Args:
            file: where it lies.
            name: title of a network; the file's name by default.
            sizes: dimension that a network leaves open -> its size.
            leave_out: operators without a cost model that may be left out.
            kind: refuse any other kind of document.
            project: slug; your personal one by default.
            next_version: where a document of that name has other content, store this as its next version.

        Raises:
            RefusedError: says what in the file is wrong, and where.
            ConflictError: a document of that name has other content.
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
    """Return a value of what the site says; what a newer site says besides is left out."""
    return kind(**{field.name: facts[field.name] for field in fields(kind)})
