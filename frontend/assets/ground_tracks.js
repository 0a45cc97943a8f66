// The vehicle on a drive from above stands where the cursor of its traces is (time_strips.js), turned as it heads.
(function () {
  function placeAt(track, seconds) {
    var low = 0, high = track.time.length - 1;
    while (low < high) { var middle = (low + high + 1) >> 1; if (track.time[middle] <= seconds) { low = middle; } else { high = middle - 1; } }
    return low;
  }

  function move(holder, seconds) {
    var plot = holder.querySelector(".js-plotly-plot"), track = plot && plot.layout && plot.layout.meta && plot.layout.meta.track;
    if (!track || !track.time.length) { return; }
    var at = seconds === undefined ? 0 : placeAt(track, seconds);
    if (plot.trackAt === at && plot.trackData === plot.data) { return; }
    plot.trackAt = at;
    plot.trackData = plot.data;
    window.Plotly.restyle(plot, { x: [[track.x[at]]], y: [[track.y[at]]], "marker.angle": [[track.angle[at]]] }, [track.trace]);
  }

  document.addEventListener("timecursor", function (event) {
    document.querySelectorAll(".ground-track").forEach(function (holder) {
      if (holder.getAttribute("data-group") === event.detail.group) { move(holder, event.detail.seconds); }
    });
  });
})();
