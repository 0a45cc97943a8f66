// What the server refused or did not answer: said beside the control that was used, with the reason and a button that asks again.
window.paretoscopeRefused = (function () {
  var CONTROLS = "button, a, input, textarea, select, summary, label, [role=tab], [role=option], [role=menuitem], tr[id], [tabindex]:not(main)";
  var USED_MS = 10000, REPLAY_MS = 10000, LONGEST_NAME = 40, LONGEST_REASON = 240, GAP_PX = 6, WIDTH_PX = 340;
  var WORDS = {
    400: "it could not read the request", 401: "you are signed out", 403: "this is not allowed here", 404: "it no longer exists",
    409: "it has changed since", 413: "the request is too large", 429: "too many requests in a short time"
  };
  var waiting = new Map(), boxes = [], replay = null, used = null;

  ["pointerdown", "keydown", "input", "change"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var node = event.target.closest && event.target.closest(CONTROLS);
      if (node && !node.closest(".refused")) { used = { node: node, at: Date.now() }; }
    }, true);
  });

  function idOf(text) { return text.charAt(0) === "{" ? JSON.parse(text) : text; }
  function partsOf(key) { var dot = key.lastIndexOf("."); return { id: key.slice(0, dot), prop: key.slice(dot + 1) }; }
  function layout(id) { return window.dash_component_api.getLayout(idOf(id)); }
  function seen(node) { return Boolean(node && node.isConnected && node.getClientRects().length); }

  // Values that a callback was sent, by "id.property".
  function inputs(body) {
    var found = {};
    body.inputs.flat().forEach(function (each) {
      if (each && each.id !== undefined) { found[window.dash_component_api.stringifyId(each.id) + "." + each.property] = each.value; }
    });
    return found;
  }

  function recent() { return used && Date.now() - used.at < USED_MS && seen(used.node) ? used.node : null; }

  // The control whose change a callback was sent for; null where something else changed, which may come of any control.
  function controlOf(body) {
    var named = body.changedPropIds.map(function (key) { return document.getElementById(partsOf(key).id); }).filter(seen)[0];
    if (named && recent() && named.contains(recent())) { return recent(); }
    return named && named.matches(CONTROLS) ? named : null;
  }

  function nameOf(node) {
    var label = node && node.id && document.querySelector('label[for="' + CSS.escape(node.id) + '"]');
    var words = node ? node.getAttribute("aria-label") || (label && label.textContent) || (node.matches("tr") && node.title) || node.textContent || node.title || node.placeholder || "" : "";
    words = words.replace(/\s+/g, " ").trim();
    return words.length > LONGEST_NAME ? words.slice(0, LONGEST_NAME - 1) + "…" : words;
  }

  // -- words ---------------------------------------------------------------------------------------------------------
  function clipped(words) { return words.length > LONGEST_REASON ? words.slice(0, LONGEST_REASON - 1) + "…" : words; }

  function secondsOf(header) {
    if (!header) { return null; }
    var seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
    return isFinite(seconds) && seconds > 0 ? seconds : null;
  }

  function reasonOf(response) {
    if (response === null) { return Promise.resolve({ status: 0, words: "There is no connection to the server." }); }
    var kind = WORDS[response.status] || (response.status >= 500 ? "something failed there, or it is starting" : "it refused this");
    var head = "The server answered " + response.status + ": ", found = { status: response.status, words: head + kind + "." };
    var after = secondsOf(response.headers.get("Retry-After"));
    if (after !== null) { found.readyAt = Date.now() + 1000 * after; }
    if (!/json/.test(response.headers.get("Content-Type") || "")) { return Promise.resolve(found); }
    return response.json().then(function (told) {
      var own = told && (told.message || told.detail);
      if (own && typeof own === "string") { found.words = head + clipped(own); }
      return found;
    }).catch(function () { return found; });
  }

  function whenWords(reason) {
    var left = reason.readyAt ? Math.ceil((reason.readyAt - Date.now()) / 1000) : 0;
    if (left > 0) { return " It takes the next request in " + left + " s."; }
    return reason.status === 429 && !reason.readyAt ? " Try again in a minute." : "";
  }

  // -- boxes ---------------------------------------------------------------------------------------------------------
  // One for each control; what no control is known for joins whatever is there, and whatever control comes after it.
  function boxOf(control) {
    var own = boxes.filter(function (each) { return each.direct === control || each.direct === null; })[0];
    var box = own || (!control && boxes[boxes.length - 1]) || made();
    if (!box.direct) {
      box.direct = control;
      box.control = control || box.control || recent();
      box.name = nameOf(box.control);
    }
    return box;
  }

  function made() {
    var make = window.paretoscopeConnection.element, box = { control: null, direct: null, entries: new Map(), path: location.pathname };
    box.words = make("span", "grow", "");
    box.again = make("button", "btn small", "Try again", { type: "button", onclick: function () { again(box); } });
    box.way = make("span", "", "");
    var close = make("button", "ib", "", { type: "button", title: "Close", ariaLabel: "Close", onclick: function () { drop(box); } });
    close.append(make("span", "i i-x s", ""));
    var buttons = make("div", "row g8", "");
    buttons.append(box.again, box.way, make("span", "sp", ""), close);
    box.node = make("div", "refused", "", { role: "alert" });
    box.node.append(box.words, buttons);
    boxes.push(box);
    return box;
  }

  function drop(box) {
    box.entries.forEach(function (entry, key) { if (waiting.get(key) === entry) { waiting.delete(key); } });
    box.node.remove();
    boxes = boxes.filter(function (each) { return each !== box; });
  }

  function tell(box) {
    // Below a modal dialog nothing can be pressed.
    var host = Array.from(document.querySelectorAll("dialog:modal")).pop() || document.body;
    if (box.node.parentNode !== host) { host.append(box.node); }
    var reason = Array.from(box.entries.values()).pop().reason, head = box.name ? "Not done: " + box.name + ". " : "This page is not complete. ";
    var words = head + reason.words + whenWords(reason);
    if (box.words.textContent !== words) { box.words.textContent = words; }
    if (box.status !== reason.status) {
      box.status = reason.status;
      box.way.replaceChildren(...(reason.status === 401 ? [window.paretoscopeConnection.signIn()] : reason.status === 409 || reason.status === 404 ? [window.paretoscopeConnection.reload()] : []));
    }
    var at = seen(box.control) ? box.control.getBoundingClientRect() : { left: (innerWidth - WIDTH_PX) / 2, bottom: 48, top: 48 };
    var height = box.node.offsetHeight, below = at.bottom + GAP_PX + height <= innerHeight;
    box.node.style.left = Math.max(GAP_PX, Math.min(at.left, innerWidth - box.node.offsetWidth - GAP_PX)) + "px";
    box.node.style.top = Math.max(GAP_PX, Math.min(below ? at.bottom + GAP_PX : at.top - height - GAP_PX, innerHeight - height - GAP_PX)) + "px";
  }

  // A page that was left takes its words along; what its own address could not bring stays.
  function look() {
    boxes.slice().forEach(function (box) {
      if (box.path !== location.pathname && !seen(box.control)) { drop(box); } else { tell(box); }
    });
  }
  setInterval(look, 500);
  ["scroll", "resize"].forEach(function (kind) { window.addEventListener(kind, look, { capture: true, passive: true }); });

  function put(key, entry, control) {
    var before = waiting.get(key);
    if (before) { settle(key, before); }
    waiting.set(key, entry);
    entry.box = boxOf(control);
    entry.box.again.disabled = false;
    entry.box.entries.set(key, entry);
    tell(entry.box);
  }

  function settle(key, entry) {
    waiting.delete(key);
    entry.box.entries.delete(key);
    if (!entry.box.entries.size) { drop(entry.box); }
  }

  // -- again ---------------------------------------------------------------------------------------------------------
  // Dash sends the callbacks of what changed: the same value is set again, and of what hangs on it only what was refused goes out.
  function again(box) {
    var entries = Array.from(box.entries), set = {};
    box.again.disabled = true;
    replay = { until: Date.now() + REPLAY_MS, changed: {}, values: {} };
    entries.forEach(function (pair) {
      var entry = pair[1], sent = entry.body && inputs(entry.body);
      if (entry.retry) { settle(pair[0], entry); entry.retry(); return; }
      var keys = entry.body.changedPropIds.length ? entry.body.changedPropIds : Object.keys(sent).slice(0, 1);
      replay.changed[pair[0]] = entry.body.changedPropIds;
      keys.forEach(function (key) { set[key] = sent[key]; });
    });
    Object.keys(set).forEach(function (key) {
      var parts = partsOf(key), now = layout(parts.id);
      if (!now) { return; }
      var value = now.props[parts.prop] === undefined || now.props[parts.prop] === null ? set[key] : now.props[parts.prop];
      replay.values[key] = JSON.stringify(value);
      window.dash_clientside.set_props(idOf(parts.id), { [parts.prop]: value });
    });
    if (!Object.keys(replay.values).length) { drop(box); }
    setTimeout(function () { box.again.disabled = false; }, 2000);
  }

  // The body that goes out: as it is, or for a repeated request with what changed then; null for what was answered before.
  function outgoing(text) {
    if (!replay || Date.now() > replay.until || typeof text !== "string") { return text; }
    var body = JSON.parse(text), changed = replay.changed[body.output];
    if (changed) {
      delete replay.changed[body.output];
      body.changedPropIds = changed;
      return JSON.stringify(body);
    }
    var sent = inputs(body), known = replay.values;
    var same = body.changedPropIds.length && body.changedPropIds.every(function (key) { return key in known && JSON.stringify(sent[key]) === known[key]; });
    return same ? null : text;
  }

  function take(text, response) {
    var body = JSON.parse(text), polled = body.changedPropIds.length && body.changedPropIds.every(function (key) { return /\.n_intervals$/.test(key); });
    var control = controlOf(body);
    if (polled) { window.paretoscopeConnection.polled(response && response.status !== 401 ? response.status : 0); }
    if (!polled) { reasonOf(response).then(function (reason) { put(body.output, { body: body, reason: reason }, control); }); }
    // For Dash nothing changes: without any answer it would take the callback for one that is still running, and keep its button shut.
    return new Response(null, { status: 204 });
  }

  return {
    outgoing: outgoing, take: take, reasonOf: reasonOf,
    done: function (text) {
      if (!waiting.size) { return; }
      var key = JSON.parse(text).output;
      if (waiting.has(key)) { settle(key, waiting.get(key)); }
    },
    // What was asked for beside Dash.
    told: function (key, response, retry) {
      var control = recent();
      reasonOf(response).then(function (reason) { put(key, { retry: retry, reason: reason }, control); });
    }
  };
})();
