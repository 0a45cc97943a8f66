// A design changed by hand: boards are drawn of what the server says may be moved; one list of moves at a time is with it.
(function () {
  var LOST_MS = 20000, AGAIN_MS = 300, FAR_PX = 4, STEPS = 10;
  var TINTS = { npu: "dla", mcu: "cpu" };
  var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [-STEPS, 0], PageDown: [STEPS, 0] };
  var boards = [], kinds = {}, moves = [], asked = [], accepted = 0, sent = null, newest = 0, part = "", chosen = "", drag = null, late = false, focused = "";

  function root() { return document.getElementById("edit-boards"); }

  function make(tag, classes, given, parts) {
    var found = document.createElement(tag);
    if (classes) { found.className = classes; }
    Object.keys(given || {}).forEach(function (name) { found.setAttribute(name, given[name]); });
    (parts || []).forEach(function (each) { found.append(each); });
    return found;
  }

  function ask(list) {
    moves = list;
    if (!root()) { return; }
    newest += 1;
    if (sent && Date.now() - sent < LOST_MS) { late = true; return; }
    late = false;
    sent = Date.now();
    asked = moves;
    root().classList.add("waits");
    window.dash_clientside.set_props("edit-asked", { data: { n: newest, moves: moves } });
  }

  function say(words) {
    var place = document.getElementById("edit-said");
    if (place) { place.textContent = words; }
  }

  function found(name) {
    for (var at = 0; at < boards.length; at += 1) {
      for (var of = 0; of < boards[at].pieces.length; of += 1) {
        if (boards[at].pieces[of].name === name) { return { board: boards[at], at: at, piece: boards[at].pieces[of] }; }
      }
    }
    return null;
  }

  function placeOf(board, name) { return board.places.filter(function (each) { return each.name === name; })[0]; }

  // A piece that goes on while its last move is not answered yet makes one move of both.
  function move(name, place) {
    var it = found(name);
    if (!it || !placeOf(it.board, place)) { say("A layer stays on its own board."); return; }
    if (it.piece.place === place) { return; }
    var list = moves.slice(), last = list[list.length - 1];
    if (list.length > accepted && last[0] === name) { list.pop(); }
    list.push([name, place]);
    focused = name;
    if (it.board.form === "line") { it.piece.place = place; draw(); }
    ask(list);
  }

  function step(name, key) {
    var it = found(name), by = ARROWS[key], board = it.board, at = 0;
    board.places.forEach(function (each, number) { if (each.name === it.piece.place) { at = number; } });
    if (board.form === "grid") {
      var here = board.places[at];
      var next = board.places.filter(function (each) { return each.column === here.column + by[0] && each.row === here.row + by[1]; })[0];
      if (next && Math.abs(by[0]) < STEPS) { move(name, next.name); } else { say("There is no further place in that direction."); }
    } else if (board.form === "lanes" && by[0]) {
      var order = board.pieces.map(function (each) { return each.name; });
      var beside = order[order.indexOf(name) + (by[0] > 0 ? 1 : -1)];
      if (beside) { choose(beside); focus(beside); }
    } else {
      var along = board.form === "lanes" ? by[1] : by[0] || -by[1];
      var to = board.places[Math.max(0, Math.min(board.places.length - 1, at + along))];
      if (to.name === it.piece.place) { say("There is no further place in that direction."); } else { move(name, to.name); }
    }
  }

  function undo() {
    if (!moves.length) { say("There is nothing to undo."); return; }
    ask(moves.slice(0, -1));
  }

  // -- drawing -------------------------------------------------------------------------------------------------------
  function pieceOf(board, piece) {
    var place = placeOf(board, piece.place), was = moves.some(function (each) { return each[0] === piece.name; });
    var classes = "edit-piece" + (piece.name === chosen ? " chosen" : "") + (was ? " moved" : "");
    var words = piece.title + ", " + (board.form === "line" ? "" : "on ") + (place ? place.title : "");
    var found = make("button", classes, { type: "button", "data-piece": piece.name, title: words, "aria-label": words, "aria-describedby": "edit-help" }, [piece.short]);
    found.style[board.form === "grid" ? "borderLeftColor" : "borderBottomColor"] = "var(--model-" + (piece.family % 8) + ")";
    return found;
  }

  function grid(board) {
    var columns = 1 + Math.max.apply(null, board.places.map(function (each) { return each.column; }));
    var body = make("div", "edit-grid");
    body.style.gridTemplateColumns = "repeat(" + columns + ", minmax(0, 1fr))";
    board.places.forEach(function (place) {
      var here = board.pieces.filter(function (each) { return each.place === place.name; });
      var kind = place.kind ? " · " + (kinds[place.kind] || place.kind) : "";
      var cell = make("div", "edit-cell", { "data-place": place.name }, [make("span", "edit-place", { title: place.title + kind }, [place.title + kind])]);
      here.forEach(function (each) { cell.append(pieceOf(board, each)); });
      tint(cell, place);
      cell.style.gridColumn = place.column + 1;
      cell.style.gridRow = place.row + 1;
      body.append(cell);
    });
    return body;
  }

  function tint(element, place) {
    if (place.kind) { element.style.backgroundColor = "var(--hw-" + (TINTS[place.kind] || place.kind) + "-tint, var(--p-sunken))"; }
  }

  function lanes(board) {
    var columns = Math.max.apply(null, board.pieces.map(function (each) { return each.start + each.length; }).concat([1]));
    var single = board.pieces.every(function (each) { return each.length === 1; });
    var body = make("div", columns > 24 ? "edit-lanes narrow" : "edit-lanes");
    board.places.forEach(function (place) {
      var track = make("div", "edit-track", { "data-place": place.name });
      track.style.gridTemplateColumns = "repeat(" + columns + ", minmax(" + (single ? 12 : 0) + "px, 1fr))";
      tint(track, place);
      board.pieces.forEach(function (each) {
        if (each.place !== place.name) { return; }
        var piece = pieceOf(board, each);
        piece.style.gridColumn = (each.start + 1) + " / span " + each.length;
        piece.style.gridRow = 1;
        track.append(piece);
      });
      body.append(make("div", "edit-lane", {}, [make("span", "edit-place", { title: place.title }, [place.title]), track]));
    });
    return body;
  }

  function line(board) {
    var track = make("div", "edit-line"), count = board.places.length;
    board.pieces.forEach(function (each) {
      var at = 0, piece = pieceOf(board, each);
      board.places.forEach(function (place, number) { if (place.name === each.place) { at = number; } });
      piece.style.left = (100 * (at + 0.5) / count) + "%";
      track.append(piece);
    });
    var ends = make("div", "edit-ends", {}, [
      make("span", "edit-place", {}, [board.places[0].title]), make("span", "edit-place", {}, [board.places[count - 1].title])
    ]);
    return make("div", "", {}, [track, ends]);
  }

  var FORMS = { grid: grid, lanes: lanes, line: line };

  function shownBoards() { return boards.filter(function (each) { return each.part === part && each.pieces.length; }); }

  function options(select, entries, value) {
    entries.forEach(function (each) {
      var option = make("option", "", { value: each[0] }, [each[1]]);
      option.selected = each[0] === value;
      select.append(option);
    });
    return select;
  }

  function tools() {
    var row = make("div", "edit-tools"), parts = boards.map(function (each) { return each.part; });
    parts = parts.filter(function (each, at) { return each && parts.indexOf(each) === at; });
    if (parts.length > 1) {
      row.append(options(make("select", "", { "aria-label": "Part of the design", "data-does": "part" }), parts.map(function (each) { return [each, each]; }), part));
    }
    var pieces = [];
    shownBoards().forEach(function (board) { board.pieces.forEach(function (each) { pieces.push([each.name, each.title]); }); });
    var it = found(chosen);
    row.append(
      options(make("select", "", { "aria-label": "Piece", "data-does": "piece" }), pieces, chosen),
      make("span", "sm t2", {}, ["to"]),
      options(make("select", "", { "aria-label": "Place", "data-does": "place" }),
        it ? it.board.places.map(function (each) { return [each.name, each.title]; }) : [], it ? it.piece.place : ""),
      make("button", "btn small", { type: "button", "data-does": "move" }, ["Move"]),
      make("button", "btn quiet small", { type: "button", "data-does": "undo", title: "Ctrl+Z" }, ["Undo"]),
      make("button", "btn quiet small", { type: "button", "data-does": "again" }, ["Start over"])
    );
    row.querySelectorAll("[data-does=undo], [data-does=again]").forEach(function (each) { each.disabled = !moves.length; });
    return row;
  }

  function draw() {
    var here = root();
    if (!here) { return; }
    var held = here.contains(document.activeElement) ? document.activeElement : null;
    var name = held && held.dataset.piece, does = held && held.dataset.does;
    if (!boards.some(function (each) { return each.part === part; })) { part = boards.length ? boards[0].part : ""; }
    var it = found(chosen);
    if (!it || it.board.part !== part) { chosen = ((shownBoards()[0] || { pieces: [{}] }).pieces[0]).name || ""; }
    var all = shownBoards().map(function (board) {
      return make("section", "edit-board", { "data-board": boards.indexOf(board), "aria-label": board.title },
        [make("h3", "", {}, [board.title]), FORMS[board.form](board)]);
    });
    here.replaceChildren.apply(here, [tools()].concat(all));
    var back = does ? here.querySelector("[data-does=" + does + "]") : null;
    if (back && !back.disabled) { back.focus(); } else if (name || does || focused) { focus(focused || name || chosen); }
    focused = "";
  }

  function focus(name) {
    var here = root(), piece = here && Array.prototype.filter.call(here.querySelectorAll("[data-piece]"), function (each) { return each.dataset.piece === name; })[0];
    if (piece) { piece.focus(); }
  }

  function choose(name) {
    if (chosen === name) { return; }
    chosen = name;
    var here = root(), row = here.querySelector(".edit-tools");
    here.querySelectorAll("[data-piece]").forEach(function (each) { each.classList.toggle("chosen", each.dataset.piece === name); });
    row.replaceWith(tools());
  }

  // -- pointer -------------------------------------------------------------------------------------------------------
  // What lies below the pointer on the piece's own board: the name of a place, or "" for none.
  function below(event) {
    var section = root().querySelector('[data-board="' + drag.at + '"]'), board = boards[drag.at];
    if (!section) { return null; }
    if (board.form === "line") {
      var track = section.querySelector(".edit-line"), box = track.getBoundingClientRect();
      if (event.clientY < box.top - 40 || event.clientY > box.bottom + 40) { return null; }
      var number = Math.floor(board.places.length * (event.clientX - box.left) / box.width);
      return { element: track, name: board.places[Math.max(0, Math.min(board.places.length - 1, number))].name };
    }
    var under = document.elementFromPoint(event.clientX, event.clientY);
    var cell = under && under.closest("[data-place]");
    return cell && section.contains(cell) ? { element: cell, name: cell.dataset.place } : null;
  }

  function mark(element) {
    document.querySelectorAll(".edit-over").forEach(function (each) { each.classList.remove("edit-over"); });
    if (element) { element.classList.add("edit-over"); }
  }

  function end() {
    if (!drag) { return; }
    drag.element.classList.remove("dragged");
    drag.element.style.translate = "";
    mark(null);
    drag = null;
  }

  document.addEventListener("pointerdown", function (event) {
    var element = event.target.closest && event.target.closest(".edit-boards [data-piece]");
    if (!element || event.button) { return; }
    var it = found(element.dataset.piece);
    if (it) { drag = { name: it.piece.name, at: it.at, element: element, x: event.clientX, y: event.clientY, far: false }; }
  });
  document.addEventListener("pointermove", function (event) {
    if (!drag) { return; }
    var x = event.clientX - drag.x, y = event.clientY - drag.y;
    if (!drag.far && Math.hypot(x, y) < FAR_PX) { return; }
    drag.far = true;
    event.preventDefault();
    drag.element.classList.add("dragged");
    drag.element.style.translate = x + "px " + (boards[drag.at].form === "line" ? 0 : y) + "px";
    var there = below(event);
    mark(there && there.element);
  });
  document.addEventListener("pointerup", function (event) {
    if (!drag) { return; }
    var name = drag.name, far = drag.far, there = far ? below(event) : null;
    end();
    if (!far) { choose(name); return; }
    chosen = name;
    if (there) { move(name, there.name); } else { say("Dropped outside the board: nothing was moved."); }
  });
  document.addEventListener("pointercancel", end);

  // -- keys and tools -------------------------------------------------------------------------------------------------
  document.addEventListener("keydown", function (event) {
    var inside = event.target.closest && event.target.closest(".edit-boards");
    var back = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    // What was moved is what a person wants back while the boards are in sight, wherever the focus is.
    var elsewhere = back && moves.length && root() && root().offsetParent && !event.target.closest("input, textarea, [contenteditable]");
    if (!inside && !elsewhere) { return; }
    var piece = inside && event.target.dataset.piece;
    if (back) {
      undo();
    } else if (event.key === "Escape" && drag) {
      end();
    } else if (piece && ARROWS[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      step(piece, event.key);
    } else if (!piece || event.key !== "Enter") {
      return;
    } else {
      choose(piece);
      root().querySelector("[data-does=place]").focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("focusin", function (event) {
    var piece = event.target.closest && event.target.closest(".edit-boards [data-piece]");
    if (piece && !drag) { choose(piece.dataset.piece); }
  });
  document.addEventListener("change", function (event) {
    var does = event.target.closest && event.target.closest(".edit-boards") && event.target.dataset.does;
    if (does === "part") { part = event.target.value; chosen = ""; draw(); }
    if (does === "piece") { choose(event.target.value); root().querySelector("[data-does=piece]").focus(); }
  });
  document.addEventListener("click", function (event) {
    var pressed = event.target.closest && event.target.closest(".edit-boards button[data-does]");
    if (!pressed) { return; }
    var does = pressed.dataset.does;
    if (does === "move") { move(chosen, root().querySelector("[data-does=place]").value); focused = ""; }
    if (does === "undo") { undo(); }
    if (does === "again" && moves.length) { ask([]); }
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    edit: {
      // A tab that was just opened asks for the boards; an answer to older moves is followed by the question of the newest.
      answered: function (told) {
        if (told && told.n === undefined) {
          boards = []; moves = []; asked = []; accepted = 0; sent = null; late = false; part = ""; chosen = ""; drag = null; focused = "";
          if (root()) { ask([]); }
        } else if (told) {
          sent = null;
          if (told.again) { setTimeout(function () { ask(moves); }, AGAIN_MS); return window.dash_clientside.no_update; }
          if (root()) { root().classList.remove("waits"); }
          accepted = told.taken || 0;
          // What was refused is not asked again with what came after it.
          if (late) { ask(asked.slice(0, accepted).concat(moves.slice(asked.length))); return window.dash_clientside.no_update; }
          moves = asked.slice(0, accepted);
          boards = told.boards || [];
          kinds = told.kinds || {};
          end();
          draw();
        }
        return window.dash_clientside.no_update;
      }
    }
  });
})();
