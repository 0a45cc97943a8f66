// What components of others leave undone for people who do not use a pointer or do not see the page.
(function () {
  var WAIT_MS = 120, waiting = null;
  var FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

  // A menu's state belongs on its button; the box around it, which is no widget, may not carry it.
  function tellMenus() {
    document.querySelectorAll("div[aria-expanded]:is([aria-haspopup], [data-menu-box]):not([role])").forEach(function (box) {
      var button = box.querySelector("button");
      if (!button) { return; }
      ["aria-haspopup", "aria-expanded", "aria-controls"].forEach(function (name) {
        if (box.hasAttribute(name)) { button.setAttribute(name, box.getAttribute(name)); }
        if (name !== "aria-haspopup") { box.removeAttribute(name); }
      });
      box.removeAttribute("aria-haspopup");
      box.setAttribute("data-menu-box", "");
    });
  }

  // Where the focus waits in a menu that has just opened, before an arrow key takes it to an entry: a menu has entries and groups alone.
  function tellWaiting() {
    document.querySelectorAll("[role=menu] > [data-autofocus]:not([role])").forEach(function (place) { place.setAttribute("role", "group"); });
  }

  // Anyone who scrolls with the keyboard must be able to get into what scrolls.
  function reachScrolling() {
    document.querySelectorAll(".table-scroll, pre, .scrolls").forEach(function (box) {
      var scrolls = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
      var reachable = box.querySelector(FOCUSABLE);
      if (scrolls && !reachable) {
        if (!box.hasAttribute("tabindex")) { box.setAttribute("tabindex", "0"); box.setAttribute("data-reach", ""); }
      } else if (box.hasAttribute("data-reach")) { box.removeAttribute("tabindex"); box.removeAttribute("data-reach"); }
    });
  }

  function soon() {
    if (waiting) { return; }
    waiting = setTimeout(function () { waiting = null; tellMenus(); tellWaiting(); reachScrolling(); }, WAIT_MS);
  }

  // Attributes of a menu's box come back whenever it opens or closes; its pages come and go; what was folded away or on another tab is shown.
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-expanded", "open", "hidden"] });
  window.addEventListener("resize", soon);
})();
