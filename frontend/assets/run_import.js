// Sends a run that another installation exported, and shows how far it is.
(function () {
  var sending = false;

  function place() { return document.getElementById("run-import-place"); }

  function take(files) {
    if (!files || !files.length || sending) { return; }
    var form = new FormData(), file = files[0];
    form.append("file", file);
    var chosen = place().getAttribute("data-project");
    if (chosen) { form.append("project", chosen); }
    sending = true;
    window.dash_clientside.set_props("run-import-answer", { data: null });
    window.paretoscopeSending.send(form, {
      url: "/api/v1/runs/import/", file: file.name, bytes: file.size, progress: "run-import-progress",
      reading: "Comparing", done: "compared and stored in ",
      answer: function (status, body) {
        sending = false;
        window.dash_clientside.set_props("run-import-answer", { data: { status: status, body: body, at: Date.now() } });
      }
    });
  }

  document.addEventListener("click", function (event) {
    if (event.target.closest && place() && event.target.closest("#run-import-choose")) {
      window.paretoscopeSending.choose(".zip", take);
    }
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
})();
