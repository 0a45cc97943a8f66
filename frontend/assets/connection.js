// Tells when callbacks cannot reach the server, and leads to the login form when the session has ended.
(function () {
  var original = window.fetch, lostAt = null;

  function strip() { return document.getElementById("connection-strip"); }
  function show() {
    var node = strip();
    if (!node || lostAt === null) { return; }
    var seconds = Math.round((Date.now() - lostAt) / 1000);
    node.hidden = false;
    node.lastElementChild.textContent = "Connection lost " + seconds + " s ago. Trying again; runs go on.";
  }
  setInterval(show, 1000);

  window.fetch = function (resource, options) {
    var address = typeof resource === "string" ? resource : resource.url;
    var answer = original.apply(this, arguments);
    if (!/\/_dash-(update-component|run-state|run-pick)/.test(address)) { return answer; }
    return answer.then(function (response) {
      lostAt = null;
      if (strip()) { strip().hidden = true; }
      if (response.status === 401) {
        window.location.assign("/accounts/login/?next=" + encodeURIComponent(location.pathname + location.search));
      }
      return response;
    }, function (error) {
      if (lostAt === null) { lostAt = Date.now(); }
      show();
      throw error;
    });
  };
})();
