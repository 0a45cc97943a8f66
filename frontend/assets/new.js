// The engines of the New run page: found by words, folded at once when one is chosen.
(function () {
  function matches(words, typed) { return typed.every(function (each) { return words.indexOf(each) >= 0; }); }

  function filter(field) {
    var typed = field.value.toLowerCase().split(/\s+/).filter(Boolean), body = field.closest(".chooser-body"), any = false;
    body.querySelectorAll(".chooser-group").forEach(function (group) {
      var shown = false;
      group.querySelectorAll("[data-words]").forEach(function (engine) {
        engine.hidden = !matches(engine.dataset.words, typed);
        shown = shown || !engine.hidden;
      });
      group.hidden = !shown;
      any = any || shown;
    });
    var recent = body.querySelector(".chooser-recent");
    if (recent) { recent.hidden = typed.length > 0; }
    body.querySelector(".chooser-nothing").hidden = any;
  }

  document.addEventListener("input", function (event) { if (event.target.id === "new-find") { filter(event.target); } });

  document.addEventListener("keydown", function (event) {
    if (event.target.id !== "new-find") { return; }
    if (event.key === "Enter") {
      var first = document.querySelector(".chooser-group:not([hidden]) [data-words]:not([hidden])");
      if (first) { (first.querySelector("a") || first).click(); }
    } else if (event.key === "Escape" && event.target.value) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(event.target, "");
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });

  // The answer takes a moment: the list goes and the old form pales as soon as one is picked.
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest(".chooser-engine, .chooser-used");
    if (!button || button.closest(".choice")) { return; }
    button.closest(".chooser").open = false;
    // With the answer comes another chooser, which is not marked.
    if (!button.classList.contains("on")) { button.closest(".chooser").classList.add("left"); }
  });
})();
