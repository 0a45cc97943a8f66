"""Rights of a guest with a read-only link, or in the gallery, in the explorer, and the parts of a page that they see.

`webapp.teams.permissions` decides which rows are theirs to see. Here stands which callbacks only read, each by name: one that is
not listed is for members. A page that is opened by a link has no control that leads to anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from webapp.base.sub_path import within
from webapp.items.registry import items
from webapp.runs.service import visible_runs
from webapp.teams.permissions import Guest, shared_with

if TYPE_CHECKING:
    from dash import Dash

_RUN, _STUDY, _COMPARE = "frontend.pages.run", "frontend.pages.study.callbacks", "frontend.pages.compare.callbacks"
ROUTER = "dash.dash.Dash.enable_pages.<locals>.router_sync.<locals>.update"
# Callbacks that change nothing and read what the link opens: each asks `visible` for the run, study or comparison it is sent.
READERS = frozenset(
    {
        ROUTER,
        *(f"{_RUN}.tabs.difference.{name}" for name in ("pin", "show_pinned")),
        f"{_RUN}.tabs.callbacks.show_figures",
        *(f"{_RUN}.tabs.decisions.{name}" for name in ("show_plot", "show_importance")),
        f"{_RUN}.why.tab.show_made_of",
        *(f"{_RUN}.measurements.tab.{name}" for name in ("follow", "show_found")),
        *(f"{_RUN}.what_if.tab.{name}" for name in ("show_design", "show_front")),
        f"{_RUN}.edit.tab.show_edited",
        *(f"{_RUN}.why.changes_view.{name}" for name in ("try_more", "rank_changes")),
        *(f"{_RUN}.design_callbacks.{name}" for name in ("show_design",)),
        *(f"{_RUN}.states.own_results.{name}" for name in ("show_own_results",)),
        *(f"{_RUN}.callbacks.{name}" for name in ("open_tab", "select", "table_rows", "table_heads")),
        *(
            f"{_RUN}.front.callbacks.{name}"
            for name in ("offer_switches", "show_front", "show_limits", "show_short_list")
        ),
        f"{_RUN}.result_remarks.show_result_remarks",
        *(f"{_RUN}.states.callbacks.{name}" for name in ("show_progress", "show_stage", "show_queue", "show_cause")),
        *(f"{_RUN}.tabs.callbacks.{name}" for name in ("show_panel", "grow_curves", "choose_scale", "save_result")),
        "frontend.pages.annotations.callbacks.show_notes",
        *(f"{_STUDY}.{name}" for name in ("follow", "follow_seeds")),
        *(f"{_COMPARE}.{name}" for name in ("show_fronts", "pick", "show_metrics", "show_strips", "follow_cursor")),
    }
)
# Those that visitors of the gallery call as well: they read, store nothing, and lead to other addresses of theirs.
VISITOR_READERS = READERS | {
    *(f"frontend.pages.survey.page.{name}" for name in ("show_survey", "go", "ask_otherwise")),
    "frontend.pages.upload.page.show",
    *(f"{_COMPARE}.{name}" for name in ("change", "enough", "open_new")),
}
# Those of them that start a process.
COMPUTING = frozenset(
    {
        "frontend.pages.survey.page.show_survey",
        f"{_RUN}.why.tab.show_made_of",
        *(f"{_RUN}.why.changes_view.{name}" for name in ("try_more", "rank_changes")),
        *(f"{_RUN}.what_if.tab.{name}" for name in ("show_design", "show_front")),
        f"{_RUN}.edit.tab.show_edited",
        *(f"{_RUN}.tabs.decisions.{name}" for name in ("show_plot", "show_importance")),
    }
)
VISITOR_PAGES = ("/gallery", "/survey", "/compare", "/glossary")
# What is asked for beside callbacks, by the beginning of its path.
READ_PATHS = ("_dash-layout", "_dash-dependencies", "_dash-run-state/", "_dash-run-pick/", "_paper-figure/")
_PAGE = re.compile(r"(/[a-z]+/)(\d{1,18})/?")
# Pictures and tables hold no controls, and much.
_NOT_WALKED = frozenset({"figure", "figures", "points", "front", "template", "rowData"})
_BUTTONS = ("btn", "menu-link", "ib", "li")


def called_by(app: Dash, output: str) -> str:
    """Return the module and name of the function that answers a callback; "" where the browser answers it itself."""
    function = app.callback_map.get(output, {}).get("callback")
    return f"{function.__module__}.{function.__qualname__}" if function is not None else ""


def may_call(app: Dash, guest: Guest, body: Mapping[str, Any]) -> bool:
    """Return whether a guest may call a callback with this body, which has the shape of one."""
    name = called_by(app, str(body.get("output")))
    if name != ROUTER:
        return name in readers_for(guest)
    paths = [each.get("value") for each in body.get("inputs", []) if each.get("property") == "pathname"]
    return all(isinstance(path, str) and opens(guest, within(path)) for path in paths)


def readers_for(guest: Guest) -> frozenset[str]:
    """Return the callbacks that a guest may call."""
    return VISITOR_READERS if guest.name else READERS


def opens(guest: Guest, path: str) -> bool:
    """Return whether one of the links, or the gallery, opens the page at `path`, with its leading slash."""
    if guest.name and path in VISITOR_PAGES:
        return True
    found = _PAGE.fullmatch(path)
    if found is None:
        return False
    shareable = (item.model for item in items("shareable").values() if item.page == found[1] + "{}")
    return any(int(found[2]) in _numbers(guest, model) for model in shareable)


def _numbers(guest: Guest, label: str) -> frozenset[int]:
    """Return the keys of the rows of a model that are open.

    Those of runs, of which a study or the gallery has many, are looked up once per request.
    """
    shared = shared_with(guest)
    if label != "runs.Run" or not shared.get(label, {}).keys() - {"pk"}:
        return shared.get(label, {}).get("pk", frozenset())
    if not hasattr(guest, "run_numbers"):
        guest.run_numbers = frozenset(visible_runs(guest).values_list("pk", flat=True))  # type: ignore[attr-defined]
    return guest.run_numbers  # type: ignore[attr-defined]


# -- pages without what leads elsewhere -------------------------------------------------------------------------------


def shown_to(app: Dash, guest: Guest, text: bytes) -> bytes:
    """Return an answer in JSON, with controls hidden that would do nothing and links made words that would lead nowhere."""
    answer = json.loads(text)
    _walk(answer, guest, _dead_ids(app, readers_for(guest)))
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


@lru_cache(maxsize=2)
def _dead_ids(app: Dash, readers: frozenset[str]) -> frozenset[str]:
    """Return ids, or types of ids, of components that only callbacks for members listen to."""
    used: dict[bool, set[str]] = {True: set(), False: set()}
    for output, declared in app.callback_map.items():
        name = called_by(app, output)
        used[not name or name in readers].update(_kind(each["id"]) for each in declared["inputs"])
    return frozenset(used[False] - used[True])


def _kind(given: Any) -> str:
    if isinstance(given, str) and given.startswith("{"):
        given = json.loads(given)
    return str(given.get("type")) if isinstance(given, Mapping) else str(given)


def _walk(part: Any, guest: Guest, dead: frozenset[str]) -> None:
    for each in _parts(part):
        _walk(each, guest, dead)
    if not isinstance(part, dict) or not isinstance(part.get("props"), dict) or "type" not in part:
        return
    props = part["props"]
    if "href" in props and not _leads(guest, props["href"]):
        _make_words(part)
    elif part["type"] == "A" and "href" not in props:
        _hide(part)  # its address comes later: that of a file
    elif part["type"] == "Menu" and not any(True for _ in _entries(props)):
        part.update({"type": "Span", "namespace": "dash_html_components", "props": {"hidden": True}})
    elif ("id" in props and _kind(props["id"]) in dead) or "data-paper" in props or props.get("data-from"):
        _hide(part)


def _parts(part: Any) -> Iterator[Any]:
    if isinstance(part, list):
        yield from part
    elif isinstance(part, dict):
        yield from (value for key, value in part.items() if key not in _NOT_WALKED)


def _leads(guest: Guest, href: Any) -> bool:
    address = str(href)
    if not address.startswith("/"):
        return True  # elsewhere, or a place of the page
    path = address.partition("?")[0].partition("#")[0]
    return path.startswith(("/assets/", "/accounts/login/", "/accounts/sign_up/")) or opens(guest, path)


def _make_words(part: dict[str, Any]) -> None:
    """Replace links by their words; one that looked like a button is hidden."""
    props = {key: value for key, value in part["props"].items() if key in ("children", "className", "id", "title")}
    classes = str(props.get("className") or "").split()
    if any(name in classes for name in _BUTTONS):
        props["hidden"] = True
    part.update({"type": "Span", "namespace": "dash_html_components", "props": props})


def _hide(part: dict[str, Any]) -> None:
    if part["namespace"] == "dash_html_components":
        part["props"]["hidden"] = True
    else:
        part["props"]["style"] = {**(part["props"].get("style") or {}), "display": "none"}


def _entries(part: Any) -> Iterator[Any]:
    """Yield what can be pressed below a menu's list and is not hidden."""
    for each in _parts(part):
        if isinstance(each, dict) and isinstance(each.get("props"), dict):
            props = each["props"]
            shown = not props.get("hidden") and (props.get("style") or {}).get("display") != "none"
            if shown and (each.get("type") == "MenuItem" or props.get("role") == "menuitem"):
                yield each
        yield from _entries(each)
