"""Common parts of the schemas of all hardware documents.

Units stand in the names of keys; they are the units of data sheets (GB/s, ns, MHz), converted once, by the loaders. GB and MB
are decimal, MiB is 2**20 bytes.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Words = Annotated[str, Field(min_length=1, max_length=2000)]


def positive(title: str, unit: str, description: str, highest: float) -> Any:
    """Return the field of a figure above 0 that everyone must give."""
    return Field(gt=0, le=highest, title=title, description=description, json_schema_extra={"unit": unit})


def not_negative(title: str, unit: str, description: str, highest: float) -> Any:
    """Return the field of a figure from 0 on that everyone must give."""
    return Field(ge=0, le=highest, title=title, description=description, json_schema_extra={"unit": unit})


def named() -> Any:
    """Return the field of the schema's own name."""
    return Field(alias="schema", title="Schema", description="Which schema this is.")


class Section(BaseModel):
    """A part of a hardware document."""

    # Strict: the text "3" is not the number 3, and true is not 1; unknown keys are refused.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Header(Section):
    """The beginning of every document; a schema names itself in `schema_name`."""

    schema_name: str = named()
    slug: Slug = Field(title="Slug", description="Name in the catalogue: small letters, digits, hyphens.")
    title: Words = Field(title="Title")
    summary: str = Field(default="", max_length=2000, title="Summary")
    source: Words = Field(title="Source", description="Where it is described.")


class SourcedHeader(Header):
    """Header of documents whose values each name their source."""

    sources: dict[str, Words] = Field(
        title="Sources",
        description="Dotted key -> source of its value. A key covers everything below it; the longest key counts. `*` "
        "matches one part (`chiplets.*.buffer_mib`). Every value needs a source.",
    )
