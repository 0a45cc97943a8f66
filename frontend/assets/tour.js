// The tour of two minutes (`components/shell/tour.py` has its words). Where it stands is kept while the window is open.
(function () {
  var KEPT = "paretoscope_tour", DONE = "paretoscope_tour_done", LOOK_FOR_MS = 8000;
  var pointed = null, turn = 0;

  function box() { return document.getElementById("tour"); }
  function steps() { return JSON.parse(box().getAttribute("data-steps")); }
  function part(name) { return document.getElementById("tour-" + name); }
  function kept() { var text = sessionStorage.getItem(KEPT); return text === null ? null : parseInt(text, 10); }

  function unpoint() {
    if (pointed) { pointed.classList.remove("tour-here"); }
    pointed = null;
  }

  // What a step points at may come a moment after its page.
  function point(place, mine, since) {
    if (mine !== turn) { return; }
    var found = place && document.querySelector(place);
    if (found && found.offsetParent !== null) {
      pointed = found.closest(".card") || found;
      pointed.classList.add("tour-here");
      pointed.scrollIntoView({ block: "nearest" });
    } else if (place && Date.now() - since < LOOK_FOR_MS) {
      setTimeout(function () { point(place, mine, since); }, 200);
    }
  }

  function here(path) { return location.pathname === path.split("?")[0]; }

  function show(at, focus) {
    var all = steps(), step = all[at];
    unpoint();
    turn += 1;
    if (!step) { end(); return; }
    sessionStorage.setItem(KEPT, at);
    if (!here(step.path)) { location.assign(step.path); return; }
    part("title").textContent = step.title;
    part("words").textContent = step.words;
    part("count").textContent = (at + 1) + " of " + all.length;
    part("back").hidden = at === 0;
    part("next").textContent = at + 1 === all.length ? "Done" : "Next";
    box().hidden = false;
    if (focus) { part("next").focus(); }
    point(step.place, turn, Date.now());
  }

  function end() {
    turn += 1;
    unpoint();
    sessionStorage.removeItem(KEPT);
    localStorage.setItem(DONE, "yes");
    if (box()) { box().hidden = true; }
    invite();
  }

  function invite() {
    var line = document.getElementById("tour-invitation");
    if (line) { line.hidden = localStorage.getItem(DONE) === "yes" || kept() !== null; }
  }

  document.addEventListener("click", function (event) {
    var hit = event.target.closest && event.target.closest("#tour-next, #tour-back, #tour-end, [data-tour]");
    if (!hit) { return; }
    var what = hit.getAttribute("data-tour") || hit.id.replace("tour-", ""), at = kept() || 0;
    if (what === "start") { show(0, true); invite(); }
    if (what === "next") { show(at + 1, true); }
    if (what === "back") { show(Math.max(0, at - 1), true); }
    if (what === "end" || what === "away") { end(); }
  });

  // Escape ends it, but only from within: elsewhere it clears selections and closes menus.
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && box() && !box().hidden && box().contains(event.target)) { end(); }
  });

  // Pages come without the document being loaded again; the tour waits on the page where it stands.
  var seen = "";
  function look() {
    if (!box()) { return; }
    var now = location.pathname + "|" + (document.getElementById("tour-invitation") ? "home" : "");
    if (now === seen) { return; }
    var first = seen === "";
    seen = now;
    invite();
    var at = kept(), step = at === null ? null : steps()[at];
    if (!step) { return; }
    if (here(step.path)) { show(at, first); } else { unpoint(); box().hidden = true; }
  }
  setInterval(look, 400);
})();
