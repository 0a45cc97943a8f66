// Saves the picture of a card: entries with `data-save` of the menu in its head (`components/figure_menu.py`).
(function () {
  var SCALE = 2, font = null;

  // Another program does not have the page's font, so the picture carries it; the words would not fit in another one.
  function fontRule() {
    font = font || fetch("/assets/fonts/inter-latin-wght-normal.woff2")
      .then(function (answer) { return answer.blob(); })
      .then(asDataUrl)
      .then(function (url) { return '@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(' + url + ') format("woff2")}'; });
    return font;
  }

  function asDataUrl(blob) {
    return new Promise(function (resolve) {
      var reader = new FileReader();
      reader.onload = function () { resolve(reader.result.replace(/^data:[^;]*/, "data:font/woff2")); };
      reader.readAsDataURL(blob);
    });
  }

  // The plot as it stands, on the colour of its card.
  function svgOf(graph) {
    var size = { format: "svg", width: graph.offsetWidth, height: graph.offsetHeight, imageDataOnly: true };
    return Promise.all([window.Plotly.toImage(graph, size), fontRule()]).then(function (parts) {
      var ground = getComputedStyle(document.documentElement).getPropertyValue("--p-surface").trim();
      var inside = "<style>" + parts[1] + '</style><rect width="100%" height="100%" fill="' + ground + '"/>';
      return parts[0].replace(/^<svg[^>]*>/, function (tag) { return tag + inside; });
    });
  }

  function pngOf(svg, width, height) {
    var picture = new Image(width, height);
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    return picture.decode().then(function () {
      var canvas = document.createElement("canvas");
      canvas.width = width * SCALE;
      canvas.height = height * SCALE;
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      return new Promise(function (resolve) { canvas.toBlob(resolve, "image/png"); });
    });
  }

  function save(blob, name) {
    var link = document.createElement("a"), url = URL.createObjectURL(blob);
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(url); }, 10000);
  }

  // "/runs/12" and "Pareto front" make "run-12-pareto-front".
  function nameOf(card) {
    var words = location.pathname.replace("/runs/", "run ") + " " + (card.getAttribute("aria-label") || "figure");
    return words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  }

  window.paretoscopeFigures = { fontRule: fontRule, save: save, nameOf: nameOf };

  // On the way down: on the way up the menu has closed already and the entry belongs to no card any more.
  document.addEventListener("click", function (event) {
    var entry = event.target.closest && event.target.closest("[data-save]");
    var card = entry && entry.closest(".card"), graph = card && card.querySelector(".js-plotly-plot");
    if (!graph || !window.Plotly) { return; }
    var kind = entry.getAttribute("data-save"), name = nameOf(card) + "." + kind;
    svgOf(graph).then(function (svg) {
      if (kind === "svg") { save(new Blob([svg], { type: "image/svg+xml" }), name); return; }
      pngOf(svg, graph.offsetWidth, graph.offsetHeight).then(function (blob) { save(blob, name); });
    });
  }, true);
})();
