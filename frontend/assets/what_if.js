// Figures of the hardware, moved: one position at a time is with the server, the newest is always the next, older answers are dropped.
(function () {
  var REST_MS = 180;     // after which the front follows
  var LOST_MS = 20000;   // after which an answer does not come any more
  var newest = 0, sent = { design: null, front: null }, rest = null, values = {}, design = {};

  function set(id, data) { window.dash_clientside.set_props(id, { data: data }); }

  function words(value, figure) {
    var text = figure.whole ? String(value) : String(Number(value.toPrecision(Math.abs(value) < 1000 ? 4 : 6)));
    var parts = text.split(".");
    parts[0] = parts[0].replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
    return parts.join(".") + (figure.unit ? "\u00a0" + figure.unit : "");
  }

  // Where the slider stands as it did, the figure is the stored one to the last digit.
  function valueOf(step, figure) {
    if (Math.abs(step - figure.step) < 0.25) { return figure.value; }
    if (figure.whole && !figure.log) { return step; }
    var share = step / figure.steps;
    var value = figure.log ? figure.low * Math.pow(figure.high / figure.low, share) : figure.low + share * (figure.high - figure.low);
    value = Math.min(figure.high, Math.max(figure.low, Number(value.toPrecision(4))));
    return figure.whole ? Math.round(value) : value;
  }

  function waits(kind) { return sent[kind] && Date.now() - sent[kind].at < LOST_MS; }

  function ask(kind) {
    if (!document.getElementById("what-if-moved") || waits(kind)) { return; }
    sent[kind] = { n: newest, at: Date.now() };
    set(kind === "design" ? "what-if-position" : "what-if-together", { n: newest, values: values, design: design });
  }

  function later() {
    clearTimeout(rest);
    rest = setTimeout(function () { ask("front"); }, REST_MS);
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    whatIf: {
      moved: function (steps, figures) {
        var moved = {}, texts = [], classes = [];
        (figures || []).forEach(function (figure, at) {
          var value = valueOf(steps[at], figure);
          texts.push(words(value, figure));
          classes.push(value === figure.value ? "what-if-figure" : "what-if-figure moved");
          if (value !== figure.value) { (moved[figure.slot] = moved[figure.slot] || {})[figure.name] = value; }
        });
        values = moved;
        newest += 1;
        clearTimeout(rest);
        ask("design");
        return [texts, classes, Object.keys(moved).length === 0];
      },

      // All sliders back to where they stood, or the one whose button was clicked.
      reset: function (_clicks, _backs, steps, figures) {
        var cause = window.dash_clientside.callback_context.triggered_id;
        return (figures || []).map(function (figure, at) {
          var meant = typeof cause === "string" || (cause.slot === figure.slot && cause.name === figure.name);
          return meant ? figure.step : steps[at];
        });
      },

      answered: function () {
        var cause = window.dash_clientside.callback_context.triggered;
        cause.forEach(function (each) {
          var kind = each.prop_id.indexOf("what-if-answered") === 0 ? "design" : "front", told = each.value || {};
          if (told.n === undefined) { return; }
          sent[kind] = null;
          if (kind === "design" && told.design) { design = told.design; }
          if (told.again || told.n < newest) {
            if (kind === "design") { setTimeout(function () { ask("design"); }, told.again ? REST_MS : 0); } else { later(); }
          } else if (kind === "design") { later(); }
        });
        return window.dash_clientside.no_update;
      }
    }
  });
})();
