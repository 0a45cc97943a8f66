// The catalogue in the browser: addresses, cells of its tables, the picked layer.
(function () {
  function write(query) {
    var text = query.toString().replace(/%2C/g, ",");
    history.replaceState(history.state, "", location.pathname + (text ? "?" + text : ""));
    return window.dash_clientside.no_update;
  }

  function put(query, name, value) {
    if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) { query.delete(name); }
    else { query.set(name, Array.isArray(value) ? value.join(",") : value); }
  }

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    catalogue: {
      // Search and filters of the list live in its address.
      browseAddress: function (search, values, ids, kind) {
        if (paretoscopeSite.path() !== "/catalogue") { return window.dash_clientside.no_update; }
        var query = new URLSearchParams();
        put(query, "kind", kind === "hardware" ? null : kind);
        put(query, "q", search);
        ids.forEach(function (id, i) { put(query, id.name, values[i]); });
        return write(query);
      },

      // The document that is shown may stand far down in the list beside it.
      showChosen: function () {
        var chosen = document.querySelector(".document-list .li.on"), list = chosen && chosen.parentElement;
        if (list) { list.scrollTop = Math.max(0, chosen.offsetTop - list.offsetTop - list.clientHeight / 2); }
        return window.dash_clientside.no_update;
      },

      // What is compared lives in the address of the workload; layers and models are counted from 1 on.
      layersAddress: function (packageName, sizes, mappings, show, reference, model, layer) {
        if (paretoscopeSite.path().indexOf("/catalogue/workload/") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search);
        put(query, "package", packageName);
        put(query, "sizes", sizes);
        put(query, "mappings", mappings);
        put(query, "show", show);
        put(query, "reference", reference === "all" ? null : reference);
        put(query, "model", model && model !== "0" ? Number(model) + 1 : null);
        put(query, "layer", layer && layer !== "0" ? Number(layer) + 1 : null);
        return write(query);
      },

      tabAddress: function (tab) {
        if (paretoscopeSite.path().indexOf("/catalogue/") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search);
        put(query, "tab", tab === "overview" ? null : tab);
        return write(query);
      },

      // The same of the units of a device.
      unitsAddress: function (soc, calibration, show, fallback, clocks, ids) {
        if (paretoscopeSite.path().indexOf("/catalogue/workload/") !== 0) { return window.dash_clientside.no_update; }
        var query = new URLSearchParams(location.search);
        put(query, "soc", soc);
        put(query, "calibration", calibration);
        put(query, "show", show);
        put(query, "fallback", fallback === "own" ? fallback : null);
        put(query, "clocks", ids.map(function (id, i) { return clocks[i] ? id.name + "=" + clocks[i] : ""; }).filter(Boolean));
        return write(query);
      },

      // A click on the heat map picks the layer of its column, whose number stands before its name.
      pickLayer: function (click) {
        var number = click && click.points && click.points.length ? parseInt(click.points[0].x, 10) : NaN;
        return number >= 1 ? String(number - 1) : window.dash_clientside.no_update;
      }
    }
  });
})();

window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {};
(function (cells) {
  function h() { return window.React.createElement.apply(null, arguments); }

  // The name of a document, a link to its page; the slug below tells two of the same title apart.
  cells.DocumentTitle = function (props) {
    function follow(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) { return; }
      event.preventDefault();
      history.pushState({}, "", props.data.href);
      window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
      window.scrollTo(0, 0);
    }
    return h("a", { className: "run-title", href: props.data.href, onClick: follow },
      h("span", { className: "m5 el", title: props.value }, props.value), h("span", { className: "mono t3 el" }, props.data.name));
  };

  // Work along the layers as small bars; the figures beside it say how much it is altogether.
  cells.WorkProfile = function (props) {
    var values = props.value || [], width = 108, height = 22, step = width / Math.max(values.length, 1);
    var bars = values.map(function (value, i) {
      var tall = Math.max(1, value * (height - 2));
      return h("rect", { key: i, x: (i * step).toFixed(1), y: (height - tall).toFixed(1), width: Math.max(1, step - 1).toFixed(1), height: tall.toFixed(1), fill: "var(--p-dot)" });
    });
    return h("svg", { width: width, height: height, "aria-hidden": true, style: { verticalAlign: "middle" } }, bars);
  };

  // A number in its stored unit as people read it; the exact one on hover.
  cells.Figure = function (props) {
    if (props.value === null || props.value === undefined) { return h("span", { className: "t3" }, "–"); }
    var value = props.value, unit = props.unit || "", prefixes = [["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1]];
    var found = prefixes.find(function (each) { return Number(Math.abs(value).toPrecision(3)) >= each[1]; }) || prefixes[4];
    var scaled = value / found[1], digits = scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    var text = value === 0 ? "0" : scaled >= 1 ? scaled.toFixed(digits) : Number(scaled.toPrecision(3)).toString();
    var shown = found[0] + unit;
    return h("span", { className: "num", title: value + (unit ? " " + unit : "") }, text + (shown ? "\u00a0" + shown : ""));
  };
})(window.dashAgGridComponentFunctions);
