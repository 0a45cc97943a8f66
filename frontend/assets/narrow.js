// Narrow windows: the menu that the bar folds into.
(function () {
  function button() { return document.querySelector(".menu-button"); }
  function isOpen() { return Boolean(button()) && button().getAttribute("aria-expanded") === "true"; }
  function set(open) { button().setAttribute("aria-expanded", String(open)); }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !button()) { return; }
    if (event.target.closest(".menu-button")) { set(!isOpen()); return; }
    if (isOpen() && (event.target.closest("a") || !event.target.closest(".bar-menu"))) { set(false); }
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && isOpen()) { set(false); button().focus(); }
  });
  // The menu lies over the page: who goes on there with the keyboard sees where.
  document.addEventListener("focusin", function (event) {
    if (isOpen() && event.target.closest("main")) { set(false); }
  });
})();
