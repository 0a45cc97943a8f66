// The page that makes a calibration of measurements: keeps the chosen files, sends them with what stands in the fields.
(function () {
  var files = { file: null, tegrastats: null }, sending = false, said = {};

  function page() { return document.getElementById("calibrate-progress"); }

  function show() {
    Object.keys(files).forEach(function (name) {
      var node = document.getElementById("calibrate-name-" + name), gone = document.getElementById("calibrate-remove-" + name);
      if (node) { node.textContent = files[name] ? files[name].name : "no file"; }
      if (gone) { gone.hidden = !files[name]; }
    });
  }

  function put(name, file) {
    files[name] = file;
    if (name === "tegrastats") { said.rail = []; }
    show();
  }

  // What is dropped is told apart by its ending: logs are of tegrastats.
  function take(list) {
    Array.prototype.slice.call(list || []).slice(0, 2).forEach(function (file) {
      put(/\.(log|txt)$/i.test(file.name) ? "tegrastats" : "file", file);
    });
  }

  function tell(data) { window.dash_clientside.set_props("calibrate-answer", { data: data }); }

  function send() {
    if (sending || !page()) { return; }
    if (!files.file) { tell({ status: 400, body: { field: "file", got: null, accepted: "a file of measurements: choose one above" }, file: "Nothing", at: Date.now() }); return; }
    var form = new FormData(), name = files.file.name;
    form.append("file", files.file);
    if (files.tegrastats) { form.append("tegrastats", files.tegrastats); }
    Object.keys(said).forEach(function (key) {
      if (key === "rail" && !files.tegrastats) { return; }
      [].concat(said[key]).forEach(function (value) { if (value) { form.append(key, value); } });
    });
    sending = true;
    tell(null);
    window.paretoscopeSending.send(form, {
      url: "/api/v1/calibrations/fit/", file: name, bytes: files.file.size + (files.tegrastats ? files.tegrastats.size : 0),
      progress: "calibrate-progress", reading: "Fitting", done: "fitted in ",
      answer: function (status, body) { sending = false; tell({ status: status, body: body, file: name, at: Date.now() }); }
    });
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest || !page()) { return; }
    var choose = event.target.closest("[data-calibrate-file]"), remove = event.target.closest("[data-calibrate-remove]");
    if (choose) {
      var name = choose.getAttribute("data-calibrate-file");
      window.paretoscopeSending.choose(choose.getAttribute("data-accept"), function (list) { if (list.length) { put(name, list[0]); } });
    }
    if (remove) { put(remove.getAttribute("data-calibrate-remove"), null); }
    if (event.target.closest("#calibrate-fit") || event.target.closest("#calibrate-again")) { send(); }
  });

  ["dragover", "dragleave", "drop"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      if (!page()) { return; }
      // A file that misses the place would otherwise replace the page.
      event.preventDefault();
      var place = document.getElementById("calibrate-files");
      place.classList.toggle("over", kind === "dragover" && place.contains(event.target));
      if (kind === "drop") { take(event.dataTransfer.files); }
    });
  });

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    calibrate: {
      // What stands in the fields, for the script above; files of a page that was left are forgotten.
      remember: function (soc, workload, unit, precision, how, base, _clocks, _rails) {
        var given = window.dash_clientside.callback_context.inputs_list;
        said.soc = soc; said.workload = workload; said.unit = unit; said.precision = precision;
        said.prior = how === "fit" ? base : ""; said.scale = how === "scale" ? base : "";
        said.clock = given[6].filter(function (each) { return each.value !== "" && each.value !== undefined && each.value !== null; })
          .map(function (each) { return each.id.name + "=" + each.value; });
        // The question for the rails goes away with its answer, which stays until there is another log.
        if (given[7].length) { said.rail = given[7].filter(function (each) { return each.value; }).map(function (each) { return each.id.name; }); }
        return window.dash_clientside.no_update;
      },
      opened: function () {
        files = { file: null, tegrastats: null };
        said.rail = [];
        show();
        return window.dash_clientside.no_update;
      }
    }
  });
})();
