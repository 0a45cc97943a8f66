// A schedule by keyboard: arrows step from block to block and from lane to lane, + and - zoom, Enter shows the block's window.
(function () {
  var ZOOM = 1.6;

  // Where the same place shows a trace, its keys are those of a time cursor (time_strips.js).
  function hostOf(target) {
    var host = target.closest && target.closest(".schedule-keys"), plot = host && plotOf(host);
    return plot && plot.layout && plot.layout.meta && plot.layout.meta.time ? null : host;
  }
  function plotOf(host) { return host.querySelector(".js-plotly-plot"); }
  function axisOf(plot, name) { return plot._fullLayout && plot._fullLayout[name]; }

  // Stretches of work as they are drawn, by row and start; `text` is what the pointer would show.
  function blocksOf(plot) {
    var found = [];
    (plot._fullData || []).forEach(function (trace) {
      if (trace.type !== "bar" || trace.orientation !== "h" || !trace.base) { return; }
      for (var i = 0; i < trace.x.length; i++) {
        found.push({
          start: trace.base[i], end: trace.base[i] + trace.x[i], row: trace.y[i], text: trace.text[i],
          window: trace.customdata && trace.customdata[i] ? trace.customdata[i][0] : null
        });
      }
    });
    return found.sort(function (a, b) { return a.row - b.row || a.start - b.start; });
  }

  function part(host, name) {
    var found = host.querySelector("." + name);
    if (!found) {
      found = document.createElement("div");
      found.className = name;
      if (name === "schedule-words") { found.setAttribute("aria-live", "polite"); }
      host.appendChild(found);
    }
    return found;
  }

  function plain(text) {
    return text.replace(/<br>/g, ", ").replace(/<[^>]*>/g, "");
  }

  function hide(host) {
    host.block = null;
    part(host, "schedule-ring").hidden = true;
    part(host, "schedule-words").textContent = "";
  }

  // The ring around the block, and what it is, in the strip above the lanes' end.
  function show(host) {
    var plot = plotOf(host), x = axisOf(plot, "xaxis"), y = axisOf(plot, "yaxis"), block = host.block;
    if (!block || !x || !y) { return; }
    var left = Math.max(0, x.l2p(block.start)), right = Math.min(x._length, x.l2p(block.end));
    var middle = y.l2p(block.row), half = Math.abs(y.l2p(0.42) - y.l2p(0));
    var ring = part(host, "schedule-ring"), offset = plot.offsetTop;
    ring.hidden = right < 0 || left > x._length;
    ring.style.left = (x._offset + left - 2) + "px";
    ring.style.width = (Math.max(2, right - left) + 4) + "px";
    ring.style.top = (offset + y._offset + middle - half - 1) + "px";
    ring.style.height = (2 * half + 2) + "px";
    part(host, "schedule-words").textContent = plain(block.text);
  }

  function into(host, range) {
    var plot = plotOf(host), x = axisOf(plot, "xaxis"), last = x.maxallowed;
    var length = Math.min(range[1] - range[0], last), from = Math.min(Math.max(0, range[0]), last - length);
    return window.Plotly.relayout(plot, { "xaxis.range": [from, from + length] }).then(function () { show(host); });
  }

  function pick(host, block) {
    host.block = block;
    host.shown = plotOf(host).data;
    var x = axisOf(plotOf(host), "xaxis"), length = x.range[1] - x.range[0];
    if (block.end < x.range[0] || block.start > x.range[1]) {
      var middle = (block.start + block.end) / 2;
      into(host, [middle - length / 2, middle + length / 2]);
      return;
    }
    show(host);
  }

  function along(host, step) {
    var blocks = blocksOf(plotOf(host));
    if (!blocks.length) { return; }
    var now = host.block, row = now ? now.row : blocks[0].row;
    var own = blocks.filter(function (each) { return each.row === row; });
    var at = now ? own.findIndex(function (each) { return each.start === now.start && each.end === now.end; }) + step : 0;
    pick(host, own[Math.min(Math.max(0, at), own.length - 1)]);
  }

  // To the next lane with work, at the block that is nearest in time.
  function across(host, step) {
    var blocks = blocksOf(plotOf(host)), now = host.block;
    if (!now) { along(host, 0); return; }
    var rows = blocks.map(function (each) { return each.row; });
    var wanted = rows.filter(function (row) { return (row - now.row) * step > 0; });
    if (!wanted.length) { return; }
    var row = step > 0 ? Math.min.apply(null, wanted) : Math.max.apply(null, wanted);
    function far(block) { return Math.abs(block.start + block.end - now.start - now.end); }
    pick(host, blocks.filter(function (each) { return each.row === row; }).sort(function (a, b) { return far(a) - far(b); })[0]);
  }

  function zoom(host, factor) {
    var x = axisOf(plotOf(host), "xaxis"), length = (x.range[1] - x.range[0]) / factor;
    var middle = host.block ? (host.block.start + host.block.end) / 2 : (x.range[0] + x.range[1]) / 2;
    into(host, [middle - length / 2, middle + length / 2]);
  }

  // The thumbnails of the windows choose; on other tabs they are there, unseen.
  function chooseWindow(host) {
    var index = host.block && host.block.window;
    var button = document.querySelectorAll(".run-windows .win")[index];
    if (button) { button.click(); }
  }

  var keys = {
    ArrowRight: function (host) { along(host, 1); },
    ArrowLeft: function (host) { along(host, -1); },
    ArrowDown: function (host) { across(host, 1); },
    ArrowUp: function (host) { across(host, -1); },
    Home: function (host) { host.block = null; along(host, 0); },
    "+": function (host) { zoom(host, ZOOM); },
    "-": function (host) { zoom(host, 1 / ZOOM); },
    "0": function (host) { into(host, [0, axisOf(plotOf(host), "xaxis").maxallowed]); },
    Enter: chooseWindow
  };

  // On the way down, before the page's own keys: within a schedule, arrows are its own.
  document.addEventListener("keydown", function (event) {
    var host = hostOf(event.target), act = keys[event.key];
    if (!host || event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "Escape" && host.block) { hide(host); event.stopPropagation(); return; }
    if (!act || !plotOf(host) || !axisOf(plotOf(host), "xaxis")) { return; }
    event.preventDefault();
    event.stopPropagation();
    watch(host);
    act(host);
  }, true);

  // Another design or another size: what is ringed is not there any more.
  function watch(host) {
    var plot = plotOf(host);
    if (plot.watchedByKeys || !plot.on) { return; }
    plot.watchedByKeys = true;
    plot.on("plotly_afterplot", function () { if (plot.data === host.shown) { show(host); } else { hide(host); } });
  }
  document.addEventListener("focusout", function (event) {
    var host = hostOf(event.target);
    if (host) { hide(host); }
  });
})();
