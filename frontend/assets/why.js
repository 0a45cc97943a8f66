// The tab that says why: what is chosen stands in the address.
(function () {
  var MOST_MS = 20000;
  var asked = {};
  var NAMES = { of: "figure", how: "parts", against: "against" };

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    why: {
      chosen: function (of, how, against) {
        var chosen = { of: of || "", how: how || "", against: against || "" };
        var query = new URLSearchParams(location.search);
        Object.keys(NAMES).forEach(function (name) {
          if (chosen[name]) { query.set(NAMES[name], chosen[name]); } else { query.delete(NAMES[name]); }
        });
        if (paretoscopeSite.path().indexOf("/runs/") === 0) {
          history.replaceState(history.state, "", location.pathname + "?" + query.toString());
        }
        return chosen;
      },

      // Changes are tried piece by piece: the next is asked for when one has come.
      goOn: function (tally, _stop, turn) {
        var cause = window.dash_clientside.callback_context.triggered.map(function (each) { return each.prop_id; });
        if (tally && tally.id !== asked.id) { asked = { id: tally.id, began: Date.now(), stopped: false }; }
        if (cause.indexOf("why-stop.n_clicks") >= 0) { asked.stopped = true; }
        var more = tally && tally.next < tally.total && !asked.stopped && Date.now() - asked.began < MOST_MS;
        return [more ? (turn || 0) + 1 : window.dash_clientside.no_update, !more];
      },

      begun: function () { return false; }
    }
  });
})();
