// What a figure shows as a table, in a dialog: entries with `data-table` of a card's menu (`components/pictures/figure_menu.py`).
(function () {
  var MOST_ROWS = 500, DIGITS = 4, SPAN = 1000;

  // -- what the plot shows ---------------------------------------------------------------------------------------------
  // The name of a y axis may stand above it, as a remark at the left end of its panel.
  function nameOf(graph, axis) {
    var title = axis && axis.title && axis.title.text, top = axis && axis.domain ? axis.domain[1] : 1;
    if (title && !/^Click to enter/.test(title)) { return title; }
    if (!axis || axis._id[0] !== "y") { return ""; }
    var above = (graph.layout.annotations || []).find(function (note) {
      return note.xref === "paper" && note.yref === "paper" && note.x === 0 && note.xshift < 0 && Math.abs(note.y - top) < 0.001;
    });
    return above ? above.text : "";
  }

  function plain(words) { return words === undefined || words === null ? "" : String(words).replace(/<br>/g, " ").replace(/<[^>]*>/g, "").replace(/\s+/g, " ").trim(); }

  function namedTick(axis, value) {
    var at = axis && axis.tickvals && axis.ticktext ? Array.prototype.indexOf.call(axis.tickvals, value) : -1;
    return at < 0 ? value : plain(axis.ticktext[at]);
  }

  // A head and a row per point of every series; `all`: also what only adorns them, such as bands.
  function shownRows(graph, all) {
    var full = graph._fullLayout || {}, found = [], units = [], heads = ["Series", "", "", ""];
    (graph._fullData || []).forEach(function (trace) {
      if (trace.visible !== true || trace.mode === "text" || (!all && trace.hoverinfo === "skip")) { return; }
      var scene = trace.scene && full[trace.scene], x = scene ? scene.xaxis : full["xaxis" + (trace.xaxis || "x").slice(1)], y = scene ? scene.yaxis : full["yaxis" + (trace.yaxis || "y").slice(1)];
      var names = [nameOf(graph, x), scene ? plain(scene.yaxis.title.text) : nameOf(graph, y), scene ? plain(scene.zaxis.title.text) : ""];
      // Of panels with a quantity each, every series says its unit.
      var unit = (plain(names[1]).match(/ \([^)]*\)$/) || [""])[0];
      names.forEach(function (name, at) { heads[at + 1] = heads[at + 1] && name && heads[at + 1] !== name ? "Value" : heads[at + 1] || plain(name); });
      units.push(unit);
      var series = /^trace \d+$/.test(trace.name || "") ? "" : plain(trace.name);
      if (trace.type === "heatmap" && trace.z) {
        // Colours may be of logarithms with an end: where words say the value, they are what counts.
        var told = /%\{text\}/.test(trace.hovertemplate || "") && trace.text;
        trace.z.forEach(function (row, i) {
          Array.prototype.forEach.call(row, function (value, j) {
            found.push([series, namedTick(x, trace.x ? trace.x[j] : j), namedTick(y, trace.y ? trace.y[i] : i), told && told[i] ? plain(told[i][j]) : value]);
          });
        });
        return;
      }
      for (var i = 0; trace.x && trace.y && i < trace.x.length; i++) {
        if (trace.x[i] === null || trace.y[i] === null) { continue; }
        found.push([series, namedTick(x, trace.x[i]), namedTick(y, trace.y[i]), trace.z ? trace.z[i] : "", unit]);
      }
    });
    // Columns that say nothing: a single series, rows that only spread points, a third axis that is not there.
    var spread = full.yaxis && full.yaxis.tickvals && !heads[2];
    var kept = [0, 1, 2, 3].filter(function (at) {
      if (at === 2 && spread && found.some(function (row) { return typeof row[2] === "number"; })) { return false; }
      return found.some(function (row) { return row[at] !== ""; });
    });
    heads = heads.map(function (head, at) {
      return head || (at < 3 && found.every(function (row) { return typeof row[at] === "string"; }) ? "Name" : ["Series", "x", "y", "Value"][at]);
    });
    if (units.some(function (unit) { return unit !== units[0]; })) { found.forEach(function (row) { row[0] += row[4] || ""; }); }
    return [heads].concat(found).map(function (row) { return kept.map(function (at) { return row[at]; }); });
  }

  // -- comma-separated values ------------------------------------------------------------------------------------------
  function parsed(text) {
    var rows = [], row = [], pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g, match;
    while (pattern.lastIndex < text.length && (match = pattern.exec(text))) {
      row.push(match[1] === undefined ? match[2] : match[1].replace(/""/g, '"'));
      if (match[3] !== ",") { rows.push(row); row = []; }
    }
    if (row.length) { rows.push(row.concat("")); }
    return rows;
  }

  // -- the dialog ------------------------------------------------------------------------------------------------------
  function isNumber(value) { return typeof value === "number" || (value !== "" && value !== null && isFinite(value)); }

  // Equal decimals in a column, as many as its largest value needs; where that would leave the small ones without digits, each has its own.
  function decimalsOf(values) {
    var sizes = values.filter(isNumber).map(function (value) { return Math.abs(Number(value)); }).filter(Boolean);
    var most = Math.max.apply(null, sizes), least = Math.min.apply(null, sizes);
    if (sizes.every(function (size) { return size % 1 === 0; })) { return 0; }
    return most > SPAN * least ? null : Math.max(0, DIGITS - 1 - Math.floor(Math.log10(most)));
  }

  function shownValue(value, decimals) {
    if (value === "" || value === null || value === undefined || (typeof value === "number" && isNaN(value))) { return "–"; }
    if (!isNumber(value)) { return String(value); }
    var digits = decimals === null ? String(Number(Number(value).toPrecision(DIGITS))) : Number(value).toFixed(decimals), parts = digits.replace("-", "−").split(".");
    return [parts[0].replace(/\B(?=(\d{3})+$)/g, "\u2009")].concat(parts.slice(1)).join(".");
  }

  // "time_s" of a file reads "time [s]".
  function headOf(name) { return name.replace(/_s$/, " [s]").replace(/_/g, " "); }

  // Of more rows than people read, some from everywhere, the first and the last among them.
  function thinned(rows) {
    if (rows.length <= MOST_ROWS) { return rows; }
    return Array.from({ length: MOST_ROWS }, function (_, at) { return rows[Math.round(at * (rows.length - 1) / (MOST_ROWS - 1))]; });
  }

  function element(name, attributes, children) {
    var made = document.createElement(name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }

  function tableOf(title, heads, rows) {
    var right = heads.map(function (_, at) { return rows.every(function (row) { return isNumber(row[at]) || row[at] === ""; }); });
    var decimals = heads.map(function (_, at) { return right[at] ? decimalsOf(rows.map(function (row) { return row[at]; })) : null; });
    function cell(name, value, at, shown) {
      var made = element(name, right[at] ? { "class": "r num" } : {}, [shown]);
      if (name === "td" && shown !== String(value) && isNumber(value)) { made.title = value; }
      if (name === "th") { made.scope = "col"; }
      return made;
    }
    var head = element("tr", {}, heads.map(function (words, at) { return cell("th", words, at, headOf(words)); }));
    var body = rows.map(function (row) { return element("tr", {}, row.map(function (value, at) { return cell("td", value, at, shownValue(value, decimals[at])); })); });
    return element("table", { "class": "t", "aria-label": title }, [element("thead", {}, [head]), element("tbody", {}, body)]);
  }

  function counted(count) { return String(count).replace(/\B(?=(\d{3})+$)/g, "\u2009"); }

  function show(title, rows, data, back) {
    var heads = rows[0], all = rows.slice(1), some = thinned(all);
    var words = all.length === some.length ? counted(all.length) + (all.length === 1 ? " row" : " rows") : counted(some.length) + " of " + counted(all.length) + " rows, evenly spread";
    var close = element("button", { "class": "btn small", type: "button" }, ["Close"]);
    var file = element("a", { "class": "btn small", href: data || "#", download: "" }, ["All as CSV"]);
    var scroll = element("div", { "class": "table-scroll", tabindex: "0", role: "region", "aria-label": title }, [all.length ? tableOf(title, heads, some) : "The figure shows nothing yet."]);
    var head = element("div", { "class": "row" }, [element("h2", { "class": "el" }, [title]), element("span", { "class": "sm t3 nw num" }, [words]), element("span", { "class": "sp" }), file, close]);
    var dialog = element("dialog", { "class": "dialog figure-table", "aria-label": title + " as a table" }, [head, scroll]);
    if (!data) { file.remove(); }
    close.addEventListener("click", function () { dialog.close(); });
    dialog.addEventListener("click", function (event) { if (event.target === dialog) { dialog.close(); } });
    // Keys of the page below have nothing to do with it.
    dialog.addEventListener("keydown", function (event) { event.stopPropagation(); });
    dialog.addEventListener("close", function () { dialog.remove(); if (back && back.isConnected) { back.focus(); } });
    document.body.append(dialog);
    dialog.showModal();
    scroll.focus();
  }

  window.paretoscopeTable = { rows: shownRows };

  // On the way down: on the way up the menu has closed already and the entry belongs to no card any more.
  document.addEventListener("click", function (event) {
    var entry = event.target.closest && event.target.closest("[data-table]"), box = entry && window.paretoscopeFigures.boxOf(entry);
    var graph = box && box.querySelector(".js-plotly-plot");
    if (!graph) { return; }
    var menu = entry.closest("[role=menu]"), source = window.paretoscopePaper.sourceOf(entry, box).data;
    var opener = entry.closest(".picture-menu-box") ? entry.closest(".picture-menu-box").querySelector("[data-picture-menu]") : menu && document.querySelector('button[aria-controls="' + menu.id + '"]');
    var named = box.querySelector("h3"), title = box.getAttribute("data-label") || (box.matches(".picture") && named && named.textContent) || box.getAttribute("aria-label") || "Figure";
    window.paretoscopePaper.text(source).then(function (text) {
      show(title, text ? parsed(text) : shownRows(graph, false), text ? source : null, opener);
    });
  }, true);
})();
