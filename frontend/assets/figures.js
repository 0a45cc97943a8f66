// Saves the picture of a card: entries with `data-save` of the menu in its head (`components/pictures/figure_menu.py`).
(function () {
  var SCALE = 2, font = null;

  // Another program does not have the page's font, so the picture carries it; the words would not fit in another one.
  function fontRule() {
    font = font || fetch(paretoscopeSite.at("/assets/fonts/inter-latin-wght-normal.woff2"))
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

  // A picture that plotly.js gave, complete: its font, a ground, the legend of its card below.
  //   size: width and height in pixels, "inches" wide where it is for a paper; colour: gives the value of a token.
  function finished(svg, size, box, colour) {
    return fontRule().then(function (font) {
      var legend = window.paretoscopeLegend.below(box, size.width, size.height, colour), scale = size.inches ? size.inches / size.width : 1, unit = size.inches ? "in" : "";
      var ground = "<style>" + font + '</style><rect width="' + size.width + '" height="' + legend.height + '" fill="' + colour("--p-surface") + '"/>';
      var whole = svg.replace(/^<svg[^>]*>/, function (tag) {
        var plain = tag.replace(/ (width|height|viewBox|style)="[^"]*"/g, "").replace(/>$/, "");
        return plain + ' width="' + +(size.width * scale).toFixed(3) + unit + '" height="' + +(legend.height * scale).toFixed(3) + unit + '" viewBox="0 0 ' + size.width + " " + legend.height + '">' + ground;
      }).replace(/<\/svg>\s*$/, legend.markup + "</svg>");
      return { svg: whole, width: size.width, height: legend.height };
    });
  }

  // Without the heading of its card a picture has its axes' whole names (figures/lines.py).
  function alone(layout) {
    return Object.assign({}, layout, { annotations: (layout.annotations || []).map(function (note) { return note.name ? Object.assign({}, note, { text: note.name }) : note; }) });
  }

  // The plot as it stands, on the colour of its card.
  function shown(graph, box) {
    var size = { format: "svg", width: graph.offsetWidth, height: graph.offsetHeight, imageDataOnly: true };
    var figure = { data: graph.data, layout: alone(graph.layout), config: graph._context };
    return window.Plotly.toImage(figure, size).then(function (svg) { return finished(svg, size, box, window.paretoscopeColours.here); });
  }

  // What a menu saves: the part of its card that has a menu of its own, else the card.
  function boxOf(entry) { return entry.closest(".picture, .card"); }

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
    var words = paretoscopeSite.path().replace("/runs/", "run ") + " " + (card.getAttribute("data-name") || card.getAttribute("aria-label") || "figure");
    return words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  }

  window.paretoscopeFigures = { alone: alone, finished: finished, save: save, nameOf: nameOf, boxOf: boxOf };

  // On the way down: on the way up the menu has closed already and the entry belongs to no card any more.
  document.addEventListener("click", function (event) {
    var entry = event.target.closest && event.target.closest("[data-save]");
    var box = entry && boxOf(entry), graph = box && box.querySelector(".js-plotly-plot");
    if (!graph || !window.Plotly) { return; }
    var kind = entry.getAttribute("data-save"), name = nameOf(box) + "." + kind;
    shown(graph, box).then(function (picture) {
      if (kind === "svg") { save(new Blob([picture.svg], { type: "image/svg+xml" }), name); return; }
      pngOf(picture.svg, picture.width, picture.height).then(function (blob) { save(blob, name); });
    });
  }, true);
})();
