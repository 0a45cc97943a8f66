// Prints a page as it is read: light, every figure as wide as its place on the paper and nothing folded away.
(function () {
  var root = document.documentElement, undo = [], printing = false;

  function put(element, name, value) {
    var before = element.getAttribute(name);
    undo.push(function () { if (before === null) { element.removeAttribute(name); } else { element.setAttribute(name, before); } });
    element.setAttribute(name, value);
  }

  // A figure was drawn for the window. With a box of its own it is scaled as a whole, as print.css says.
  function fit(plot) {
    var size = plot._fullLayout, box = plot.querySelector(".svg-container");
    if (!size || !box) { return; }
    put(box, "style", box.getAttribute("style") + ";--print-width:" + size.width + "px;aspect-ratio:" + size.width + "/" + size.height);
    plot.querySelectorAll(".main-svg").forEach(function (svg) { put(svg, "viewBox", "0 0 " + size.width + " " + size.height); });
  }

  function lighten(element) {
    ["fill", "stroke", "stop-color"].forEach(function (name) {
      var own = element.style.getPropertyValue(name), light = window.paretoscopeColours.toLight(own || element.getAttribute(name) || "");
      if (!light) { return; }
      if (!own) { put(element, name, light); return; }
      undo.push(function () { element.style.setProperty(name, own); });
      element.style.setProperty(name, light);
    });
  }

  function begin() {
    if (printing) { return; }
    printing = true;
    document.querySelectorAll(".js-plotly-plot").forEach(fit);
    document.querySelectorAll("details:not([open]):not(.as-table)").forEach(function (box) { put(box, "open", ""); });
    if (root.getAttribute("data-mantine-color-scheme") !== "dark") { return; }
    document.querySelectorAll(".main-svg *").forEach(lighten);
    put(root, "data-mantine-color-scheme", "light");
  }

  function end() {
    undo.reverse().forEach(function (step) { step(); });
    undo = [];
    printing = false;
  }

  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
  window.matchMedia("print").addEventListener("change", function (event) { if (event.matches) { begin(); } else { end(); } });
})();
