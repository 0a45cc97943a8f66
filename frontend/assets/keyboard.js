// Keys that work on every page. Keys of a figure belong to its page.
(function () {
  var pending = null;

  function typing(target) {
    return target.closest && target.closest("input, textarea, select, [contenteditable], [role=textbox], .ag-cell-inline-editing");
  }
  function follow(id) {
    var link = document.getElementById(id);
    if (link) { link.click(); }
  }
  function shortcuts() {
    var dialog = document.getElementById("shortcuts");
    if (!dialog) { return; }
    if (dialog.open) { dialog.close(); } else { dialog.showModal(); }
  }
  function move(event, step) {
    var items = Array.prototype.slice.call(document.querySelectorAll("#search-results a"));
    if (!items.length) { return; }
    event.preventDefault();
    var at = items.indexOf(document.activeElement) + step;
    if (at < 0) { document.getElementById("search").focus(); } else { items[Math.min(at, items.length - 1)].focus(); }
  }

  var single = {
    "/": function () { var field = document.getElementById("search"); if (field) { field.focus(); field.select(); } },
    "n": function () { follow("nav-explore"); },
    "?": shortcuts
  };
  var afterG = { "h": "nav-home", "e": "nav-explore", "c": "nav-compare", "k": "nav-catalogue" };

  document.addEventListener("keydown", function (event) {
    var find = event.target.closest && event.target.closest(".find");
    if (find && event.key === "ArrowDown") { move(event, 1); return; }
    if (find && event.key === "ArrowUp") { move(event, -1); return; }
    if (find && event.key === "Enter" && event.target.id === "search") {
      var first = document.querySelector("#search-results a");
      if (first) { first.click(); first.blur(); }
      return;
    }
    if (event.key === "Escape" && find) { event.target.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) { return; }
    var key = event.key.toLowerCase();
    if (pending && afterG[key]) {
      event.preventDefault();
      follow(afterG[key]);
    } else if (key === "g") {
      clearTimeout(pending);
      pending = setTimeout(function () { pending = null; }, 1200);
      return;
    } else if (single[key]) {
      event.preventDefault();
      single[key]();
    }
    clearTimeout(pending);
    pending = null;
  });

  // The list of shortcuts closes on a click beside it; a chosen search result closes the list of results.
  document.addEventListener("click", function (event) {
    if (event.target.id === "shortcuts") { event.target.close(); }
    if (event.target.closest && event.target.closest("[data-open-shortcuts]")) { shortcuts(); }
    if (event.target.closest && event.target.closest("#search-results a")) { document.activeElement.blur(); }
  });
})();
