// Theme and size of the window, as stores that the figures' callbacks read. Cookies carry both to the first rendering.
(function () {
  var root = document.documentElement;

  function scheme() { return root.getAttribute("data-mantine-color-scheme") === "dark" ? "dark" : "light"; }
  function viewport() { return { width: window.innerWidth, height: window.innerHeight }; }
  function remember() {
    var size = viewport(), rest = ";path=" + paretoscopeSite.at("/") + ";max-age=31536000;samesite=lax";
    document.cookie = "paretoscope_scheme=" + scheme() + rest;
    document.cookie = "paretoscope_viewport=" + size.width + "x" + size.height + rest;
  }
  function publish() {
    remember();
    if (!window.dash_clientside || !document.getElementById("main")) { return false; }
    dash_clientside.set_props("scheme", { data: scheme() });
    dash_clientside.set_props("viewport", { data: viewport() });
    return true;
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !event.target.closest("#scheme-toggle")) { return; }
    var next = scheme() === "dark" ? "light" : "dark";
    root.setAttribute("data-mantine-color-scheme", next);
    try { localStorage.setItem("mantine-color-scheme-value", next); } catch (error) { /* kept for this page only */ }
    publish();
  });

  // A system that turns dark: the frame follows by itself, and figures are drawn again once it has. Paper is light and redraws nothing.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
    setTimeout(function () { if (!matchMedia("print").matches) { publish(); } }, 0);
  });

  var timer = null;
  window.addEventListener("resize", function () {
    clearTimeout(timer);
    timer = setTimeout(publish, 200);
  });

  remember();
  // The stores exist once Dash has drawn the frame; they are written only if the server guessed otherwise.
  var waiting = setInterval(function () {
    var frame = document.getElementById("main");
    if (!frame) { return; }
    clearInterval(waiting);
    var size = viewport();
    if (frame.dataset.scheme !== scheme() || frame.dataset.viewport !== size.width + "x" + size.height) { publish(); }
  }, 30);
})();
