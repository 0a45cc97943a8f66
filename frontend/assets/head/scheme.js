// The site may lie below a path of its host: `at` makes an address of the site one of the host, `path` the other way round.
window.paretoscopeSite = (function () {
  var prefix = new URL(document.currentScript.src).pathname.replace("/assets/head/scheme.js", "");
  return {
    at: function (address) { return address === prefix || address.indexOf(prefix + "/") === 0 ? address : prefix + address; },
    path: function (path) {
      var whole = path || location.pathname;
      return whole.indexOf(prefix + "/") === 0 ? whole.slice(prefix.length) : whole === prefix ? "/" : whole;
    }
  };
})();
// Before the first paint: the scheme chosen earlier, or the system's. Runs in the head, so that no page flashes.
(function () {
  var stored = null;
  try { stored = localStorage.getItem("mantine-color-scheme-value"); } catch (error) { /* storage may be forbidden */ }
  var dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
