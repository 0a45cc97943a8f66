// Cells of AG Grid: `cellRenderer: "Sparkline"` (value: numbers), `"RunLink"` (value: {text, href, id}), `"StateChip"`
// (value: {text, tone, note}), `"Swatch"` (value: {text, model}).
var dagcomponentfuncs = window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {};
(function () {
  function element() { return React.createElement.apply(React, arguments); }

  dagcomponentfuncs.Sparkline = function (props) {
    var values = (props.value || []).filter(function (v) { return typeof v === "number" && isFinite(v); });
    if (!values.length) { return element("span", { className: "t3" }, "–"); }
    var low = Math.min.apply(null, values), span = Math.max.apply(null, values) - low, width = 96, height = 22, margin = 3;
    var points = values.map(function (v, i) {
      var x = margin + (width - 2 * margin) * i / Math.max(1, values.length - 1);
      var y = height - margin - (height - 2 * margin) * (span ? (v - low) / span : 0.5);
      return x.toFixed(1) + " " + y.toFixed(1);
    });
    var last = points[points.length - 1].split(" ");
    return element("svg", { className: "spark-svg", width: width, height: height, "aria-hidden": true },
      element("path", { d: "M" + points.join("L") }), element("circle", { cx: last[0], cy: last[1], r: 2 }));
  };

  dagcomponentfuncs.RunLink = function (props) {
    var value = props.value || {};
    return element("a", { href: value.href, className: "m5 el" }, value.text,
      value.id ? element("span", { className: "mono t3", style: { marginLeft: 8 } }, value.id) : null);
  };

  dagcomponentfuncs.StateChip = function (props) {
    var value = props.value || {};
    return element("span", { className: "row" },
      element("span", { className: "chip " + (value.tone || "") },
        value.tone === "acc" ? element("span", { className: "dot acc" }) : null, value.text),
      value.note ? element("span", { className: "xs t2 num" }, value.note) : null);
  };

  dagcomponentfuncs.Swatch = function (props) {
    var value = props.value || {};
    return element("span", { className: "row" }, element("span", { className: "sw m" + value.model }), value.text);
  };
})();
