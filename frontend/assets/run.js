// The run page in the browser: keys, undo and redo, the drawer of constraints, rows of the table that follow a live run.
(function () {
  function here() { return document.getElementById("run-keys-here"); }

  // Fields of text undo what is typed in them; a switch and a select have nothing of the kind.
  var OWN_HISTORY = "input:not([type=checkbox], [type=radio], [readonly]), textarea, [contenteditable]";
  function undo() { window.paretoscopeFront.undo(); }
  function redo() { window.paretoscopeFront.redo(); }

  // -- following a live run ----------------------------------------------------------------------------------------
  // Outside of Dash's callbacks: one that polls would hold back the clicks that come after it.
  // The picture of the front is extended by every poll (front.js); everything else follows more slowly.
  // A picture that cannot be extended (3-D, matrix, parallel axes, colours) comes whole, some hundred kilobytes for thousands of
  // designs, and is drawn for tenths of a second: every three seconds leave the reader time to look and turn it.
  var ASK_EVERY_MS = 1000, HIDDEN_EVERY_MS = 10000, DESIGNS_EVERY_MS = 3000, DESIGNS_WHERE_EXTENDED_MS = 60000;
  var STATUS_EVERY_MS = 3000, STATUS_WHERE_EXTENDED_MS = 20000, NEW_FOR_MS = 3000, AFTER_END_MS = 4000, GIVE_UP_MS = 15000;
  var HOLD_AT_MOST_MS = 10000, FIGURES_AFTER_MS = 300, RESULTS_EVERY_MS = 3000, DATA_EVERY_MS = 10000;
  var queue = "", statusAt = 0, resultsAt = 0, resultsOf = "", figuresOf = "", figuresTimer = 0;
  var shown = null, designsAt = 0, designsTook = 0, heldSince = 0, endedAt = 0, askedAt = 0, asking = false;

  // While callbacks are under way, a click among them, nothing new is begun: a slow server would never catch up.
  function busy(now) {
    if (!document.querySelector('[data-dash-is-loading="true"]')) {
      if (designsAt && !designsTook) { designsTook = now - designsAt; }
      heldSince = 0;
      return false;
    }
    heldSince = heldSince || now;
    return now - heldSince < HOLD_AT_MOST_MS;
  }

  function same(one, other) {
    var names = Object.keys(Object.assign({}, one, other));
    return names.every(function (name) { return (one || {})[name] === (other || {})[name]; });
  }

  // The button that has the focus has it afterwards, too. Of more windows than the card is wide for, the chosen one is in view.
  function replaced(place, text) {
    var focused = place.contains(document.activeElement) && document.activeElement.id;
    place.innerHTML = text;
    place.shownText = text;
    if (focused && document.getElementById(focused)) { document.getElementById(focused).focus({ preventScroll: true }); }
    var chosen = place.querySelector(".win.on");
    if (chosen) { chosen.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  }

  // Evaluations and bar move with every poll.
  function progress(state) {
    var box = document.querySelector("#run-progress .run-progress"), words = box && box.querySelector(".evaluations");
    if (!box || !state.active || !state.status) { return; }
    var count = String(state.status.evaluations).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
    if (words && words.firstChild) { words.firstChild.nodeValue = words.textContent.replace(/^[\d\u2009]+/, count); }
    var bar = box.querySelector(".bar > div");
    if (bar) { bar.style.width = 100 * state.status.fraction + "%"; }
  }

  // What the engine itself reports is asked for with its steps, on the tab that shows it.
  function drawResults() {
    if (document.querySelector(".panel-convergence:not([hidden])")) {
      window.dash_clientside.set_props("run-curve-turn", { data: Date.now() });
    } else if (document.querySelector(".panel-overview:not([hidden]) :is(.without-designs, .own-below)")) {
      window.dash_clientside.set_props("run-own-turn", { data: Date.now() });
    } else if (dataOfRunAlone()) {
      window.dash_clientside.set_props("run-panel-turn", { data: Date.now() });
    }
  }

  // What stands below the cards comes when the cards are there, and who steps along the front waits for none of it.
  function drawFigures(of) {
    figuresOf = figuresOf === "run" ? "run" : of;
    clearTimeout(figuresTimer);
    figuresTimer = setTimeout(function () {
      if (!here()) { return; }
      if (busy(Date.now())) { drawFigures(of); return; }
      window.dash_clientside.set_props("run-figures-turn", { data: figuresOf + " " + Date.now() });
      figuresOf = "";
    }, FIGURES_AFTER_MS);
  }

  // Without designs the tab of data shows only what the engine reports; all of its tables and pictures come again, so it has a slower beat.
  function dataOfRunAlone() { return !shown.data.count && document.querySelector(".panel-data:not([hidden])") !== null; }

  function results(state, now) {
    var of = state.attempt + " " + (state.status || {}).step + " " + state.active;
    if (of === resultsOf || (state.active && now - resultsAt < (dataOfRunAlone() ? DATA_EVERY_MS : RESULTS_EVERY_MS))) { return; }
    resultsOf = of;
    resultsAt = now;
    drawResults();
  }

  function take(state) {
    var set = window.dash_clientside.set_props, now = Date.now(), data = shown.data, changed = !same(state.stage, shown.stage);
    var extended = window.paretoscopeFront.extend(state);
    progress(state);
    if (busy(now) && !changed) { return; }
    if (changed) { set("run-stage", { data: state.stage }); }
    if (state.queue && state.queue !== queue && !changed) {
      set("run-queue", { data: state.queue });
      set("workers-tick", { n_intervals: now });  // the count of workers above is then as old as these words
    }
    queue = state.queue || "";
    results(state, now);
    if (!same(state.status, shown.status) && (changed || !state.active || now - statusAt >= (extended ? STATUS_WHERE_EXTENDED_MS : STATUS_EVERY_MS))) {
      statusAt = now;
      set("run-status", { data: state.status });
    }
    var ended = !state.active && data.live, moved = state.count !== data.count || state.attempt !== data.attempt;
    if (ended) {
      endedAt = now;
      document.dispatchEvent(new CustomEvent("paretoscope-run-ended", { detail: { run: shown.run, status: state.stage.status } }));
    }
    // Half of the time at least is left for anyone who looks at the designs.
    if (ended || (moved && now - designsAt >= Math.max(extended ? DESIGNS_WHERE_EXTENDED_MS : DESIGNS_EVERY_MS, 4 * designsTook))) {
      designsAt = now;
      designsTook = 0;
      set("run-data", { data: { count: state.count, attempt: state.attempt, live: state.active, seen: state.active && !extended ? data.count : null } });
    } else if (data.seen !== null && data.seen !== undefined && now - designsAt > NEW_FOR_MS) {
      // New designs are marked for three seconds, then they are designs like the others.
      set("run-data", { data: Object.assign({}, data, { seen: null }) });
    }
  }

  // A run that is being imported has nothing to show before it is whole; then the page is opened again, also where it was given up.
  function imported() { return shown !== null && (shown.stage || {}).status === "importing"; }

  function takeImported(state) {
    if (!state || state.stage.status !== "importing") {
      location.reload();
    } else if (!same(state.status, shown.status)) {
      window.dash_clientside.set_props("run-status", { data: state.status });
      window.dash_clientside.set_props("run-stage", { data: state.stage });
    }
  }

  function ask() {
    // The last lines of the log are stored a moment after the end.
    var live = shown && here() && (shown.data.live || imported() || Date.now() - endedAt < AFTER_END_MS);
    // Nobody sees a hidden tab; it asks at once when it is seen again.
    if (!live || asking || (document.hidden && Date.now() - askedAt < HIDDEN_EVERY_MS)) { return; }
    var run = shown.run;
    asking = true;
    askedAt = Date.now();
    fetch(paretoscopeSite.at("/_dash-run-state/") + run + window.paretoscopeFront.question(shown), { signal: AbortSignal.timeout(GIVE_UP_MS) })
      .then(function (answer) {
        if (answer.status === 404 && shown && shown.run === run && here() && imported()) { takeImported(null); }
        return answer.ok ? answer.json() : null;
      })
      .then(function (state) {
        if (!state || !shown || shown.run !== run || !here()) { return; }
        if (imported()) { takeImported(state); } else { take(state); }
      })
      .catch(function () { /* the strip of connection.js tells */ })
      .finally(function () { asking = false; });
  }
  setInterval(ask, ASK_EVERY_MS);
  document.addEventListener("visibilitychange", function () { if (!document.hidden) { ask(); } });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    run: {
      // What the page shows of its run, to compare with what the server answers.
      follow: function (run, status, stage, data) {
        if (!shown || shown.run !== run) { designsAt = 0; designsTook = 0; endedAt = 0; resultsOf = ""; }
        shown = { run: run, status: status, stage: stage, data: data };
        var overview = document.getElementById("run-overview");
        if (overview) { overview.classList.toggle("without-designs", !data.count); }
        return window.dash_clientside.no_update;
      },

      // The open panel is drawn again when something that it shows has changed.
      panelOpened: function (tab) {
        // The layout brings these two; the first may have been hidden while the run reported more.
        if (tab === "overview" || tab === "designs") {
          if (tab === "overview" && resultsOf) { drawResults(); }
          if (tab === "overview") { drawFigures("run"); }
          return window.dash_clientside.no_update;
        }
        window.dash_clientside.set_props("run-panel-turn", { data: Date.now() });
        return window.dash_clientside.no_update;
      },
      panelChanged: function (_selection, data, _status, _pin, tab) {
        var changed = window.dash_clientside.callback_context.triggered.map(function (each) { return each.prop_id.split(".")[0]; });
        var causes = {
          schedule: ["run-selection"], why: ["run-selection", "run-pin"], "what-if": ["run-selection"], grid: ["run-selection"], difference: ["run-selection", "run-pin"], log: ["run-status"],
          data: data && data.live ? ["run-selection"] : ["run-selection", "run-data"]
        };
        var wanted = causes[tab] || [];
        if (tab === "overview" && changed.some(function (id) { return id === "run-selection" || (id === "run-data" && !data.live); })) {
          drawFigures(changed.indexOf("run-data") >= 0 ? "run" : "design");
        }
        if (changed.some(function (id) { return wanted.indexOf(id) >= 0; })) {
          window.dash_clientside.set_props("run-panel-turn", { data: Date.now() });
        }
        return window.dash_clientside.no_update;
      },

      // The pinned design stands in the address, so that a difference can be sent to somebody.
      pinAddress: function (pin) {
        var query = new URLSearchParams(location.search);
        if (paretoscopeSite.path().indexOf("/runs/") !== 0) { return window.dash_clientside.no_update; }
        if (pin === null || pin === undefined) { query.delete("pin"); } else { query.set("pin", pin); }
        var text = query.toString();
        history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
        return window.dash_clientside.no_update;
      },

      // So do the scale of the convergence and the lanes of the schedule.
      viewAddress: function (scale, classes, ids) {
        if (paretoscopeSite.path().indexOf("/runs/") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search), on = classes.indexOf("on"), lanes = on < 0 ? "chiplets" : ids[on].value;
        if (scale === "linear") { query.set("scale", scale); } else { query.delete("scale"); }
        if (lanes === "models") { query.set("lanes", lanes); } else { query.delete("lanes"); }
        var text = query.toString();
        history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
        return window.dash_clientside.no_update;
      },

      // Words about the selected design, or the short list: as Dash's components each of them would slow every pick.
      showWords: function (words) {
        Object.keys((words || {}).html || {}).forEach(function (id) {
          var place = document.getElementById(id), text = words.html[id];
          // What stays the same stays in the document, so that it keeps the focus.
          if (place && place.shownText !== text) { replaced(place, text); }
        });
        Object.keys((words || {}).attributes || {}).forEach(function (id) {
          var place = document.getElementById(id), values = words.attributes[id];
          if (place) { Object.keys(values).forEach(function (name) { place.setAttribute(name, values[name]); }); }
        });
        if ("run-short-list" in ((words || {}).html || {})) { window.paretoscopeFront.marked(); }
        if ((words || {}).of) { window.paretoscopePick.check(words.of); }
        return window.dash_clientside.no_update;
      },

      // The open table asks again for the rows in view.
      aboutDesign: function (clicks, selection) {
        var number = selection && selection.design;
        if (!clicks || typeof number !== "number") { return window.dash_clientside.no_update; }
        var field = document.querySelector(".notes-new textarea");
        if (field) { setTimeout(function () { field.focus(); }, 300); }  // once its tab is there
        return number;
      },

      refreshTable: function (data, tab) {
        var grids = window.dash_ag_grid, shown = tab === "designs" && document.getElementById("run-table");
        var api = shown && grids && grids.getApi("run-table");
        if (api && !api.isDestroyed()) { api.refreshInfiniteCache(); }
        return window.dash_clientside.no_update;
      }
    }
  });

  // -- keys --------------------------------------------------------------------------------------------------------
  document.addEventListener("keydown", function (event) {
    if (!here() || !event.target.closest || event.altKey) { return; }
    var history = event.ctrlKey || event.metaKey ? { z: event.shiftKey ? redo : undo, y: redo }[event.key.toLowerCase()] : null;
    if (history) {
      if (event.target.closest(OWN_HISTORY)) { return; }
      event.preventDefault();
      history();
      return;
    }
    if (event.ctrlKey || event.metaKey) { return; }
    if (event.key === "Escape" && closeDrawer()) { return; }
    if (event.target.closest("input, textarea, select, [role=slider], [role=combobox], [role=listbox], [role=menu], .ag-root, [contenteditable]")) { return; }
    var known = { ArrowLeft: "back", ArrowRight: "next", "[": "window-back", "]": "window-next", Escape: "clear", Enter: "pin" };
    if (event.key === "Enter" && event.target.closest("button, a, summary, [role=tab]")) { return; }
    var what = known[event.key];
    if (!what) { return; }
    event.preventDefault();
    if (window.paretoscopeFront.step(what, event.shiftKey)) { return; }
    window.dash_clientside.set_props("run-keys", { data: { what: what, far: event.shiftKey, at: Date.now() } });
  });

  // -- back --------------------------------------------------------------------------------------------------------
  // Within a run Back leads to the tab before, as if it were clicked; the page itself stays.
  window.addEventListener("popstate", function (event) {
    if (!here() || !shown || paretoscopeSite.path() !== "/runs/" + shown.run) { return; }
    var tab = new URLSearchParams(location.search).get("tab") || "overview";
    var button = document.getElementById(JSON.stringify({ name: tab, place: "bar", type: "run-tab" }));
    if (!button) { return; }
    event.stopImmediatePropagation();
    if (button.getAttribute("aria-selected") !== "true") { button.click(); }
  });

  // -- drawer ------------------------------------------------------------------------------------------------------
  function rail() { return document.querySelector(".run-rail"); }
  function opener() { return document.querySelector("[data-open-rail]"); }

  function openDrawer() {
    rail().classList.add("open");
    opener().setAttribute("aria-expanded", "true");
    rail().querySelector("[data-close-rail]").focus();
  }
  function closeDrawer() {
    if (!rail() || !rail().classList.contains("open")) { return false; }
    rail().classList.remove("open");
    opener().setAttribute("aria-expanded", "false");
    opener().focus();
    return true;
  }

  document.addEventListener("click", function (event) {
    if (!here() || !event.target.closest) { return; }
    if (event.target.closest("[data-undo]")) { undo(); return; }
    var shownWindow = event.target.closest(".run-windows .win");
    var alike = event.target.closest("#run-short-list [data-design]"), row = event.target.closest("#run-short-list tr[id]");
    if (alike) { window.paretoscopeFront.choose(Number(alike.getAttribute("data-design"))); return; }
    if (row) { window.paretoscopeFront.choose(JSON.parse(row.id).number); return; }
    if (shownWindow) { window.paretoscopeFront.showWindow(JSON.parse(shownWindow.id).index); return; }
    if (event.target.closest("[data-open-rail]")) { openDrawer(); return; }
    // The list of a select is drawn outside of the drawer that it belongs to.
    var inside = event.target.closest(".run-rail, [role=listbox]");
    if (event.target.closest("[data-close-rail]") || !inside) { closeDrawer(); }
  });
})();
