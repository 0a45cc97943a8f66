// The legend of a card (`components/pictures/legend.py`) as part of a saved picture: without it nobody knows which colour is which model.
(function () {
  var SIZE = 11, LINE = 18, SWATCH = 10, GAP = 14, INSET = 8, FONT = '"Inter Variable", Inter, sans-serif', context = null;
  // Lines over the tint of a kind of hardware, in a square of ten.
  var STROKES = {
    "nvdla": "M0 5L5 0M0 10L10 0M5 10L10 5", "dla": "M0 5L5 0M0 10L10 0M5 10L10 5", "eyeriss": "M0 0L10 10M10 0L0 10",
    "gpu": "M2.5 0V10M5 0V10M7.5 0V10", "cpu": "M0 2.5H10M0 5H10M0 7.5H10", "shi-diannao": "M2 3h1M5 3h1M8 3h1M3.5 7h1M6.5 7h1"
  };

  function wide(text, bold) {
    context = context || document.createElement("canvas").getContext("2d");
    context.font = (bold ? "600 " : "") + SIZE + "px " + FONT;
    return context.measureText(text).width;
  }

  function escaped(text) { return text.replace(/&/g, "&amp;").replace(/</g, "&lt;"); }

  // Legends of the box, else those of the card around it: there only what is said to hold for the box's run.
  function legendsOf(box) {
    var own = box.querySelectorAll(".leg"), letter = box.getAttribute("data-run-letter"), card = box.closest(".card");
    if (own.length || !card || card === box) { return own; }
    return Array.prototype.filter.call(card.querySelectorAll(".ch .leg"), function (legend) {
      var named = Array.prototype.map.call(legend.parentElement.querySelectorAll(":scope > .run-letter"), function (each) { return each.textContent; });
      return !named.length || named.indexOf(letter) >= 0;
    });
  }

  function entriesOf(box) {
    var found = [];
    Array.prototype.forEach.call(legendsOf(box), function (legend) {
      Array.prototype.forEach.call(legend.children, function (each) {
        var code = each.querySelector(".b"), swatch = each.querySelector(".sw"), text = each.textContent.trim();
        var name = code ? text.slice(code.textContent.length).trim() : text;
        if (text) { found.push({ kind: swatch ? swatch.className : each.querySelector(".ramp") ? "ramp" : "", code: code ? code.textContent : "", name: name }); }
      });
    });
    return found;
  }

  function swatch(entry, colour, x, y) {
    var model = /\bm(\d)\b/.exec(entry.kind), hardware = /\bpat-([a-z-]+)/.exec(entry.kind);
    var square = '<rect x="' + x + '" y="' + y + '" width="' + SWATCH + '" height="' + SWATCH + '" rx="2" ';
    if (model) { return square + 'fill="' + colour("--model-" + model[1]) + '" stroke="' + colour("--model-" + model[1] + "-edge") + '"/>'; }
    if (!hardware) { return ""; }
    var lines = STROKES[hardware[1]] ? '<path transform="translate(' + x + " " + y + ')" d="' + STROKES[hardware[1]] + '" fill="none" stroke="' + colour("--hw-" + hardware[1] + "-line") + '"/>' : "";
    return square + 'fill="' + colour("--hw-" + hardware[1] + "-tint") + '"/>' + lines + square + 'fill="none" stroke="' + colour("--hw-" + hardware[1] + "-edge") + '"/>';
  }

  function drawn(entry, colour, x, y) {
    var parts = "", at = x, ink = colour("--p-text2");
    function words(text, bold) {
      parts += '<text x="' + at + '" y="' + (y + 9) + '" fill="' + ink + '" style="font:' + (bold ? "600 " : "") + SIZE + "px " + FONT.replace(/"/g, "'") + '">' + escaped(text) + "</text>";
      at += wide(text, bold) + 5;
    }
    if (entry.kind === "ramp") {
      words(entry.name.replace(/\s*0 – .*/, ""), false);
      parts += '<rect x="' + at + '" y="' + (y + 2) + '" width="44" height="6" fill="url(#legend-ramp)"/>';
      at += 50;
      words(/0 – .*/.exec(entry.name)[0], false);
    } else {
      if (entry.kind) { parts += swatch(entry, colour, at, y); at += SWATCH + 5; }
      if (entry.code) { words(entry.code, true); }
      if (entry.name) { words(entry.name, false); }
    }
    return { markup: parts, end: at };
  }

  // The legend below a picture of this width and height; `colour` gives the value of a token. Nothing where there is none.
  function below(box, width, height, colour) {
    var entries = entriesOf(box), x = INSET, y = height + 6, markup = "";
    if (!entries.length) { return { markup: "", height: height }; }
    entries.forEach(function (entry) {
      var one = drawn(entry, colour, x, y);
      if (one.end > width - INSET && x > INSET) { x = INSET; y += LINE; one = drawn(entry, colour, x, y); }
      markup += one.markup;
      x = one.end + GAP - 5;
    });
    var ramp = '<defs><linearGradient id="legend-ramp"><stop offset="0" stop-color="' + colour("--p-load-low") + '"/><stop offset="1" stop-color="' + colour("--p-load-high") + '"/></linearGradient></defs>';
    return { markup: ramp + markup, height: y + LINE };
  }

  window.paretoscopeLegend = { below: below };
})();
