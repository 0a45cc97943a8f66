// Colours of the two schemes, as the style sheet has them: for prints and papers, which are light.
(function () {
  var TOKENS = /^--(p|hw|model|run)-/, known = null;

  function read() {
    if (known) { return known; }
    known = { light: {}, dark: {} };
    Array.prototype.forEach.call(document.styleSheets, function (sheet) {
      var rules;
      try { rules = sheet.cssRules; } catch (error) { return; }  // of another place
      Array.prototype.forEach.call(rules, function (rule) {
        var scheme = { ":root": "light", '[data-mantine-color-scheme="dark"]': "dark" }[rule.selectorText];
        if (!scheme) { return; }
        Array.prototype.forEach.call(rule.style, function (name) {
          var value = rule.style.getPropertyValue(name).trim();
          if (TOKENS.test(name) && value.charAt(0) === "#") { known[scheme][name] = value.toLowerCase(); }
        });
      });
    });
    known.lighter = {};
    // Words on the colour of a model are of one of these in both schemes.
    [known.light["--p-text"], known.light["--p-surface"]].forEach(function (ink) { known.lighter[ink] = ink; });
    Object.keys(known.dark).forEach(function (name) { known.lighter[known.dark[name]] = known.light[name]; });
    return known;
  }

  function hex(parts) {
    return "#" + parts.map(function (part) { return ("0" + Math.round(Math.min(255, Math.max(0, part))).toString(16)).slice(-2); }).join("");
  }

  function parts(colour) {
    var numbers = /^rgba?\(([^)]*)\)/.exec(colour), digits = /^#([0-9a-f]{6})$/i.exec(colour);
    if (numbers) { return numbers[1].split(/[ ,/]+/).map(Number); }
    return digits ? [0, 2, 4].map(function (at) { return parseInt(digits[1].substr(at, 2), 16); }) : null;
  }

  // The colour that stands in the light scheme where this one stands in the dark: the token's, else a grey or a tint of the ground with
  // its lightness turned round. Colours that both schemes share stay.
  function toLight(colour) {
    var found = parts(colour);
    if (!found || (found.length > 3 && found[3] === 0)) { return null; }
    var rgb = found.slice(0, 3), light = read().lighter[hex(rgb)];
    if (!light) {
      var most = Math.max.apply(null, rgb), least = Math.min.apply(null, rgb);
      if (most - least > 70) { return null; }
      light = hex(rgb.map(function (part) { return 255 - most - least + part; }));
    }
    if (found.length < 4) { return light; }
    return "rgba(" + parts(light).join(",") + "," + found[3] + ")";
  }

  window.paretoscopeColours = {
    light: function (name) { return read().light[name]; },
    here: function (name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); },
    toLight: toLight
  };
})();
