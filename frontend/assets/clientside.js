// Functions for Dash's clientside callbacks, named `ClientsideFunction("shell", ...)`.
window.dash_clientside = Object.assign({}, window.dash_clientside, {
  shell: {
    // Path -> classes of the entries of the bar.
    navigation: function (whole) {
      var path = paretoscopeSite.path(whole);
      var explore = path === "/new" || (path || "").indexOf("/runs/") === 0;
      var survey = /^\/survey(\/|$)/.test(path || "");
      var studies = /^\/studies(\/|$)/.test(path || "");
      var compare = /^\/compare(\/|$)/.test(path || "");
      var reports = /^\/reports(\/|$)/.test(path || "");
      var reproductions = /^\/reproductions(\/|$)/.test(path || "");
      var catalogue = /^\/catalogue(\/|$)/.test(path || "");
      return [path === "/", survey, explore, studies, compare, reports, catalogue, reproductions].map(function (on) { return "nav" + (on ? " on" : ""); });
    }
  }
});
