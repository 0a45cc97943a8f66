// Text in progress: what is typed into a form with `data-draft` is kept in this tab by the form's address, offered again there, and not
// left without a question. `data-draft` names the parts of the address that tell such forms apart; a form with `data-draft-kind` has a
// way of its own to read and write what it holds (`window.paretoscopeDraftKinds`).
window.paretoscopeDrafts = (function () {
  var LOOK_MS = 700, WRITE_AGAIN_MS = 6000, CHOSEN_MS = 1500, TOLD_MS = 2000;
  var QUESTION = "Your text is not saved. Leave the page? This tab keeps the text and offers it when you come back.";
  var forms = new Map(), here = location.href, chosenAt = 0, acceptedAt = 0, movedAt = 0, bar = null, writing = null, acted = null;

  function pageFields() { return window.paretoscopeFields; }
  function account() { return window.paretoscopeConnection.account() || ""; }

  function keyOf(form) {
    var query = new URLSearchParams(location.search), names = form.dataset.draft.split(" ").filter(Boolean);
    var parts = names.map(function (name) { return name + "=" + (query.get(name) || ""); });
    return ["draft", account(), location.pathname].concat(parts, form.dataset.draftName || []).join(" ");
  }

  // -- fields --------------------------------------------------------------------------------------------------------
  // Field -> how it is read and written. Lists of choices show words of their own: Dash knows what is chosen in them.
  function fieldsOf(form) {
    var found = {}, rows = form.dataset.draftRows, layout = pageFields().layout, idOf = pageFields().idOf;
    // First, as other rows bring fields.
    if (rows && layout(rows)) {
      found[rows] = {
        read: function () { return layout(rows).props.data; },
        write: function (value) { window.dash_clientside.set_props(rows, { data: value }); }
      };
    }
    form.querySelectorAll(pageFields().FIELDS).forEach(function (node) {
      var id = pageFields().idOfNode(node), known = layout(id), prop = pageFields().prop(known);
      if (known && pageFields().typed(node)) {
        found[id] = { read: function () { return node.value; }, write: function (value) { type(node, value); } };
      } else if (prop) {
        found[id] = {
          read: function () { return known.props[prop] === undefined ? null : known.props[prop]; },
          write: function (value) { window.dash_clientside.set_props(idOf(id), { [prop]: value }); }
        };
      }
    });
    return found;
  }

  // As if it were typed: React hears of it.
  function type(node, value) {
    var kind = node instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(node, value);
    ["input", "change", "focusout"].forEach(function (name) { node.dispatchEvent(new Event(name, { bubbles: true })); });
  }

  // -- what is kept --------------------------------------------------------------------------------------------------
  function kept(key) { try { return JSON.parse(sessionStorage.getItem(key)); } catch (error) { return null; } }

  function keep(key, values) {
    // Storage may be forbidden or full; the question stays.
    try { if (values) { sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), values: values })); } else { sessionStorage.removeItem(key); } } catch (error) { }
  }

  function ownKind(form) { return (window.paretoscopeDraftKinds || {})[form.dataset.draftKind]; }

  // What differs from what stood there before anybody typed; null for nothing. A form with its own way hears from the server what is
  // not saved, which takes a moment.
  function unsaved(form, state) {
    if (!state.touched) { return null; }
    var own = ownKind(form) && ownKind(form).read();
    if (own) { return { own: own }; }
    if (ownKind(form) && Date.now() - state.touched > TOLD_MS) { return null; }
    var found = {}, fields = fieldsOf(form);
    Object.keys(fields).forEach(function (id) {
      var value = fields[id].read();
      if (id in state.base && JSON.stringify(value) !== state.base[id]) { found[id] = value; }
    });
    return Object.keys(found).length ? { fields: found } : null;
  }

  function dirty() {
    look();
    return Array.from(forms).some(function (each) { return unsaved(each[0], each[1]) !== null; });
  }

  function look() {
    var closed = new Map();
    if (new URL(here).pathname === location.pathname) { here = location.href; }
    forms.forEach(function (state, form) {
      if (form.isConnected) { return; }
      forms.delete(form);
      // On the same page ever since: the form was closed, as what it held is stored or was given up, or it is drawn again.
      if (state.path === location.pathname && state.touched > movedAt) { closed.set(state.key, { state: state, values: heldBy(form, state) }); }
    });
    var again = [];
    document.querySelectorAll("[data-draft]").forEach(function (form) {
      if (forms.has(form)) { return; }
      var key = keyOf(form), before = closed.get(key);
      if (before && !ownKind(form) && !form.querySelector("[data-stored]")) {
        forms.set(form, before.state);
        closed.delete(key);
        again.push([form, before.values]);
      } else { forms.set(form, { key: key, path: location.pathname, base: {}, touched: 0, fresh: Boolean(form.querySelector("[data-stored]")) }); }
    });
    closed.forEach(function (before, key) { if (before.state.stored) { keep(key, null); } });
    // Something beside them was stored: what was typed since it was sent goes back in.
    again.forEach(function (each) { fill(each[0], each[1]); });
    if (bar && !bar.form.isConnected) { take(); }
    forms.forEach(function (state, form) { follow(form, state); });
  }

  // What a form that is gone held, which differs from what stood there before.
  function heldBy(form, state) {
    var values = Object.assign({}, state.stored ? (kept(state.key) || { values: {} }).values.fields : {});
    form.querySelectorAll("[id]").forEach(function (node) { if (pageFields().typed(node)) { values[node.id] = node.value; } });
    Object.keys(values).forEach(function (id) { if (!(id in state.base) || JSON.stringify(values[id]) === state.base[id]) { delete values[id]; } });
    return values;
  }

  function fill(form, values) {
    var fields = fieldsOf(form);
    Object.keys(values).forEach(function (id) {
      if (id in fields && JSON.stringify(fields[id].read()) !== JSON.stringify(values[id])) { fields[id].write(values[id]); }
    });
  }

  function follow(form, state) {
    // A page that could not be left, as its successor did not come, keeps the address that it was opened at.
    if (location.pathname === state.path) { state.key = keyOf(form); }
    var fields = fieldsOf(form), late = state.fresh ? pageFields().late() : new Map();
    state.fresh = false;
    Object.keys(fields).forEach(function (id) {
      if (late.has(id)) {
        state.base[id] = JSON.stringify(late.get(id));
        state.touched = Date.now();
      } else if (!state.touched || !(id in state.base)) { state.base[id] = JSON.stringify(fields[id].read()); }
    });
    offer(form, state, fields);
    if (state.touched) {
      var values = unsaved(form, state);
      if (values || state.stored) { keep(state.key, values); state.stored = Boolean(values); }
    }
  }

  // What is stored: from now on it is what stood there before, but for what was typed since it was sent.
  function saved(form) {
    var state = forms.get(form);
    if (!state) { return; }
    state.touched = 0;
    state.base = {};
    state.fresh = true;
    keep(state.key, null);
    if (bar && bar.form === form) { take(); }
    look();
  }

  // -- offered again -------------------------------------------------------------------------------------------------
  function offer(form, state, fields) {
    var draft = !state.touched && kept(state.key);
    if (!draft || bar) { return; }
    var values = draft.values.fields || {}, news = Object.keys(values).some(function (id) { return id in fields && JSON.stringify(values[id]) !== state.base[id]; });
    if (news || draft.values.own) { put(form, state, draft); }
  }

  function put(form, state, draft) {
    var make = window.paretoscopeConnection.element, when = make("time", "", "", { dateTime: new Date(draft.at + window.paretoscopeConnection.ahead()).toISOString() });
    when.dataset.ago = "";
    bar = make("div", "strip draft-strip", "", { form: form, role: "status" });
    var words = make("span", "", "");
    words.append("What you typed here ", when, " was not saved.");
    bar.append(
      words,
      make("button", "btn small primary", "Put it back", { type: "button", onclick: function () { take(); restore(form, state, draft.values); } }),
      make("button", "btn small", "Throw it away", { type: "button", onclick: function () { keep(state.key, null); take(); } })
    );
    document.getElementById("main").prepend(bar);
    window.paretoscopeTimes.look();
  }

  function take() { if (bar) { bar.remove(); bar = null; } }

  function restore(form, state, values) {
    state.touched = Date.now();
    state.stored = true;
    if (values.own) { ownKind(form).write(values.own); return; }
    writing = { form: form, values: values.fields, until: Date.now() + WRITE_AGAIN_MS };
    write();
  }

  // One field may fill others in anew, or bring them, a moment later.
  function write() {
    if (!writing || Date.now() > writing.until || !writing.form.isConnected) { writing = null; return; }
    fill(writing.form, writing.values);
    setTimeout(write, LOOK_MS);
  }

  // -- typed, stored, left -------------------------------------------------------------------------------------------
  ["input", "change", "click", "keydown"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var form = event.target.closest && event.target.closest("[data-draft]");
      if (!event.isTrusted && kind !== "input") { return; }
      if (form && !forms.has(form)) { look(); }
      if (form) { forms.get(form).touched = Date.now(); }
      if (event.isTrusted) { writing = null; acted = form; acceptedAt = 0; }
      // What the click stores may draw this form again before it is looked at.
      if (event.isTrusted && kind === "click") { look(); }
    }, true);
  });
  setInterval(look, LOOK_MS);
  window.addEventListener("pagehide", look);

  new MutationObserver(function (changes) {
    var come = false;
    changes.forEach(function (change) {
      (change.type === "attributes" ? [change.target] : change.addedNodes).forEach(function (node) {
        if (!(node instanceof HTMLElement)) { return; }
        come = come || Boolean(node.closest("[data-draft]") || node.querySelector("[data-draft]"));
        var said = node.matches("[data-stored]") ? node : node.querySelector("[data-stored]");
        var form = said && said.closest("[data-draft]");
        if (form && !forms.has(form)) { look(); }
        if (form) { saved(form); }
        // What other forms hold is kept by now, and offered on the next page.
        if (said && said.dataset.leads) { acceptedAt = Date.now(); location.assign(said.dataset.leads); }
      });
    });
    // What stands in a field before anybody can type.
    if (come) { look(); }
  }).observe(document.documentElement, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-stored"] });

  function leaves() {
    if (!dirty()) { return true; }
    if (window.confirm(QUESTION)) { acceptedAt = Date.now(); return true; }
    return false;
  }

  window.addEventListener("beforeunload", function (event) {
    // Nobody is asked twice.
    if (dirty() && Date.now() - acceptedAt > CHOSEN_MS) { event.preventDefault(); event.returnValue = ""; }
  });

  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[href]");
    if (!link || link.target === "_blank" || link.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey) { return; }
    var to = new URL(link.href, location.href);
    if (to.pathname === location.pathname && (to.hash || to.search === location.search)) { return; }
    if (!leaves()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    chosenAt = Date.now();
  }, true);

  // Back and Forward: whoever stays has the address again.
  window.addEventListener("popstate", function (event) {
    var left = new URL(here).pathname !== location.pathname;
    if (left) { movedAt = Date.now(); }
    if (left && !leaves()) {
      event.stopImmediatePropagation();
      history.pushState(history.state, "", here);
      return;
    }
    here = location.href;
    chosenAt = Date.now();
  }, true);

  // Whoever pressed a button of the form and is led on by the server has stored what was typed until then.
  window.addEventListener("_dashprivate_pushstate", function () {
    movedAt = Date.now();
    if (Date.now() - chosenAt > CHOSEN_MS && new URL(here).pathname !== location.pathname && forms.has(acted)) {
      if (!Array.from(pageFields().late().keys()).some(function (id) { return acted.contains(document.getElementById(id)); })) { keep(forms.get(acted).key, null); }
      forms.delete(acted);
    }
    here = location.href;
  });

  return { look: look };
})();
