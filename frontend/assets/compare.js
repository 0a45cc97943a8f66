// A comparison in the browser: what lies under the cursor of the schedules; axes and picked designs live in the address.
(function () {
  var TELL_AFTER_MS = 80, waiting = null, told = "";

  function read(strip, name) {
    strip.kept = strip.kept || {};
    if (!(name in strip.kept)) { strip.kept[name] = JSON.parse(strip.getAttribute("data-" + name)); }
    return strip.kept[name];
  }

  function doneAt(strip, seconds) {
    var work = read(strip, "work"), at = Math.min(1, Math.max(0, seconds / parseFloat(strip.getAttribute("data-end")))) * (work.length - 1);
    var low = Math.floor(at), high = Math.min(work.length - 1, low + 1);
    return work[low] + (work[high] - work[low]) * (at - low);
  }

  function windowAt(strip, seconds) {
    var windows = read(strip, "windows"), found = 0;
    windows.forEach(function (each, i) { if (seconds >= each[0]) { found = i; } });
    return found;
  }

  // Under the cursor of the schedules: which share of the work is done, and which window it is.
  document.addEventListener("timecursor", function (event) {
    var line = document.getElementById("compare-cursor-words"), at = event.detail, parts = [], windows = {};
    if (!line || at.group !== "schedule") { return; }
    line.textContent = "";
    if (at.seconds === undefined) { return; }
    at.members.forEach(function (strip) {
      var letter = strip.getAttribute("data-letter");
      parts.push(letter + "\u00a0" + Math.round(100 * doneAt(strip, at.seconds)) + "\u00a0%");
      windows[letter] = windowAt(strip, at.seconds);
    });
    line.textContent = "at " + at.words + " of the work is done: " + parts.join(", ");
    tell(windows);
  });

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

  // What cannot be undone is asked about; on the way down, before the button's own listener.
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-confirm]");
    if (button && !window.confirm(button.getAttribute("data-confirm"))) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    compare: {
      // Returns where the comparison lies as a file.
      address: function (selected, axes, title, entries) {
        if (paretoscopeSite.path().indexOf("/compare") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search), runs = entries.map(function (item) { return item.run; });
        query.set("runs", runs.join(","));
        query.set("designs", runs.map(function (run) { var n = selected[run]; return n === null || n === undefined ? "" : n; }).join(","));
        if (axes.x && axes.y) { query.set("x", axes.x); query.set("y", axes.y); }
        if (axes.scale) { query.set("scale", axes.scale); }
        history.replaceState(history.state, "", location.pathname + "?" + query.toString().replace(/%2C/g, ","));
        query.set("title", title || "");
        return paretoscopeSite.at("/compare/page.html?") + query.toString();
      }
    }
  });
})();
