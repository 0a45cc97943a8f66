// The front of the run page in the browser: choices, limits, lasso, selection, address, undo.
(function () {
  var SLIDE_EVERY_MS = 100, MOST_CORNERS = 60;
  var nothing = function () { return window.dash_clientside.no_update; };
  var order = [], place = {}, now = {}, opened = {}, waiting = null, lastSlide = 0, wanted = null;

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
  // Shows what the history holds.
  function bring(step) {
    var value = step && step.value;
    if (!step) { return; }
    if (step.kind === "selection") { set("run-selection", value); return; }
    if (step.kind === "choices") { set("run-undo-choices", value); return; }
    if (!same(value.region, step.before.region)) { set("run-region", value.region); }
    if (!same(value.limits, step.before.limits)) { set("run-undo", { limits: value.limits, at: Date.now() }); }
  }
  function undo() { bring(window.paretoscopeHistory.undo()); }
  function redo() { bring(window.paretoscopeHistory.redo()); }

  // -- address -----------------------------------------------------------------------------------------------------
  function digits(value) { return String(Number(Number(value).toPrecision(6))); }
  function pairs(values, between) {
    // To the last digit: a rounded limit would leave out the design that it was set by.
    return Object.keys(values).map(function (name) { return name + between + String(Number(values[name])); }).join(",");
  }

  function address(selection, tab, choices, limits, region, ranking) {
    if (!selection || paretoscopeSite.path().indexOf("/runs/") !== 0) { return; }
    var query = new URLSearchParams(location.search), shownTab = query.get("tab");
    function put(name, value, usual) {
      if (value === null || value === undefined || value === "" || value === usual) { query.delete(name); } else { query.set(name, value); }
    }
    put("design", selection.follow ? null : selection.design);
    put("window", selection.window ? selection.window + 1 : null);
    put("tab", tab, "overview");
    var usual = place.usual;
    ["view", "x", "y", "z", "colour", "size", "log"].forEach(function (name) {
      put(name, choices[name], usual[name]);
    });
    put("hide", (choices.hidden || []).join(","));
    put("limits", pairs(limits || {}, ":"));
    put("lasso", region && region.points ? region.x + "," + region.y + ":" + region.points.map(function (point) { return point.map(digits).join(","); }).join(",") : "");
    var values = pairs(ranking.values || {}, "=");
    put("rank", ranking.by + (values ? ":" + values : ""), place.by);
    var text = query.toString(), other = opened.path === location.pathname && opened.tab !== tab && (shownTab || "overview") !== tab;
    opened = { path: location.pathname, tab: tab };
    // Another tab is a step that Back takes back; finer changes are not.
    history[other ? "pushState" : "replaceState"](history.state, "", location.pathname + (text ? "?" + text : ""));
  }

  // -- selection ---------------------------------------------------------------------------------------------------
  function mark(number) {
    document.querySelectorAll("#run-short-list tr").forEach(function (row) {
      row.classList.toggle("sel", row.title.replace("Design ", "").split(", ").indexOf(String(number)) >= 0);
    });
  }

  // The server works on the pictures while Dash passes the selection on.
  function select(change) {
    var selection = Object.assign({}, now.selection, change);
    window.paretoscopePick.pick(selection);
    set("run-selection", selection);
  }

  // Steps along the front are taken here; true where the step is done.
  function step(what, far) {
    if (what !== "next" && what !== "back") { return false; }
    var at = now.selection ? order.indexOf(now.selection.design) : -1;
    if (at < 0) { return false; }
    var to = Math.min(Math.max(at + (what === "next" ? 1 : -1) * (far ? 10 : 1), 0), order.length - 1);
    if (to === at) { return true; }
    select({ design: order[to], follow: false });
    // Who takes one step takes another like it.
    var next = order[to + to - at];
    window.paretoscopePick.expect(next === undefined ? null : Object.assign({}, now.selection, { design: next, follow: false }));
    return true;
  }

  function choose(number) {
    if (now.selection) { select({ design: number, follow: false }); }
  }

  function showWindow(index) {
    if (now.selection && now.selection.window !== index) { select({ window: index }); }
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

  // -- a live run --------------------------------------------------------------------------------------------------
  // Designs that arrive are painted on a canvas over the picture, which costs a few milliseconds. Plotly, which takes a
  // hundred times as long for one more point, gets them together every few seconds; from then on they can be hovered.
  // Of a server's work for a poll most is what comes with the designs: they are asked for with every second one, progress with each.
  // Key figures, short list and the best design come together and tell of the same designs. Where the pictures of the best design
  // follow it, all of them, they come no faster: who reads them needs a moment, and they cost a poll tenfold.
  var FRESH_MS = 3000, POINTS_EVERY_MS = 1800, LISTS_EVERY_MS = 5000, BEST_EVERY_MS = 10000, SETTLE_EVERY_MS = 10000, MOST_ARRIVED = 3000, FEW_DRAWN = 17000, DOT_PX = 3;
  var listsAt = 0, listed = {}, arrived = fresh(null, -1);

  // `batches` are painted, `settled` is with Plotly; `asked` says whether the last poll asked for designs, `askedAt` when one did.
  function fresh(gd, base) {
    return { gd: gd, base: base, count: base, batches: [], settled: { x: [], y: [], numbers: [] }, front: null, settledAt: Date.now(), asked: false, askedAt: 0 };
  }
  function floats(text, factor) {
    var bytes = atob(text), data = new Uint8Array(bytes.length);
    for (var at = 0; at < bytes.length; at++) { data[at] = bytes.charCodeAt(at); }
    return Array.from(new Float32Array(data.buffer), function (value) { return value * factor; });
  }
  function places(sent, factor) { return { numbers: sent.numbers, x: floats(sent.x, factor.x), y: floats(sent.y, factor.y) }; }
  function traceAt(gd, test) { return gd.data.findIndex(test); }

  function extendable(live) {
    return live && now.tab === "overview" && now.choices && now.choices.view === "2d" && !now.choices.colour && !now.choices.size && graph();
  }

  // The query of a poll: empty where the picture cannot be extended, and between two that extend it.
  function question(shown) {
    var gd = extendable(shown.data.live), known = shown.data.count;
    if (!gd || !known || shown.data.attempt !== shown.stage.attempt) { return ""; }
    if (arrived.gd !== gd || arrived.base !== known) { arrived = fresh(gd, known); paint(); }
    arrived.asked = Date.now() - arrived.askedAt > POINTS_EVERY_MS;
    if (!arrived.asked) { return ""; }
    arrived.askedAt = Date.now();
    var query = new URLSearchParams(location.search), asked = new URLSearchParams();
    ["limits", "lasso", "rank"].forEach(function (name) { if (query.has(name)) { asked.set(name, query.get(name)); } });
    asked.set("after", arrived.count);
    asked.set("x", now.choices.x);
    asked.set("y", now.choices.y);
    if (Date.now() - listsAt > (now.selection && now.selection.follow ? BEST_EVERY_MS : LISTS_EVERY_MS)) {
      asked.set("lists", listed.attempt === shown.data.attempt ? Math.max(listed.count, known) : known);
    }
    if (now.selection && now.selection.design !== null) { asked.set("design", now.selection.design); }
    return "?" + asked.toString();
  }

  // Adds what a poll brought. True where the picture is kept up to date this way.
  function extend(state) {
    var gd = extendable(state.active), points = state.points;
    if (!gd || gd !== arrived.gd || state.attempt === undefined) { return false; }
    if (state.listed) { takeLists(state); }
    if (!points) { return !arrived.asked || state.count === arrived.count; }
    if (points.count <= arrived.count) { return true; }
    var time = Date.now(), factor = gd.layout.meta || { x: 1, y: 1 };
    arrived.count = points.count;
    arrived.batches.push(Object.assign({ at: time }, places(points, factor)));
    if (state.front) {
      arrived.front = places(state.front, factor);
      order = state.front.order;
    }
    counted(points.remain, points.count);
    if (time - arrived.settledAt > SETTLE_EVERY_MS) { settle(gd, time); } else { paint(); }
    return true;
  }

  // Callbacks that are asked meanwhile, by a limit or a key, tell of as many designs.
  function takeLists(state) {
    var selection = now.selection;
    listsAt = Date.now();
    listed = { attempt: state.attempt, count: state.listed };
    set("run-listed", listed);
    set("run-short-words", state.words);
    Object.keys(state.props).forEach(function (id) { window.dash_clientside.set_props(id, { children: state.props[id] }); });
    if (selection && selection.follow && state.best !== selection.design) {
      set("run-selection", Object.assign({}, selection, { design: state.best }));
    }
  }

  function spaced(number) { return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009"); }
  function counted(remain, count) {
    var number = document.querySelector("#run-remaining .remaining"), words = number && number.nextElementSibling;
    if (!words || !number.firstChild || !words.firstChild) { return; }
    number.firstChild.nodeValue = spaced(remain);
    words.firstChild.nodeValue = " of " + spaced(count) + (count === 1 ? " design" : " designs") + " so far";
  }

  // Hands to Plotly what was painted.
  function settle(gd, time) {
    var change = { x: [], y: [], customdata: [] }, traces = [], settled = arrived.settled;
    function put(at, part) {
      if (at < 0) { return; }
      change.x.push(part.x);
      change.y.push(part.y);
      change.customdata.push(part.numbers);
      traces.push(at);
    }
    arrived.batches.forEach(function (batch) {
      ["x", "y", "numbers"].forEach(function (name) { settled[name] = settled[name].concat(batch[name]); });
    });
    arrived.batches = [];
    arrived.settledAt = time;
    // As many as the picture has room for; the next whole picture has a sample of all.
    while (settled.x.length > Math.max(MOST_ARRIVED, FEW_DRAWN - arrived.base)) {
      ["x", "y", "numbers"].forEach(function (name) { settled[name] = settled[name].filter(function (_value, at) { return at % 2; }); });
    }
    put(traceAt(gd, function (trace) { return trace.meta === "arrived"; }), settled);
    if (arrived.front) { put(traceAt(gd, function (trace) { return trace.name === "front"; }), arrived.front); }
    arrived.front = null;
    window.Plotly.restyle(gd, change, traces).then(paint);
  }

  // The canvas over the plot: new designs in accent, fading after three seconds, and the front as it is now.
  function paint() {
    var gd = arrived.gd, full = gd && gd._fullLayout, holder = gd && gd.querySelector(".svg-container");
    if (!holder || !full || !full.xaxis) { return; }
    var canvas = holder.querySelector("canvas.arrivals"), x = full.xaxis, y = full.yaxis, ratio = window.devicePixelRatio || 1;
    if (!canvas) {
      canvas = document.createElement("canvas");
      canvas.className = "arrivals";
      holder.appendChild(canvas);
      gd.on("plotly_relayout", paint);
    }
    canvas.width = x._length * ratio;
    canvas.height = y._length * ratio;
    canvas.style.cssText = "left:" + x._offset + "px;top:" + y._offset + "px;width:" + x._length + "px;height:" + y._length + "px";
    var pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), time = Date.now();
    pen.scale(ratio, ratio);
    arrived.batches.forEach(function (batch) {
      var young = time - batch.at < FRESH_MS;
      pen.fillStyle = style.getPropertyValue(young ? "--p-accent" : "--p-dot");
      pen.globalAlpha = young ? 0.55 : 0.35;
      for (var at = 0; at < batch.x.length; at++) {
        pen.fillRect(x.d2p(batch.x[at]) - DOT_PX / 2, y.d2p(batch.y[at]) - DOT_PX / 2, DOT_PX, DOT_PX);
      }
    });
    if (arrived.front) { paintFront(pen, arrived.front, x, y, style); }
  }

  function paintFront(pen, front, x, y, style) {
    pen.globalAlpha = 1;
    pen.fillStyle = style.getPropertyValue("--p-surface");
    pen.strokeStyle = style.getPropertyValue("--p-accent");
    pen.lineWidth = 1.2;
    front.x.forEach(function (value, at) {
      pen.beginPath();
      pen.arc(x.d2p(value), y.d2p(front.y[at]), 2.4, 0, 7);
      pen.fill();
      pen.stroke();
    });
  }

  window.paretoscopeFront = { undo: undo, redo: redo, step: step, showWindow: showWindow, choose: choose, marked: function () { mark(now.selection && now.selection.design); }, question: question, extend: extend };
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    front: {
      // Every control's value belongs to the choices, which undo brings back together: then the controls follow.
      choose: function (values, shown, logs, clicks, undone, valueIds, shownIds, logIds, viewIds, boxIds, boxes, before) {
        var choices = Object.assign({}, before), changed = triggered(), back = changed.indexOf("run-undo-choices.data") >= 0 && undone.view;
        valueIds.forEach(function (id, at) { if (values[at] !== null && values[at] !== undefined) { choices[id.name] = values[at]; } });
        choices.hidden = shownIds.filter(function (_id, at) { return shown[at] === false; }).map(function (id) { return id.name; });
        choices.log = logIds.filter(function (_id, at) { return logs[at]; }).map(function (id) { return id.name; }).join("");
        changed.forEach(function (prop) {
          if (prop.indexOf("run-front-view") >= 0 && clicks.some(Boolean)) { choices.view = JSON.parse(prop.slice(0, prop.lastIndexOf("."))).value; }
        });
        if (back) { choices = undone; }
        if (same(choices, before)) { return [nothing()].concat([viewIds, boxIds, valueIds, shownIds, logIds].map(function (ids) { return ids.map(nothing); })); }
        var hides = { axes: choices.view === "matrix" || choices.view === "parallel", lasso: choices.view !== "2d" };
        return [
          choices,
          viewIds.map(function (id) { return String(id.value === choices.view); }),
          boxIds.map(function (id, at) { return id.name in hides ? hides[id.name] : boxes[at]; }),
          valueIds.map(function (id) { return back ? choices[id.name] : nothing(); }),
          shownIds.map(function (id) { return back ? choices.hidden.indexOf(id.name) < 0 : nothing(); }),
          logIds.map(function (id) { return back ? choices.log.indexOf(id.name) >= 0 : nothing(); })
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

      followed: function (answer, selection) {
        var held = answer.on && ["design", "window", "follow"].every(function (name) { return answer.on[name] === selection[name]; });
        return held ? answer.selection : nothing();
      },

      select: function (click, _rows, cell, selection) {
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
          chosen.design = JSON.parse(id).number;
          chosen.follow = false;
        }
        if (same(chosen, selection)) { return nothing(); }
        window.paretoscopePick.pick(chosen);
        return chosen;
      },

      changed: function (selection, tab, choices, limits, region, ranking, front, run) {
        if (place.run !== run) {
          place = { run: run, usual: usualOf(choices), by: usualBy(ranking) };
          listed = {};
          listsAt = 0;
        } else if (selection && !same(selection, now.selection)) {
          window.paretoscopePick.pick(selection);
        }
        now = { selection: selection, limits: limits, region: region, tab: tab, choices: choices };
        completeAll();
        order = front || [];
        window.paretoscopeHistory.remember(run, { choices: choices, filters: { limits: limits || {}, region: region || {} }, selection: selection || null });
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

  // -- links that take the picked design along ---------------------------------------------------------------------
  // The browser completes the address, for what draws the header knows nothing of the selection: with every design that is picked,
  // and whenever a link is about to be used, as the header may have been drawn again. Within the explorer as Dash's own links, which
  // know their first address alone; with a key that asks for another tab as any link.
  function complete(link) {
    var picked = now.selection, wanted = new URL(link.href);
    if (picked && !picked.follow && typeof picked.design === "number") {
      wanted.searchParams.set("designs", String(picked.design));
    } else { wanted.searchParams.delete("designs"); }
    if (link.href !== wanted.href) { link.href = wanted.href; }
    return wanted;
  }
  function completeAll() { document.querySelectorAll("[data-with-design] a").forEach(complete); }
  ["pointerover", "focusin"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var link = event.target.closest && event.target.closest("[data-with-design] a");
      if (link) { complete(link); }
    }, true);
  });
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("[data-with-design] a");
    if (!link) { return; }
    var wanted = complete(link);
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button || !wanted.searchParams.has("designs")) { return; }
    event.preventDefault();
    event.stopPropagation();
    window.history.pushState({}, "", wanted.pathname + wanted.search);
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
    window.scrollTo(0, 0);
  }, true);

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
