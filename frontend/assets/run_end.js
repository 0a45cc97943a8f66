// A notification of the browser when a run ends, for whoever asked for it on the run's page and keeps that page open.
(function () {
  var KEY = "paretoscope-tell-end";

  function asked() {
    try { return JSON.parse(sessionStorage.getItem(KEY)) || []; } catch (error) { return []; }
  }

  function keep(runs) {
    try { sessionStorage.setItem(KEY, JSON.stringify(runs)); } catch (error) { /* then for this moment only */ }
  }

  function say(button, words, on) {
    button.classList.toggle("on", on);
    button.setAttribute("aria-pressed", String(on));
    button.nextElementSibling.textContent = words;
  }

  // Chrome on Android lets pages show none, only service workers, and says so by an error.
  function notify(title, more) {
    try { return new window.Notification(title, more); } catch (error) { return null; }
  }

  function show() {
    var button = document.querySelector("[data-tell-end]"), on = button && asked().indexOf(button.dataset.tellEnd) >= 0;
    if (on && button.getAttribute("aria-pressed") !== "true") { say(button, "Notification on", true); }
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-tell-end]");
    if (!button) { return; }
    var run = button.dataset.tellEnd, rest = asked().filter(function (each) { return each !== run; });
    if (asked().indexOf(run) >= 0) { keep(rest); say(button, "", false); return; }
    if (!window.Notification || !window.isSecureContext) { say(button, "Notifications need HTTPS", false); return; }
    window.Notification.requestPermission().then(function (answer) {
      if (answer !== "granted") { say(button, "This browser blocks them", false); return; }
      var trial = notify("Notification on", { body: "Run " + run, silent: true });
      if (!trial) { say(button, "This browser shows none", false); return; }
      if (trial.close) { trial.close(); }
      keep(rest.concat(run));
      say(button, "Notification on", true);
    });
  });

  document.addEventListener("paretoscope-run-ended", function (event) {
    var run = String(event.detail.run), runs = asked();
    if (runs.indexOf(run) < 0) { return; }
    keep(runs.filter(function (each) { return each !== run; }));
    var title = document.querySelector(".run-title-row h1");
    notify(title ? title.textContent : "Run " + run, { body: "Run " + run + " has ended: " + event.detail.status, tag: "run-" + run });
  });

  // The head of the page is drawn again when the run changes its state.
  setInterval(show, 1000);
})();
