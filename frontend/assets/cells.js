// Cells of the AG Grid tables. Values come from the server; nothing here is evaluated from text.
window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {};
(function (cells) {
  function h() { return window.React.createElement.apply(null, arguments); }

  // A name in two halves, cut in the middle where two lines are too short for it: its end tells it from its neighbours. As
  // `frontend/components/name.py`.
  window.paretoscopeName = function (text) {
    text = String(text === null || text === undefined ? "" : text);
    var middle = text.length / 2, best = -1, breaks = /[\s,/_\-·]+/g, found;
    while ((found = breaks.exec(text))) {
      var at = found.index + found[0].length;
      if (at < text.length && (best < 0 || Math.abs(at - middle) < Math.abs(best - middle))) { best = at; }
    }
    if (text.length < 12 || best < 0) { return h("span", { className: "cut-name", title: text }, h("span", { className: "cut-head" }, text)); }
    return h("span", { className: "cut-name", title: text },
      h("span", { className: "cut-head" }, text.slice(0, best)), h("span", { className: "cut-tail" }, h("bdi", null, text.slice(best))));
  };

  // A line through the values from left to right with a dot at the last one.
  cells.Sparkline = function (props) {
    var values = props.value || [], width = 90, height = 22, margin = 3;
    if (values.length < 1) { return h("span", { className: "t3" }, "–"); }
    var low = Math.min.apply(null, values), high = Math.max.apply(null, values), span = high - low;
    var x = function (i) { return margin + (width - 2 * margin) * (values.length > 1 ? i / (values.length - 1) : 1); };
    var y = function (v) { return height - margin - (height - 2 * margin) * (span ? (v - low) / span : 0.5); };
    var points = values.map(function (v, i) { return x(i).toFixed(1) + "," + y(v).toFixed(1); }).join(" ");
    var colour = props.data.kind === "acc" ? "var(--p-accent)" : "var(--p-text2)", last = values.length - 1;
    return h("svg", { width: width, height: height, role: "img", "aria-label": "Hypervolume over the run", style: { verticalAlign: "middle" } },
      h("polyline", { points: points, fill: "none", stroke: colour, strokeWidth: 1.4, strokeLinejoin: "round" }),
      h("circle", { cx: x(last), cy: y(values[last]), r: 2, fill: colour }));
  };

  // The star of the person, the first tag and how many more there are, or how many in all where room is scarce; nothing where a row
  // has neither.
  window.paretoscopeMarks = function (data) {
    var tags = data.tags || [], parts = [];
    if (data.star) { parts.push(h("span", { key: "star", className: "star-mark i i-star-filled s", role: "img", "aria-label": "Star" })); }
    if (tags.length) { parts.push(h("span", { key: "tag", className: "chip line tag", title: tags.join(", ") }, tags[0])); }
    if (tags.length > 1) { parts.push(h("span", { key: "more", className: "xs t3 num more-tags", title: tags.join(", ") }, "+" + (tags.length - 1))); }
    if (tags.length) {
      parts.push(h("span", { key: "count", className: "xs t3 num tag-count", title: tags.join(", "), role: "img", "aria-label": "Tags: " + tags.join(", ") },
        h("span", { className: "i i-tag s", "aria-hidden": true }), tags.length));
    }
    return parts.length ? h("span", { className: "row g4 row-marks" }, parts) : null;
  };

  // Leads to the page; a plain click is the row's.
  window.paretoscopeRowLink = function (href, parts) {
    var follow = function (event) { if (!event.ctrlKey && !event.metaKey) { event.preventDefault(); } };
    return h.apply(null, ["a", { className: "run-title", href: href, onClick: follow }].concat(parts));
  };

  // The runs of a study stand folded in its row. The grid must not take the click for one on the row.
  function fold(props) {
    var open = props.data.unfolded, words = (open ? "Fold " : "Show ") + props.data.runs;
    var listen = function (button) {
      if (!button) { return; }
      button.onclick = function (event) {
        event.preventDefault();
        event.stopPropagation();
        window.dash_clientside.set_props("home-fold", { data: { study: props.data.study, at: Date.now() } });
      };
    };
    return h("button", { key: "fold", type: "button", ref: listen, className: "ib fold", title: words, "aria-label": words, "aria-expanded": Boolean(open) },
      h("span", { className: "i s i-chevron-" + (open ? "down" : "right"), "aria-hidden": true }));
  }

  cells.RunTitle = function (props) {
    var data = props.data, name = window.paretoscopeName(props.value), marks = window.paretoscopeMarks(data);
    if (data.study) {
      var link = window.paretoscopeRowLink(paretoscopeSite.at("/studies/" + data.study), [name, h("span", { className: "chip line" }, data.runs), marks]);
      return h("span", { className: "row g4 study-row" }, fold(props), link);
    }
    return window.paretoscopeRowLink(paretoscopeSite.at("/runs/" + data.id), [
      data.of ? h("span", { className: "of-study", "aria-hidden": true }) : null, name,
      h("span", { className: "mono t3" }, String(data.id).padStart(4, "0")),
      data.imported ? h("span", { className: "chip line", title: data.imported }, "Imported") : null, marks]);
  };

  cells.RunState = function (props) {
    return h("span", { className: "row run-state" },
      h("span", { className: "chip " + props.data.kind }, h("span", { className: "dot " + props.data.kind }), props.value),
      h("span", { className: "xs t2 num el", title: props.data.fact }, props.data.fact));
  };

  cells.Words = function (props) { return window.paretoscopeName(props.value); };

  // "EDP 2.07 J·s": what the figure is the best of stands before it, and takes a second line where it is long.
  cells.Best = function (props) {
    return h("span", { className: "row", style: { gap: 5, justifyContent: "flex-end" } },
      h("span", { className: "xs t3 two-lines", style: { lineHeight: "13px" }, title: props.data.bestOf }, props.data.bestOf),
      h("span", { className: "num m5", style: { flex: "none" } }, props.value));
  };

  cells.Owner = function (props) {
    return h("span", { className: "row", style: { gap: 7 } },
      h("span", { className: "ava s", "aria-hidden": true }, props.data.initials), h("span", { className: "sm t2 el" }, props.value));
  };

  // "Simba NVDLA" with its mark for a baseline, a ring for a design of the front.
  cells.DesignKind = function (props) {
    if (!props.data) { return null; }
    return h("span", { className: "row", style: { gap: 7 } },
      h("span", { className: "design-mark " + props.data.mark, "aria-hidden": true }), h("span", { className: "el" }, props.value));
  };

  // However the rows are sorted, the runs of a study stay below it.
  window.dashAgGridFunctions = window.dashAgGridFunctions || {};
  window.dashAgGridFunctions.keepFolded = function (params) {
    var below = {}, top = [];
    params.nodes.forEach(function (node) {
      var of = node.data && node.data.of;
      if (of) { (below[of] = below[of] || []).push(node); } else { top.push(node); }
    });
    var sorted = [];
    top.forEach(function (node) { sorted.push.apply(sorted, [node].concat(below[node.data.id] || [])); });
    sorted.forEach(function (node, at) { params.nodes[at] = node; });
  };
})(window.dashAgGridComponentFunctions);
