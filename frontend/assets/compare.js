// A comparison in the browser: one time cursor and one zoom over all schedules; axes and picked designs live in the address.
(function () {
  var STEPS = 100, TELL_AFTER_MS = 80;
  var moments_s = {}, waiting = null, told = "", syncing = false;  // a moment per group of strips with one time axis

  function strips() { return Array.prototype.slice.call(document.querySelectorAll(".compare-schedule")); }
  function groupOf(strip) { return strip.getAttribute("data-group"); }
  function together(strip) { return strips().filter(function (each) { return groupOf(each) === groupOf(strip); }); }
  function plotOf(strip) { return strip.querySelector(".js-plotly-plot"); }
  function endOf(strip) { return parseFloat(strip.getAttribute("data-end")); }
  function read(strip, name) {
    strip.kept = strip.kept || {};
    if (!(name in strip.kept)) { strip.kept[name] = JSON.parse(strip.getAttribute("data-" + name)); }
    return strip.kept[name];
  }

  // The axis shows seconds with a prefix: all schedules end at the same moment, which gives the factor.
  function axisOf(strip) { var plot = plotOf(strip); return plot && plot._fullLayout && plot._fullLayout.xaxis; }
  function unitsPerSecond(axis, strip) { return axis.maxallowed / endOf(strip); }

  function momentAt(strip, event) {
    var axis = axisOf(strip);
    if (!axis || !endOf(strip)) { return null; }
    var across = event.clientX - plotOf(strip).getBoundingClientRect().left - axis._offset;
    if (across < 0 || across > axis._length) { return null; }
    return axis.p2l(across) / unitsPerSecond(axis, strip);
  }

  function words(seconds) {
    var small = seconds < 1;
    var value = small ? seconds * 1000 : seconds;
    var text = value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
    return text + (small ? "\u00a0ms" : "\u00a0s");
  }

  function doneAt(strip, seconds) {
    var work = read(strip, "work"), at = Math.min(1, Math.max(0, seconds / endOf(strip))) * (work.length - 1);
    var low = Math.floor(at), high = Math.min(work.length - 1, low + 1);
    return work[low] + (work[high] - work[low]) * (at - low);
  }

  function windowAt(strip, seconds) {
    var windows = read(strip, "windows"), found = 0;
    windows.forEach(function (each, i) { if (seconds >= each[0]) { found = i; } });
    return found;
  }

  function ruleOf(strip) {
    var rule = strip.querySelector(".compare-rule");
    if (!rule) {
      rule = document.createElement("div");
      rule.className = "compare-rule";
      rule.appendChild(document.createElement("span"));
      strip.appendChild(rule);
    }
    return rule;
  }

  function place(strip, seconds) {
    var axis = axisOf(strip), rule = ruleOf(strip);
    if (!axis) { return; }
    var across = axis.l2p(seconds * unitsPerSecond(axis, strip));
    rule.hidden = across < 0 || across > axis._length;
    rule.style.left = (axis._offset + across) + "px";
    rule.firstChild.textContent = timeWords(strip, seconds);
  }

  // A schedule is about milliseconds, a trace may be about hours: it says the unit of its axis.
  function timeWords(strip, seconds) {
    var unit = strip.getAttribute("data-time-unit");
    return unit ? number(seconds * parseFloat(strip.getAttribute("data-per-second"))) + "\u00a0" + unit : words(seconds);
  }

  function number(value) {
    var size = Math.abs(value);
    return size >= 100 || value === 0 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : value.toPrecision(3);
  }

  // Values of the lines under the cursor; a stepped line keeps the value of the last step.
  function readTrace(strip, seconds) {
    var plot = plotOf(strip), axis = axisOf(strip), units = read(strip, "units"), parts = [];
    if (!plot || !axis) { return; }
    var at = seconds * unitsPerSecond(axis, strip);
    plot._fullData.forEach(function (line) {
      if (!(line.name in units) || !line.hovertemplate || !line.x || !line.x.length) { return; }
      var low = 0, high = line.x.length - 1;
      while (low < high) { var middle = (low + high + 1) >> 1; if (line.x[middle] <= at) { low = middle; } else { high = middle - 1; } }
      var value = line.y[low];
      if (typeof value === "number" && isFinite(value)) { parts.push(line.name + "\u00a0" + number(value) + (units[line.name] ? "\u00a0" + units[line.name] : "")); }
    });
    var readout = strip.parentElement.querySelector(".compare-readout");
    if (readout) { readout.textContent = "at " + timeWords(strip, seconds) + ": " + parts.join(", "); }
  }

  function show(seconds, group) {
    moments_s[group] = seconds;
    var parts = [], windows = {}, members = strips().filter(function (strip) { return groupOf(strip) === group; });
    members.forEach(function (strip) { place(strip, seconds); });
    if (group !== "schedule") { members.forEach(function (strip) { readTrace(strip, seconds); }); return; }
    members.forEach(function (strip) {
      var letter = strip.getAttribute("data-letter");
      if (!axisOf(strip)) { return; }
      parts.push(letter + "\u00a0" + Math.round(100 * doneAt(strip, seconds)) + "\u00a0%");
      windows[letter] = windowAt(strip, seconds);
    });
    var line = document.getElementById("compare-cursor-words");
    if (line) { line.textContent = "at " + words(seconds) + " of the work is done: " + parts.join(", "); }
    tell(windows);
  }

  // The small grids follow once the cursor has come to rest in another window.
  function tell(windows) {
    var text = JSON.stringify(windows);
    clearTimeout(waiting);
    if (text === told) { return; }
    waiting = setTimeout(function () {
      told = text;
      if (document.getElementById("compare-here")) { window.dash_clientside.set_props("compare-cursor", { data: windows }); }
    }, TELL_AFTER_MS);
  }

  document.addEventListener("mousemove", function (event) {
    var strip = event.target.closest && event.target.closest(".compare-schedule");
    if (!strip) { return; }
    follow(strip);
    var seconds = momentAt(strip, event);
    if (seconds !== null) { show(seconds, groupOf(strip)); }
  });

  // What cannot be undone is asked about; on the way down, before the button's own listener.
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-confirm]");
    if (button && !window.confirm(button.getAttribute("data-confirm"))) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  // With the keyboard: arrows move the cursor, [ and ] go to the window before and after, + and - zoom about the cursor.
  function step(strip, event) {
    var end = endOf(strip), now = moments_s[groupOf(strip)] || 0;
    var arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (arrow) { return Math.min(end, Math.max(0, now + arrow * (event.shiftKey ? 10 : 1) * end / STEPS)); }
    var starts = strip.hasAttribute("data-windows") ? read(strip, "windows").map(function (each) { return each[0]; }) : [];
    if (event.key === "]") { return starts.filter(function (start) { return start > now; })[0]; }
    if (event.key === "[") { return starts.filter(function (start) { return start < now; }).pop(); }
    return undefined;
  }

  function zoom(strip, factor) {
    var axis = axisOf(strip);
    if (!axis) { return; }
    var range = axis.range, at = (moments_s[groupOf(strip)] || 0) * unitsPerSecond(axis, strip);
    var middle = at > range[0] && at < range[1] ? at : (range[0] + range[1]) / 2;
    var shown = [middle - (middle - range[0]) * factor, middle + (range[1] - middle) * factor];
    var low = axis.minallowed === undefined ? 0 : axis.minallowed;
    window.Plotly.relayout(plotOf(strip), { "xaxis.range": [Math.max(low, shown[0]), Math.min(axis.maxallowed, shown[1])] });
  }

  document.addEventListener("keydown", function (event) {
    var strip = event.target.closest && event.target.closest(".compare-schedule");
    if (!strip || event.ctrlKey || event.metaKey || event.altKey) { return; }
    var factor = { "+": 0.5, "=": 0.5, "-": 2 }[event.key], seconds = step(strip, event);
    if (!factor && seconds === undefined) { return; }
    event.preventDefault();
    follow(strip);
    if (factor) { zoom(strip, factor); } else { show(seconds, groupOf(strip)); }
  });

  // One zoom for all: what one schedule shows, the others show too.
  function follow(strip) {
    var plot = plotOf(strip);
    if (!plot || plot.followed || !plot.on) { return; }
    plot.followed = true;
    plot.on("plotly_relayout", function () {
      if (syncing) { return; }
      syncing = true;
      var range = plot._fullLayout.xaxis.range.slice(), group = groupOf(strip);
      var others = together(strip).map(plotOf).filter(function (each) { return each && each !== plot; });
      Promise.all(others.map(function (each) { return window.Plotly.relayout(each, { "xaxis.range": range }); }))
        .finally(function () { syncing = false; if (group in moments_s) { show(moments_s[group], group); } });
    });
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    compare: {
      // Returns where the comparison lies as a file.
      address: function (selected, axes, title, entries) {
        if (location.pathname.indexOf("/compare") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search), runs = entries.map(function (item) { return item.run; });
        query.set("runs", runs.join(","));
        query.set("designs", runs.map(function (run) { var n = selected[run]; return n === null || n === undefined ? "" : n; }).join(","));
        if (axes.x && axes.y) { query.set("x", axes.x); query.set("y", axes.y); }
        history.replaceState(history.state, "", location.pathname + "?" + query.toString().replace(/%2C/g, ","));
        query.set("title", title || "");
        return "/compare/page.html?" + query.toString();
      }
    }
  });
})();
