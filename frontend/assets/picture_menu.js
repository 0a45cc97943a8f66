// Menus that are made when they are opened: of one picture among many in a card (`components/figure_menu.picture_menu`), and of
// the tabs that a line of tabs leaves out (`components/tab_bar.py`).
(function () {
  var ENTRIES = [
    { words: "Picture as PNG", name: "data-save", value: "png", icon: "photo" }, { words: "Picture as SVG", name: "data-save", value: "svg", icon: "photo" },
    { words: "For a paper, one column", name: "data-paper", value: "3.5", icon: "file-text" },
    { words: "For a paper, two columns", name: "data-paper", value: "7.16", icon: "file-text" }
  ];
  var TABLE = { words: "Show as table", name: "data-table", value: "", icon: "table" };
  var shown = null;

  function close(back) {
    if (!shown) { return; }
    shown.button.setAttribute("aria-expanded", "false");
    shown.menu.remove();
    if (back) { shown.button.focus(); }
    shown = null;
  }

  function makeItem(parts) {
    var item = document.createElement("button");
    item.type = "button";
    item.className = "menu-item";
    item.setAttribute("role", "menuitem");
    item.append.apply(item, parts);
    return item;
  }

  function pictureItems(button) {
    return (button.hasAttribute("data-with-table") ? [TABLE].concat(ENTRIES) : ENTRIES).map(function (entry) {
      var mark = document.createElement("span"), item = makeItem([mark, entry.words]);
      Array.prototype.forEach.call(button.attributes, function (each) { if (each.name.indexOf("data-") === 0) { item.setAttribute(each.name, each.value); } });
      item.removeAttribute("data-picture-menu");
      item.setAttribute(entry.name, entry.value);
      mark.className = "i s i-" + entry.icon;
      return item;
    });
  }

  function tabsOf(button) { return Array.prototype.slice.call(button.closest(".ptabs").querySelectorAll(".ptab-line > .ptab:not([hidden])")); }
  function leftOut(button) { return tabsOf(button).filter(function (tab) { return !tab.checkVisibility(); }); }

  // A tab that was chosen here stands in the line at once, where it has the focus and what is wrong with it is said.
  function tabItem(tab) {
    var item = makeItem([tab.textContent]);
    item.addEventListener("click", function (event) {
      event.stopPropagation();
      close(false);
      tab.setAttribute("data-chosen", "");
      tab.focus();
      tab.click();
    });
    return item;
  }

  document.addEventListener("click", function (event) {
    var chosen = event.target.closest && event.target.closest(".ptab-line > .ptab");
    if (!chosen) { return; }
    chosen.parentElement.querySelectorAll("[data-chosen]").forEach(function (tab) { if (tab !== chosen) { tab.removeAttribute("data-chosen"); } });
  });

  function open(button) {
    close(false);
    var menu = document.createElement("div");
    menu.className = "picture-menu";
    menu.setAttribute("role", "menu");
    menu.append.apply(menu, button.hasAttribute("data-more-tabs") ? leftOut(button).map(tabItem) : pictureItems(button));
    button.parentElement.appendChild(menu);
    button.setAttribute("aria-expanded", "true");
    shown = { button: button, menu: menu };
    menu.firstChild.focus();
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-picture-menu]");
    if (button && !(shown && shown.button === button)) { open(button); return; }
    // An entry has been taken on the way down (figures.js, paper.js).
    close(Boolean(button || (shown && shown.menu.contains(event.target))));
  });

  document.addEventListener("keydown", function (event) {
    if (!shown || !shown.menu.contains(event.target)) { return; }
    var items = Array.prototype.slice.call(shown.menu.children), at = items.indexOf(event.target);
    var to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") { close(event.key === "Escape"); event.stopPropagation(); return; }
    if (to === undefined) { return; }
    event.preventDefault();
    event.stopPropagation();
    items[(to + items.length) % items.length].focus();
  }, true);
})();
