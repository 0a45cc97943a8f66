// Sends a file that is dropped or chosen, and shows how far it is. Outside of Dash's callbacks, which would hold it in memory
// as text; the answer goes to the page as it is.
(function () {
  // `asked`: what was answered about a name that is taken. `stored`: the title under which this file is stored already.
  var file = null, sending = false, said = {}, asked = {}, stored = null;

  function place() { return document.getElementById("upload-place"); }

  function send() {
    if (!file || sending) { return; }
    var form = new FormData();
    form.append("file", file);
    var all = Object.assign({}, said, asked);
    Object.keys(all).forEach(function (name) { [].concat(all[name]).forEach(function (value) { if (value) { form.append(name, value); } }); });
    sending = true;
    window.dash_clientside.set_props("upload-answer", { data: null });
    window.paretoscopeSending.send(form, {
      url: place().getAttribute("data-upload") || "/api/v1/documents/upload/", file: file.name, bytes: file.size, progress: "upload-progress", reading: "Reading", done: "read in ",
      answer: function (status, body) {
        sending = false;
        if (status === 200 || status === 201) { stored = said.name || ""; }
        window.dash_clientside.set_props("upload-answer", { data: { status: status, body: body, file: file.name, at: Date.now() } });
      }
    });
  }

  function take(files) {
    if (!files || !files.length || sending) { return; }
    file = files[0];
    delete said.dim;
    delete said.exclude;
    asked = {};
    stored = null;
    send();
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !place()) { return; }
    if (event.target.closest("#upload-choose")) {
      window.paretoscopeSending.choose(place().getAttribute("data-accept"), take);
    }
    if (event.target.closest("#upload-again")) {
      // Of the same file, read otherwise, it is plain what the next version is.
      if (stored === (said.name || "")) { asked.next_version = "true"; }
      send();
    }
    if (event.target.closest("#upload-next")) { asked.next_version = "true"; send(); }
    if (event.target.closest("#upload-other")) { asked.name = document.getElementById("upload-other-name").value; send(); }
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

  // A configuration is short enough to be pasted: only text that is a JSON object, and not into a field.
  document.addEventListener("paste", function (event) {
    var accepted = place() && (place().getAttribute("data-accept") || "");
    if (!place() || accepted.indexOf(".json") < 0 || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) { return; }
    var text = event.clipboardData.getData("text").trim();
    if (event.clipboardData.files.length) { take(event.clipboardData.files); return; }
    if (text[0] === "{") { take([new File([text], "config.json", { type: "application/json" })]); }
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    upload: {
      remember: function (name, project, _sizes, _checks) {
        var given = window.dash_clientside.callback_context.inputs_list;
        said.name = name || "";
        said.project = project || "";
        // Fields go away with their answer, and what was said in them stays until there is another file: a network may ask for
        // sizes first and for what to leave out then. What is left empty is asked for again.
        if (given[2].length) { said.dim = given[2].filter(function (each) { return each.value || each.value === 0; }).map(function (each) { return each.id.name + "=" + each.value; }); }
        if (given[3].length) { said.exclude = given[3].filter(function (each) { return each.value; }).map(function (each) { return each.id.name; }); }
        return window.dash_clientside.no_update;
      }
    }
  });
})();
