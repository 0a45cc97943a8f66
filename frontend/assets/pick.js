// A pick: its pictures are asked for as soon as it is made and drawn past Dash, which would tell every component of the page of
// each of them. What Dash's graphs hold is kept the same, so that a zoom or a change of size finds the pictures that are shown.
(function () {
  var RETRY_MS = 100, MOST_KEPT = 12, KEPT_MS = 60000, AHEAD_AFTER_MS = 50;
  var asking = false, wanted = null, last = "", looks = {}, kept = new Map(), ahead = null;

  function here() { return document.getElementById("run-keys-here"); }
  function props(id) { var found = here() && window.dash_component_api.getLayout(id); return (found && found.props) || {}; }
  function graph(id) { return document.querySelector("#" + id + " .js-plotly-plot"); }
  function keyOf(selection) { return JSON.stringify([selection.design, selection.window || 0, Boolean(selection.follow)]); }

  // Callbacks that are under way are told by this attribute; what waits for them waits for a pick, too.
  function loading(on) {
    var card = document.getElementById("run-design-card");
    if (card && on) { card.setAttribute("data-dash-is-loading", "true"); }
    if (card && !on) { card.removeAttribute("data-dash-is-loading"); }
  }

  function question(selection, scheme) {
    var query = new URLSearchParams(location.search), asked = new URLSearchParams();
    var viewport = props("viewport").data || {}, data = props("run-data").data || {};
    var lanes = document.querySelector('.run-schedule [id*="run-by-choice"].on');
    function put(name, value) { if (value !== null && value !== undefined && value !== false) { asked.set(name, value === true ? "1" : value); } }
    ["limits", "lasso"].forEach(function (name) { put(name, query.get(name)); });
    put("design", selection.design);
    put("window", selection.window || 0);
    put("follow", Boolean(selection.follow));
    put("scheme", scheme);
    put("width", viewport.width);
    put("height", viewport.height);
    put("by", lanes && JSON.parse(lanes.id).value);
    put("live", Boolean(data.live));
    put("choices", JSON.stringify(props("run-choices").data));
    put("view", JSON.stringify(props("run-view").data));
    put("looks", !looks[scheme]);
    return asked.toString();
  }

  function drawn(id) { var found = graph(id); return found && found._fullLayout && found._fullData; }

  function put(id, figure, template) {
    var own = props(id).figure;
    figure.layout.template = figure.layout.template || template;
    own.data = figure.data;
    own.layout = figure.layout;
    window.Plotly.react(graph(id), own.data, own.layout);
  }

  // As Dash applies a patch, to the picture and to what its graph holds.
  function patch(id, operations) {
    var own = graph(id);
    [props(id).figure, own].forEach(function (target) {
      operations.forEach(function (each) {
        var place = each.location.slice(0, -1).reduce(function (found, name) { return found[name]; }, target);
        place[each.location[each.location.length - 1]] = each.params.value;
      });
    });
    window.Plotly.react(own, own.data, own.layout);
  }

  function draw(answer, scheme) {
    looks[scheme] = answer.template || looks[scheme];
    if (answer.front) { patch("run-front", answer.front); }
    Object.keys(answer.figures).forEach(function (id) { put(id, answer.figures[id], looks[scheme]); });
    window.dash_clientside.run.showWords({ html: answer.words.html, attributes: answer.words.attributes });
  }

  // The text of an answer. What a finished run answered is kept a while: who steps along its front goes back and forth. A live
  // run is asked each time. As text, for what is drawn is changed by zooming.
  function answered(selection, scheme) {
    var address = paretoscopeSite.at("/_dash-run-pick/") + props("run-id").data + "?" + question(selection, scheme), data = props("run-data").data || {};
    var key = JSON.stringify([address, data.count, data.attempt]), known = kept.get(key);
    if (known && Date.now() - known.at < KEPT_MS) { return known.text; }
    var text = fetch(address).then(function (response) { return response.ok ? response.text() : Promise.reject(response); });
    if (!data.live) {
      kept.delete(key);
      kept.set(key, { at: Date.now(), text: text });
      text.catch(function () { kept.delete(key); });
      if (kept.size > MOST_KEPT) { kept.delete(kept.keys().next().value); }
    }
    return text;
  }

  // The step that is likely to come next, while nothing else is to be done.
  function lookAhead() {
    var next = ahead, scheme = here() && props("scheme").data;
    if (!next || asking || wanted || !here() || document.hidden || (props("run-data").data || {}).live || !looks[scheme]) { return; }
    ahead = null;
    answered(next, scheme).catch(function () { /* asked again when it is picked */ });
  }

  // One question at a time: of a key that is held down, what it reached when the answer comes is asked for next.
  function ask() {
    if (!wanted || asking || !here()) { return; }
    // The page is just opening.
    if (!["run-front", "run-grid", "run-schedule"].every(drawn)) { setTimeout(ask, RETRY_MS); return; }
    var selection = wanted, run = props("run-id").data, scheme = props("scheme").data;
    wanted = null;
    asking = true;
    loading(true);
    answered(selection, scheme)
      .then(JSON.parse)
      // The same may be picked again.
      .catch(function (failed) {
        last = "";
        window.paretoscopeRefused.told("pick", failed instanceof Response ? failed : null, function () { pick(selection); });
      })
      .then(function (answer) {
        asking = false;
        ask();
        loading(asking);
        // Another page, another scheme: its own callbacks draw it.
        if (answer && here() && props("run-id").data === run && props("scheme").data === scheme) { draw(answer, scheme); }
        setTimeout(lookAhead, AHEAD_AFTER_MS);
      });
  }

  function pick(selection) {
    var key = keyOf(selection);
    if (key === last) { return; }
    last = key;
    wanted = selection;
    ask();
  }

  window.paretoscopePick = {
    pick: pick,
    // What is likely to be picked after the pick that was just made.
    expect: function (selection) { ahead = selection; },
    // After Dash drew a design: another one may have been picked meanwhile.
    check: function (of) {
      var selection = props("run-selection").data;
      last = keyOf(of);
      if (selection) { pick(selection); }
    }
  };
})();
