// Sends a file that is dropped or chosen, and shows how far it is. Outside of Dash's callbacks, which would hold it in memory
// as text; the answer goes to the page as it is.
(function () {
  var file = null, request = null, said = {};

  function place() { return document.getElementById("upload-place"); }
  function cookie(name) {
    var found = document.cookie.split("; ").find(function (each) { return each.indexOf(name + "=") === 0; });
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  }

  function tell(words, facts, share) {
    var node = document.getElementById("upload-progress");
    if (!node) { return; }
    node.hidden = false;
    var texts = node.firstElementChild.children;
    texts[0].textContent = words;
    texts[2].textContent = facts;
    node.lastElementChild.firstElementChild.style.width = Math.round(100 * share) + "%";
  }

  function size(bytes) { return bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + " kB" : (bytes / 1e6).toFixed(1) + " MB"; }

  function send() {
    if (!file || request) { return; }
    var form = new FormData(), began = Date.now();
    form.append("file", file);
    Object.keys(said).forEach(function (name) { [].concat(said[name]).forEach(function (value) { if (value) { form.append(name, value); } }); });
    request = new XMLHttpRequest();
    request.open("POST", "/api/v1/documents/upload/");
    request.setRequestHeader("X-CSRFToken", cookie("csrftoken"));
    request.setRequestHeader("Accept", "application/json");
    request.upload.onprogress = function (event) {
      if (event.lengthComputable) { tell("Sending " + file.name, size(event.loaded) + " of " + size(event.total), event.loaded / event.total); }
    };
    request.upload.onload = function () { tell("Reading " + file.name, "in a process of its own", 1); };
    request.onload = function () { answer(request.status, request.responseText, began); };
    request.onerror = function () { answer(0, "", began); };
    tell("Sending " + file.name, "0 of " + size(file.size), 0);
    window.dash_clientside.set_props("upload-answer", { data: null });
    request.send(form);
  }

  function answer(status, text, began) {
    var body = {};
    try { body = JSON.parse(text); } catch (error) { /* a page, not an answer: the status tells */ }
    request = null;
    if (status === 401) { window.location.assign("/accounts/login/?next=" + encodeURIComponent(location.pathname)); return; }
    tell(file.name, (status === 200 || status === 201 ? "read in " : status ? "answered after " : "no answer after ") + ((Date.now() - began) / 1000).toFixed(1) + " s", 1);
    window.dash_clientside.set_props("upload-answer", { data: { status: status, body: body, file: file.name, at: Date.now() } });
  }

  function take(files) {
    if (!files || !files.length || request) { return; }
    file = files[0];
    delete said.dim;
    delete said.exclude;
    send();
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !place()) { return; }
    if (event.target.closest("#upload-choose")) {
      var input = document.createElement("input");
      input.type = "file";
      input.accept = place().getAttribute("data-accept");
      input.addEventListener("change", function () { take(input.files); });
      input.click();
    }
    if (event.target.closest("#upload-again")) { send(); }
  });

  ["dragover", "dragleave", "drop"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      if (!place()) { return; }
      // A file that misses the place would otherwise replace the page.
      event.preventDefault();
      place().classList.toggle("over", kind === "dragover" && place().contains(event.target));
      if (kind === "drop" && place().contains(event.target)) { take(event.dataTransfer.files); }
    });
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    upload: {
      remember: function (name, project, _sizes, _checks) {
        var given = window.dash_clientside.callback_context.inputs_list;
        said = { name: name || "", project: project || "" };
        said.dim = given[2].map(function (each) { return each.id.name + "=" + (each.value || 1); });
        said.exclude = given[3].filter(function (each) { return each.value; }).map(function (each) { return each.id.name; });
        return window.dash_clientside.no_update;
      }
    }
  });
})();
