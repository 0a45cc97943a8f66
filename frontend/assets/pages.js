// Functions for the clientside callbacks of the pages, named `ClientsideFunction("pages", ...)`.
(function () {
  // Ways to bring something along lead back to the exploration as it was chosen: they carry its address.
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a.carry-draft");
    if (!link || paretoscopeSite.path() !== "/new" || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    var query = new URLSearchParams(location.search);
    query.delete("from");
    event.preventDefault();
    event.stopPropagation();
    history.pushState({}, "", link.getAttribute("href") + "?" + new URLSearchParams({ draft: query.toString() }).toString());
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
    window.scrollTo(0, 0);
  }, true);
})();

window.dash_clientside = Object.assign({}, window.dash_clientside, {
  pages: {
    // Keep engine and inputs in the address, without asking the server for the page again.
    newAddress: function (draft) {
      if (!draft || paretoscopeSite.path() !== "/new") { return window.dash_clientside.no_update; }
      var query = new URLSearchParams(location.search);
      query.set("engine", draft.engine);
      Object.keys(draft.inputs).forEach(function (slot) { query.set(slot, draft.inputs[slot]); });
      history.replaceState(history.state, "", paretoscopeSite.at("/new?") + query.toString());
      return window.dash_clientside.no_update;
    },

    copyText: function (clicks, text) {
      if (!clicks) { return window.dash_clientside.no_update; }
      if (!navigator.clipboard) { return "This browser copies only over HTTPS; the command is below"; }
      navigator.clipboard.writeText(text);
      var button = document.getElementById("new-copy"), words = button && button.lastChild;
      if (words) {
        var before = words.textContent;
        words.textContent = "Copied";
        setTimeout(function () { words.textContent = before; }, 1500);
      }
      return "Copied";
    },

    // Which runs Home lists stands in the address.
    homeAddress: function (shown) {
      if (!shown || paretoscopeSite.path() !== "/") { return window.dash_clientside.no_update; }
      var query = new URLSearchParams();
      if (shown.show !== "All") { query.set("show", shown.show); }
      if (shown.engine) { query.set("engine", shown.engine); }
      if (shown.open) { query.set("open", shown.open); }
      if (shown.tag) { query.set("tag", shown.tag); }
      if (shown.star) { query.set("star", "1"); }
      var text = query.toString();
      history.replaceState(history.state, "", paretoscopeSite.at("/") + (text ? "?" + text : ""));
      return window.dash_clientside.no_update;
    },

    // The filters of the change log stand in the address.
    changesAddress: function (values, ids, one) {
      if (paretoscopeSite.path() !== "/changes") { return window.dash_clientside.no_update; }
      var query = new URLSearchParams();
      ids.forEach(function (id, i) { if (values[i]) { query.set(id.name, values[i]); } });
      if (one && one.number && query.get("kind") === one.kind) { query.set("number", one.number); }
      var text = query.toString();
      history.replaceState(history.state, "", paretoscopeSite.at("/changes") + (text ? "?" + text : ""));
      return window.dash_clientside.no_update;
    },

    // A click anywhere in a row of the runs table.
    openRun: function (cell) {
      if (!cell || !cell.rowId || !cell.colId || cell.colId.indexOf("ag-Grid-") === 0) { return window.dash_clientside.no_update; }
      var study = /^study-(\d+)/.exec(cell.rowId);
      return paretoscopeSite.at(study ? "/studies/" + study[1] : "/runs/" + cell.rowId);
    },

    // Whether the runs that are ticked can be compared, in words too.
    compareRuns: function (rows) {
      var count = (rows || []).length, fits = count >= 2 && count <= 6;
      var words = count > 6 ? "At most 6 runs can be compared: deselect some" : "Select 2 to 6 runs to compare them";
      return [!fits, fits ? "" : words, fits ? "Compare " + count + " runs" : "Compare"];
    },

    openComparison: function (clicks, rows) {
      if (!clicks || !(rows || []).length) { return window.dash_clientside.no_update; }
      return paretoscopeSite.at("/compare?runs=") + rows.map(function (row) { return row.id; }).join(",");
    }
  }
});
