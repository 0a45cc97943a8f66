// Pointing at a layer or stage in one figure of a page marks it in the others; a click keeps the mark until the next click on it.
// Points and bars carry `meta.paths`, several apart by "|": "Prefill" is the stage, "Prefill/feed-forward" a kind of layers in it.
(function () {
  var picked = null;

  function pathsIn(trace) { return (trace.meta && trace.meta.paths) || []; }
  function pathsOf(plot, point) {
    var path = pathsIn(plot.data[point.curveNumber])[point.pointNumber];
    return path ? path.split("|") : [];
  }
  function within(one, other) { return one === other || one.indexOf(other + "/") === 0; }
  function linked(paths, wanted) {
    return paths.some(function (one) {
      return wanted.some(function (other) { return within(one, other) || within(other, one); });
    });
  }

  function matches(plot, wanted) {
    var found = [];
    plot.data.forEach(function (trace, curve) {
      pathsIn(trace).forEach(function (path, number) {
        var point = { curveNumber: curve, pointNumber: number }, y = plot.calcdata && plot.calcdata[curve][number];
        if (y && y.y !== undefined && linked(pathsOf(plot, point), wanted)) { found.push(point); }
      });
    });
    return found;
  }

  function mark(source, wanted) {
    document.querySelectorAll(".js-plotly-plot").forEach(function (plot) {
      if (plot === source || !plot.offsetParent || !plot._fullLayout || !plot.data) { return; }
      var found = wanted ? matches(plot, wanted) : [];
      if (found.length) { window.Plotly.Fx.hover(plot, found, undefined, true); }
      else if (plot.marked) { window.Plotly.Fx.unhover(plot); }
      plot.marked = found.length > 0;
    });
  }

  function watch(plot) {
    if (plot.watchedForLinks || !plot.on) { return; }
    plot.watchedForLinks = true;
    function wantedBy(event) {
      var paths = [].concat.apply([], event.points.map(function (point) { return pathsOf(plot, point); }));
      return paths.length ? paths : null;
    }
    plot.on("plotly_hover", function (event) { mark(plot, wantedBy(event) || picked); });
    plot.on("plotly_unhover", function () { mark(plot, picked); });
    plot.on("plotly_click", function (event) {
      var wanted = wantedBy(event);
      picked = wanted && JSON.stringify(wanted) === JSON.stringify(picked) ? null : wanted;
      mark(plot, picked);
    });
  }
  document.addEventListener("mouseover", function (event) {
    var plot = event.target.closest && event.target.closest(".js-plotly-plot");
    if (plot) { watch(plot); }
  }, true);
})();
