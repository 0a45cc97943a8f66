// The mesh of chiplets on the keyboard: arrows go from chiplet to chiplet, and drawing it again does not lose the place.
(function () {
  var inMesh = false;

  function cells() { return Array.prototype.slice.call(document.querySelectorAll("#hardware-grid .mesh-cell")); }

  document.addEventListener("focusin", function (event) { inMesh = Boolean(event.target.closest("#hardware-grid")); });

  document.addEventListener("keydown", function (event) {
    if (!event.target.closest || !event.target.closest("#hardware-grid") || event.ctrlKey || event.altKey || event.metaKey) { return; }
    var all = cells(), at = all.indexOf(event.target.closest(".mesh-cell"));
    // The columns are the cells that stand as high as the first one.
    var columns = all.filter(function (cell) { return cell.offsetTop === all[0].offsetTop; }).length;
    var column = at % columns;
    var step = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: column ? -1 : 0, ArrowRight: column < columns - 1 ? 1 : 0 }[event.key];
    if (at < 0 || step === undefined) { return; }
    event.preventDefault();
    if (all[at + step]) { all[at + step].focus(); }
  });

  // What was changed and not saved is not left without a question; the status under Save says so.
  function unsaved() {
    var said = location.pathname === "/hardware/new" && document.getElementById("hardware-unsaved");
    return Boolean(said && said.textContent);
  }

  window.addEventListener("beforeunload", function (event) {
    if (unsaved()) { event.preventDefault(); event.returnValue = ""; }
  });

  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[href]");
    if (!link || link.target === "_blank" || link.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    if (unsaved() && !window.confirm("Changes to this hardware are not saved. Leave the page all the same?")) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, true);

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    hardware: {
      // The mesh was drawn again: a person who stood in it stands on the chosen chiplet.
      keepPlace: function () {
        setTimeout(function () {
          var chosen = document.querySelector("#hardware-grid .mesh-cell.on");
          if (inMesh && chosen && document.activeElement === document.body) { chosen.focus({ preventScroll: true }); }
        }, 30);
        return window.dash_clientside.no_update;
      },

      // What saving says stands below the picture, the figures and what differs: it comes into sight, its end first.
      showSaid: function (children) {
        setTimeout(function () {
          var said = document.getElementById("hardware-saved");
          if (children && said) { said.scrollIntoView({ block: "nearest" }); }
        }, 30);
        return window.dash_clientside.no_update;
      }
    }
  });
})();
