"""Notes, tags and stars over REST."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from webapp.annotations import marks, notes
from webapp.annotations.models import Note
from webapp.annotations.texts import as_html
from webapp.annotations.things import marked_thing, project_holding, title_of
from webapp.api import arguments
from webapp.api.pagination import PAGE, PageNumbers
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, tag_of, tagged
from webapp.api.shapes import notes_and_tags as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, PAGES, REFUSED, number, query
from webapp.deletions import service as deletions
from webapp.items.registry import items


class NotesView(GenericAPIView[Note]):
    """The notes on a run, a study, a comparison or a version of a document."""

    pagination_class = PageNumbers

    @extend_schema(
        operation_id="notes_list",
        parameters=[number("design", "Only those on this design of the run."), *PAGES],
        responses={200: paginated(shapes.Note), **REFUSED, **NOT_FOUND},
        tags=["talk"],
    )
    def get(self, request: Request, kind: str, number: int) -> Response:
        """Return the notes on a thing, oldest first. `kind` is run, study, comparison or version."""
        arguments.only(request, "design", *PAGE)
        found = notes.notes_of(request.user, kind, number)
        if "design" in request.query_params:
            found = found.filter(design=arguments.integer(request, "design", 0))
        page: list[Note] = list(self.paginate_queryset(found) or ())
        return self.get_paginated_response(written(many(shapes.Note), [_shown(each) for each in page]))

    @extend_schema(
        operation_id="notes_create",
        request=shapes.NewNote,
        responses={201: shapes.WrittenNote, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["talk"],
    )
    def post(self, request: Request, kind: str, number: int) -> Response:
        """Write a note, as an editor. Who is mentioned as `@name` and sees the thing is told."""
        body = read(shapes.NewNote, request)
        made = notes.write(request.user, kind, number, body.text, body.design, body.pinned)
        return answer(shapes.WrittenNote, _written(made), status.HTTP_201_CREATED)


class NoteView(APIView):
    """One note."""

    @extend_schema(
        operation_id="notes_read", parameters=[TAG], responses={200: shapes.Note, **NOT_FOUND}, tags=["talk"]
    )
    def get(self, request: Request, note: int) -> Response:
        """Return the note."""
        return tagged(request, answer(shapes.Note, _shown(notes.get_note(request.user, note))))

    @extend_schema(
        operation_id="notes_change",
        parameters=[SEEN],
        request=shapes.NoteChange,
        responses={200: shapes.WrittenNote, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["talk"],
    )
    def patch(self, request: Request, note: int) -> Response:
        """Change a note of your own."""
        body = read(shapes.NoteChange, request)
        with _seen_note(request, note):
            return answer(shapes.WrittenNote, _written(notes.change(request.user, note, body.text, body.pinned)))

    @extend_schema(
        operation_id="notes_delete",
        parameters=[SEEN],
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["talk"],
    )
    def delete(self, request: Request, note: int) -> Response:
        """Delete a note of your own, or as a maintainer any; for 30 days it can be had back under `deleted/`."""
        with _seen_note(request, note):
            deletions.delete(request.user, "note", note)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TagListView(APIView):
    """Every tag."""

    @extend_schema(
        operation_id="tags_list",
        parameters=[
            query("kind", OpenApiTypes.STR, "Only tags of things of this kind.", choices=list(items("markable")))
        ],
        responses={200: many(shapes.TagCount), **REFUSED},
        tags=["talk"],
    )
    def get(self, request: Request) -> Response:
        """Return the tags of your projects, and how many things have each."""
        arguments.only(request, "kind")
        kind = request.query_params.get("kind", "")
        if kind and kind not in items("markable"):
            raise ProblemError("kind", kind, f"one of {', '.join(items('markable'))}")
        found = [{"word": word, "things": count} for word, count in marks.tag_counts(request.user, kind)]
        return answer(many(shapes.TagCount), found)


class TagsView(APIView):
    """The tags of a run, a study, a comparison or a document."""

    @extend_schema(operation_id="tags_read", parameters=[TAG], responses={200: shapes.Tags, **NOT_FOUND}, tags=["talk"])
    def get(self, request: Request, kind: str, number: int) -> Response:
        """Return the tags of a thing. `kind` is run, study, comparison or document."""
        return tagged(request, answer(shapes.Tags, _tags(request, kind, number)))

    @extend_schema(
        operation_id="tags_set",
        parameters=[SEEN],
        request=shapes.TagsBody,
        responses={200: shapes.Tags, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["talk"],
    )
    def put(self, request: Request, kind: str, number: int) -> Response:
        """Set the tags of an item; requires an editor."""
        body = read(shapes.TagsBody, request)
        thing = marked_thing(request.user, kind, number)
        rows = type(thing)._default_manager.filter(pk=thing.pk)
        with as_seen(request, rows, lambda: tag_of(written(shapes.Tags, _tags(request, kind, number)))):
            return answer(shapes.Tags, {"tags": marks.set_tags(request.user, kind, number, body.tags)})


class FavouriteListView(APIView):
    """Everything with a star of one's own."""

    @extend_schema(operation_id="favourites_list", responses={200: many(shapes.Favourite), **REFUSED}, tags=["talk"])
    def get(self, request: Request) -> Response:
        """Return the items that you starred and may still see, the newest star first."""
        arguments.only(request)
        found = [
            {"kind": kind, "number": each.pk, "title": title_of(kind, each), "project": project_holding(each).slug}
            for kind, each in marks.favourites(request.user)
        ]
        return answer(many(shapes.Favourite), found)


class FavouriteView(APIView):
    """One's own star at a run, a study, a comparison or a document."""

    @extend_schema(
        operation_id="favourites_add", request=None, responses={204: None, **NOT_ALLOWED, **NOT_FOUND}, tags=["talk"]
    )
    def put(self, request: Request, kind: str, number: int) -> Response:
        """Add a star to an item, visible only to its owner."""
        marks.set_star(request.user, kind, number, True)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(operation_id="favourites_remove", responses={204: None, **NOT_ALLOWED, **NOT_FOUND}, tags=["talk"])
    def delete(self, request: Request, kind: str, number: int) -> Response:
        """Take the star back."""
        marks.set_star(request.user, kind, number, False)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _tags(request: Request, kind: str, number: int) -> dict[str, Any]:
    thing = marked_thing(request.user, kind, number)
    return {"tags": marks.marks_of(request.user, kind, [thing.pk])[thing.pk].tags}


def _seen_note(request: Request, number: int) -> AbstractContextManager[None]:
    """Return a block that changes a note as it was seen."""
    rows = Note.objects.filter(pk=notes.get_note(request.user, number).pk)
    return as_seen(request, rows, lambda: tag_of(written(shapes.Note, _shown(notes.get_note(request.user, number)))))


def _shown(note: Note) -> dict[str, Any]:
    names = ("kind", "number", "design", "pinned", "text", "created", "edited")
    facts = {name: getattr(note, name) for name in names}
    return {"id": note.pk, "author": note.owner, "html": as_html(note.text), **facts}


def _written(made: notes.StoredNote) -> dict[str, Any]:
    made.note.refresh_from_db(fields=["created"])
    return {**_shown(made.note), "not_told": list(made.unseen)}
