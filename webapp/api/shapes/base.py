"""Common parts of bodies and answers: how a body is read and an answer written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar, get_origin

from django.core.files.uploadedfile import UploadedFile
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    RootModel,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from pydantic_core import CoreSchema, core_schema
from rest_framework.request import Request
from rest_framework.response import Response

from engines.contract.errors import ProblemError
from hardware.validation import describe, foremost


class Shape(BaseModel):
    """An answer, made of the keys or attributes of a value."""

    model_config = ConfigDict(from_attributes=True, frozen=True, json_schema_serialization_defaults_required=True)


class Body(BaseModel):
    """A body of JSON or YAML: keys that are not known are refused, and so are values of another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Form(BaseModel):
    """The fields of a form; empty ones are as those left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Page(Shape):
    """A page of a list; `many` names its entries."""

    count: int | None = Field(description="Length of the whole list; null with `cursor`.")
    next: Annotated[str, Field(json_schema_extra={"format": "uri"})] | None
    previous: Annotated[str, Field(json_schema_extra={"format": "uri"})] | None
    results: list[Any]


def _file(value: Any) -> Any:
    if not isinstance(value, UploadedFile):
        raise ValueError("a file")
    return value


BodyType = TypeVar("BodyType", bound=Body)
FormType = TypeVar("FormType", bound=Form)
ModelType = TypeVar("ModelType", bound=BaseModel)
FormFile = Annotated[Any, AfterValidator(_file), WithJsonSchema({"type": "string", "format": "binary"})]
Numbers = list[float | None]


@dataclass(frozen=True)
class AcceptedValues:
    """Next to the type of a field: what it takes, in words for anyone who sent something else."""

    words: str


@dataclass(frozen=True)
class OneOf:
    """Next to the type of a field: the texts that it may be."""

    values: Iterable[str]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return Pydantic's check of it, which gives its description as well."""
        return core_schema.literal_schema([str(value) for value in self.values])


@cache
def many(kind: type[Shape]) -> type[BaseModel]:
    """Return a list of answers."""
    return create_model(f"{kind.__name__}List", __base__=RootModel[list[kind]])  # type: ignore[valid-type]


@cache
def paginated(kind: type[Shape]) -> type[BaseModel]:
    """Return a page of a list of answers."""
    return create_model(f"Paginated{kind.__name__}List", __base__=Page, results=(list[kind], ...))  # type: ignore[valid-type]


def written(kind: type[BaseModel], value: object) -> Any:
    """Return `value` as JSON-able data of that shape.

    Raises:
        ValidationError: it has not that shape, which is a mistake of ours.
    """
    return kind.model_validate(value).model_dump(mode="json", by_alias=True)


def answer(
    kind: type[BaseModel], value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with `value` in that shape."""
    return Response(written(kind, value), status=status, headers=dict(headers or {}))


def read(kind: type[BodyType], request: Request) -> BodyType:
    """Return the body of a request.

    Raises:
        ProblemError: names the field, what was got and what is accepted.
    """
    body: Any = request.data
    if not isinstance(body, Mapping):
        names = list(kind.model_fields)
        field = "body" if len(names) > 1 else names[0]
        raise ProblemError(field, type(body).__name__, f"a mapping with the keys {', '.join(names)}")
    return _checked(kind, dict(body))


def read_form(kind: type[FormType], request: Request) -> FormType:
    """Return the fields and files of a form.

    Raises:
        ProblemError: names the field, what was got and what is accepted.
    """
    given: dict[str, Any] = {}
    form: Any = (
        request.data
    )  # a QueryDict, as the one parser of forms gives it; an empty mapping where there is no body
    for name, values in form.lists() if form else ():
        full = [text for value in values if (text := value.strip() if isinstance(value, str) else value) != ""]
        field = kind.model_fields.get(name)
        if field is None:
            given[name] = values[-1]
        elif full:
            given[name] = tuple(full) if get_origin(field.annotation) is tuple else full[-1]
    return _checked(kind, given)


def _checked(kind: type[ModelType], given: dict[str, Any]) -> ModelType:
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        detail = foremost(error)
    name = str(detail["loc"][0])
    if detail["type"] in ("extra_forbidden", "invalid_key"):
        names = list(kind.model_fields)
        only = f"{names[0]} and nothing else" if len(names) == 1 else f"one of the keys {', '.join(names)}"
        raise ProblemError(name, detail["input"], only)
    words = next((each.words for each in kind.model_fields[name].metadata if isinstance(each, AcceptedValues)), None)
    raise ProblemError(name, given.get(name), words or describe(detail, kind)[2])
