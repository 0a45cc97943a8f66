"""How bodies are read, forms are read and answers written."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from pydantic import ValidationError
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from engines.contract.errors import ProblemError
from webapp.api.shapes.base import AcceptedValues, Body, Form, FormFile, OneOf, Shape, many, read, read_form, written


class Order(Body):
    """Two keys."""

    count: Annotated[int, AcceptedValues("a whole number of boxes")]
    colour: Annotated[str, OneOf(("red", "blue"))] = "red"


class Parcel(Form):
    """A file and a list."""

    file: FormFile
    note: tuple[str, ...] = ()
    heavy: bool = False


class Box(Shape):
    """Shape of an object with attributes."""

    colour: str


def _asked(body: Any) -> Request:
    request = Request(APIRequestFactory().post("/"))
    request._full_data = body  # as a parser leaves it
    return request


def test_a_body_becomes_its_type() -> None:
    assert read(Order, _asked({"count": 2, "colour": "blue"})) == Order(count=2, colour="blue")


@pytest.mark.parametrize(
    ("body", "field", "got", "accepted"),
    [
        ({"count": "2"}, "count", "2", "a whole number of boxes"),
        ({}, "count", None, "a whole number of boxes"),
        ({"count": 2, "colour": "green"}, "colour", "green", "one of: red, blue"),
        ({"count": 2, "size": 1}, "size", 1, "one of the keys count, colour"),
        ([2], "body", "list", "a mapping with the keys count, colour"),
    ],
)
def test_a_refusal_names_the_field(body: Any, field: str, got: Any, accepted: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read(Order, _asked(body))
    assert (refused.value.field, refused.value.got, refused.value.accepted) == (field, got, accepted)


def test_empty_fields_of_a_form_are_as_those_left_out() -> None:
    form = QueryDict("heavy=&note= a &note=&note=b", mutable=True)
    form.setlist("file", [SimpleUploadedFile("a.txt", b"a")])
    found = read_form(Parcel, _asked(form))
    assert (found.note, found.heavy, found.file.name) == (("a", "b"), False, "a.txt")


@pytest.mark.parametrize(("query", "field"), [("note=a", "file"), ("file=a", "file"), ("file=a&weight=", "weight")])
def test_a_form_without_its_file_is_refused(query: str, field: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read_form(Parcel, _asked(QueryDict(query)))
    assert refused.value.field == field


def test_an_answer_has_its_shape_or_is_a_mistake() -> None:
    order = Order(count=1)
    assert written(many(Box), [order, {"colour": "blue", "more": 1}]) == [{"colour": "red"}, {"colour": "blue"}]
    with pytest.raises(ValidationError):
        written(Box, {"color": "red"})
