// The page that imports measured values: keeps the chosen file, sends it with what stands in the fields.
(function () {
  var file = null, sending = false, said = { fields: [], columns: [] };

  function page() { return document.getElementById("values-file"); }

  function put(chosen) {
    file = chosen || null;
    document.getElementById("values-name").textContent = file ? file.name : "no file";
    said.columns = [];  // those of another table
  }

  function tell(data) { window.dash_clientside.set_props("values-answer", { data: data }); }

  function send(how) {
    if (sending || !page()) { return; }
    if (!file) { tell({ status: 400, body: { field: "file", got: null, accepted: "a file of measured values: choose one above" }, file: "Nothing", at: Date.now() }); return; }
    var form = new FormData(), name = file.name;
    form.append("file", file);
    said.fields.forEach(function (each) { if (each.value) { form.append(each.id.name, each.value); } });
    said.columns.forEach(function (each) { if (each.value) { form.append("column", each.id.name + "=" + each.value); } });
    if (how === "values-store") { form.append("store", "true"); form.append("leave_out", "true"); }
    sending = true;
    window.paretoscopeSending.send(form, {
      url: "/api/v1/measured-values/", file: name, bytes: file.size, progress: "values-progress", reading: "Reading", done: "read in ",
      answer: function (status, body) { sending = false; tell({ status: status, body: body, file: name, at: Date.now() }); }
    });
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !page()) { return; }
    var button = event.target.closest("#values-show, #values-again, #values-store");
    if (event.target.closest("[data-values-choose]")) { window.paretoscopeSending.choose("", function (list) { if (list.length) { put(list[0]); } }); }
    if (button) { send(button.id); }
  });

  ["dragover", "dragleave", "drop"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      if (!page()) { return; }
      // A file that misses the place would otherwise replace the page.
      event.preventDefault();
      page().classList.toggle("over", kind === "dragover" && page().contains(event.target));
      if (kind === "drop" && event.dataTransfer.files.length) { put(event.dataTransfer.files[0]); }
    });
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    measured_values: {
      remember: function () {
        var given = window.dash_clientside.callback_context.inputs_list;
        said.fields = given[0];
        if (given[1].length) { said.columns = given[1]; }
        return window.dash_clientside.no_update;
      },
      opened: function () {
        file = null;
        said.columns = [];
        return window.dash_clientside.no_update;
      }
    }
  });
})();
