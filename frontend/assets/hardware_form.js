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

  // The draft of the page is the document and the text, from which the form is drawn again.
  function props(id) { var found = window.dash_component_api.getLayout(id); return found ? found.props : {}; }

  window.paretoscopeDraftKinds = Object.assign({}, window.paretoscopeDraftKinds, {
    hardware: {
      read: function () {
        var draft = props("hardware-draft").data, typed = document.getElementById("hardware-text");
        var unsaved = document.getElementById("hardware-unsaved"), mode = props("hardware-mode").value;
        if (!draft || !unsaved || !unsaved.textContent) { return null; }
        return { draft: mode === "text" && typed ? Object.assign({}, draft, { text: typed.value }) : draft, mode: mode };
      },
      write: function (kept) {
        // JSON is YAML: read back, it draws the form of the document.
        var text = kept.draft.text === null ? JSON.stringify(kept.draft.content, null, 1) : kept.draft.text, set = window.dash_clientside.set_props;
        set("hardware-draft", { data: Object.assign({}, kept.draft, { text: text }) });
        set("hardware-text", { value: text });
        set("hardware-mode", { value: kept.mode });
      }
    }
  });

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
