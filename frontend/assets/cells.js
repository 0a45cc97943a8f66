// Cells of the AG Grid tables. Values come from the server; nothing here is evaluated from text.
window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {};
(function (cells) {
  function h() { return window.React.createElement.apply(null, arguments); }

  // A line through the values from left to right with a dot at the last one.
  cells.Sparkline = function (props) {
    var values = props.value || [], width = 100, height = 22, margin = 3;
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

  cells.RunTitle = function (props) {
    return h("a", { className: "run-title", href: "/runs/" + props.data.id, onClick: function (event) { if (!event.ctrlKey && !event.metaKey) { event.preventDefault(); } } },
      h("span", { className: "m5 two-lines" }, props.value), h("span", { className: "mono t3" }, String(props.data.id).padStart(4, "0")),
      props.data.imported ? h("span", { className: "chip line", title: props.data.imported }, "Imported") : null, window.paretoscopeMarks(props.data));
  };

  cells.RunState = function (props) {
    return h("span", { className: "row run-state" },
      h("span", { className: "chip " + props.data.kind }, h("span", { className: "dot " + props.data.kind }), props.value),
      h("span", { className: "xs t2 num el", title: props.data.fact }, props.data.fact));
  };

  // Long names take a second line.
  cells.Words = function (props) {
    return h("span", { className: "two-lines" }, props.value);
  };

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
})(window.dashAgGridComponentFunctions);
