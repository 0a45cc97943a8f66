// What the reader did on the page of a run, act by act and whatever it was about: the last act is undone first, and done again first.
(function () {
  var ONE_DRAG_MS = 800, COMES_WITHIN_MS = 5000, MOST_STEPS = 50;
  var kept = { run: null };

  // Equal values have equal texts, in whatever order their names were put.
  function textOf(value) {
    return JSON.stringify(value, function (_name, each) {
      if (!each || typeof each !== "object" || Array.isArray(each)) { return each; }
      return Object.keys(each).sort().reduce(function (sorted, name) { sorted[name] = each[name]; return sorted; }, {});
    });
  }

  // Of filters one drag is one act; a selection that follows the best design is not the reader's doing.
  function isAct(kind, before, after, time) {
    var last = kept.done[kept.done.length - 1];
    if (kind === "filters") { return time - kept.filteredAt > ONE_DRAG_MS || !last || last.kind !== kind; }
    if (kind !== "selection") { return true; }
    return before && after && !(before.follow && after.follow && before.window === after.window);
  }

  // What undo asked for comes in parts, from browser and server: none of them is an act.
  function comes(kind, text, time) {
    var asked = kept.asked[kind];
    if (!asked) { return false; }
    if (text === asked.text || time > asked.until) { delete kept.asked[kind]; }
    return time <= asked.until;
  }

  function notice(kind, value, time) {
    var text = textOf(value), before = kept.now[kind];
    if (comes(kind, text, time) || text === before.text) { return; }
    kept.now[kind] = { text: text, value: value };
    if (isAct(kind, before.value, value, time)) {
      kept.done.push({ kind: kind, shown: before });
      if (kept.done.length > MOST_STEPS) { kept.done.shift(); }
      kept.undone = [];
    }
    if (kind === "filters") { kept.filteredAt = time; }
  }

  // `state`: what the page shows by kind ("choices", "filters", "selection"), none of it undefined.
  function remember(run, state) {
    var kinds = Object.keys(state), time = Date.now();
    if (kept.run === run) { kinds.forEach(function (kind) { notice(kind, state[kind], time); }); return; }
    kept = { run: run, now: {}, done: [], undone: [], filteredAt: 0, asked: {} };
    kinds.forEach(function (kind) { kept.now[kind] = { text: textOf(state[kind]), value: state[kind] }; });
  }

  // What is to be shown from now on, and what was before; null where there is nothing to go back, or on, to.
  function move(from, to) {
    var step = kept.run !== null && kept[from].pop();
    if (!step) { return null; }
    var before = kept.now[step.kind];
    kept[to].push({ kind: step.kind, shown: before });
    // Kept first: the next key may come before the page has followed this one.
    kept.now[step.kind] = step.shown;
    kept.asked[step.kind] = { text: step.shown.text, until: Date.now() + COMES_WITHIN_MS };
    kept.filteredAt = 0;
    return { kind: step.kind, value: step.shown.value, before: before.value };
  }

  window.paretoscopeHistory = {
    remember: remember,
    undo: function () { return move("done", "undone"); },
    redo: function () { return move("undone", "done"); }
  };
})();
