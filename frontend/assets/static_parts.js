// Parts of pages that come as text (`components/static_part.py`, `components/as_table.py`), put in their places.
(function () {
  var waiting = false;

  function fill(place, name) {
    var text = place.getAttribute(name);
    if (place.shownText === text) { return; }
    place.shownText = text;
    place.innerHTML = text;
  }

  // What is folded away becomes elements once somebody opens it.
  function look() {
    waiting = false;
    document.querySelectorAll("[data-html]").forEach(function (place) { fill(place, "data-html"); });
    document.querySelectorAll("details[open] > [data-folded]").forEach(function (place) { fill(place, "data-folded"); });
  }

  function soon() {
    if (waiting) { return; }
    waiting = true;
    // A microtask: the text is there before the page is painted without it.
    Promise.resolve().then(look);
  }

  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-html", "data-folded", "open"] });
})();
