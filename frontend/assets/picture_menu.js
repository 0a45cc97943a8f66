// The menu of one picture among many in a card (`components/figure_menu.picture_menu`), made when it is opened.
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

  function open(button) {
    close(false);
    var menu = document.createElement("div");
    menu.className = "picture-menu";
    menu.setAttribute("role", "menu");
    (button.hasAttribute("data-with-table") ? [TABLE].concat(ENTRIES) : ENTRIES).forEach(function (entry) {
      var item = document.createElement("button"), mark = document.createElement("span");
      item.type = "button";
      item.className = "menu-item";
      item.setAttribute("role", "menuitem");
      Array.prototype.forEach.call(button.attributes, function (each) { if (each.name.indexOf("data-") === 0) { item.setAttribute(each.name, each.value); } });
      item.removeAttribute("data-picture-menu");
      item.setAttribute(entry.name, entry.value);
      mark.className = "i s i-" + entry.icon;
      item.append(mark, entry.words);
      menu.appendChild(item);
    });
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
