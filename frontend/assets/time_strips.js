// Pictures over time by pointer and by keyboard: one cursor and one zoom for all of a group, and the values under the cursor.
// What a picture's axis is in says `layout.meta.time` (figures/time_axis.py), what a line is in says its `meta`.
(function () {
  var STEPS = 100, FAR = 10, ZOOM = 2;
  var syncing = false;

  function strips() { return Array.prototype.slice.call(document.querySelectorAll(".time-strip")).filter(timeOf); }
  function groupOf(strip) { return strip.getAttribute("data-group") || strip; }
  function together(strip) { return strips().filter(function (each) { return groupOf(each) === groupOf(strip); }); }
  function plotOf(strip) { return strip.querySelector(".js-plotly-plot"); }
  function timeOf(strip) {
    var plot = plotOf(strip), meta = plot && plot._fullLayout && plot._fullLayout.xaxis && plot.layout.meta;
    return meta && meta.time;
  }
  function axisOf(strip) { return plotOf(strip)._fullLayout.xaxis; }
  function momentOf(strip) {
    return together(strip).map(function (each) { return each.moment; }).filter(function (moment) { return moment !== undefined; })[0];
  }

  function momentAt(strip, event) {
    var axis = axisOf(strip), across = event.clientX - plotOf(strip).getBoundingClientRect().left - axis._offset;
    return across < 0 || across > axis._length ? null : axis.p2l(across) / timeOf(strip).per_second;
  }

  // -- what is shown -----------------------------------------------------------------------------------------------
  function number(value) {
    var size = Math.abs(value);
    return grouped(size >= 100 || value === 0 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : value.toPrecision(3));
  }

  function grouped(digits) {
    var parts = digits.replace("-", "−").split(".");
    return [parts[0].replace(/\B(?=(\d{3})+$)/g, "\u2009")].concat(parts.slice(1)).join(".");
  }

  // As many decimals as tell one step of the cursor from the next, however far one has zoomed in.
  function timeWords(strip, seconds) {
    var time = timeOf(strip), range = axisOf(strip).range, decimals = Math.ceil(-Math.log10(Math.abs(range[1] - range[0]) / STEPS));
    return grouped((seconds * time.per_second).toFixed(Math.min(9, Math.max(0, decimals)))) + "\u00a0" + time.unit;
  }

  function ruleOf(strip) {
    var rule = strip.querySelector(".time-rule");
    if (!rule) {
      rule = document.createElement("div");
      rule.className = "time-rule";
      rule.appendChild(document.createElement("span"));
      strip.appendChild(rule);
    }
    return rule;
  }

  function place(strip) {
    var rule = ruleOf(strip), axis = axisOf(strip);
    var across = strip.moment === undefined ? -1 : axis.l2p(strip.moment * timeOf(strip).per_second);
    rule.hidden = across < -0.5 || across > axis._length + 0.5;
    rule.style.left = (axis._offset + across) + "px";
    if (!rule.hidden) { rule.firstChild.textContent = timeWords(strip, strip.moment); }
  }

  // A stepped line keeps the value of the last step; a straight one lies between its points; before and after, it says nothing.
  function valueOf(line, at) {
    var x = line.x, low = 0, high = x.length - 1, near = 1e-9 * Math.abs(x[high] - x[0]);
    if (at < x[0] - near || at > x[high] + near) { return null; }
    while (low < high) { var middle = (low + high + 1) >> 1; if (x[middle] <= at) { low = middle; } else { high = middle - 1; } }
    var here = line.y[low], next = line.y[low + 1];
    var between = line.mode === "lines" && line.line.shape === "linear" && x[low + 1] > x[low] && at > x[low] && isFinite(next);
    return between ? here + (next - here) * (at - x[low]) / (x[low + 1] - x[low]) : here;
  }

  function values(strip) {
    var at = strip.moment * timeOf(strip).per_second;
    return plotOf(strip)._fullData.filter(function (line) { return line.meta && line.meta.unit !== undefined && line.x && line.x.length; }).map(function (line) {
      var value = valueOf(line, at);
      return line.name + "\u00a0" + (isFinite(value) && value !== null ? number(value) + (line.meta.unit ? "\u00a0" + line.meta.unit : "") : "–");
    });
  }

  // Under the pointer values change all the time: only what a key has moved to is read out.
  function tell(strip, byKey) {
    var told = strip.parentElement.querySelector(".time-words"), found = values(strip);
    if (!told || !found.length) { return; }
    told.setAttribute("aria-live", byKey ? "polite" : "off");
    told.textContent = strip.moment === undefined ? "" : "at " + timeWords(strip, strip.moment) + ": " + found.join(", ");
  }

  function show(strip, seconds, byKey) {
    var members = together(strip);
    members.forEach(function (each) { watch(each); each.moment = seconds; place(each); tell(each, byKey); });
    var words = seconds === undefined ? "" : timeWords(strip, seconds);
    document.dispatchEvent(new CustomEvent("timecursor", { detail: { group: groupOf(strip), seconds: seconds, words: words, members: members } }));
  }

  // -- pointer -----------------------------------------------------------------------------------------------------
  function stripOf(target) { var strip = target.closest && target.closest(".time-strip"); return strip && timeOf(strip) ? strip : null; }

  document.addEventListener("mousemove", function (event) {
    var strip = stripOf(event.target), seconds = strip && momentAt(strip, event);
    if (strip && seconds !== null) { show(strip, seconds, false); }
  });

  // -- keyboard ----------------------------------------------------------------------------------------------------
  function shownLength(strip) { var range = axisOf(strip).range; return (range[1] - range[0]) / timeOf(strip).per_second; }

  function showRange(strip, from, to) {
    var time = timeOf(strip), length = Math.min(to - from, time.end - time.start), begin = Math.min(Math.max(time.start, from), time.end - length);
    window.Plotly.relayout(plotOf(strip), { "xaxis.range": [begin * time.per_second, (begin + length) * time.per_second] });
  }

  // What lies outside of the shown part comes into its middle.
  function go(strip, seconds) {
    var time = timeOf(strip), range = axisOf(strip).range, to = Math.min(time.end, Math.max(time.start, seconds)), half = shownLength(strip) / 2;
    var near = 1e-6 * (range[1] - range[0]), at = to * time.per_second;
    show(strip, to, true);
    if (at < range[0] - near || at > range[1] + near) { showRange(strip, to - half, to + half); }
  }

  function step(strip, share) {
    var now = momentOf(strip), begin = axisOf(strip).range[0] / timeOf(strip).per_second;
    go(strip, (now === undefined ? begin : now) + share * shownLength(strip));
  }

  function mark(strip, forward) {
    var now = momentOf(strip), all = timeOf(strip).marks || [], from = now === undefined ? -Infinity : now, near = 1e-9 * (timeOf(strip).end || 1);
    var found = forward ? all.filter(function (each) { return each > from + near; })[0] : all.filter(function (each) { return each < from - near; }).pop();
    if (found !== undefined) { go(strip, found); }
  }

  function zoom(strip, factor) {
    var now = momentOf(strip), range = axisOf(strip).range.map(function (each) { return each / timeOf(strip).per_second; });
    var middle = now >= range[0] && now <= range[1] ? now : (range[0] + range[1]) / 2;
    showRange(strip, middle - (middle - range[0]) * factor, middle + (range[1] - middle) * factor);
  }

  var keys = {
    ArrowLeft: function (strip, far) { step(strip, -(far ? FAR : 1) / STEPS); },
    ArrowRight: function (strip, far) { step(strip, (far ? FAR : 1) / STEPS); },
    Home: function (strip) { go(strip, timeOf(strip).start); },
    End: function (strip) { go(strip, timeOf(strip).end); },
    "[": function (strip) { mark(strip, false); },
    "]": function (strip) { mark(strip, true); },
    "+": function (strip) { zoom(strip, 1 / ZOOM); },
    "=": function (strip) { zoom(strip, 1 / ZOOM); },
    "-": function (strip) { zoom(strip, ZOOM); },
    "0": function (strip) { showRange(strip, timeOf(strip).start, timeOf(strip).end); }
  };

  // On the way down, before the page's own keys: within such a picture, arrows are its own.
  document.addEventListener("keydown", function (event) {
    var strip = stripOf(event.target), act = keys[event.key];
    if (!strip || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "Escape" && momentOf(strip) !== undefined) { show(strip, undefined, true); event.stopPropagation(); return; }
    if (!act) { return; }
    event.preventDefault();
    event.stopPropagation();
    watch(strip);
    act(strip, event.shiftKey);
  }, true);

  // -- one zoom for all ----------------------------------------------------------------------------------------------
  // A picture of something else (another design) has no cursor yet; one of another size or range has it elsewhere.
  function watch(strip) {
    var plot = plotOf(strip);
    strip.shown = plot.data;
    if (plot.watchedOverTime || !plot.on) { return; }
    plot.watchedOverTime = true;
    plot.on("plotly_afterplot", function () {
      if (!timeOf(strip) || plot.data !== strip.shown) { strip.moment = undefined; }
      if (timeOf(strip)) { place(strip); } else { ruleOf(strip).hidden = true; }
    });
    plot.on("plotly_relayout", function () {
      if (syncing || !timeOf(strip)) { return; }
      var range = axisOf(strip).range.slice(), others = together(strip).filter(function (each) { return each !== strip; });
      syncing = true;
      Promise.all(others.map(function (each) { return window.Plotly.relayout(plotOf(each), { "xaxis.range": range }); }))
        .finally(function () { syncing = false; });
    });
  }
})();
