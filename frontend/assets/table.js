// The table of all designs in the browser: sort and filters stand in the address, and one button clears both.
(function () {
  var DIGITS = 12; // more would show the rounding of a unit's factor
  var asked = { sort: "", filter: "" };

  function setQuery(name, words) {
    var query = new URLSearchParams(location.search);
    if (words) { query.set(name, words); } else { query.delete(name); }
    var text = query.toString();
    history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
  }

  function grid() {
    var grids = window.dash_ag_grid, api = document.getElementById("run-table") && grids && grids.getApi("run-table");
    return api && !api.isDestroyed() ? api : null;
  }

  // As frontend/pages/run/tabs/table_address.py reads them: figures in the stored unit, texts percent-encoded.
  function condition(model, factor) {
    var values = ["filter", "filterTo"].map(function (name) { return model[name]; }).filter(function (value) { return value !== null && value !== undefined; });
    return [model.type].concat(values.map(function (value) {
      return typeof value === "number" ? String(Number((value / factor).toPrecision(DIGITS))) : encodeURIComponent(value);
    })).join(",");
  }
  function filterText(models, columns) {
    return Object.keys(models).map(function (field) {
      var model = models[field], column = columns.filter(function (each) { return each.field === field; })[0] || {};
      var factor = (column.context || {}).factor || 1;
      var parts = (model.conditions || [model]).map(function (each) { return condition(each, factor); });
      return field + ":" + parts.join(model.operator === "OR" ? "|" : "&");
    }).join(";");
  }
  function sortText(models) {
    return models.map(function (model) { return model.colId + ":" + model.sort; }).join(",");
  }

  function write() {
    if (paretoscopeSite.path().indexOf("/runs/") !== 0) { return; }
    var button = document.getElementById("run-table-clear");
    Object.keys(asked).forEach(function (name) { setQuery(name, asked[name]); });
    if (button) { button.parentElement.hidden = !asked.sort && !asked.filter; }
  }

  document.addEventListener("click", function (event) {
    var api = event.target.closest && event.target.closest("#run-table-clear") && grid();
    if (!api) { return; }
    api.setFilterModel(null);
    api.applyColumnState({ defaultState: { sort: null } });
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    table: {
      // What the grid asks the server for is what it shows.
      address: function (request, columns) {
        if (request) {
          asked = { sort: sortText(request.sortModel || []), filter: filterText(request.filterModel || {}, columns || []) };
          write();
        }
        return window.dash_clientside.no_update;
      },

      // Which figure over which decision, in the address.
      decided: function (of, by) {
        setQuery("of", of || "");
        setQuery("by", by || "");
        return { of: of || "", by: by || "" };
      },

      // What is ticked shows; the address says where that differs from the usual (table_columns.py).
      columns: function (shown, usual) {
        var api = grid();
        if (!api || !shown) { return window.dash_clientside.no_update; }
        var fields = api.getColumns().map(function (column) { return column.getColId(); });
        var fixed = ["number", "kind", "remark"];
        var chosen = fields.filter(function (field) { return fixed.indexOf(field) < 0; });
        api.setColumnsVisible(chosen.filter(function (field) { return shown.indexOf(field) >= 0; }), true);
        api.setColumnsVisible(chosen.filter(function (field) { return shown.indexOf(field) < 0; }), false);
        setQuery("columns", chosen.filter(function (field) {
          return (shown.indexOf(field) >= 0) !== (usual.indexOf(field) >= 0);
        }).map(function (field) { return (shown.indexOf(field) < 0 ? "-" : "") + field; }).join(","));
        return window.dash_clientside.no_update;
      }
    }
  });
})();
