"""The address to which visitors of the gallery upload a network for the survey."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engines.contract.errors import BusyError, ProblemError
from engines.contract.integer_format import counted
from webapp.api.errors import refusal_of
from webapp.api.problem_details import problem_response
from webapp.api.whole_files import whole
from webapp.catalogue.command_line import sizes
from webapp.catalogue.imports import Upload
from webapp.gallery.networks import MOST_FILE_BYTES, add_network
from webapp.gallery.visitors import UPLOADING, as_visitor, name_visitor, wait_s
from webapp.teams.permissions import visitor_name


@never_cache
@require_POST
def visitor_network(request: HttpRequest) -> HttpResponse:
    """Read the network in the form's `file` in a limited process and keep it for the visitor: 201, or 429 beyond their share.

    Raises:
        Http404: the site takes no guests, or the person is signed in.
    """
    request.user = as_visitor(request, request.user)
    if not visitor_name(request.user):
        raise Http404("Networks of guests are taken where the site has guests.")
    left_s = wait_s(request, "uploading", UPLOADING)
    if left_s:
        return _too_many(f"Guests may upload {UPLOADING[0].replace('/', ' files per ')}.", left_s)
    file, form = request.FILES.get("file"), request.POST
    try:
        if file is None or file.size is None or file.size > MOST_FILE_BYTES:
            got = "no file" if file is None else f"{counted(file.size or 0)} bytes"
            raise ProblemError("file", got, f"a file of at most {counted(MOST_FILE_BYTES)} bytes")
        with whole(file) as data:
            dims = sizes(form.getlist("dim"))
            upload = Upload(str(file.name), data, form.get("name", ""), dims, tuple(form.getlist("exclude")))
            answer = add_network(request.user, upload)
    except BusyError as error:
        return _too_many("Guests have no free place for this now.", error.retry_after_s)
    except ProblemError as error:
        facts = refusal_of(error)
        return problem_response(400, facts["message"], facts, code=error.code)
    response = JsonResponse(answer, status=201)
    name_visitor(request, response)
    return response


def _too_many(words: str, left_s: int) -> HttpResponse:
    sentence = f"{words} Try again in {left_s} s, or sign in."
    return problem_response(429, sentence, headers={"Retry-After": str(left_s)})
