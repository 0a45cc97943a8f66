// Packets on the pictures of a network stand where they are at the moment of the slider; Play moves it (results/network_picture.py).
(function () {
  var STEPS = 1000, ROUND_MS = 20000;

  function way(points) {
    var behind = [0];
    for (var i = 1; i < points.length; i++) {
      behind.push(behind[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
    }
    return behind;
  }

  function pointAt(points, behind, share) {
    var at = share * behind[behind.length - 1], i = 1;
    while (i < points.length - 1 && behind[i] < at) { i++; }
    var piece = behind[i] - behind[i - 1], part = piece > 0 ? (at - behind[i - 1]) / piece : 0;
    return [points[i - 1][0] + part * (points[i][0] - points[i - 1][0]), points[i - 1][1] + part * (points[i][1] - points[i - 1][1])];
  }

  function move(plot, share) {
    var facts = plot.layout && plot.layout.meta && plot.layout.meta.packets;
    if (!facts) { return ""; }
    var lengths = plot.packetWays && plot.packetFacts === facts ? plot.packetWays : facts.ways.map(way);
    plot.packetWays = lengths;
    plot.packetFacts = facts;
    var now = share * facts.shown, x = [], y = [], colours = [], names = [];
    for (var n = 0; n < facts.start.length && facts.start[n] <= now; n++) {
      if (facts.end[n] <= now) { continue; }
      var route = facts.route[n], point = pointAt(facts.ways[route], lengths[route], (now - facts.start[n]) / (facts.end[n] - facts.start[n]));
      x.push(point[0]);
      y.push(point[1]);
      colours.push(facts.fills[facts.stream[n]]);
      names.push(facts.names[facts.stream[n]]);
    }
    window.Plotly.restyle(plot, { x: [x], y: [y], text: [names], "marker.color": [colours] }, [facts.trace]);
    return (now * facts.per_second).toPrecision(3) + "\u00a0" + facts.unit;
  }

  // Dash puts the slider into a box of its own.
  function rangeOf(host) { return host.querySelector(".network-time-range input"); }

  function show(host) {
    var share = Number(rangeOf(host).value) / STEPS, words = "";
    host.querySelectorAll(".js-plotly-plot").forEach(function (plot) { words = move(plot, share) || words; });
    if (words) { host.querySelector(".network-time-words").textContent = words; }
  }

  function stop(host) {
    host.playing = false;
    host.querySelector(".network-time-play").textContent = "Play";
  }

  function play(host) {
    var range = rangeOf(host), begun = null, from = Number(range.value) >= STEPS ? 0 : Number(range.value);
    host.playing = true;
    host.querySelector(".network-time-play").textContent = "Pause";
    function frame(time) {
      if (!host.playing || !host.isConnected) { return; }
      begun = begun === null ? time : begun;
      var value = from + STEPS * (time - begun) / ROUND_MS;
      range.value = Math.min(STEPS, value);
      show(host);
      if (value < STEPS) { window.requestAnimationFrame(frame); } else { stop(host); }
    }
    window.requestAnimationFrame(frame);
  }

  document.addEventListener("input", function (event) {
    var range = event.target.closest && event.target.closest(".network-time-range"), host = range && range.closest(".network-time");
    if (host) { stop(host); show(host); }
  });
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest(".network-time-play"), host = button && button.closest(".network-time");
    if (!host) { return; }
    if (host.playing) { stop(host); } else { play(host); }
  });
})();
