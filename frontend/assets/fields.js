// Fields of a page: what Dash knows of them, and what is typed or chosen in them while the server answers, which its answer leaves there.
window.paretoscopeFields = (function () {
  var DRAWN_MS = 2000, PAGE = "_pages_content", FIELDS = "[id], [role=group], [role=radiogroup]", requests = new Set(), late = new Map();

  function idOf(text) { return text.charAt(0) === "{" ? JSON.parse(text) : text; }
  function layout(id) { try { return window.dash_component_api.getLayout(idOf(id)); } catch (error) { return null; } }
  function typed(node) { return node.matches("textarea, input:not([type=checkbox], [type=radio], [type=hidden], [readonly], [aria-haspopup])"); }
  function text(value) { return value === null || value === undefined ? "" : String(value); }

  // Groups of boxes have their id in that of their label.
  function idOfNode(node) { return node.id || (node.getAttribute("aria-labelledby") || "").replace(/-label$/, ""); }

  // The property that holds what is typed or chosen; undefined where nothing is.
  function prop(known) { return known && known.props ? ["checked", "value"].filter(function (name) { return name in known.props; })[0] : undefined; }

  function now(id) {
    var known = layout(id), node = document.getElementById(id), value = known && known.props[prop(known)];
    return node && typed(node) && typeof value !== "number" ? node.value : value;
  }

  // Lists of choices open elsewhere in the page.
  function used(target) {
    var list = target.closest("[role=listbox]"), node = list ? document.querySelector('[aria-controls="' + list.id + '"]') : target.closest(FIELDS);
    while (node && !prop(layout(idOfNode(node)))) { node = node.parentElement && node.parentElement.closest(FIELDS); }
    return node && idOfNode(node);
  }

  function note(request, id) {
    var known = layout(id);
    if (prop(known) && !request.has(id)) { request.set(id, known.props[prop(known)]); }
  }

  // Before Dash hears of it.
  ["input", "change", "click", "keydown"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      var id = event.isTrusted && requests.size && event.target.closest ? used(event.target) : null;
      if (id) { requests.forEach(function (request) { note(request, id); }); }
    }, true);
  });

  // Some fields tell Dash of what is typed when they are left.
  function sent() {
    var request = new Map(), node = document.activeElement;
    if (node && node.id && typed(node)) { note(request, node.id); }
    requests.add(request);
    return request;
  }

  function change(before, after) {
    var start = 0, end = 0, most = Math.min(before.length, after.length);
    while (start < most && before[start] === after[start]) { start += 1; }
    while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) { end += 1; }
    return { from: start, to: before.length - end, by: after.slice(start, after.length - end) };
  }

  // The answer with what was typed since its request was sent; `caret` is the place right behind that.
  function merged(before, answer, typedText) {
    if (answer === before) { return { text: typedText }; }
    var theirs = change(before, answer), mine = change(before, typedText), at = mine.from, to = mine.to;
    if (mine.from >= theirs.to) {
      at += answer.length - before.length;
      to += answer.length - before.length;
    } else if (mine.to > theirs.from) { at = to = theirs.from + theirs.by.length; }
    return { text: answer.slice(0, at) + mine.by + answer.slice(to), caret: at + mine.by.length };
  }

  // The answer, in which fields that were used since the request was sent keep what stands there.
  function answered(request, response) {
    requests.delete(request);
    late = new Map();
    request.forEach(function (before, id) {
      var value = now(id);
      if (typeof value === "string" ? value !== text(before) : JSON.stringify(value) !== JSON.stringify(before)) { late.set(id, before); }
    });
    if (!late.size || response.status !== 200) { return response; }
    return response.clone().json().then(function (body) {
      if (!body.response || PAGE in body.response) { return response; }
      window.paretoscopeDrafts.look();
      put(request, body.response);
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    }, function () { return response; });
  }

  function put(request, answers) {
    function one(id, props, drawn) {
      var name = late.has(id) && prop(layout(id)), value = name && now(id), result;
      // What Dash patches or draws anew is a list or a value; text is put together.
      if (!name || !(drawn || name in props) || (typeof value === "string" && props[name] instanceof Object)) { return; }
      result = typeof value === "string" ? merged(text(request.get(id)), text(props[name]), value) : { text: value };
      late.set(id, props[name]);
      props[name] = result.text;
      follow(id, name, result, drawn);
    }
    function walk(value) {
      if (Array.isArray(value)) { value.forEach(walk); } else if (value && value.props && value.namespace) {
        var id = value.props.id;
        if (id) { one(typeof id === "string" ? id : window.dash_component_api.stringifyId(id), value.props, true); }
        Object.keys(value.props).forEach(function (name) { walk(value.props[name]); });
      }
    }
    Object.keys(answers).forEach(function (id) {
      one(id, answers[id], false);
      Object.keys(answers[id]).forEach(function (name) { walk(answers[id][name]); });
    });
  }

  // Once it is drawn, the caret goes on where it was, and Dash hears of what stands in a field that was drawn again.
  function follow(id, name, result, drawn) {
    var old = layout(id), node = document.getElementById(id), active = node && node === document.activeElement, until = Date.now() + DRAWN_MS;
    var caret = result.caret === undefined && active ? node.selectionStart : result.caret;
    function look() {
      var known = layout(id);
      if (known && known !== old && known.props[name] === result.text) { requestAnimationFrame(go); } else if (Date.now() < until) { requestAnimationFrame(look); }
    }
    function go() {
      node = document.getElementById(id);
      if (active && node && node.value === result.text) {
        node.focus({ preventScroll: true });
        try { node.setSelectionRange(caret, caret); } catch (error) { /* no field of text */ }
      }
      if (drawn) { window.dash_clientside.set_props(idOf(id), { [name]: result.text }); }
    }
    requestAnimationFrame(look);
  }

  return {
    FIELDS: FIELDS, idOf: idOf, idOfNode: idOfNode, layout: layout, typed: typed, prop: prop, sent: sent, answered: answered, merged: merged,
    failed: function (request) { requests.delete(request); },
    // Field that was used while the last answer was awaited -> what the server knows of it.
    late: function () { return late; }
  };
})();
