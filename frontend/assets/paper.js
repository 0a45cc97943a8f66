// A figure for a paper: at column width as SVG, with its data and what to cite beside it, in one zip file.
(function () {
  // A narrow column is drawn wider and scaled down, so that words do not crowd each other; they are then of about 6 points.
  var PX_PER_INCH = 96, NARROW_INCHES = 5, NARROW = 1.4, REDRAWN_MS = 5000, LOWEST = 0.62, HIGHEST = 1.0;

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
  // Papers are white: in the dark scheme the page draws its figures light once, and dark again afterwards.
  function inLight(card, act) {
    var root = document.documentElement, dark = root.getAttribute("data-mantine-color-scheme") === "dark";
    if (!dark) { return act(card.querySelector(".js-plotly-plot")); }
    var set = window.dash_clientside.set_props;
    return redrawn(card, function () { set("scheme", { data: "light" }); })
      .then(function () { return act(card.querySelector(".js-plotly-plot")); })
      .finally(function () { set("scheme", { data: "dark" }); });
  }

  function redrawn(card, change) {
    return new Promise(function (resolve) {
      var graph = card.querySelector(".js-plotly-plot"), before = graph.data, began = Date.now();
      change();
      (function look() {
        var now = card.querySelector(".js-plotly-plot");
        var changed = now && now.data && now.data !== before;
        if (changed || Date.now() - began > REDRAWN_MS) { setTimeout(resolve, 150); return; }
        setTimeout(look, 60);
      })();
    });
  }

  // Figures with axes are drawn anew at column width, so that their words keep their size; grids and schedules are laid out
  // in pixels and are scaled as a whole.
  function svgOf(graph, inches) {
    var width = Math.round(inches * PX_PER_INCH * (inches < NARROW_INCHES ? NARROW : 1)), height = Math.round(width * graph.offsetHeight / graph.offsetWidth);
    var full = graph._fullLayout, drawn = full.yaxis && full.yaxis.visible === false;
    var figure = { data: graph.data, layout: Object.assign({}, graph.layout) };
    var size = { format: "svg", imageDataOnly: true, width: graph.offsetWidth, height: graph.offsetHeight };
    if (!drawn) {
      height = Math.round(Math.min(HIGHEST * width, Math.max((inches < NARROW_INCHES ? LOWEST : 0.4) * width, height)));
      size.width = width;
      size.height = height;
      Object.assign(figure.layout, { width: width, height: height, autosize: false });
    }
    return Promise.all([window.Plotly.toImage(figure, size), window.paretoscopeFigures.fontRule()]).then(function (parts) {
      var inside = "<style>" + parts[1] + '</style><rect width="100%" height="100%" fill="white"/>';
      return parts[0].replace(/^<svg[^>]*>/, function (tag) {
        var plain = tag.replace(/ (width|height|viewBox|style)="[^"]*"/g, "");
        var box = ' width="' + inches + 'in" height="' + (inches * size.height / size.width).toFixed(3) + 'in" viewBox="0 0 ' +
          size.width + " " + size.height + '">';
        return plain.replace(/>$/, box) + inside;
      });
    });
  }

  // -- data and citation ---------------------------------------------------------------------------------------------------
  function runsHere() {
    var own = location.pathname.match(/^\/runs\/(\d+)/);
    return own ? [own[1]] : (new URLSearchParams(location.search).get("runs") || "").split(",").filter(Boolean);
  }

  function designHere() {
    var link = document.getElementById("run-perfetto"), found = link && (link.getAttribute("href") || "").match(/design=(\d+)/);
    return found ? found[1] : null;
  }

  function addressOf(from) {
    var parts = (from || "").match(/^(design|run):(.+)$/), run = runsHere()[0], design = designHere();
    if (!parts) { return from || null; }
    if (parts[1] === "run") { return "/api/v1/runs/" + run + "/results/" + encodeURIComponent(parts[2]) + ".csv"; }
    return design && "/api/v1/runs/" + run + "/design/" + design + "/results/" + encodeURIComponent(parts[2]) + ".csv";
  }

  function text(address) {
    return fetch(address).then(function (answer) { return answer.ok ? answer.text() : null; }).catch(function () { return null; });
  }

  function quoted(value) {
    var words = value === null || value === undefined ? "" : String(value);
    return /[",\n]/.test(words) ? '"' + words.replace(/"/g, '""') + '"' : words;
  }

  // What the plot shows, where nothing better is known: one row per point of every named series.
  function shownData(graph) {
    var rows = [["series", "x", "y", "z"]];
    (graph._fullData || []).forEach(function (trace) {
      if (trace.visible === false || trace.mode === "text" || !trace.x || !trace.y) { return; }
      for (var i = 0; i < trace.x.length; i++) { rows.push([trace.name, trace.x[i], trace.y[i], trace.z ? trace.z[i] : ""]); }
    });
    return rows.map(function (row) { return row.map(quoted).join(","); }).join("\n") + "\n";
  }

  function save(card, inches, from) {
    var figures = window.paretoscopeFigures, graph = card.querySelector(".js-plotly-plot"), address = addressOf(from);
    var shown = shownData(graph), runs = runsHere();
    var bibliography = Promise.all(runs.map(function (run) { return text("/api/v1/runs/" + run + "/citation.bib"); }));
    return Promise.all([
      inLight(card, function (plot) { return svgOf(plot, inches); }), address ? text(address) : null, bibliography
    ]).then(function (parts) {
      var name = figures.nameOf(card), title = card.getAttribute("aria-label") || "Figure";
      var entries = parts[2].filter(Boolean).filter(function (each, at, all) { return all.indexOf(each) === at; });
      var words = title + "\n\nDrawn by Paretoscope for a column of " + inches + " in, from " + location.href + "\n" +
        name + ".csv holds the data of the figure, method.bib what to cite for the method.\n";
      figures.save(zip([
        { name: name + ".svg", text: parts[0] }, { name: name + ".csv", text: parts[1] || shown },
        { name: "method.bib", text: entries.join("\n") }, { name: "readme.txt", text: words }
      ]), name + "-" + inches + "in.zip");
    });
  }

  // On the way down: on the way up the menu has closed already and the entry belongs to no card any more.
  document.addEventListener("click", function (event) {
    var entry = event.target.closest && event.target.closest("[data-paper]");
    var card = entry && entry.closest(".card");
    if (!card || !card.querySelector(".js-plotly-plot") || !window.Plotly) { return; }
    save(card, parseFloat(entry.getAttribute("data-paper")), entry.getAttribute("data-from"));
  }, true);
})();
