// Functions for Dash's clientside callbacks, named `ClientsideFunction("shell", ...)`.
window.dash_clientside = Object.assign({}, window.dash_clientside, {
  shell: {
    // Path -> classes of the two entries of the bar.
    navigation: function (path) {
      var explore = path === "/new" || (path || "").indexOf("/runs/") === 0;
      return ["nav" + (path === "/" ? " on" : ""), "nav" + (explore ? " on" : "")];
    }
  }
});
