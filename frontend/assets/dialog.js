// Dialogs that stand in a page: what has `data-opens` shows the dialog of that id, what has `data-closes` closes the one that it is in.
(function () {
  document.addEventListener("click", function (event) {
    var opener = event.target.closest && event.target.closest("[data-opens]");
    if (opener) { show(document.getElementById(opener.dataset.opens)); return; }
    var closer = event.target.closest && event.target.closest("[data-closes]");
    if (closer) { closer.closest("dialog").close(); return; }
    if (event.target.matches && event.target.matches("dialog.own-design, dialog.share")) { event.target.close(); }  // its backdrop
  });

  function show(dialog) {
    if (!dialog || dialog.open) { return; }
    // Fields that hear keys at the root of the page, as React's do, need them to get there.
    if (!dialog.dataset.quiet && dialog.dataset.keys !== "through") {
      // Keys of the page below do nothing while it is open.
      dialog.addEventListener("keydown", function (event) { event.stopPropagation(); });
      dialog.dataset.quiet = "1";
    }
    dialog.showModal();
    var field = dialog.querySelector("textarea");
    if (field) { field.focus(); field.setSelectionRange(0, 0); }
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    ownDesign: {
      // What stands in the field at this click; the number of the click makes the same text news again.
      written: function (clicks, field) {
        var there = clicks && document.getElementById(field);
        return there ? { clicks: clicks, text: there.value } : window.dash_clientside.no_update;
      }
    }
  });
})();
