// Conversations with a language model: numbers, table and figures follow the sliders of prompt and answer by the coefficients of the
// page, without a server. The equations are those of engines/survey/language/coefficients.py.
(function () {
  var MISSING = "–", NO_BREAK = "\u00a0", THIN = "\u2009", MOST_TEETH = 160, CURVE_POINTS = 64, MOST_NAMES = 6, REST_MS = 300, WAIT_MS = 100;
  var PREFIXES = [["T", 12], ["G", 9], ["M", 6], ["k", 3], ["", 0], ["m", -3], ["µ", -6], ["n", -9], ["p", -12]];
  var MEGA = 1e6, GIGA = 1e9, TERA = 1e12, rest = null, page = {};
  var PICTURES = ["conversation-front", "conversation-timeline", "conversation-memory", "conversation-roofline"];
  var CERTAINTIES = ["measured", "calibrated", "predicted", "data sheet", "assumed"];

  // -- numbers, as frontend/figures/numbers.py writes them
  function grouped(text) {
    var parts = text.split(".");
    parts[0] = parts[0].replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
    return parts.join(".");
  }

  function whole(value) { return value === null ? MISSING : grouped(String(value)); }

  function significant(value) {
    if (value === 0) { return "0"; }
    var magnitude = Math.floor(Math.log10(Number(Math.abs(value).toPrecision(3))));
    return magnitude < -4 ? value.toExponential(2) : grouped(value.toFixed(Math.max(0, 2 - magnitude)));
  }

  function si(value, unit) {
    if (value === null || value === undefined) { return MISSING; }
    var rounded = Number(value.toPrecision(3));
    var prefix = PREFIXES.filter(function (each) { return rounded >= Math.pow(10, each[1]); })[0] || PREFIXES[PREFIXES.length - 1];
    return value === 0 ? "0" + NO_BREAK + unit : significant(value / Math.pow(10, prefix[1])) + NO_BREAK + prefix[0] + unit;
  }

  // -- equations
  function ramp(curve, tokens) {
    return curve.slopes.reduce(function (sum, each) {
      return sum + each[1] * (each[0] === null ? tokens : Math.min(tokens, each[0]));
    }, curve.constant);
  }

  // Weights, cache and results of a conversation whose cache holds so many tokens.
  function memoryOf(memory, prompt, tokens) {
    var results = memory.fixed_bytes + memory.prompt_bytes * Math.min(tokens, prompt);
    return [memory.weight_bytes, ramp(memory.cache_bytes, tokens), results];
  }

  function total(parts) { return parts[0] + parts[1] + parts[2]; }

  function largestContext(memory, capacity, prompt, longest) {
    function fits(tokens) { return Math.floor(total(memoryOf(memory, prompt, tokens))) <= capacity; }
    if (capacity === null) { return null; }
    if (!fits(1)) { return 0; }
    var low = fits(longest) ? longest : 1, high = longest;
    while (low < high) {
      var middle = Math.floor((low + high + 1) / 2);
      if (fits(middle)) { low = middle; } else { high = middle - 1; }
    }
    return low;
  }

  function onUnit(unit, prompt, answer) {
    var context = prompt + Math.floor((answer + 1) / 2), prefill = unit.prefill, read = ramp(unit.read_s, context), first = null;
    var token = unit.rest_s + Math.max(read, ramp(unit.compute_s, context)), moved = read * unit.memory_power_w;
    if (prefill) {
      first = prefill.start_s + Math.max(prefill.unpack_s + prompt * ramp(prefill.token_s, prompt), prefill.least_s);
    }
    var joules = unit.power_w === null ? null : unit.power_w * token + moved;
    return {
      unit: unit.unit, certainty: unit.certainty, time_to_first_token_s: first, decode_tokens_per_s: 1 / token, token_s: token,
      latency_s: first === null ? null : first + (answer - 1) * token, energy_per_token_j: joules,
      energy_j: joules === null || first === null ? null : unit.power_w * first + moved + (answer - 1) * joules,
      every_expert: unit.every_expert, reached: unit.reached, published: unit.published
    };
  }

  // What a board makes of a conversation; without times where it does not fit or nothing is known.
  function answerOf(given, name, bits, prompt, answer) {
    var board = given.boards[name], memory = given.memory[bits], capacity = board.capacity_bytes;
    var peak = Math.floor(total(memoryOf(memory, prompt, prompt + answer)));
    var found = { peak_memory_bytes: peak, fits: capacity === null ? null : peak <= capacity, reason: board.reasons[bits] };
    found.largest_context_tokens = largestContext(memory, capacity, prompt, given.longest_tokens);
    if (found.fits === false) {
      found.reason = "Does not fit: needs " + si(peak, "B") + ", the board has " + si(capacity, "B") + ".";
      return found;
    }
    var units = board.units[bits].map(function (each) { return onUnit(each, prompt, answer); });
    function rank(each) { return each.latency_s || each.token_s; }
    units.sort(function (a, b) {
      return (a.time_to_first_token_s === null) - (b.time_to_first_token_s === null) || rank(a) - rank(b);
    });
    return Object.assign(found, units[0]);
  }

  // -- sliders: positions of a logarithmic scale, as `slider_step` of frontend/pages/survey/conversation_plots.py
  function stepOf(tokens) {
    var most = page.given.most_tokens;
    return page.given.steps * Math.log(Math.max(1, Math.min(tokens, most))) / Math.log(most);
  }

  function tokensOf(step) { return Math.round(Math.pow(page.given.most_tokens, step / page.given.steps)); }

  // -- parts of the page
  var WORDS = {
    time_to_first_token_s: function (found) { return si(found.time_to_first_token_s, "s"); },
    decode_tokens_per_s: function (found) { return found.token_s ? significant(found.decode_tokens_per_s) : MISSING; },
    latency_s: function (found) { return si(found.latency_s, "s"); },
    energy_per_token_j: function (found) { return si(found.energy_per_token_j, "J"); },
    peak_memory_bytes: function (found) { return si(found.peak_memory_bytes, "B"); },
    largest_context_tokens: function (found) { return whole(found.largest_context_tokens); },
    certainty: function (found) { return found.certainty || MISSING; },
    reason: function (found) { return found.reason; }
  };

  function write(cell, found) {
    var words = WORDS[cell.dataset.metric](found);
    var title = words === MISSING ? found.reason : "";
    if (cell.textContent !== words) { cell.textContent = words; }
    if (cell.title !== title) { cell.title = title; }
  }

  function writeTable(answers) {
    var table = document.querySelector(".survey-boards");
    if (table && follows(table)) {
      table.querySelectorAll(".conversation-value").forEach(function (cell) {
        if (answers[cell.dataset.board]) { write(cell, answers[cell.dataset.board]); }
      });
    }
    if (page.drags) { return; }
    document.querySelectorAll(".conversation-fits").forEach(function (place) {
      var found = answers[place.dataset.board], words = "";
      if (found && found.token_s) {
        words = " (fits now: first token after " + WORDS.time_to_first_token_s(found) + ", " + WORDS.decode_tokens_per_s(found) +
          " tokens per second)";
      }
      if (place.textContent !== words) { place.textContent = words; }
    });
  }

  function writeBits(given, name, prompt, answer) {
    var table = document.querySelector(".survey-bits");
    if (!table || !follows(table)) { return; }
    table.querySelectorAll(".conversation-value").forEach(function (cell) {
      write(cell, answerOf(given, name, cell.dataset.bits, prompt, answer));
    });
  }

  function sentence(given, name, found, prompt, answer) {
    var board = given.boards[name], words = board.title + " in " + board.bits + ": ";
    if (found.token_s) {
      words += "first token after " + WORDS.time_to_first_token_s(found) + ", then " + WORDS.decode_tokens_per_s(found) +
        " tokens per second; conversation " + WORDS.latency_s(found) + "; cache " +
        si(ramp(given.memory[board.bits].cache_bytes, prompt + answer), "B") + ".";
    }
    words += found.reason ? " " + found.reason : "";
    var most = given.context_tokens;
    return most && prompt + answer > most ? words + " Prompt and answer exceed the " + whole(most) + " tokens of the model." : words;
  }

  // -- figures: the server draws axes and traces without values, named as below
  // While a slider is dragged, only what is seen follows; the rest does when the slider rests.
  function follows(part) {
    var place = part.getBoundingClientRect();
    return !page.drags || (place.bottom > 0 && place.top < window.innerHeight);
  }

  // False where the picture is not drawn yet.
  function fill(id, values) {
    var host = document.getElementById(id), plot = host && host.querySelector(".js-plotly-plot");
    if (!plot || !plot._fullLayout) { return false; }
    if (!follows(plot)) { return true; }
    // Not `restyle`: Dash keeps its events, and renders the whole page with each.
    plot.data.forEach(function (trace) { Object.assign(trace, values[trace.name]); });
    window.Plotly.redraw(plot);
    return true;
  }

  function frontValues(given, answers, chosen) {
    var known = Object.keys(answers).filter(function (name) { return answers[name].time_to_first_token_s; }), best = 0, values = {};
    known.sort(function (a, b) {
      return answers[a].time_to_first_token_s - answers[b].time_to_first_token_s || answers[b].decode_tokens_per_s - answers[a].decode_tokens_per_s;
    });
    function x(name) { return answers[name].time_to_first_token_s; }
    function y(name) { return answers[name].decode_tokens_per_s; }
    function marks(names) {
      return {
        x: names.map(x), y: names.map(y),
        customdata: names.map(function (name) {
          return [given.boards[name].title, si(x(name), "s"), significant(y(name)), given.boards[name].bits, answers[name].certainty, name];
        })
      };
    }
    var front = known.filter(function (name) {
      var better = y(name) > best;
      best = Math.max(best, y(name));
      return better;
    });
    CERTAINTIES.forEach(function (word) {
      values[word] = marks(known.filter(function (name) { return answers[name].certainty === word; }));
    });
    values["Pareto front"] = { x: front.map(x), y: front.map(y) };
    var named = front.slice(-MOST_NAMES);
    values.names = {
      x: named.map(x), y: named.map(y), text: named.map(function (name) { return given.boards[name].title; }),
      // Neighbours on a flat front would write over each other.
      textposition: named.map(function (name, place) { return (named.length - place) % 2 ? "top right" : "bottom right"; })
    };
    values["chosen board"] = marks(known.filter(function (name) { return name === chosen; }));
    return values;
  }

  function timelineValues(memory, found, prompt, answer) {
    var first = found.time_to_first_token_s, values = { prefill: { x: [], y: [] }, decode: { x: [], y: [] }, cache: { x: [], y: [] } };
    if (!first) { return values; }
    values.prefill = { x: [0, 0, first, first, 0], y: [0, 1, 1, 0, 0] };
    // The first token ends the prefill; a tooth stands for `each` tokens where there are many.
    var each = Math.ceil(answer / MOST_TEETH), teeth = values.decode;
    function at(token) { return first + (token - 1) * found.token_s; }
    for (var token = 1; token <= answer; token += each) {
      teeth.x.push(at(token), at(token), null);
      teeth.y.push(0, 1, null);
    }
    for (var point = 0; point <= CURVE_POINTS; point++) {
      values.cache.x.push(first * point / CURVE_POINTS);
      values.cache.y.push(ramp(memory.cache_bytes, prompt * point / CURVE_POINTS) / MEGA);
    }
    for (point = 0; point <= CURVE_POINTS; point++) {
      token = 1 + (answer - 1) * point / CURVE_POINTS;
      values.cache.x.push(at(token));
      values.cache.y.push(ramp(memory.cache_bytes, prompt + token - 1) / MEGA);
    }
    teeth.meta = each > 1 ? "decode: a tooth per " + each + " tokens" : "decode: a tooth per token";
    return values;
  }

  function memoryValues(given, board, memory, found, prompt, answer) {
    var longest = Math.max(given.most_tokens, prompt + answer), x = [], parts = [[], [], []];
    for (var point = 0; point <= CURVE_POINTS; point++) {
      var tokens = Math.max(1, Math.round(longest * point / CURVE_POINTS));
      x.push(tokens);
      memoryOf(memory, prompt, tokens).forEach(function (bytes, at) { parts[at].push(bytes / GIGA); });
    }
    var capacity = board.capacity_bytes === null ? null : board.capacity_bytes / GIGA, most = found.largest_context_tokens;
    var now = [prompt + answer, found.peak_memory_bytes / GIGA], ends = capacity !== null && most < longest;
    return {
      weights: { x: x, y: parts[0] }, cache: { x: x, y: parts[1] }, results: { x: x, y: parts[2] },
      "device memory": capacity === null ? { x: [], y: [] } : { x: [0, longest], y: [capacity, capacity] },
      "this conversation": { x: [now[0]], y: [now[1]] },
      "no longer fits": ends ? { x: [most], y: [capacity] } : { x: [], y: [] }
    };
  }

  // Prefill passes all tokens of the prompt at once, a step of decode one that sees the mean context.
  function rooflineValues(given, bits, unit, prompt, answer) {
    var values = { "published roof": roof([null, null]), "roof of the estimate": roof(unit.reached || [null, null]) };
    ["prefill", "decode"].forEach(function (stage) { values[stage + " layers"] = { x: [], y: [], text: [] }; });
    if (!unit.reached) { return values; }
    var context = prompt + Math.floor((answer + 1) / 2), lowest = 1, highest = 1;
    given.layers[bits].forEach(function (layer) {
      var decode = layer.stage === "decode", seen = decode ? context : prompt;
      if (!decode && layer.stage !== (unit.every_expert ? "prefill, every expert" : "prefill")) { return; }
      var intensity = (decode ? 1 : prompt) * ramp(layer.operations, seen) / ramp(layer.read_bytes, seen);
      var marks = values[(decode ? "decode" : "prefill") + " layers"], at = marks.x.findIndex(function (x) { return near(x, intensity); });
      if (at >= 0) {
        marks.text[at] += ", " + layer.kind;
        return;
      }
      marks.x.push(intensity);
      marks.y.push(Math.min(unit.reached[1] === null ? Infinity : unit.reached[1], intensity * unit.reached[0]) / TERA);
      marks.text.push(layer.kind);
      lowest = Math.min(lowest, intensity);
      highest = Math.max(highest, intensity);
    });
    values["published roof"] = roof(unit.published, lowest, highest);
    values["roof of the estimate"] = roof(unit.reached, lowest, highest);
    return values;
  }

  // Kinds that would cover each other share a mark.
  function near(a, b) { return Math.abs(Math.log(a / b)) < 0.05; }

  function roof(bounds, lowest, highest) {
    if (bounds[0] === null || bounds[1] === null) { return { x: [], y: [] }; }
    var ridge = bounds[1] / bounds[0], x = [Math.min(lowest, ridge) / 2, ridge, Math.max(highest, ridge) * 2];
    return { x: x, y: x.map(function (each) { return Math.min(bounds[1], each * bounds[0]) / TERA; }) };
  }

  // -- the page
  function rangeOf(id) {
    var found = document.getElementById(id);
    return found && (found.matches("input") ? found : found.querySelector("input"));
  }

  function say(id, words) {
    var place = document.getElementById(id);
    if (place && place.textContent !== words) { place.textContent = words; }
  }

  function address() {
    var url = new URL(window.location.href);
    url.searchParams.set("prompt", page.prompt);
    url.searchParams.set("answer", page.answer);
    return url;
  }

  // Where the sliders rest, fields and address follow; Dash renders the whole page for a field, which is too slow for a drag.
  function settle() {
    page.drags = false;
    ask();
    window.dash_clientside.set_props("survey-prompt", { value: page.prompt });
    window.dash_clientside.set_props("survey-answer", { value: page.answer });
    window.history.replaceState(window.history.state, "", address());
  }

  function draw() {
    var given = page.given, name = page.board, prompt = page.prompt, answer = page.answer, answers = {};
    page.asked = false;
    if (!document.getElementById("conversation-front")) { return; }
    Object.keys(given.boards).forEach(function (each) {
      answers[each] = answerOf(given, each, given.boards[each].bits, prompt, answer);
    });
    var board = given.boards[name], found = answers[name], memory = given.memory[board.bits];
    say("conversation-prompt-text", whole(prompt));
    say("conversation-answer-text", whole(answer));
    say("conversation-sentence", sentence(given, name, found, prompt, answer));
    writeTable(answers);
    writeBits(given, name, prompt, answer);
    page.pictures = {
      "conversation-front": function () { return frontValues(given, answers, name); },
      "conversation-timeline": function () { return timelineValues(memory, found, prompt, answer); },
      "conversation-memory": function () { return memoryValues(given, board, memory, found, prompt, answer); },
      "conversation-roofline": function () { return rooflineValues(given, board.bits, found, prompt, answer); }
    };
    if (!page.draws) { drawNext(); }
  }

  // One picture per frame, in turn, so that a drag stays smooth.
  function drawNext() {
    var pictures = page.pictures || {}, turn = PICTURES.indexOf(page.last) + 1;
    var id = PICTURES.slice(turn).concat(PICTURES.slice(0, turn)).filter(function (each) { return pictures[each]; })[0];
    page.draws = Boolean(id && document.getElementById(id));
    if (!page.draws) { return; }
    page.last = id;
    if (fill(id, pictures[id]())) {
      delete pictures[id];
      window.requestAnimationFrame(drawNext);
    } else {
      setTimeout(drawNext, WAIT_MS);
    }
  }

  function ask() {
    if (!page.asked) {
      page.asked = true;
      window.requestAnimationFrame(draw);
    }
  }

  function place() {
    rangeOf("conversation-prompt").value = stepOf(page.prompt);
    rangeOf("conversation-answer").value = stepOf(page.answer);
  }

  document.addEventListener("input", function (event) {
    var prompt = rangeOf("conversation-prompt"), answer = rangeOf("conversation-answer");
    if (!page.given || (event.target !== prompt && event.target !== answer)) { return; }
    page.drags = true;
    page[event.target === prompt ? "prompt" : "answer"] = tokensOf(Number(event.target.value));
    ask();
    clearTimeout(rest);
    rest = setTimeout(settle, REST_MS);
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    conversation: {
      answer: answerOf,

      // A survey that the server answered, or another board of it; tokens and the board that were chosen before stay.
      show: function (given, board, prompt, answer) {
        if (given && page.given !== given) {
          var before = given.boards[page.board], kept = before && before.units[before.bits].length ? page.board : board;
          if (kept !== board) { window.dash_clientside.set_props("conversation-board", { value: kept }); }
          board = kept;
          page = { given: given, prompt: Number(prompt) || given.prompt_tokens, answer: Number(answer) || given.answer_tokens };
          place();
        }
        if (given) {
          page.board = board;
          ask();
        }
        return window.dash_clientside.no_update;
      },

      // Tokens that are typed move the sliders; a page without them, whose survey was refused, asks for a new one.
      typed: function (prompt, answer) {
        var same = prompt === page.prompt && answer === page.answer;
        if (!Number.isInteger(prompt) || !Number.isInteger(answer)) { return window.dash_clientside.no_update; }
        page.prompt = prompt;
        page.answer = answer;
        if (!rangeOf("conversation-prompt")) {
          if (!document.querySelector("#survey-found[aria-busy=true]")) { window.location.assign(address()); }
        } else if (!same) {
          place();
          window.history.replaceState(window.history.state, "", address());
          ask();
        }
        return window.dash_clientside.no_update;
      },

      choose: function (click) {
        var mark = click && click.points[0].customdata;
        return mark ? mark[5] : window.dash_clientside.no_update;
      }
    }
  });
})();
