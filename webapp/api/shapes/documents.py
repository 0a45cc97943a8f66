"""Documents of the catalogue and files that become documents, as the interface takes and shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasPath, Field
from typing_extensions import TypedDict

from webapp.api.shapes.base import AcceptedValues, Body, Form, FormFile, OneOf, Shape
from webapp.catalogue.models import KINDS
from webapp.teams.models import Membership

PROJECT = "Slug of the project; your personal one by default."
FILE = AcceptedValues("a file of a form (multipart/form-data)")


class Document(Shape):
    """The newest version of a document in a list."""

    kind: Annotated[str, OneOf(KINDS)]
    slug: str
    version: int
    title: str
    summary: str
    schema_: str = Field(alias="schema")
    builtin: bool
    project: str | None = Field(description="Slug of its project; null for a built-in.")
    official: bool = Field(description="For all projects; administrators keep it.")


class DocumentDetail(Document):
    """One version of a document with its content."""

    retired: bool = Field(description="Official, and not offered any more.")

    content: dict[str, Any]
    content_hash: str = Field(description="SHA-256 of the canonical JSON of the content.")


class DocumentVersion(Shape):
    """A stored version without its content."""

    version: int = Field(validation_alias="number")
    title: str
    summary: str
    schema_: str = Field(alias="schema")
    content_hash: str
    reason: str = Field(description="Reason for the version; empty without one.")
    created_by: str | None = Field(validation_alias=AliasPath("created_by", "username"), default=None)
    created: datetime


class NewDocument(Body):
    """Content to store. Its `slug` names the document; an existing one gets a new version."""

    content: Annotated[dict[str, Any], AcceptedValues("a mapping: the document")]
    project: Annotated[str | None, AcceptedValues("the slug of a project")] = Field(None, description=PROJECT)
    reason: Annotated[str, AcceptedValues("words")] = Field("", description="Why; what is official needs one.")


class OfficialDecision(Body):
    """A decision about a document, with the reason."""

    wish: Annotated[str, OneOf(("promote", "retire", "offer")), AcceptedValues("promote, retire or offer")]
    project: Annotated[str, AcceptedValues("the slug of a project")] = Field(
        "", description="State of the document; `official` to retire an official one or to offer it again."
    )
    reason: Annotated[str, AcceptedValues("words")] = Field("", description="Why; needed.")


class Project(Shape):
    """A project that one belongs to."""

    slug: str
    title: str
    role: Annotated[str, OneOf(Membership.Role.values)]
    personal: bool


class Upload(Form):
    """A form with a file."""

    file: Annotated[FormFile, FILE] = Field(
        description="Ends in .onnx or .m (a network), .safetensors or .npz (weights), .csv, .tsv, .txt, .log or .gpx "
        "(a table, routes). Or in .yaml, .yml or .json (any document)."
    )
    name: str = Field("", description="Title, of which the slug is made; by default what the file says, else its name.")
    dim: tuple[str, ...] = Field((), description="NAME=SIZE of a dimension that the network leaves open.")
    exclude: tuple[str, ...] = Field((), description="An operator without a cost model that may be left out.")
    kind: Annotated[str | None, OneOf(KINDS), AcceptedValues(f"one of {', '.join(KINDS)}")] = Field(
        None, description="Refuse any other kind of document."
    )
    next_version: Annotated[bool, AcceptedValues("true or false")] = Field(
        False, description="Where a document of that name has other content, store this as its next version."
    )
    project: str = Field("", description=PROJECT)


class BundleUpload(Form):
    """A form with a run that another installation exported."""

    file: Annotated[FormFile, FILE]
    project: str = Field("", description="Slug of the project; one's own by default.")


class Operator(Shape):
    """The outcome of one type of operator."""

    operator: str
    treatment: Literal["unpriced", "excluded", "computed", "folded", "prepared"]
    count: int


class NetworkInput(Shape):
    """An input of a network."""

    name: str
    shape: list[int]


class OpenSize(Shape):
    """A size that depends on the data, without which an operator is not described."""

    name: str = Field(description="Give it as `dim`: NAME=SIZE.")
    operator: str = Field(description="The operator that gives it.")


class ImportReport(TypedDict, total=False):
    """How a network or a table was read; all fields are missing for other documents."""

    format: str
    columns: Annotated[list[str], Field(description="Columns of a table with unit and interpretation.")]
    rows: int
    tracks: int
    inputs: list[NetworkInput]
    nodes: int
    layers: int
    macs: int
    parameters: int
    operators: list[Operator]
    notes: list[str]
    sizes: Annotated[dict[str, int], Field(description="Open dimension -> the size that it was read with.")]
    open_sizes: list[OpenSize]


class ImportOutcome(Shape):
    """The document that a file became."""

    kind: Annotated[str, OneOf(KINDS)]
    schema_: str = Field(alias="schema")
    slug: str
    version: int
    project: str | None = Field(description="Slug; null for a built-in, of which the file is an export.")
    reference: str = Field(description="Names this very version in a problem document.")
    title: str
    summary: str
    created: bool = Field(description="False where the content was stored already.")
    report: ImportReport
