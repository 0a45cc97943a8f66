// Terms of the glossary: the first place of each on a page is underlined, shows its definition where it is pointed at or tapped,
// and stands in the list at the end of the page. Highlights are ranges of text, so nothing that React keeps is changed.
(function () {
  var WAIT_MS = 600, MOVE_MS = 80, SKIP = "a, button, input, textarea, select, code, pre, svg, nav, label, .ag-root-wrapper, .js-plotly-plot, .term, .no-terms, [hidden]";
  var terms = null, pattern = null, byForm = {}, places = [], waiting = null, moved = 0, path = location.pathname;

  function load() {
    return fetch(paretoscopeSite.at("/assets/glossary.json")).then(function (answer) { return answer.ok ? answer.json() : []; }).catch(function () { return []; }).then(function (rows) {
      terms = rows;
      var forms = [];
      rows.forEach(function (row) {
        [row.term].concat(row.forms).forEach(function (form) { byForm[form.toLowerCase()] = row; forms.push(form); });
      });
      forms.sort(function (a, b) { return b.length - a.length; });
      var escaped = forms.map(function (form) { return form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"); });
      pattern = forms.length ? new RegExp("(^|[^\\w-])(" + escaped.join("|") + ")(?![\\w-])", "gi") : null;
    });
  }

  function anchor(row) { return row.term.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""); }
  function main() { return document.getElementById("main"); }
  function guest() { return main() && main().classList.contains("guest"); }

  // The first place of each term within `root`, in the order of the page.
  function firstPlaces(root) {
    var seen = {}, list = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), node;
    while ((node = walker.nextNode())) {
      if (node.data.length < 3 || !node.parentElement || node.parentElement.closest(SKIP)) { continue; }
      pattern.lastIndex = 0;
      for (var match; (match = pattern.exec(node.data)); ) {
        var row = byForm[match[2].toLowerCase()], range = document.createRange();
        // An abbreviation counts in capitals alone: "PE" is a term, "pe" is not.
        if (seen[row.term] || (match[2].length < 5 && match[2].toLowerCase() !== match[2] && match[2] !== match[2].toUpperCase() && row.forms.indexOf(match[2]) < 0)) { continue; }
        seen[row.term] = true;
        range.setStart(node, match.index + match[1].length);
        range.setEnd(node, match.index + match[0].length);
        list.push({ row: row, range: range });
      }
    }
    return list;
  }

  function listTerms() {
    var box = document.getElementById("terms-here");
    if (!box) { return; }
    var open = box.querySelector("details") && box.querySelector("details").open, words = places.map(function (each) { return each.row.term; }).join("|");
    if (box.dataset.words === words) { return; }
    box.dataset.words = words;
    box.textContent = "";
    if (!places.length) { return; }
    var details = document.createElement("details"), head = document.createElement("summary"), list = document.createElement("dl");
    details.open = Boolean(open);
    head.textContent = "Terms on this page (" + places.length + ")";
    list.className = "glossary";
    places.map(function (each) { return each.row; }).sort(function (a, b) { return a.term.toLowerCase() < b.term.toLowerCase() ? -1 : 1; }).forEach(function (row) {
      var line = document.createElement("div"), name = document.createElement("dt"), meaning = document.createElement("dd");
      name.textContent = row.term;
      meaning.textContent = row.definition;
      line.className = "term";
      line.append(name, meaning);
      list.append(line);
    });
    details.append(head, list);
    box.append(details);
  }

  function mark() {
    var root = main(), own = paretoscopeSite.path() === "/glossary";
    places = root && pattern && !own ? firstPlaces(root) : [];
    if (window.CSS && CSS.highlights && window.Highlight) {
      CSS.highlights.set("term", new Highlight(...places.map(function (each) { return each.range; })));
    }
    listTerms();
    if (own) { scrollToTerm(); }
  }

  // -- definition ------------------------------------------------------------------------------------------------------
  function tip() {
    var box = document.getElementById("term-tip");
    if (!box) {
      box = document.createElement("div");
      box.id = "term-tip";
      box.setAttribute("role", "tooltip");
      box.hidden = true;
      document.body.append(box);
    }
    return box;
  }
  function placeAt(x, y) {
    return places.filter(function (each) {
      return Array.prototype.some.call(each.range.getClientRects(), function (r) { return x >= r.left - 1 && x <= r.right + 1 && y >= r.top && y <= r.bottom; });
    })[0];
  }
  function show(place) {
    var box = tip(), at = place.range.getBoundingClientRect(), name = document.createElement("b"), meaning = document.createElement("span");
    box.textContent = "";
    name.textContent = place.row.term + ": ";
    meaning.textContent = place.row.definition + " ";
    box.append(name, meaning);
    if (!guest()) {
      var link = document.createElement("a");
      link.href = paretoscopeSite.at("/glossary#") + anchor(place.row);
      link.textContent = "Glossary";
      box.append(link);
    }
    box.hidden = false;
    var top = at.bottom + 4 + box.offsetHeight > innerHeight ? at.top - box.offsetHeight - 4 : at.bottom + 4;
    box.style.left = Math.max(6, Math.min(at.left, innerWidth - box.offsetWidth - 6)) + "px";
    box.style.top = Math.max(6, top) + "px";
  }
  function hide() { var box = document.getElementById("term-tip"); if (box) { box.hidden = true; } }

  document.addEventListener("pointermove", function (event) {
    if (event.pointerType === "touch" || event.timeStamp - moved < MOVE_MS || !places.length) { return; }
    moved = event.timeStamp;
    if (event.target.closest && event.target.closest("#term-tip")) { return; }
    var place = event.target.closest && event.target.closest("#main") && placeAt(event.clientX, event.clientY);
    if (place) { show(place); } else { hide(); }
  });
  document.addEventListener("click", function (event) {
    if (event.target.closest && event.target.closest("#term-tip")) { return; }
    var place = event.target.closest && event.target.closest("#main") && !event.target.closest(SKIP) && placeAt(event.clientX, event.clientY);
    if (place) { show(place); } else { hide(); }
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") { hide(); } });
  document.addEventListener("scroll", hide, true);

  // -- page ------------------------------------------------------------------------------------------------------------
  function scrollToTerm() {
    var place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place || place.dataset.reached === location.hash) { return; }
    place.dataset.reached = location.hash;
    document.querySelectorAll("#glossary .here").forEach(function (each) { each.classList.remove("here"); });
    place.classList.add("here");
    place.scrollIntoView({ block: "center" });
  }
  document.addEventListener("input", function (event) {
    if (event.target.id !== "glossary-filter") { return; }
    var words = event.target.value.toLowerCase().trim(), any = false;
    document.querySelectorAll("#glossary section").forEach(function (section) {
      var rows = Array.prototype.filter.call(section.querySelectorAll(".term"), function (row) {
        row.hidden = row.textContent.toLowerCase().indexOf(words) < 0;
        return !row.hidden;
      });
      section.hidden = !rows.length;
      any = any || rows.length > 0;
    });
    document.getElementById("glossary-empty").hidden = any;
  });
  window.addEventListener("hashchange", scrollToTerm);

  function soon() {
    if (location.pathname !== path) { path = location.pathname; hide(); }
    if (waiting) { return; }
    waiting = setTimeout(function () {
      waiting = null;
      (terms ? Promise.resolve() : load()).then(function () { (window.requestIdleCallback || setTimeout)(mark); });
    }, WAIT_MS);
  }
  new MutationObserver(function (changes) {
    // What this script itself writes is no reason to look again.
    var own = changes.every(function (change) { return change.target.closest && change.target.closest("#terms-here, #term-tip"); });
    if (!own) { soon(); }
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
