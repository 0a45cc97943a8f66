// Between a page and the server: says when the server cannot be reached, when the sign-in has ended and when somebody else has signed in.
// What a page asks for carries its account; what was refused is said beside its control by refused.js.
window.paretoscopeConnection = (function () {
  var WATCHED = /\/_dash-(update-component|run-state|run-pick)/, CALLBACKS = /\/_dash-update-component/, OPENING = /\/_dash-(layout|dependencies)/, ASK_EVERY_MS = 4000;
  var SIGN_IN = paretoscopeSite.at("/accounts/login/?next=") + paretoscopeSite.at("/accounts/signed_in/");
  var original = window.fetch, lostAt = null, out = false, other = "", refused = 0, leaving = false, ahead = 0, card = null, again = [];

  function account() { var main = document.getElementById("main"); return main ? main.dataset.account : null; }

  function element(tag, classes, words, given) { return Object.assign(document.createElement(tag), { className: classes, textContent: words }, given); }

  // Opens beside the page, which stays as it is.
  function signIn() { return element("a", "btn small", "Sign in", { href: SIGN_IN, target: "_blank", title: "Opens in a new tab; this page stays unchanged" }); }
  function reload() { return element("button", "btn small", "Reload", { type: "button", onclick: function () { location.reload(); } }); }

  function words() {
    if (other) { return ["You are signed in as " + other + " now. This page belongs to another account.", reload()]; }
    if (out) { return ["You are signed out. What you typed stays on this page.", signIn()]; }
    if (lostAt !== null) { return ["Connection lost " + Math.round((Date.now() - lostAt) / 1000) + " s ago. Trying again; runs continue."]; }
    if (refused === 404) { return ["This item is deleted, or you cannot see it.", reload()]; }
    return refused ? ["The server answered " + refused + ". Trying again; runs continue."] : null;
  }

  function show() {
    var node = document.getElementById("connection-strip"), said = words();
    if (!node) { return; }
    node.hidden = !said;
    if (!said) { return; }
    var place = node.lastElementChild;
    // The same words stay, and a link that has the focus with them.
    if (!place.firstChild || place.firstChild.textContent !== said[0]) { place.replaceChildren(element("span", "", said[0]), " ", said[1] || ""); }
  }

  function ask() {
    if (account() === null) { return; }
    original.call(window, paretoscopeSite.at("/accounts/who/")).then(function (answer) { return answer.ok ? answer.json() : null; }).then(function (now) {
      lostAt = null;
      if (!now) { return; }
      var own = now.account === account();
      out = !own && now.account === "nobody";
      other = own || out ? "" : now.name;
      show();
    }).catch(function () { /* no connection: said already, or by the next question */ });
  }

  setInterval(function () { show(); }, 1000);
  setInterval(function () { if (out || other || lostAt !== null) { ask(); } }, ASK_EVERY_MS);
  window.addEventListener("focus", ask);
  window.addEventListener("pagehide", function () { leaving = true; });
  window.addEventListener("pageshow", function () { leaving = false; });

  function answered(response) {
    var there = Date.parse(response.headers.get("Date")) - Date.now();
    // Both are whole seconds, and an answer takes a while.
    if (Math.abs(there) > 3000) { ahead = there; }
    lostAt = null;
    if (response.status === 401) { out = true; } else if (response.ok) { out = false; other = ""; }
    if (response.status === 409) { ask(); }
    show();
  }

  function unanswered(error) {
    if (leaving) { return; }
    if (lostAt === null) { lostAt = Date.now(); }
    show();
    return error;
  }

  // What a page is drawn from when it opens. Dash would stop for good without it: it waits for as long as it takes.
  function opening(resource, options) {
    return original.call(window, resource, options).then(function (response) {
      return response.ok ? response : failed(resource, options, response);
    }, function () { return leaving ? new Promise(function () { }) : failed(resource, options, null); });
  }

  function failed(resource, options, response) {
    return window.paretoscopeRefused.reasonOf(response).then(function (reason) {
      return new Promise(function (settle) {
        again.push(function () { settle(opening(resource, options)); });
        if (!card) { showCard(reason); }
      });
    });
  }

  function showCard(reason) {
    var last = element("div", "row", "");
    card = element("section", "card opening-failed", "", { role: "alert" });
    last.append(element("button", "btn primary", "Try again", { type: "button", onclick: tryAgain }), reason.status === 401 ? signIn() : "");
    card.append(element("h1", "", "This page did not load"), element("p", "", reason.words + " Nothing is lost; runs go on."), last);
    document.body.classList.add("opening-stopped");
    document.body.append(card);
  }

  function tryAgain() {
    var waiting = again;
    if (!card) { return; }
    card.remove();
    card = null;
    again = [];
    document.body.classList.remove("opening-stopped");
    waiting.forEach(function (ask) { ask(); });
  }
  window.addEventListener("online", tryAgain);

  window.fetch = function (resource, options) {
    var address = typeof resource === "string" ? resource : resource.url;
    if (OPENING.test(address)) { return opening(resource, options); }
    if (!WATCHED.test(address)) { return original.apply(this, arguments); }
    var headers = new Headers((options || {}).headers), callback = CALLBACKS.test(address), refusals = window.paretoscopeRefused, fields = window.paretoscopeFields, request;
    if (account() !== null) { headers.set("X-Page-Account", account()); }
    options = Object.assign({}, options, { headers: headers });
    if (callback) {
      options.body = refusals.outgoing(options.body);
      if (options.body === null) { return Promise.resolve(new Response(null, { status: 204 })); }
      request = fields.sent();
    }
    return original.call(window, resource, options).then(function (response) {
      answered(response);
      if (!callback) {
        if (/run-state/.test(address)) { refused = response.ok || response.status === 401 ? 0 : response.status; }
        return response;
      }
      if (response.ok) { refusals.done(options.body); refused = 0; return fields.answered(request, response); }
      fields.failed(request);
      return refusals.take(options.body, response);
    }, function (error) {
      unanswered(error);
      fields.failed(request);
      if (!callback || leaving) { throw error; }
      return refusals.take(options.body, null);
    });
  };

  return {
    account: account, signIn: signIn, reload: reload, element: element,
    // Milliseconds by which the server's clock is ahead of the browser's.
    ahead: function () { return ahead; },
    signedOut: function () { out = true; show(); },
    // A callback that no control asked for: it comes again by itself.
    polled: function (status) { refused = status || refused; show(); }
  };
})();
