"""Django's admin that refuses a form opened before another user's change and lists that change."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.forms.models import _get_foreign_key
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.timesince import timesince

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title

_TITLES = ("title", "name")
SEEN = "seen_state"
# Key of the moment at which the form was opened, beside the names of fields and tables.
_OPENED = ""
_MINUTE = timedelta(minutes=1)


class ConflictCheck:
    """The check for conflicts in every form of the admin."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; locked where it is about to be changed, so that of two who save at once one is second."""
        found = super().get_object(request, object_id, from_field)  # type: ignore[misc]
        options, match = self.opts, request.resolver_match  # type: ignore[attr-defined]
        changing = match is not None and match.url_name == f"{options.app_label}_{options.model_name}_change"
        if found is not None and request.method == "POST" and changing:
            type(found)._base_manager.select_for_update(of=("self",)).filter(pk=found.pk).first()
            found = super().get_object(request, object_id, from_field)  # type: ignore[misc]
        return found

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form, which compares what its sender saw with what is there."""
        form = super().get_form(request, obj, change=change, **kwargs)  # type: ignore[misc]

        inlines = self._inline_rows

        def clean(self: ModelForm[Any]) -> Any:
            cleaned = form.clean(self)
            for name in _TITLES:
                if isinstance(text := self.cleaned_data.get(name), str) and text:
                    try:
                        checked_title(name, text, 10**6)
                    except ProblemError as error:
                        self.add_error(name, str(error))
            if SEEN in self.data and self.instance.pk is not None:
                _refuse_stale(self, self.data[SEEN], inlines(request, self.instance))
            return cleaned

        return type(form.__name__, (form,), {"clean": clean})

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> Any:
        """Render the form with the stored row: after a refusal the next save applies to it."""
        obj = kwargs.get("obj")
        if obj is not None:
            stored = type(obj)._base_manager.get(pk=obj.pk)  # a form that was refused has changed `obj`
            form = context["adminform"].form
            rows = self._inline_rows(request, stored)
            context[SEEN] = json.dumps({_OPENED: timezone.now().isoformat(), **_state(form, stored), **rows})
        return super().render_change_form(request, context, **kwargs)  # type: ignore[misc]

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        """Take rows that another person has deleted since as new ones, which can be saved again."""
        found: dict[str, Any] = super().get_formset_kwargs(request, obj, inline, prefix)  # type: ignore[misc]
        if "data" in found and obj.pk is not None:
            _renumber_rows(found["data"], prefix, {str(pk) for pk in found["queryset"].values_list("pk", flat=True)})
        return found

    def _inline_rows(self, request: HttpRequest, obj: Any) -> dict[str, str]:
        """Return title -> rows of the form's tables."""
        found = {}
        for inline in self.get_inline_instances(request, obj):  # type: ignore[attr-defined]
            if inline.has_change_permission(request, obj):
                key = _get_foreign_key(type(obj), inline.model, fk_name=inline.fk_name).name
                rows = inline.model._default_manager.filter(**{key: obj})
                found[str(inline.model._meta.verbose_name_plural).capitalize()] = _words(rows)
        return found


class Site(admin.AdminSite):
    """The admin of this site."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register a model like Django, with `ConflictCheck`."""
        own = admin_class or admin.ModelAdmin
        super().register(model_or_iterable, type(own.__name__, (ConflictCheck, own), {}), **options)


_Change: TypeAlias = tuple[str, str | None, str | None]  # label, and a value before and after


def _refuse_stale(form: ModelForm[Any], seen: str, inlines: Mapping[str, str]) -> None:
    """Raise what changed since the form was opened, unless the form says the same."""
    try:
        before = dict(json.loads(seen))
    except (ValueError, TypeError):
        before = {}
    stored = type(form.instance)._base_manager.get(pk=form.instance.pk)
    now = {**_state(form, stored), **inlines}
    changed = {name: value for name, value in now.items() if value != before.get(name)}
    if all(value == _mine(form, name) for name, value in changed.items()):
        return
    theirs: list[_Change] = [(_label(form, name), before.get(name), value) for name, value in changed.items()]
    ours: list[_Change] = [
        (_label(form, name), now[name], _mine(form, name)) for name in form.changed_data if name in now
    ]
    raise ValidationError(
        format_html(
            '<div class="conflict"><p>{} since you opened this form. Nothing of yours is saved or lost yet.</p>{}{}'
            '<p><button class="button" name="_save">Save mine</button> <a class="button" href="">Take theirs</a></p></div>',
            _who(stored, before.get(_OPENED)), _changes("They changed", theirs), _changes("Yours differs from theirs in", ours),
        )
    )  # fmt: skip


def _label(form: ModelForm[Any], name: str) -> str:
    return str(form.fields[name].label or name) if name in form.fields else name


def _changes(words: str, found: list[_Change]) -> str:
    """Return a line per field: before and after."""
    lines = [(title, before or "empty", after or "empty") for title, before, after in found]
    items = format_html_join("", "<li>{}: <del>{}</del> → <ins>{}</ins></li>", lines)
    return format_html("<p>{}:</p><ul>{}</ul>", words, items) if found else ""


def _who(stored: Model, opened: str | None) -> str:
    kind = ContentType.objects.get_for_model(stored)
    entry = LogEntry.objects.filter(content_type=kind, object_id=str(stored.pk)).select_related("user").first()
    if entry is None or entry.action_time.isoformat() < str(opened):
        return "This was changed"
    age = timesince(entry.action_time) if timezone.now() - entry.action_time >= _MINUTE else "less than a minute"
    return f"{entry.user.get_username()} saved this {age} ago, and it changed"


def _renumber_rows(data: Any, prefix: str, stored: Container[str]) -> None:
    """Put the rows of a table that are stored before those that are not.

    Args:
        data: a sent form, which is changed.
        prefix: prefix of the table's fields.
        stored: the keys of its rows.
    """
    numbers = range(
        sum(name.startswith(f"{prefix}-") and name[len(prefix) + 1 :].removesuffix("-id").isdigit() for name in data)
    )
    gone = {number for number in numbers if data.get(f"{prefix}-{number}-id") not in stored}
    if data.get(f"{prefix}-INITIAL_FORMS") == str(len(numbers) - len(gone)):
        return
    rows = {number: f"{prefix}-{number}-" for number in numbers}
    sent = {name: data.pop(name) for start in rows.values() for name in list(data) if name.startswith(start)}
    for after, before in enumerate(sorted(numbers, key=gone.__contains__)):
        for name in [name for name in sent if name.startswith(rows[before])]:
            data.setlist(rows[after] + name.removeprefix(rows[before]), sent[name])
        if before in gone:
            data[f"{rows[after]}id"] = ""
    data[f"{prefix}-INITIAL_FORMS"] = str(len(numbers) - len(gone))


def _state(form: ModelForm[Any], stored: Model) -> dict[str, str]:
    """Return field -> text of the row in the form."""
    found = {}
    for field in (*stored._meta.fields, *stored._meta.many_to_many):
        if field.name in form.fields and not form.fields[field.name].disabled:
            found[field.name] = _words(
                field.value_from_object(stored) if field.many_to_many else getattr(stored, field.name)
            )
    return found


def _mine(form: ModelForm[Any], name: str) -> str | None:
    """Return the form's text of a field; None for a table."""
    return _words(form.cleaned_data.get(name)) if name in form.fields else None


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):  # a form has whole seconds
        return str(value.replace(microsecond=0))
    if isinstance(value, QuerySet | list | tuple | set):
        return ", ".join(sorted(map(str, value)))
    return "" if value is None else str(value)
