// New run and new study: what can be started is what the summary shows. `Start` waits until the summary was made of exactly what stands in the form.
(function () {
  var typing_ms = 450; // a little longer than a text field keeps what is typed to itself
  var typedUntil = 0, form = null, judged = null, token = "", choosing = false, starting = false;

  // Text with sorted keys, so that equal things are equal texts; empty controls are "" or null.
  function text(value) {
    if (value === null || value === undefined) { return '""'; }
    if (typeof value !== "object") { return JSON.stringify(value); }
    if (Array.isArray(value)) { return "[" + value.map(text).join() + "]"; }
    return "{" + Object.keys(value).sort().map(function (key) { return JSON.stringify(key) + ":" + text(value[key]); }).join() + "}";
  }

  // "new" or "new-study": what the ids of the page at hand begin with.
  function page() {
    return ["new", "new-study"].filter(function (name) { return document.getElementById(name + "-start"); })[0];
  }

  function show() {
    var own = page();
    if (judged === null || !own) { return window.dash_clientside.no_update; }
    var stale = choosing || form !== judged || Date.now() < typedUntil;
    var waits = stale ? "Waits until the summary belongs to what is chosen" : "";
    window.dash_clientside.set_props(own + "-start", { disabled: stale || starting || !token, title: waits });
    window.dash_clientside.set_props(own + "-summary", { className: stale ? "stale" : "" });
    return window.dash_clientside.no_update;
  }

  document.addEventListener("input", function (event) {
    if (!event.target.closest || !event.target.closest(".new-form, .study-section, .time-limit")) { return; }
    typedUntil = Date.now() + typing_ms;
    show();
    setTimeout(show, typing_ms + 10);
  }, true);

  // Between a key and the button's next look there is no moment in which a click would count.
  document.addEventListener("click", function (event) {
    if (event.target.closest && event.target.closest("#new-start, #new-study-start") && Date.now() < typedUntil) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    ready: {
      form: function (draft, values, limit, ids) {
        var typed = {};
        ids.forEach(function (id, i) { typed[id.name] = values[i]; });
        form = text({ draft: draft, form: typed, limit: limit });
        return show();
      },
      study: function (slots, values, engine, seeds, limit, slotIds, ids) {
        var chosen = {}, typed = {};
        slotIds.forEach(function (id, i) { chosen[id.slot] = slots[i]; });
        ids.forEach(function (id, i) { typed[id.name] = values[i]; });
        form = text({ draft: chosen, form: typed, limit: [engine, seeds, limit] });
        return show();
      },
      judged: function (made) {
        token = made.token;
        judged = text({ draft: made.draft, form: made.form, limit: made.limit });
        return show();
      },
      busy: function (chosen, started) {
        choosing = Boolean(chosen);
        starting = Boolean(started);
        return show();
      }
    }
  });
})();
