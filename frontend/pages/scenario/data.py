"""Data of the page that builds scenarios: rows with typed values, mistakes, totals. No components."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import load_scenario
from engines.workloads.network import Network, Scenario
from engines.workloads.schema import MAX_MODELS, ScenarioModelSection
from engines.workloads.tasks import task_of
from frontend.components.form import FieldSpec, field_errors, field_specs, format_value, parse_value
from frontend.designs.run_words import person_name
from frontend.pages.catalogue.document_cache import loaded
from webapp.catalogue.scenarios import DraftModel, ScenarioDraft, content_of, slug_in, without_model
from webapp.catalogue.service import DocumentEntry, get_entry, list_documents, resolve, validate
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, editable_projects

# What has a field in every row; the other terms are kept as they are.
TYPED = ("batch", "rate_fps", "deadline_s", "priority")
OWN, BY_NAME = "Your own", "By name"
_FIELD = re.compile(r"models\.(\d+)(?:\.(\w+))?")


@dataclass(frozen=True)
class Form:
    """The page as the browser keeps it.

    Attributes:
        draft: the scenario, with what was typed when rows last changed.
        keys: a number for each row that stays its own when others come and go.
    """

    draft: ScenarioDraft
    keys: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the draft for a browser-side store."""
        return {"draft": asdict(self.draft), "keys": list(self.keys)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Form:
        """Return the form that `to_json` wrote."""
        draft = data["draft"]
        models = tuple(DraftModel(**model) for model in draft["models"])
        return Form(ScenarioDraft(**{**draft, "models": models}), tuple(data["keys"]))


@dataclass(frozen=True)
class Judgement:
    """A form judged.

    Attributes:
        scenario: None while something is wrong.
        cells: (row, name of the field) -> what is wrong.
        others: further mistakes, one sentence each.
    """

    scenario: Scenario | None = None
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    others: tuple[str, ...] = ()


def term_specs() -> dict[str, FieldSpec]:
    """Return the fields of a row by name."""
    specs = {spec.name: spec for spec in field_specs(ScenarioModelSection)}
    return {name: specs[name] for name in TYPED}


def opened(draft: ScenarioDraft, principal: Principal) -> Form:
    """Return the form of a draft, with a source where it has none."""
    source = draft.source or f"assembled by {person_name(principal)}"
    return Form(replace(draft, source=source), tuple(range(len(draft.models))))


def with_typed(form: Form, typed: Mapping[tuple[int, str], Any], **words: str) -> Form:
    """Return the form with the typed values.

    Args:
        form: as stored.
        typed: (key of the row, name of the field) -> as typed.
        words: title and source.
    """
    specs = term_specs()
    models = []
    for key, model in zip(form.keys, form.draft.models, strict=True):
        own = {name: parse_value(specs[name], typed[key, name]) for name in TYPED if (key, name) in typed}
        models.append(replace(model, terms={**model.terms, **own}))
    return replace(form, draft=replace(form.draft, models=tuple(models), **words))


def with_network(form: Form, name: str) -> Form:
    """Return the form with one more row."""
    if len(form.keys) >= MAX_MODELS:
        return form
    draft = replace(form.draft, models=(*form.draft.models, DraftModel(name)))
    return Form(draft, (*form.keys, max(form.keys, default=-1) + 1))


def without_row(form: Form, key: int) -> Form:
    """Return the form without the row of that key."""
    if key not in form.keys:
        return form
    position = form.keys.index(key)
    return Form(without_model(form.draft, position), tuple(each for each in form.keys if each != key))


def shown_value(model: DraftModel, name: str) -> str:
    """Return the field value of a term; "" for an unset term."""
    return format_value(term_specs()[name], model.terms.get(name))


# -- networks ---------------------------------------------------------------------------------------------------------


def network_choices(principal: Principal, typed: str = "") -> list[dict[str, Any]]:
    """Return the networks to add, grouped by what they are for, one's own first.

    A length of text found by its name comes before all.

    Args:
        principal: who chooses.
        typed: text of the search field.
    """
    groups: dict[str, list[dict[str, str]]] = {}
    # When a choice is taken, its label stands in the search field; the choice must not go away then.
    name = typed.strip().lower().rpartition("(")[2].rstrip(")")
    networks = builtin_networks()
    if name in networks and name not in set(networks):
        # The name stands in the label because the list is narrowed down to labels that hold what was typed.
        groups[BY_NAME] = [{"value": name, "label": f"{networks[name]['title']} ({name})"}]
    for entry in list_documents(principal, "workload", ("network/1",)):
        group = task_of(entry.content) if entry.builtin else OWN
        groups.setdefault(group, []).append({"value": entry.name, "label": entry.title})
    first = [each for each in (BY_NAME, OWN) if each in groups]
    rest = sorted(group for group in groups if group not in first)
    return [{"group": group, "items": sorted(groups[group], key=_label)} for group in (*first, *rest)]


def network_of(principal: Principal, form: Form, model: DraftModel) -> Network | None:
    """Return the network of a row; None where it cannot be read."""
    try:
        if model.written_out is None:
            value = loaded(get_entry(principal, "workload", model.network))
        else:
            origin = resolve(principal, "workload", form.draft.origin).content
            value = loaded(_written_out(form, origin["models"][model.written_out]["network"]))
    except (ProblemError, LookupError):
        return None
    return value if isinstance(value, Network) else None


def _written_out(form: Form, content: Mapping[str, Any]) -> DocumentEntry:
    return DocumentEntry(
        "workload", str(content["slug"]), 1, str(content["title"]), "", False, content, form.draft.project
    )


def _label(choice: Mapping[str, str]) -> list[str | int]:
    """Return the titles in the order in which people count: B2 before B10."""
    parts = re.split(r"(\d+)", choice["label"].lower())
    return [part.rjust(6, "0") if part.isdigit() else part for part in parts]


# -- judging ----------------------------------------------------------------------------------------------------------


def project_of(principal: Principal, slug: str | None) -> Project | None:
    """Return the project of that name, if one may save there."""
    return editable_projects(principal).filter(slug=slug).first() if slug else None


def judge(principal: Principal, form: Form, project: Project | None) -> Judgement:
    """Check the form as it would be saved; mistakes at their fields."""
    cells = {
        (key, name): words
        for key, model in zip(form.keys, form.draft.models, strict=True)
        for name, words in field_errors(ScenarioModelSection, {"network": model.network, **model.terms}).items()
    }
    if cells:
        return Judgement(cells=cells)
    if not form.draft.models:
        return Judgement()
    try:
        content = validate(principal, "workload", content_of(principal, titled(principal, form), project))
        return Judgement(load_scenario(content))
    except ProblemError as error:
        return _judged(form, error)


def titled(principal: Principal, form: Form) -> ScenarioDraft:
    """Return the draft with a default title if the user entered none."""
    return replace(form.draft, title=form.draft.title.strip() or default_title(principal, form))


def default_title(principal: Principal, form: Form) -> str:
    """Return the models in words: "ResNet-18 and BERT-base", "ResNet-18, BERT-base and 2 more"."""
    networks = (network_of(principal, form, model) for model in form.draft.models)
    names = [network.title.partition(",")[0] for network in networks if network]
    if len(names) < 2:
        return (names or ["Scenario"])[0]
    if len(names) < 4:
        return " and ".join((", ".join(names[:-1]), names[-1]))
    return f"{names[0]}, {names[1]} and {len(names) - 2} more"


def _judged(form: Form, error: ProblemError) -> Judgement:
    match = _FIELD.match(error.field)
    words = error.explained(f"Must be {error.accepted}. Got {error.got!r} instead.")
    if match and int(match[1]) < len(form.keys) and match[2] in TYPED:
        return Judgement(cells={(form.keys[int(match[1])], match[2]): words})
    place = f"Model {int(match[1]) + 1}, {match[2] or 'as a whole'}" if match else error.field.capitalize()
    return Judgement(others=(f"{place}: {words}",))


def where_words(principal: Principal, form: Form, project: Project | None) -> str:
    """Return the name and number under which the scenario will be saved."""
    if project is None:
        return "Choose a project that you may edit"
    slug = slug_in(project, titled(principal, form))
    if slug != form.draft.slug:
        return f"Saves version 1 of {project.slug}/{slug}"
    newest = get_entry(principal, "workload", f"{project.slug}/{slug}").version
    return f"Saves version {newest + 1} of {project.slug}/{slug}"


def terms_in_words(model: DraftModel) -> str:
    """Return the terms that have no field: "20 % of the samples, after resnet18"."""
    probability, waits = model.terms.get("probability"), model.terms.get("depends_on")
    share = f"{probability:.0%} of the samples".replace("%", "\u00a0%") if isinstance(probability, float) else ""
    return ", ".join(part for part in (share, f"after {waits}" if waits else "") if part)


def seeds_of(networks: Sequence[str]) -> ScenarioDraft:
    """Return a draft of these networks, one sample each."""
    return ScenarioDraft(models=tuple(DraftModel(name) for name in networks[:MAX_MODELS]))
