// Before the first paint: the scheme chosen earlier, or the system's. Runs in the head, so that no page flashes.
(function () {
  var stored = null;
  try { stored = localStorage.getItem("mantine-color-scheme-value"); } catch (error) { /* storage may be forbidden */ }
  var dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
})();
