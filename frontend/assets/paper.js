// A figure for a paper: at column width as SVG, with its data and what to cite beside it, in one zip file.
(function () {
  // A narrow column is drawn wider and scaled down, so that words do not crowd each other; they are then of about 6 points.
  var PX_PER_INCH = 96, NARROW_INCHES = 5, NARROW = 1.4, LOWEST = 0.62, HIGHEST = 1.0, MANY_PANELS = 3, PRINT_PIXELS = 3;

  // -- zip: stored members only, as text compresses little beside the font ------------------------------------------------
  var crcTable = (function () {
    var table = [];
    for (var n = 0; n < 256; n++) {
      var c = n;
      for (var k = 0; k < 8; k++) { c = c & 1 ? 0xEDB88320 ^ (c >>> 1) : c >>> 1; }
      table.push(c >>> 0);
    }
    return table;
  })();

  function crc32(bytes) {
    var c = 0xFFFFFFFF;
    for (var i = 0; i < bytes.length; i++) { c = crcTable[(c ^ bytes[i]) & 255] ^ (c >>> 8); }
    return (c ^ 0xFFFFFFFF) >>> 0;
  }

  function numbers(pairs) {
    var size = pairs.reduce(function (sum, pair) { return sum + pair[0]; }, 0), view = new DataView(new ArrayBuffer(size)), at = 0;
    pairs.forEach(function (pair) {
      if (pair[0] === 2) { view.setUint16(at, pair[1], true); } else { view.setUint32(at, pair[1], true); }
      at += pair[0];
    });
    return new Uint8Array(view.buffer);
  }

  function zip(files) {
    var encoder = new TextEncoder(), parts = [], directory = [], offset = 0;
    files.forEach(function (file) {
      var name = encoder.encode(file.name), data = encoder.encode(file.text);
      // Version, flags (UTF-8), method (stored), time and date (the earliest), checksum, sizes, length of the name.
      var facts = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crc32(data)], [4, data.length], [4, data.length], [2, name.length]];
      var local = numbers([[4, 0x04034b50]].concat(facts, [[2, 0]]));
      parts.push(local, name, data);
      directory.push(numbers([[4, 0x02014b50], [2, 20]].concat(facts, [[2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]])), name);
      offset += local.length + name.length + data.length;
    });
    var size = directory.reduce(function (sum, part) { return sum + part.length; }, 0), count = files.length;
    var end = numbers([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]]);
    return new Blob(parts.concat(directory, [end]), { type: "application/zip" });
  }

  // -- the picture -------------------------------------------------------------------------------------------------------
  // Papers are white: of a figure drawn for the dark scheme every colour but those of scales of values is turned into the light one's.
  function lightened(value, name) {
    if (typeof value === "string") { return window.paretoscopeColours.toLight(value) || value; }
    if (Array.isArray(value)) { return /^colorscale/.test(name) || typeof value[0] === "number" ? value : value.map(function (each) { return lightened(each, name); }); }
    if (!value || Object.getPrototypeOf(value) !== Object.prototype || /^colorscale/.test(name)) { return value; }
    var result = {};
    Object.keys(value).forEach(function (key) { result[key] = lightened(value[key], key); });
    return result;
  }

  function inLight(figure) {
    return document.documentElement.getAttribute("data-mantine-color-scheme") === "dark" ? lightened(figure, "") : figure;
  }

  // Grids, schedules and graphs are laid out in pixels: the server draws them, and other results, for the width of the column.
  function drawnFor(address, inches) {
    return fetch(address + "width=" + widthOf(inches))
      .then(function (answer) { return answer.ok ? answer.json() : null; })
      .catch(function () { return null; });
  }

  function widthOf(inches) { return Math.round(inches * PX_PER_INCH * (inches < NARROW_INCHES ? NARROW : 1)); }

  // Other figures with axes are drawn again at column width, so that their words keep their size; other pictures are scaled as a whole.
  function ownFigure(graph, inches) {
    var width = widthOf(inches), height = Math.round(width * graph.offsetHeight / graph.offsetWidth), full = graph._fullLayout;
    var figure = { data: graph.data, layout: window.paretoscopeFigures.alone(graph.layout) };
    if (full.yaxis && full.yaxis.visible === false) { return { figure: figure, width: graph.offsetWidth, height: graph.offsetHeight }; }
    if (full._subplots && full._subplots.cartesian.length > MANY_PANELS) { height = width; }
    height = Math.round(Math.min(HIGHEST * width, Math.max((inches < NARROW_INCHES ? LOWEST : 0.4) * width, height)));
    Object.assign(figure.layout, { width: width, height: height, autosize: false });
    return { figure: figure, width: width, height: height };
  }

  function svgOf(drawn, box, inches) {
    var size = { width: drawn.width, height: drawn.height };
    // What the graphics card draws, clouds and scenes, becomes pixels: enough of them for print.
    drawn.figure.config = { plotGlPixelRatio: PRINT_PIXELS };
    return window.Plotly.toImage(drawn.figure, Object.assign({ format: "svg", imageDataOnly: true }, size)).then(function (svg) {
      return window.paretoscopeFigures.finished(svg, Object.assign({ inches: inches }, size), box, window.paretoscopeColours.light);
    }).then(function (picture) { return picture.svg; });
  }

  function pictureOf(box, from, inches) {
    return (from.figure ? drawnFor(from.figure, inches) : Promise.resolve(null)).then(function (drawn) {
      if (drawn) { return svgOf(drawn, box, inches); }
      var own = ownFigure(box.querySelector(".js-plotly-plot"), inches);
      own.figure = inLight(own.figure);
      return svgOf(own, box, inches);
    });
  }

  // -- data and citation ---------------------------------------------------------------------------------------------------
  function runsHere() {
    var own = paretoscopeSite.path().match(/^\/runs\/(\d+)/);
    return own ? [own[1]] : (new URLSearchParams(location.search).get("runs") || "").split(",").filter(Boolean);
  }

  function designHere() {
    var link = document.getElementById("run-perfetto"), found = link && (link.getAttribute("href") || "").match(/design=(\d+)/);
    return found ? found[1] : null;
  }

  function lanesHere() {
    var on = document.querySelector('.run-schedule [id*="run-by-choice"].on');
    return on && /models/i.test(on.textContent) ? "models" : "chiplets";
  }

  function windowHere() { return Math.max(0, (parseInt(new URLSearchParams(location.search).get("window"), 10) || 1) - 1); }

  // Where data and picture of an entry's figure come from: "design:<result>", "run:<result>" or an address of data. Which result a
  // picture of the selected design shows changes with the design, so its box may say it.
  function sourceOf(entry, box) {
    var named = box.getAttribute("data-result"), from = named ? "design:" + named : entry.getAttribute("data-from") || "", parts = from.match(/^(design|run):(.+)$/);
    var run = entry.getAttribute("data-run") || runsHere()[0], design = entry.getAttribute("data-design") || designHere(), name = parts && encodeURIComponent(parts[2]);
    if (!parts) { return { data: from || null, figure: null }; }
    if (parts[1] === "design" && !design) { return { data: null, figure: null }; }
    var place = parts[1] === "run" ? "/results/" : "/design/" + design + "/results/", shown = box.querySelector("span[data-window]");
    var chosen = entry.getAttribute("data-window") || (shown && shown.getAttribute("data-window")) || windowHere();
    var query = "?window=" + chosen + "&by=" + (entry.getAttribute("data-by") || lanesHere()) + (parts[1] === "design" ? "&design=" + design : "") + "&";
    if (entry.hasAttribute("data-end")) { query += "end=" + entry.getAttribute("data-end") + "&"; }
    // Traces of several runs share their axes: they are taken as they are shown.
    var figure = entry.hasAttribute("data-as-shown") ? null : paretoscopeSite.at("/_paper-figure/") + run + "/" + parts[1] + "/" + name + query;
    return { data: paretoscopeSite.at("/api/v1/runs/") + run + place + name + ".csv", figure: figure };
  }

  function text(address) {
    if (!address) { return Promise.resolve(null); }
    return fetch(address).then(function (answer) { return answer.ok ? answer.text() : null; }).catch(function () { return null; });
  }

  function quoted(value) {
    var words = value === null || value === undefined ? "" : String(value);
    if (/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(words) && isNaN(Number(words))) { words = "'" + words; }  // see csv_cells.py
    return /[",\n]/.test(words) ? '"' + words.replace(/"/g, '""') + '"' : words;
  }

  // What the plot shows, where nothing better is known: one row per point of every series.
  function shownData(graph) {
    return window.paretoscopeTable.rows(graph, true).map(function (row) { return row.map(quoted).join(","); }).join("\n") + "\n";
  }

  function save(box, inches, from, runs) {
    var figures = window.paretoscopeFigures, graph = box.querySelector(".js-plotly-plot");
    var shown = shownData(graph);
    var bibliography = Promise.all(runs.map(function (run) { return text(paretoscopeSite.at("/api/v1/runs/" + run + "/citation.bib")); }));
    return Promise.all([pictureOf(box, from, inches), text(from.data), bibliography]).then(function (parts) {
      var name = figures.nameOf(box), title = box.getAttribute("data-label") || box.getAttribute("aria-label") || "Figure";
      var entries = parts[2].filter(Boolean).filter(function (each, at, all) { return all.indexOf(each) === at; });
      var words = title + "\n\nDrawn by Paretoscope for a column of " + inches + " in, from " + location.href + "\n" +
        name + ".csv holds the data of the figure" + (entries.length ? ", method.bib what to cite for the method" : "") + ".\n";
      var files = [{ name: name + ".svg", text: parts[0] }, { name: name + ".csv", text: "\ufeff" + (parts[1] || shown) }, { name: "readme.txt", text: words }];
      if (entries.length) { files.push({ name: "method.bib", text: entries.join("\n") }); }
      figures.save(zip(files), name + "-" + inches + "in.zip");
    });
  }

  // On the way down: on the way up the menu has closed already and the entry belongs to no card any more.
  document.addEventListener("click", function (event) {
    var entry = event.target.closest && event.target.closest("[data-paper]");
    var box = entry && window.paretoscopeFigures.boxOf(entry);
    if (!box || !box.querySelector(".js-plotly-plot") || !window.Plotly) { return; }
    // What to cite follows from the runs that are looked at, or from the one that the entry names.
    var runs = runsHere(), named = entry.getAttribute("data-run");
    save(box, parseFloat(entry.getAttribute("data-paper")), sourceOf(entry, box), runs.length || !named ? runs : [named]);
  }, true);

  window.paretoscopePaper = { sourceOf: sourceOf, text: text };
})();
