// Sends forms with files outside of Dash's callbacks, which would hold the files in memory as text; shows how far they are.
window.paretoscopeSending = (function () {
  function cookie(name) {
    var found = document.cookie.split("; ").find(function (each) { return each.indexOf(name + "=") === 0; });
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  }

  function size(bytes) { return bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + " kB" : (bytes / 1e6).toFixed(1) + " MB"; }

  // The element with that id has a line of three texts and a bar.
  function tell(id, words, facts, share) {
    var node = document.getElementById(id);
    if (!node) { return; }
    node.hidden = false;
    var texts = node.firstElementChild.children;
    texts[0].textContent = words;
    texts[2].textContent = facts;
    node.lastElementChild.firstElementChild.style.width = Math.round(100 * share) + "%";
  }

  // `what` has url, file (name), bytes, progress (id), reading (words), done (words), and answer(status, body).
  function send(form, what) {
    var began = Date.now(), request = new XMLHttpRequest();
    function answered(status, text) {
      var body = {};
      try { body = JSON.parse(text); } catch (error) { /* a page, not an answer: the status tells */ }
      if (status === 401) { window.paretoscopeConnection.signedOut(); }
      var words = status === 200 || status === 201 ? what.done : status ? "answered after " : "no answer after ";
      tell(what.progress, what.file, words + ((Date.now() - began) / 1000).toFixed(1) + " s", 1);
      what.answer(status, body);
    }
    request.open("POST", paretoscopeSite.at(what.url));
    request.setRequestHeader("X-CSRFToken", cookie("csrftoken"));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-Page-Account", window.paretoscopeConnection.account());
    request.upload.onprogress = function (event) {
      if (event.lengthComputable) { tell(what.progress, "Sending " + what.file, size(event.loaded) + " of " + size(event.total), event.loaded / event.total); }
    };
    request.upload.onload = function () { tell(what.progress, what.reading + " " + what.file, "in a process of its own", 1); };
    request.onload = function () { answered(request.status, request.responseText); };
    request.onerror = function () { answered(0, ""); };
    tell(what.progress, "Sending " + what.file, "0 of " + size(what.bytes), 0);
    request.send(form);
  }

  // The browser's own window to choose a file.
  function choose(accept, take) {
    var input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.addEventListener("change", function () { take(input.files); });
    input.click();
  }

  return { send: send, choose: choose };
})();
