// The front of the run page in the browser: choices, limits, lasso, selection, address, undo.
(function () {
  var SLIDE_EVERY_MS = 100, ONE_DRAG_MS = 800, MOST_STEPS = 50, MOST_CORNERS = 60;
  var nothing = function () { return window.dash_clientside.no_update; };
  var order = [], place = {}, now = {}, waiting = null, lastSlide = 0, wanted = null;
  var past = { run: null, steps: [], filters: "{}", selection: "null", at: 0 };

  function set(id, data) { window.dash_clientside.set_props(id, { data: data }); }
  function triggered() { return window.dash_clientside.callback_context.triggered.map(function (each) { return each.prop_id; }); }
  function same(one, other) { return JSON.stringify(one) === JSON.stringify(other); }
  function graph() { return document.querySelector("#run-front .js-plotly-plot"); }

  // -- limits ------------------------------------------------------------------------------------------------------
  // Where the histogram's bars turn pale, at once; the picture follows.
  function cut(id, value, low, high) {
    var bars = document.getElementById(JSON.stringify({ name: id.name, type: "run-histogram" }));
    if (bars) { bars.style.setProperty("--cut", (100 * (value - low) / (high - low)).toFixed(1) + "%"); }
  }

  function slide() {
    lastSlide = Date.now();
    waiting = null;
    if (wanted && document.getElementById("run-keys-here") && !same(wanted, now.limits || {})) { set("run-limits", wanted); }
  }

  // -- undo --------------------------------------------------------------------------------------------------------
  function push(kind, text) {
    past.steps.push({ kind: kind, text: text });
    if (past.steps.length > MOST_STEPS) { past.steps.shift(); }
  }

  // A selection that follows the best design is not the reader's doing.
  function byReader(before, after) {
    return before && after && !(before.follow && after.follow && before.window === after.window);
  }

  function remember(limits, region, selection, run) {
    var time = Date.now(), filters = JSON.stringify({ limits: limits || {}, region: region || {} });
    var selectionText = JSON.stringify(selection || null);
    if (past.run !== run) {
      past = { run: run, steps: [], filters: filters, selection: selectionText, at: 0 };
      return;
    }
    if (filters !== past.filters) {
      if (time - past.at > ONE_DRAG_MS) { push("filters", past.filters); }
      past.filters = filters;
      past.at = time;
    }
    if (selectionText !== past.selection) {
      if (byReader(JSON.parse(past.selection), selection)) { push("selection", past.selection); }
      past.selection = selectionText;
    }
  }

  function undo() {
    var step = past.steps.pop(), value;
    if (!step) { return; }
    // Kept first, so that the change that follows is not taken for one of the reader's.
    past[step.kind] = step.text;
    past.at = 0;
    value = JSON.parse(step.text);
    if (step.kind === "selection") { set("run-selection", value); return; }
    if (!same(value.region, now.region || {})) { set("run-region", value.region); }
    if (!same(value.limits, now.limits || {})) { set("run-undo", { limits: value.limits, at: Date.now() }); }
  }

  // -- address -----------------------------------------------------------------------------------------------------
  function digits(value) { return String(Number(Number(value).toPrecision(6))); }
  function pairs(values, between) {
    return Object.keys(values).map(function (name) { return name + between + digits(values[name]); }).join(",");
  }

  function address(selection, tab, choices, limits, region, ranking) {
    if (!selection || location.pathname.indexOf("/runs/") !== 0) { return; }
    var query = new URLSearchParams(location.search);
    function put(name, value, usual) {
      if (value === null || value === undefined || value === "" || value === usual) { query.delete(name); } else { query.set(name, value); }
    }
    put("design", selection.follow ? null : selection.design);
    put("window", selection.window ? selection.window + 1 : null);
    put("tab", tab, "overview");
    var usual = place.usual;
    ["view", "x", "y", "z", "colour", "size", "log"].forEach(function (name) {
      // A view or an axis that the address names stays in it, though it may be the usual one.
      put(name, choices[name], query.has(name) ? undefined : usual[name]);
    });
    put("hide", (choices.hidden || []).join(","));
    put("limits", pairs(limits || {}, ":"));
    put("lasso", region && region.points ? region.x + "," + region.y + ":" + region.points.map(function (point) { return point.map(digits).join(","); }).join(",") : "");
    var values = pairs(ranking.values || {}, "=");
    put("rank", ranking.by + (values ? ":" + values : ""), place.by);
    var text = query.toString();
    history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
  }

  // -- selection ---------------------------------------------------------------------------------------------------
  function mark(number) {
    document.querySelectorAll("#run-short-list tr").forEach(function (row) {
      row.classList.toggle("sel", row.title === "Design " + number);
    });
  }

  // Steps along the front are taken here; true where the step is done.
  function step(what, far) {
    if (what !== "next" && what !== "back") { return false; }
    var at = now.selection ? order.indexOf(now.selection.design) : -1;
    if (at < 0) { return false; }
    var to = Math.min(Math.max(at + (what === "next" ? 1 : -1) * (far ? 10 : 1), 0), order.length - 1);
    if (to !== at) { set("run-selection", Object.assign({}, now.selection, { design: order[to], follow: false })); }
    return true;
  }

  // A polygon of a few corners says as much as one of hundreds.
  function thinned(points) {
    var every = Math.ceil(points.length / MOST_CORNERS);
    return points.filter(function (_point, at) { return at % every === 0; });
  }

  // What a lasso or a box holds, in the stored units of the axes.
  function polygon(selected) {
    var shape = selected && (selected.lassoPoints || selected.range), factor = graph() && graph().layout.meta;
    if (!shape || !shape.x || !factor) { return null; }
    var xs = shape.x, ys = shape.y;
    if (!selected.lassoPoints) { xs = [xs[0], xs[1], xs[1], xs[0]]; ys = [ys[0], ys[0], ys[1], ys[1]]; }
    return thinned(xs.map(function (x, at) { return [x / factor.x, ys[at] / factor.y]; }));
  }

  window.paretoscopeFront = { undo: undo, step: step };
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    front: {
      choose: function (values, shown, logs, clicks, valueIds, shownIds, logIds, viewIds, boxIds, boxes, before) {
        var choices = Object.assign({}, before), changed = triggered();
        valueIds.forEach(function (id, at) { if (values[at] !== null && values[at] !== undefined) { choices[id.name] = values[at]; } });
        choices.hidden = shownIds.filter(function (_id, at) { return shown[at] === false; }).map(function (id) { return id.name; });
        choices.log = logIds.filter(function (_id, at) { return logs[at]; }).map(function (id) { return id.name; }).join("");
        changed.forEach(function (prop) {
          if (prop.indexOf("run-front-view") >= 0 && clicks.some(Boolean)) { choices.view = JSON.parse(prop.slice(0, prop.lastIndexOf("."))).value; }
        });
        if (same(choices, before)) { return [nothing(), viewIds.map(nothing), boxIds.map(nothing)]; }
        var hides = { axes: choices.view === "matrix" || choices.view === "parallel", lasso: choices.view !== "2d" };
        return [
          choices,
          viewIds.map(function (id) { return String(id.value === choices.view); }),
          boxIds.map(function (id, at) { return id.name in hides ? hides[id.name] : boxes[at]; })
        ];
      },

      slide: function (values, lows, highs, ids) {
        wanted = {};
        values.forEach(function (value, at) {
          cut(ids[at], value, lows[at], highs[at]);
          if (ids[at].end === "upper" ? value < highs[at] : value > lows[at]) { wanted[ids[at].name] = value; }
        });
        // Limits that have no slider came with the address and stay.
        Object.keys(now.limits || {}).forEach(function (name) {
          if (!ids.some(function (id) { return id.name === name; })) { wanted[name] = now.limits[name]; }
        });
        if (!waiting) { waiting = setTimeout(slide, Math.max(0, SLIDE_EVERY_MS - (Date.now() - lastSlide))); }
        return nothing();
      },

      lasso: function (selected, _clear, _reset, choices, before) {
        var cause = triggered()[0] || "";
        if (cause.indexOf("selectedData") < 0) {
          var real = window.dash_clientside.callback_context.triggered.some(function (each) { return each.value; });
          return real && before && before.points ? {} : nothing();
        }
        var points = polygon(selected);
        if (!points || points.length < 3) { return nothing(); }
        drawing(false);
        return { x: choices.x, y: choices.y, points: points };
      },

      select: function (click, _rows, _windows, cell, selection) {
        var cause = window.dash_clientside.callback_context.triggered.filter(function (each) { return each.value; })[0];
        if (!cause) { return nothing(); }
        var id = cause.prop_id.slice(0, cause.prop_id.lastIndexOf(".")), chosen = Object.assign({}, selection);
        if (id === "run-front") {
          var number = ((click && click.points) || [{}])[0].customdata;
          if (typeof number !== "number") { return nothing(); }
          chosen.design = number;
          chosen.follow = false;
        } else if (id === "run-table") {
          if (!cell || !/^\d+$/.test(String(cell.rowId))) { return nothing(); }
          chosen.design = Number(cell.rowId);
          chosen.follow = false;
        } else {
          var key = JSON.parse(id);
          if ("index" in key) { chosen.window = key.index; } else { chosen.design = key.number; chosen.follow = false; }
        }
        return same(chosen, selection) ? nothing() : chosen;
      },

      changed: function (selection, tab, choices, limits, region, ranking, _list, front, run) {
        if (place.run !== run) { place = { run: run, usual: usualOf(choices), by: usualBy(ranking) }; }
        now = { selection: selection, limits: limits, region: region };
        order = front || [];
        remember(limits, region, selection, run);
        address(selection, tab, choices, limits, region, ranking || {});
        mark(selection && selection.design);
        return nothing();
      }
    }
  });

  // What the page opened with is usual, but for what the address asked for: that has to stay in it.
  function usualOf(choices) {
    var query = new URLSearchParams(location.search), usual = {};
    Object.keys(choices).forEach(function (name) { if (!query.has(name)) { usual[name] = choices[name]; } });
    return usual;
  }
  function usualBy(ranking) { return new URLSearchParams(location.search).has("rank") ? null : ranking && ranking.by; }

  // -- lasso -------------------------------------------------------------------------------------------------------
  function drawing(on) {
    var button = document.querySelector("[data-lasso]");
    if (!graph() || !button) { return; }
    button.setAttribute("aria-pressed", String(on));
    button.classList.toggle("on", on);
    window.Plotly.relayout(graph(), { dragmode: on ? "lasso" : "zoom", selections: [] });
  }
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-lasso]");
    if (button) { drawing(button.getAttribute("aria-pressed") !== "true"); }
  });
})();
