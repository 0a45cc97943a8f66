"""Reports, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from webapp.api.shapes.base import AcceptedValues, Body, Shape


class Since(Shape):
    """Something that a report rests on and that has changed since it was written."""

    run: int
    words: str


class ReportLine(Shape):
    """A report in a list."""

    id: int
    title: str
    project: str
    owner: str
    created: datetime


class Report(ReportLine):
    """A report with one of its versions."""

    version: int
    versions: int = Field(description="How many there are.")
    text: str = Field(description="Markdown; a line such as `[[front run=12]]` is a block.")
    runs: list[int] = Field(description="Runs that its blocks name, seen by you or not.")
    author: str = Field(description="Text of this version.")
    written: datetime
    changed_since: list[Since] = Field(description="Changes of the items that it uses since then.")


class ReportVersion(Shape):
    """A version in the list of all."""

    version: int
    title: str
    author: str
    written: datetime


class NewReport(Body):
    """A report to write."""

    title: Annotated[str, AcceptedValues("1 to 200 characters")]
    text: Annotated[str, AcceptedValues("Markdown with blocks")]
    project: Annotated[str, AcceptedValues("the slug of a project")] = ""


class ReportChange(Body):
    """The next version of a report; what is left out stays."""

    title: Annotated[str | None, AcceptedValues("1 to 200 characters")] = None
    text: Annotated[str | None, AcceptedValues("Markdown with blocks")] = None
    version: Annotated[int | None, AcceptedValues("the number of the version that was changed")] = None


def line_of(report: Any) -> dict[str, Any]:
    """Return a stored report as a line."""
    return {
        "id": report.pk,
        "title": report.title,
        "project": report.project.slug,
        "owner": report.owner.get_username(),
        "created": report.created,
    }
