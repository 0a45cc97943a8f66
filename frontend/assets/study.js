// The pages about studies in the browser: addresses, cells that are picked, cells of the list.
(function () {
  function put(query, name, value) {
    if (value === null || value === undefined) { query.delete(name); } else { query.set(name, value); }
  }

  function write(query) {
    var text = query.toString().replace(/%2C/g, ",");
    history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
    return window.dash_clientside.no_update;
  }

  // One listener for all cells: a table may have a thousand.
  document.addEventListener("click", function (event) {
    var cell = event.target.closest && event.target.closest("[data-study-cell]");
    if (!cell) { return; }
    var place = cell.getAttribute("data-study-cell");
    window.dash_clientside.set_props("study-selected", { data: place });
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      openStudy: function (cell) {
        return cell && cell.rowId ? paretoscopeSite.at("/studies/") + cell.rowId : window.dash_clientside.no_update;
      },

      // Axes, quantity and the picked cell of a study live in its address; the download follows them.
      address: function (rows, columns, quantity, cell, by, at, measure, x, y, study) {
        if (paretoscopeSite.path() !== "/studies/" + study) { return window.dash_clientside.no_update; }
        var table = new URLSearchParams();
        if (rows) { put(table, "rows", rows); }
        put(table, "columns", columns === "none" ? "" : columns);
        put(table, "quantity", quantity);
        var query = new URLSearchParams(table);
        put(query, "columns", columns);
        put(query, "cell", cell);
        put(query, "by", by);
        put(query, "at", at === "0" ? null : at);
        put(query, "measure", measure === "hypervolume" ? null : measure);
        put(query, "x", x);
        put(query, "y", y);
        write(query);
        return paretoscopeSite.at("/api/v1/studies/") + study + "/table.csv?bom=1&" + table.toString();
      },

      newAddress: function (engine, values, ids) {
        if (paretoscopeSite.path() !== "/studies/new") { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search);
        query.set("engine", engine);
        ids.forEach(function (id, i) { put(query, id.slot, (values[i] || []).length ? values[i].join(",") : null); });
        return write(query);
      }
    }
  });
})();

window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {};
(function (cells) {
  function h() { return window.React.createElement.apply(null, arguments); }

  cells.StudyTitle = function (props) {
    return window.paretoscopeRowLink(paretoscopeSite.at("/studies/" + props.data.id), [window.paretoscopeName(props.value),
      h("span", { className: "mono t3" }, String(props.data.id).padStart(4, "0")), window.paretoscopeMarks(props.data)]);
  };

  cells.StudyShare = function (props) {
    var percent = Math.round(100 * props.value);
    return h("span", { className: "row study-share" },
      h("span", { className: "bar grow", "aria-hidden": true }, h("div", { style: { width: percent + "%" } })),
      h("span", { className: "num xs t2" }, percent + "\u00a0%"));
  };
})(window.dashAgGridComponentFunctions);
