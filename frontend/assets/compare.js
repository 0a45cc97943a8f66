// A comparison in the browser: one time cursor and one zoom over all schedules; axes and picked designs live in the address.
(function () {
  var STEPS = 100, TELL_AFTER_MS = 80;
  var moment_s = null, waiting = null, told = "", syncing = false;

  function strips() { return Array.prototype.slice.call(document.querySelectorAll(".compare-schedule")); }
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

  function show(seconds) {
    moment_s = seconds;
    var parts = [], windows = {};
    strips().forEach(function (strip) {
      var axis = axisOf(strip), rule = ruleOf(strip), letter = strip.getAttribute("data-letter");
      if (!axis) { return; }
      var across = axis.l2p(seconds * unitsPerSecond(axis, strip));
      rule.hidden = across < 0 || across > axis._length;
      rule.style.left = (axis._offset + across) + "px";
      rule.firstChild.textContent = words(seconds);
      parts.push(letter + "\u00a0" + Math.round(100 * doneAt(strip, seconds)) + "\u00a0%");
      windows[letter] = windowAt(strip, seconds);
    });
    var place = document.getElementById("compare-cursor-words");
    if (place) { place.textContent = "at " + words(seconds) + " of the work is done: " + parts.join(", "); }
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
    if (seconds !== null) { show(seconds); }
  });

  // What cannot be undone is asked about; on the way down, before the button's own listener.
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-confirm]");
    if (button && !window.confirm(button.getAttribute("data-confirm"))) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  document.addEventListener("keydown", function (event) {
    var strip = event.target.closest && event.target.closest(".compare-schedule");
    var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!strip || !step || event.ctrlKey || event.metaKey || event.altKey) { return; }
    event.preventDefault();
    var far = step * (event.shiftKey ? 10 : 1) * endOf(strip) / STEPS;
    show(Math.min(endOf(strip), Math.max(0, (moment_s || 0) + far)));
  });

  // One zoom for all: what one schedule shows, the others show too.
  function follow(strip) {
    var plot = plotOf(strip);
    if (!plot || plot.followed || !plot.on) { return; }
    plot.followed = true;
    plot.on("plotly_relayout", function () {
      if (syncing) { return; }
      syncing = true;
      var range = plot._fullLayout.xaxis.range.slice();
      var others = strips().map(plotOf).filter(function (each) { return each && each !== plot; });
      Promise.all(others.map(function (each) { return window.Plotly.relayout(each, { "xaxis.range": range }); }))
        .finally(function () { syncing = false; if (moment_s !== null) { show(moment_s); } });
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
